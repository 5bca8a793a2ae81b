/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All that is known of rpcrdma: its functions, the eras that they tell apart,
 * and what a hit on each means.
 */
#ifndef SVLAG_RPCRDMA_H
#define SVLAG_RPCRDMA_H

#include <linux/types.h>
#include <svcrdma_lag/abi.h>

#include "hooks.h"
#include "wq_events.h"

/* What is counted: numbers for counters.h. */
enum svlag_rpcrdma_counter {
	SVLAG_RELEASED,
	SVLAG_DRAIN,
	SVLAG_WC_SEND,
	SVLAG_GET,
	SVLAG_CAPPED,
	SVLAG_WRITE_INFO_QUEUED,
	SVLAG_WRITE_INFO_FREED,
	SVLAG_DRAIN_BATCH,
	SVLAG_DRAIN_BATCH_LOST,
	SVLAG_TEARDOWN,
	SVLAG_RPCRDMA_COUNTERS
};

/* Rows of the file hooks, the canaries not counted. */
#define SVLAG_RPCRDMA_HOOKS	(11 + SVLAG_WQ_HOOKS)

/**
 * struct svlag_arming - how things stand with the target
 * @armed: the hooks are armed
 * @generation: how often they were
 * @armed_ns: when they were last
 * @from_start: before any of the target had run
 * @era: what the target does about release; of the last arming
 * @before: the counters before the first hook was armed, by enum svlag_rpcrdma_counter
 */
struct svlag_arming {
	bool armed;
	u64 generation;
	u64 armed_ns;
	bool from_start;
	enum svlag_era era;
	u64 before[SVLAG_RPCRDMA_COUNTERS];
};

/**
 * svlag_rpcrdma_start - arm the hooks as soon as the target is there
 * @target: the module that bears rpcrdma's functions
 * @skip: names of hooks not to arm, separated by commas; or NULL
 *
 * Context: may sleep. Return: 0; -EINVAL for a name in @skip that is not one,
 * which the log then says; or another errno.
 */
int svlag_rpcrdma_start(const char *target, const char *skip);

/**
 * svlag_rpcrdma_stop - disarm them and forget the target
 */
void svlag_rpcrdma_stop(void);

/**
 * svlag_rpcrdma_arming - how things stand
 * @arming: filled in
 *
 * Context: any but interrupts.
 */
void svlag_rpcrdma_arming(struct svlag_arming *arming);

/**
 * svlag_rpcrdma_observe - see which hooks were hit
 * @now_ns: the time
 * @needed: set to how many hooks the state depends on
 *
 * Context: one caller at a time. Return: how many of the needed are ok.
 */
unsigned int svlag_rpcrdma_observe(u64 now_ns, unsigned int *needed);

/**
 * svlag_rpcrdma_known - was this counter ever counted?
 * @counter: which
 */
bool svlag_rpcrdma_known(enum svlag_rpcrdma_counter counter);

/**
 * svlag_rpcrdma_unseen_write_infos - more were freed than were seen to be queued
 *
 * Where they are counted on the list of their send context, its place is wrong:
 * a list that happens to be empty, or one of something else, looks as good.
 */
void svlag_rpcrdma_unseen_write_infos(void);

/**
 * svlag_rpcrdma_hooks - what the file hooks shows
 * @info: room for SVLAG_RPCRDMA_HOOKS rows
 * @now_ns: the time
 *
 * Return: how many rows were filled in.
 */
unsigned int svlag_rpcrdma_hooks(struct svlag_hook_info *info, u64 now_ns);

/**
 * svlag_era_defers - is there anything between a completion and its release?
 */
static inline bool svlag_era_defers(enum svlag_era era)
{
	return era == SVLAG_ERA_WORKQUEUE || era == SVLAG_ERA_RELEASE_LIST;
}

#endif
