/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The flight recorder: every sample_ms it folds the counters and estimates the
 * depth, every window_ms it judges the window and keeps it, whether anybody
 * reads or not.
 *
 * A thread of its own and no work item: on the day it is needed for, workqueues
 * are what is not to be relied on. A sample reads a cache line of each possible
 * CPU some twenty times.
 */
#ifndef SVLAG_SAMPLER_H
#define SVLAG_SAMPLER_H

#include <linux/types.h>
#include <svcrdma_lag/abi.h>

#include "rpcrdma.h"

/* The bounds of the parameters. No window is shorter than a sample. */
#define SVLAG_SAMPLE_MS_MIN	10
#define SVLAG_SAMPLE_MS_MAX	100
#define SVLAG_WINDOW_MS_MIN	100
#define SVLAG_WINDOW_MS_MAX	60000

/* Members for the names of abi.h. SVLAG_UNKNOWN and NULL are printed as "-". */
#define SVLAG_MEMBER_num(name)		u64 name;
#define SVLAG_MEMBER_hex(name)		u64 name;
#define SVLAG_MEMBER_word(name)		const char *name;
#define SVLAG_MEMBER_sym(name)		const char *name;
#define SVLAG_MEMBER_text(name)		const char *name;
#define SVLAG_MEMBER(kind, name)	SVLAG_MEMBER_##kind(name)

/* The file stats. */
struct svlag_stats {
	SVLAG_STATS(SVLAG_MEMBER)
};

/* A row of the file windows. */
struct svlag_window {
	SVLAG_WINDOW_COLUMNS(SVLAG_MEMBER)
};

/**
 * struct svlag_knobs - parameters that are read at each sample; within their bounds
 * @sample_ms: the time from sample to sample
 * @window_ms: the length of a window
 * @leak_age_ms: what is older is taken for leaked
 */
struct svlag_knobs {
	const unsigned int *sample_ms;
	const unsigned int *window_ms;
	const unsigned int *leak_age_ms;
};

/**
 * svlag_sampler_start - begin to sample
 * @knobs: parameters; to stay where they are
 * @target: the name of the module that is watched
 * @others_bytes: memory that others allocated, for memory_bytes
 *
 * Context: may sleep. Return: 0 or an errno.
 */
int svlag_sampler_start(const struct svlag_knobs *knobs, const char *target,
			size_t others_bytes);

/**
 * svlag_sampler_stop - sample no more, and forget all samples
 */
void svlag_sampler_stop(void);

/**
 * svlag_sampler_stats - fold and estimate now
 * @stats: filled in
 *
 * Context: may sleep.
 */
void svlag_sampler_stats(struct svlag_stats *stats);

/**
 * svlag_sampler_windows - the windows that are kept
 * @windows: room for SVLAG_WINDOWS of them; filled in, the oldest first
 *
 * Context: may sleep. Return: how many there are.
 */
unsigned int svlag_sampler_windows(struct svlag_window *windows);

#endif
