/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the lines go.
 */
#ifndef SVLAG_TOOLS_TERMINAL_H
#define SVLAG_TOOLS_TERMINAL_H

#include <stdbool.h>

/* Widths that are taken at their word; others are mistakes. */
#define SVLAG_COLUMNS_MIN	20
#define SVLAG_COLUMNS_MAX	1000

/**
 * struct svlag_terminal - what can be shown at once
 * @columns: characters in a line
 * @rows: lines; 0 where it is no terminal, or says nothing of that
 * @utf8: characters are in UTF-8
 */
struct svlag_terminal {
	unsigned int columns;
	unsigned int rows;
	bool utf8;
};

/*
 * What is so now: a window may be resized at any moment. The width is that of the
 * environment's COLUMNS, else the terminal's, else 80.
 */
void svlag_terminal_look(struct svlag_terminal *terminal);

#endif
