// SPDX-License-Identifier: GPL-2.0
#include "line.h"

#include <stdarg.h>
#include <stdio.h>

void svlag_add(struct svlag_line *line, const char *format, ...)
{
	size_t room = SVLAG_LINE_SIZE - 1 - line->used;
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(line->text + line->used, room, format, args);
	va_end(args);
	if (len > 0)
		line->used += (size_t)len < room ? (size_t)len : room - 1;
}

void svlag_end(struct svlag_line *line)
{
	line->text[line->used++] = '\n';
	line->text[line->used] = '\0';
}
