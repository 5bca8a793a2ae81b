/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table for people. Each function makes one line, with its newline, and
 * prints nothing.
 */
#ifndef SVLAG_TOOLS_RENDER_TABLE_H
#define SVLAG_TOOLS_RENDER_TABLE_H

#include "judge.h"
#include "line.h"

/**
 * svlag_table_head - what is being looked at
 * @line: where the line goes
 * @sample: the moment
 * @kernel: the release of the kernel, or NULL where it is not known
 */
void svlag_table_head(char line[SVLAG_LINE_SIZE], const struct svlag_sample *sample,
		      const char *kernel);

/* The names of the columns. */
void svlag_table_columns(char line[SVLAG_LINE_SIZE]);

/* The state of a window and what goes with it, without a newline. */
void svlag_table_state(struct svlag_line *line, const struct svlag_report *report);

/* A window. The time is the kernel's, in the time zone of the environment. */
void svlag_table_row(char line[SVLAG_LINE_SIZE], const struct svlag_report *report);

#endif
