/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many items wait, and how long: estimates from two counters that only
 * rise, what was queued and what was released.
 *
 * Pure arithmetic over what it is given: no clock, no lock. Who calls it sees
 * to it that no two calls work on one estimator at once. One observation costs
 * a dozen operations and a binary search in the curve.
 */
#ifndef SVLAG_DEPTH_H
#define SVLAG_DEPTH_H

#include <linux/types.h>

/*
 * depth_settled: the queue has been seen empty when, after a release, nothing
 * moved for this long at the least depth seen so far, ...
 */
#define SVLAG_SETTLE_STILL_NS	1000000000ULL

/* ... or when the traffic came back to that very depth so often, over so long. */
#define SVLAG_SETTLE_TOUCHES	16
#define SVLAG_SETTLE_SPAN_NS	5000000000ULL

/* Points of the curve that are kept: 13 min of samples at 100 ms. */
#define SVLAG_CURVE_POINTS	8192

/**
 * struct svlag_flow - both counters, as one fold read them
 * @time_ns: the moment between the first reading of @released and that of @queued
 * @released: read before @queued, so that no release is without its cause
 * @queued: what was queued
 * @released_after: read after @queued
 */
struct svlag_flow {
	u64 time_ns;
	u64 released;
	u64 queued;
	u64 released_after;
};

/* Since time_ns, so much had been queued. */
struct svlag_curve_point {
	u64 time_ns;
	u64 queued;
};

/* A ring; the oldest point is overwritten. */
struct svlag_curve {
	struct svlag_curve_point *points;
	u32 first;
	u32 used;
};

/**
 * struct svlag_depth - an estimator
 *
 * Its members are depth.c's own but for those that say otherwise. Numbers of
 * items are relative to the base that svlag_depth_restart() was given.
 *
 * @curve: queued over time
 * @base: the counters when the hooks were armed; in @base.released both ends agree
 * @last: the last observation, relative to @base
 * @low: the true depth was at least this, while the last fold went on (public)
 * @high: and at most this (public)
 * @early: releases of what was queued before the base (public)
 * @late: releases never seen queued that came once settled (public)
 * @settled: the queue has been seen empty (public)
 * @may_settle: an empty queue can be told from the counters at all
 * @still_since_ns: neither counter moved since; 0 while they do
 * @touches: how often the bracket has come down to 0, with traffic in between
 * @slack: how much may have come in during the folds that touched, and so hide
 *	as much of @early
 * @touched_ns: when it did first
 * @touched_released: how much had been released when it did last
 * @peak: the largest depth seen, less @early, which only later is known
 * @peak_ns: when
 * @wait_ns: how long the item released next has waited (public)
 * @wait_censored: it has waited at least that long (public)
 * @wait_peak_ns: the largest @wait_ns (public)
 * @before: the largest depth of earlier bases
 * @before_ns: when
 */
struct svlag_depth {
	struct svlag_curve curve;
	struct svlag_flow base;
	struct svlag_flow last;
	u64 low;
	u64 high;
	u64 early;
	u64 late;
	bool settled;
	bool may_settle;
	u64 still_since_ns;
	u32 touches;
	u64 slack;
	u64 touched_ns;
	u64 touched_released;
	u64 peak;
	u64 peak_ns;
	u64 wait_ns;
	bool wait_censored;
	u64 wait_peak_ns;
	u64 before;
	u64 before_ns;
};

/**
 * svlag_depth_restart - begin anew, with hooks that were just armed
 * @d: the estimator; all zero but for @d->curve.points before the first call, and
 *	that too where nobody asks for waits. Its peaks survive a restart
 * @base: the counters before the first hook was armed
 * @empty: nothing can have been queued before, so that depth is exact at once
 * @may_settle: see struct svlag_depth
 */
void svlag_depth_restart(struct svlag_depth *d, const struct svlag_flow *base, bool empty,
			 bool may_settle);

/**
 * svlag_depth_observe - take one fold in
 * @d: the estimator
 * @flow: the fold, not older than the one before
 */
void svlag_depth_observe(struct svlag_depth *d, const struct svlag_flow *flow);

/**
 * svlag_depth_mark - keep the last observation as a point of the curve
 * @d: the estimator
 *
 * To be called at a steady pace: the curve reaches back SVLAG_CURVE_POINTS calls.
 */
void svlag_depth_mark(struct svlag_depth *d);

/**
 * svlag_depth_now - the depth at the last observation: the middle of its bracket
 */
static inline u64 svlag_depth_now(const struct svlag_depth *d)
{
	return d->low + (d->high - d->low) / 2;
}

/**
 * svlag_depth_correction - releases whose queueing was never seen
 */
static inline u64 svlag_depth_correction(const struct svlag_depth *d)
{
	return d->early + d->late;
}

/**
 * svlag_depth_peak - the largest depth seen since the estimator was made
 * @d: the estimator
 * @time_ns: set to when that was
 */
u64 svlag_depth_peak(const struct svlag_depth *d, u64 *time_ns);

#endif
