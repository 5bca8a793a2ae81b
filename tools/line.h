/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A line of text in the making.
 */
#ifndef SVLAG_TOOLS_LINE_H
#define SVLAG_TOOLS_LINE_H

#include <stddef.h>

/* Takes any line; a longer one is cut and still ends with its newline. */
#define SVLAG_LINE_SIZE		512

/**
 * struct svlag_line - a line
 * @text: SVLAG_LINE_SIZE bytes for it
 * @used: how many of them hold it; never so many that there is no room for the newline
 */
struct svlag_line {
	char *text;
	size_t used;
};

/* Add to it, as printf() would. */
__attribute__((format(printf, 2, 3)))
void svlag_add(struct svlag_line *line, const char *format, ...);

/* End it with its newline. */
void svlag_end(struct svlag_line *line);

#endif
