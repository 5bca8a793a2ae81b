/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Distributions of times, drawn. Each function fills in text and prints nothing.
 */
#ifndef SVLAG_TOOLS_RENDER_HISTOGRAM_H
#define SVLAG_TOOLS_RENDER_HISTOGRAM_H

#include "judge.h"
#include "line.h"
#include "rows.h"
#include "terminal.h"

/* Above the rows what it is of, and the columns; below them the percentiles. */
#define SVLAG_HISTOGRAM_SIZE	((SVLAG_ROWS_MAX + 3) * SVLAG_LINE_SIZE)

/* A window: its head, its histograms or that there are none, and an empty line. */
#define SVLAG_HISTOGRAMS_SIZE	(3 * SVLAG_LINE_SIZE + SVLAG_NR_TIMES * SVLAG_HISTOGRAM_SIZE)

/**
 * svlag_histogram - draw one distribution
 * @text: where it goes
 * @what: the time that it is of
 * @d: the distribution
 * @oldest_ns: the age of the oldest item that waits; 0: none
 * @terminal: how wide it may be, and of what
 *
 * Return: the length of the text; 0 if there is nothing to draw.
 */
size_t svlag_histogram(char text[SVLAG_HISTOGRAM_SIZE], enum svlag_times what,
		       const struct svlag_distribution *d, __u64 oldest_ns,
		       const struct svlag_terminal *terminal);

/**
 * svlag_histograms - a window: when it was, its state, and all distributions in which
 *	there is anything; an empty line ends it
 * @text: where it goes
 * @report: the window. The first of the reader's is the time since the load
 * @terminal: how wide it may be, and of what
 */
void svlag_histograms(char text[SVLAG_HISTOGRAMS_SIZE], const struct svlag_report *report,
		      const struct svlag_terminal *terminal);

#endif
