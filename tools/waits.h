/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How long items waited and were worked on: the rows of the file wait as
 * histograms, the difference of two readings, and percentiles of it. Pure
 * arithmetic, which trusts no row.
 */
#ifndef SVLAG_TOOLS_WAITS_H
#define SVLAG_TOOLS_WAITS_H

#include <svcrdma_lag/hist.h>

#include "layout.h"

/* 2^54: beyond so many items percentiles cannot be told, and no server has so many. */
#define SVLAG_ITEMS_MAX		0x40000000000000ULL

/**
 * struct svlag_distribution - one of the times, by the buckets of hist.h
 * @complete: how many took so long
 * @lost: how many were lost from sight at that age: they took at least so long
 * @waiting: how many have that age now
 */
struct svlag_distribution {
	__u64 complete[SVLAG_HIST_BUCKETS];
	__u64 lost[SVLAG_HIST_BUCKETS];
	__u64 waiting[SVLAG_HIST_BUCKETS];
};

/**
 * struct svlag_waits - all of the times
 * @known: whether anything is known of them; all counts are 0 if not
 * @of: each, by enum svlag_times
 */
struct svlag_waits {
	bool known;
	struct svlag_distribution of[SVLAG_NR_TIMES];
};

/**
 * svlag_waits_take - take the rows of the file wait
 * @waits: filled in; known if all rows are good
 * @rows: the rows. One of a time that is not known here is skipped
 * @nr_rows: how many
 *
 * Return: 0, or the number of the first row, from 1, that cannot be: its upper_ns
 * bounds no bucket, its bucket has been there before, it does not give its
 * count_total, or it makes more than SVLAG_ITEMS_MAX of what it counts.
 */
unsigned int svlag_waits_take(struct svlag_waits *waits, const struct svlag_wait_row *rows,
			      unsigned int nr_rows);

/**
 * svlag_waits_diff - what left between two readings
 * @from: the older one
 * @to: the younger one
 * @window: the difference, and what waits in @to; not known if either is not,
 *	or if a count fell
 */
void svlag_waits_diff(const struct svlag_waits *from, const struct svlag_waits *to,
		      struct svlag_waits *window);

/**
 * svlag_waits_percentile - the time that so many of a thousand did not exceed, of
 *	those that left: complete and lost
 * @d: the distribution
 * @permille: as for svlag_hist_percentile()
 * @percentile: where it lies; untouched if there is none
 *
 * Return: false if none left.
 */
bool svlag_waits_percentile(const struct svlag_distribution *d, unsigned int permille,
			    struct svlag_percentile *percentile);

/**
 * svlag_waits_longest - the longest time
 * @d: the distribution of those that left
 * @oldest_ns: the age of the oldest of those that did not; 0: none, SVLAG_UNKNOWN:
 *	that is not known
 * @percentile: where it lies; untouched if there is none
 *
 * Where the oldest is older than all that left, the longest time is at least its age.
 *
 * Return: false if none left and none waits.
 */
bool svlag_waits_longest(const struct svlag_distribution *d, __u64 oldest_ns,
			 struct svlag_percentile *percentile);

#endif
