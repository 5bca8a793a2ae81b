/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Histograms of times: which bucket, its bounds, and percentiles.
 *
 * Pure arithmetic, shared by the module, which counts, and the reader, which
 * diffs. The buckets are log-linear: each power of two is cut into sixteen
 * equal steps, so that a bucket is never wider than one sixteenth of its lower
 * bound. They reach from 1 us to 10 min. The first bucket
 * has all that is shorter, and the last, which has no upper bound, all that is
 * longer.
 *
 * A time is complete, or censored: then the item was lost from sight at that
 * age, and its time is "at least" that. Percentiles take both in.
 *
 * No floating point and no division, so that any kernel can do it. Nothing here
 * sleeps, locks or keeps anything.
 */
#ifndef SVCRDMA_LAG_HIST_H
#define SVCRDMA_LAG_HIST_H

#include <linux/types.h>
#ifdef __KERNEL__
#include <linux/stddef.h>
#else
#include <stdbool.h>
#include <stddef.h>
#endif

#define SVLAG_HIST_STEPS_LOG2	4

/* The lower bounds of the second bucket and of the last: steps at 1 us and past 10 min. */
#define SVLAG_HIST_FROM_NS	992ULL
#define SVLAG_HIST_TO_NS	618475290624ULL

/* Steps are numbered from 0 ns on; of these two the numbers are constant. */
#define SVLAG_HIST_FROM_STEP	110
#define SVLAG_HIST_BUCKETS	469

/* No upper bound. */
#define SVLAG_HIST_NO_BOUND	((__u64)~0ULL)

/**
 * struct svlag_percentile - where a percentile lies
 * @lower_ns: it is at least this
 * @upper_ns: and at most this, within one bucket; SVLAG_HIST_NO_BOUND if @is_least
 * @is_least: it lies among censored times, or beyond the last bound: all that is
 *	known is @lower_ns, and it is to be printed as ">="
 */
struct svlag_percentile {
	__u64 lower_ns;
	__u64 upper_ns;
	bool is_least;
};

/* The number of the highest bit of a value that is not 0. */
static inline unsigned int svlag_hist_top_bit(__u64 value)
{
	__u32 high = value >> 32;

	if (sizeof(long) == sizeof(value))
		return 63 - __builtin_clzl(value);
	return high ? 63 - __builtin_clz(high) : 31 - __builtin_clz((__u32)value);
}

/**
 * svlag_hist_bucket - the bucket that counts a time
 * @ns: the time
 *
 * Return: 0 to SVLAG_HIST_BUCKETS - 1.
 */
static inline unsigned int svlag_hist_bucket(__u64 ns)
{
	unsigned int shift;

	if (ns < SVLAG_HIST_FROM_NS)
		return 0;
	if (ns >= SVLAG_HIST_TO_NS)
		return SVLAG_HIST_BUCKETS - 1;
	shift = svlag_hist_top_bit(ns) - SVLAG_HIST_STEPS_LOG2;
	return (shift << SVLAG_HIST_STEPS_LOG2) + (__u32)(ns >> shift) - SVLAG_HIST_FROM_STEP;
}

/**
 * svlag_hist_lower_ns - the shortest time that a bucket counts
 * @bucket: 0 to SVLAG_HIST_BUCKETS - 1
 */
static inline __u64 svlag_hist_lower_ns(unsigned int bucket)
{
	unsigned int step = bucket + SVLAG_HIST_FROM_STEP;
	unsigned int shift = (step >> SVLAG_HIST_STEPS_LOG2) - 1;

	if (!bucket)
		return 0;
	return (__u64)(step - (shift << SVLAG_HIST_STEPS_LOG2)) << shift;
}

/**
 * svlag_hist_upper_ns - the longest time that a bucket counts
 * @bucket: 0 to SVLAG_HIST_BUCKETS - 1
 *
 * Return: inclusive; SVLAG_HIST_NO_BOUND for the last bucket.
 */
static inline __u64 svlag_hist_upper_ns(unsigned int bucket)
{
	return bucket == SVLAG_HIST_BUCKETS - 1 ? SVLAG_HIST_NO_BOUND :
		svlag_hist_lower_ns(bucket + 1) - 1;
}

/**
 * svlag_hist_total - how many times were counted
 * @count: SVLAG_HIST_BUCKETS counts
 */
static inline __u64 svlag_hist_total(const __u64 *count)
{
	unsigned int bucket;
	__u64 total = 0;

	for (bucket = 0; bucket < SVLAG_HIST_BUCKETS; bucket++)
		total += count[bucket];
	return total;
}

/*
 * The first bucket at which permille of total are reached; SVLAG_HIST_BUCKETS
 * if they never are. censored may be NULL.
 */
static inline unsigned int svlag_hist_reach(const __u64 *complete, const __u64 *censored,
					    __u64 total, unsigned int permille)
{
	unsigned int bucket;
	__u64 seen = 0;

	for (bucket = 0; bucket < SVLAG_HIST_BUCKETS; bucket++) {
		seen += complete[bucket] + (censored ? censored[bucket] : 0);
		if (seen && seen * 1000 >= total * permille)
			break;
	}
	return bucket;
}

/**
 * svlag_hist_percentile - the time that so many of a thousand do not exceed
 * @complete: SVLAG_HIST_BUCKETS counts of complete times; of a window, the
 *	difference of two readings. Not more than 2^54 in all
 * @censored: the same of censored ones, each counted at the age at which it was
 *	lost from sight; or NULL
 * @permille: 500 for the median, 999 for p99.9, 1000 for the maximum
 * @percentile: where it lies; untouched if there is none
 *
 * Censored times may lie anywhere above their age. If the percentile is in the
 * same bucket wherever they do, it is known; else it is at least what it would
 * be if all of them had ended just when they were lost.
 *
 * Return: false if nothing was counted.
 */
static inline bool svlag_hist_percentile(const __u64 *complete, const __u64 *censored,
					 unsigned int permille,
					 struct svlag_percentile *percentile)
{
	__u64 total = svlag_hist_total(complete) + (censored ? svlag_hist_total(censored) : 0);
	unsigned int least, most;

	if (!total)
		return false;
	least = svlag_hist_reach(complete, censored, total, permille);
	most = svlag_hist_reach(complete, NULL, total, permille);
	percentile->lower_ns = svlag_hist_lower_ns(least);
	percentile->upper_ns = svlag_hist_upper_ns(least);
	percentile->is_least = most != least || least == SVLAG_HIST_BUCKETS - 1;
	if (percentile->is_least)
		percentile->upper_ns = SVLAG_HIST_NO_BOUND;
	return true;
}

#endif
