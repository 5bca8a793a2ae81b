/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the workqueue itself says of the two kinds of item on svcrdma_wq, by its
 * tracepoints: exactly how many were queued, begun and ended, completion or not;
 * how long the work took; how many workers were at it at once; and where an item
 * was begun against where it was queued.
 *
 * The tracepoints fire for the work of the whole kernel. For an item of somebody
 * else a handler reads its function, compares it twice and returns: tests/vm
 * measures that (wq-cost).
 *
 * Two tables, both sized at the load. One keeps what a worker began and when, for
 * as long as it works: a worker writes to its own entry alone. The other keeps the
 * CPU that queued an item until the item is begun; while more items wait than it
 * has room for, those without an entry are left out, so that the CPUs are told of
 * a part of the items but never wrongly. Nothing in either is ever followed.
 */
#ifndef SVLAG_WQ_EVENTS_H
#define SVLAG_WQ_EVENTS_H

#include <linux/types.h>

#include "hooks.h"
#include "waits.h"

/* Rows of the file hooks. */
#define SVLAG_WQ_HOOKS		3

/* What is counted, the first five for each kind: numbers for counters.h. */
#define SVLAG_WQ_FIRST		16

enum svlag_wq_counter {
	SVLAG_WQ_QUEUED = SVLAG_WQ_FIRST,
	SVLAG_WQ_BEGUN = SVLAG_WQ_QUEUED + SVLAG_KINDS,
	SVLAG_WQ_ENDED = SVLAG_WQ_BEGUN + SVLAG_KINDS,
	SVLAG_WQ_TIMED = SVLAG_WQ_ENDED + SVLAG_KINDS,
	SVLAG_WQ_SERVICE_NS = SVLAG_WQ_TIMED + SVLAG_KINDS,
	SVLAG_WQ_SAME_CPU = SVLAG_WQ_SERVICE_NS + SVLAG_KINDS,
	SVLAG_WQ_SAME_NODE,
	SVLAG_WQ_OTHER_NODE,
	SVLAG_WQ_COUNTERS_END
};

/**
 * struct svlag_wq_fold - the counters as one pass over the CPUs read them
 * @queued: items queued, by enum svlag_kind
 * @begun: items that a worker has begun
 * @ended: items that it was through with
 * @timed: those of @ended whose begin had been seen
 * @service_ns: how long the work on @timed took, in sum
 * @same_cpu: items begun on the CPU that queued them
 * @same_node: on another CPU of its node
 * @other_node: on another node
 * @workers: items at work, at least
 */
struct svlag_wq_fold {
	u64 queued[SVLAG_KINDS];
	u64 begun[SVLAG_KINDS];
	u64 ended[SVLAG_KINDS];
	u64 timed[SVLAG_KINDS];
	u64 service_ns[SVLAG_KINDS];
	u64 same_cpu;
	u64 same_node;
	u64 other_node;
	u64 workers;
};

/**
 * svlag_wq_start - make room for the tables
 * @use: arm the tracepoints when the target comes; the parameter wq_events
 *
 * Context: may sleep. Return: 0, or -ENOMEM with a sentence in the log.
 */
int svlag_wq_start(bool use);

/**
 * svlag_wq_stop - give it back; nothing is armed any more
 */
void svlag_wq_stop(void);

/**
 * svlag_wq_bytes - the memory that the tables take
 */
size_t svlag_wq_bytes(void);

/**
 * svlag_wq_skip - mark the row of this name as not to be armed
 * @name: as in the parameter skip=
 * @len: its length
 *
 * Return: whether there is one.
 */
bool svlag_wq_skip(const char *name, size_t len);

/**
 * svlag_wq_arm - watch the workqueues for two functions
 * @put_async: that of send contexts, as svlag_resolve() found it; or 0
 * @write_info_free: that of write infos; or 0
 *
 * Context: may sleep; the caller holds off other arming and disarming.
 */
void svlag_wq_arm(unsigned long put_async, unsigned long write_info_free);

/**
 * svlag_wq_disarm - stop watching; no handler runs when it returns
 *
 * Context: as svlag_wq_arm().
 */
void svlag_wq_disarm(void);

/**
 * svlag_wq_hooks - the rows
 * @hooks: room for SVLAG_WQ_HOOKS of them
 *
 * Return: how many there are: none where wq_events is off.
 */
unsigned int svlag_wq_hooks(struct svlag_hook **hooks);

/**
 * svlag_wq_known - were the workqueues ever watched?
 */
bool svlag_wq_known(void);

/**
 * svlag_wq_fold - read all counters
 * @fold: filled in
 *
 * An item that ends is never counted without its begin, nor begins without having
 * been queued; but for those that were on their way when the hooks came.
 *
 * Context: one caller at a time.
 */
void svlag_wq_fold(struct svlag_wq_fold *fold);

#endif
