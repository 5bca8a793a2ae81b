/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Per-CPU counters that only rise.
 *
 * A hit is one increment of the hitting CPU's own memory, a single instruction
 * on x86: exact whatever interrupts or preempts it, and no line is shared. What
 * the counters mean is their users' business; here they are numbers 0 to
 * SVLAG_COUNTERS - 1.
 */
#ifndef SVLAG_COUNTERS_H
#define SVLAG_COUNTERS_H

#include <linux/cache.h>
#include <linux/percpu.h>
#include <linux/types.h>

/* A whole number of cache lines. */
#define SVLAG_COUNTERS		32

struct svlag_counters {
	u64 count[SVLAG_COUNTERS];
} ____cacheline_aligned;

/* Written by its own CPU alone, read by the folds below; never cleared. */
DECLARE_PER_CPU(struct svlag_counters, svlag_counters);

/**
 * svlag_count - count one hit
 * @counter: which
 *
 * Context: any, interrupts and hooks included.
 */
static __always_inline void svlag_count(unsigned int counter)
{
	this_cpu_inc(svlag_counters.count[counter]);
}

/**
 * svlag_count_many - count several hits at once
 * @counter: which
 * @nr: how many
 *
 * Context: as svlag_count().
 */
static __always_inline void svlag_count_many(unsigned int counter, u64 nr)
{
	this_cpu_add(svlag_counters.count[counter], nr);
}

/**
 * svlag_counter_fold - the sum of one counter over all possible CPUs
 * @counter: which
 *
 * The sum is not of one moment: it is at least what the counter was when the
 * call began and at most what it was when it returned.
 *
 * Context: any. Reads a cache line of each possible CPU.
 */
u64 svlag_counter_fold(unsigned int counter);

/**
 * svlag_counter_of - one counter of one CPU
 * @cpu: a possible CPU
 * @counter: which
 *
 * Context: any.
 */
u64 svlag_counter_of(unsigned int cpu, unsigned int counter);

/**
 * svlag_counters_bytes - the memory that the counters take on all possible CPUs
 */
size_t svlag_counters_bytes(void);

#endif
