/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Histograms of times, per CPU, that only rise. The buckets are those of
 * <svcrdma_lag/hist.h>. One takes 3,752 bytes a possible CPU.
 */
#ifndef SVLAG_HISTOGRAM_H
#define SVLAG_HISTOGRAM_H

#include <linux/percpu.h>
#include <linux/types.h>
#include <svcrdma_lag/hist.h>

/**
 * struct svlag_histogram - one histogram
 * @count: SVLAG_HIST_BUCKETS of each CPU, written by that CPU alone, never cleared
 */
struct svlag_histogram {
	u64 __percpu *count;
};

/**
 * svlag_histogram_create - make an empty one
 * @h: all zero
 *
 * Context: may sleep. Return: 0 or -ENOMEM.
 */
int svlag_histogram_create(struct svlag_histogram *h);

/**
 * svlag_histogram_destroy - free it
 * @h: one that was created, or all zero
 *
 * Context: nobody else uses it any more.
 */
void svlag_histogram_destroy(struct svlag_histogram *h);

/**
 * svlag_histogram_add - count a time
 * @h: where
 * @ns: the time
 * @weight: how many items it stands for
 *
 * Context: any, interrupts and hooks included.
 */
static __always_inline void svlag_histogram_add(struct svlag_histogram *h, u64 ns, u32 weight)
{
	this_cpu_add(h->count[svlag_hist_bucket(ns)], weight);
}

/**
 * svlag_histogram_fold - add the counts of all possible CPUs to others
 * @h: which
 * @count: SVLAG_HIST_BUCKETS counts, to be added to
 *
 * Context: any. Reads 60 cache lines of each possible CPU.
 */
void svlag_histogram_fold(const struct svlag_histogram *h, u64 *count);

/**
 * svlag_histogram_bytes - the memory that one takes on all possible CPUs
 */
size_t svlag_histogram_bytes(void);

#endif
