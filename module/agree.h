/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Do the three ways to know the backlog agree: the depth, from counters; the curve
 * delay, from the same counters over time; and the waits, measured item by item in a
 * table that knows nothing of either?
 *
 * Over any stretch of time, the depth summed over it is the time that all items spent
 * waiting in it: what those released had waited, less the ages of those that waited
 * when it began, plus the ages of those that wait when it ends. That is Little's law
 * without its averages; it holds however unsteady the traffic is, and in whatever
 * order items are released.
 *
 * Pure arithmetic over what it is given: no clock, no lock.
 */
#ifndef SVLAG_AGREE_H
#define SVLAG_AGREE_H

#include <linux/types.h>
#include <svcrdma_lag/hist.h>

/**
 * struct svlag_agree_samples - what the samples of a window saw, in sum
 * @nr: how many samples
 * @depth: the depth
 * @depth_square: its square
 * @released: what was released from sample to sample,
 * @curve_us: times the curve delay at each of them, in 1,024 ns
 * @curve_max_ns: the longest curve delay
 * @uncertain: a depth was a lower bound, or a curve delay was
 */
struct svlag_agree_samples {
	u64 nr;
	u64 depth;
	u64 depth_square;
	u64 released;
	u64 curve_us;
	u64 curve_max_ns;
	bool uncertain;
};

/**
 * struct svlag_agree_waits - what was measured in a window
 * @length_ns: its length
 * @sample_ns: the time from sample to sample
 * @waits: how many waits there are of items released in it, by SVLAG_HIST_BUCKETS
 * @drawn: how many items were measured for that; fewer where each stood for some
 * @age_begin_us: the ages of those that waited when it began, in sum, in 1,024 ns
 * @age_end_us: of those that wait when it ends
 * @lost: items that left the table otherwise, or found no place: their waits are missing
 */
struct svlag_agree_waits {
	u64 length_ns;
	u64 sample_ns;
	const u64 *waits;
	u64 drawn;
	u64 age_begin_us;
	u64 age_end_us;
	u64 lost;
};

enum svlag_agreement {
	SVLAG_AGREE_UNKNOWN,
	SVLAG_AGREE_YES,
	SVLAG_AGREE_NOT_DEPTH,
	SVLAG_AGREE_NOT_CURVE,
	SVLAG_AGREE_NOT_ORDER,
};

/**
 * struct svlag_agree - whether they do
 * @depth: the mean depth by the samples
 * @depth_by_waits: and by the waits; SVLAG_UNKNOWN where they are not all there
 * @wait_ns: the mean wait as measured; SVLAG_UNKNOWN if nothing was
 * @curve_ns: and by the curve
 * @verdict: the first that does not agree, see abi.h
 */
struct svlag_agree {
	u64 depth;
	u64 depth_by_waits;
	u64 wait_ns;
	u64 curve_ns;
	enum svlag_agreement verdict;
};

/**
 * struct svlag_agree_point - what one sample sees
 * @depth: the depth
 * @curve_ns: the curve delay
 * @certain: neither is but a lower bound
 */
struct svlag_agree_point {
	u64 depth;
	u64 curve_ns;
	bool certain;
};

/**
 * svlag_agree_sample - take a sample in
 * @s: what the samples saw so far; all zero at first
 * @from: the sample before
 * @to: this one. Between the two all is taken as even
 * @released: how many were released in between
 */
void svlag_agree_sample(struct svlag_agree_samples *s, const struct svlag_agree_point *from,
			const struct svlag_agree_point *to, u64 released);

/**
 * svlag_agree_window - compare
 * @s: what the samples of the window saw
 * @w: what was measured in it
 * @a: filled in
 */
void svlag_agree_window(const struct svlag_agree_samples *s, const struct svlag_agree_waits *w,
			struct svlag_agree *a);

/**
 * svlag_agree_word - the verdict as stats has it; NULL if there is none
 */
const char *svlag_agree_word(enum svlag_agreement verdict);

#endif
