/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The state of a window, in one word: the rules and their thresholds.
 *
 * The module judges its windows with this function and the reader judges its
 * own with the same one, so that both say the same of the same figures. Pure
 * arithmetic; any context.
 */
#ifndef SVCRDMA_LAG_STATE_H
#define SVCRDMA_LAG_STATE_H

#include <svcrdma_lag/abi.h>

#ifndef __KERNEL__
#include <stdbool.h>
#endif

/*
 * A backlog is a depth that is both more than SVLAG_BACKLOG_ITEMS, below which
 * a queue is merely in use, and more than what is released in
 * SVLAG_BACKLOG_MS at the window's own rate, below which nobody waits.
 */
#define SVLAG_BACKLOG_ITEMS	64
#define SVLAG_BACKLOG_MS	100

/* A backlog drains when it has lost at least one part in this many. */
#define SVLAG_DRAIN_PART	128

/**
 * struct svlag_window_facts - what the state of a window is judged by
 * @trusted: every needed hook is ok, so that the counts can be believed
 * @length_ms: the length of the window
 * @queued: completions within it
 * @released: releases within it
 * @unseen: those of @released that were queued before the hooks were armed
 * @depth_begin: the depth at its beginning
 * @depth_end: the depth at its end
 * @depth_min: the least depth that was seen after its beginning: a queue that
 *	ran nearly empty in between is a burst and not a backlog. Who has seen
 *	no more than the end gives @depth_end
 * @before: the state of the window before
 */
struct svlag_window_facts {
	bool trusted;
	__u64 length_ms;
	__u64 queued;
	__u64 released;
	__u64 unseen;
	__u64 depth_begin;
	__u64 depth_end;
	__u64 depth_min;
	enum svlag_state before;
};

/* Divides first: the figures of real time do not overflow, and a damaged file wraps at worst. */
static inline bool svlag_is_backlog(__u64 depth, __u64 released, __u64 length_ms)
{
	__u64 in_time = length_ms ? released / length_ms * SVLAG_BACKLOG_MS +
				    released % length_ms * SVLAG_BACKLOG_MS / length_ms : 0;

	return depth >= SVLAG_BACKLOG_ITEMS && depth >= in_time;
}

/**
 * svlag_judge - the state of a window
 * @w: what is known of it
 *
 * The first rule that holds decides:
 *
 * 1. unknown: a needed hook is missing or silent;
 * 2. stalled: items waited all through it and none was released;
 * 3. idle: nothing was queued, nothing released, and nothing waits;
 * 4. draining: a backlog (of its beginning, or one that goes on from the window
 *    before) that lost a part in SVLAG_DRAIN_PART or more; or a backlog from
 *    before the arming that comes to light by its releases;
 * 5. behind: a backlog that did not shrink, in all of its samples;
 * 6. keeping-up: all else.
 *
 * Return: the state.
 */
static inline enum svlag_state svlag_judge(const struct svlag_window_facts *w)
{
	bool goes_on = w->before == SVLAG_STATE_BEHIND || w->before == SVLAG_STATE_DRAINING ||
		       w->before == SVLAG_STATE_STALLED;
	bool backlog = svlag_is_backlog(w->depth_begin, w->released, w->length_ms) ||
		       (goes_on && w->depth_begin >= SVLAG_BACKLOG_ITEMS);
	__u64 drained = w->depth_begin > w->depth_end ? w->depth_begin - w->depth_end : 0;

	if (!w->trusted)
		return SVLAG_STATE_UNKNOWN;
	if (!w->released && w->depth_begin && w->depth_min && w->depth_end)
		return SVLAG_STATE_STALLED;
	if (!w->queued && !w->released && !w->depth_end)
		return SVLAG_STATE_IDLE;
	if (backlog && drained && drained >= w->depth_begin / SVLAG_DRAIN_PART)
		return SVLAG_STATE_DRAINING;
	if (w->unseen >= SVLAG_BACKLOG_ITEMS && w->released > w->queued)
		return SVLAG_STATE_DRAINING;
	if (svlag_is_backlog(w->depth_min, w->released, w->length_ms))
		return SVLAG_STATE_BEHIND;
	return SVLAG_STATE_KEEPING_UP;
}

#endif
