/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The waits of send contexts, window by window: percentiles of those that left the
 * in-flight table in it, and whether they agree with what the counters say.
 *
 * One caller at a time: the sampler, under its lock.
 */
#ifndef SVLAG_RESIDENCE_H
#define SVLAG_RESIDENCE_H

#include <linux/types.h>

#include "agree.h"

/**
 * struct svlag_residence - of a window
 * @p50_ns: half of the waits were at most this long; SVLAG_UNKNOWN if there were none
 * @p99_ns: the same of 99 %
 * @max_ns: of all; and nothing that still waits has waited longer
 * @is_least: "p50", "p99" or "max", the first of these that is but a lower bound; "no";
 *	or NULL if there is none of them
 * @lost: how many of those counted left the table without a release
 * @oldest_age_ns: of what waits at the window's end
 * @agree: whether the three estimates agree
 */
struct svlag_residence {
	u64 p50_ns;
	u64 p99_ns;
	u64 max_ns;
	const char *is_least;
	u64 lost;
	u64 oldest_age_ns;
	struct svlag_agree agree;
};

/**
 * svlag_residence_start - make room
 *
 * Context: may sleep. Return: 0 or -ENOMEM.
 */
int svlag_residence_start(void);

/**
 * svlag_residence_stop - give it back
 */
void svlag_residence_stop(void);

/**
 * svlag_residence_bytes - the memory that it takes
 */
size_t svlag_residence_bytes(void);

/**
 * svlag_residence_open - a window begins that does not begin where another ended
 *
 * Context: may sleep. Looks through the whole table.
 */
void svlag_residence_open(void);

/**
 * svlag_residence_sample - take a sample of the window in
 * @point: what it sees
 * @released: how many were released since the one before
 */
void svlag_residence_sample(const struct svlag_agree_point *point, u64 released);

/**
 * svlag_residence_close - a window ends, and the next one begins
 * @length_ns: its length
 * @sample_ns: the time from sample to sample
 * @r: filled in
 *
 * Context: may sleep. Looks through the whole table.
 */
void svlag_residence_close(u64 length_ns, u64 sample_ns, struct svlag_residence *r);

/**
 * svlag_residence_none - nothing is known
 * @r: filled in
 */
void svlag_residence_none(struct svlag_residence *r);

#endif
