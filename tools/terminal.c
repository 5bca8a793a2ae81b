// SPDX-License-Identifier: GPL-2.0
#include "terminal.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define COLUMNS_DEFAULT	80

static bool is_width(unsigned long columns)
{
	return columns >= SVLAG_COLUMNS_MIN && columns <= SVLAG_COLUMNS_MAX;
}

/* 0 if the environment does not say, or nothing that could be. */
static unsigned int columns_asked_for(void)
{
	const char *text = getenv("COLUMNS");
	unsigned long columns;
	char *end;

	if (!text)
		return 0;
	columns = strtoul(text, &end, 10);
	return end != text && !*end && is_width(columns) ? columns : 0;
}

void svlag_terminal_look(struct svlag_terminal *terminal)
{
	struct winsize size = { 0 };

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		memset(&size, 0, sizeof(size));
	terminal->rows = size.ws_row;
	terminal->columns = columns_asked_for();
	if (!terminal->columns)
		terminal->columns = is_width(size.ws_col) ? size.ws_col : COLUMNS_DEFAULT;
	/* Of the locale this alone is taken: numbers look the same everywhere. */
	terminal->utf8 = setlocale(LC_CTYPE, "") && !strcmp(nl_langinfo(CODESET), "UTF-8");
}
