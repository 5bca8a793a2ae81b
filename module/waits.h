/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How long items wait: what is queued and released goes to the in-flight tables, one
 * for each kind of item, and what comes out is counted in histograms. With them those
 * of the time that the work took.
 *
 * Send contexts are brought here by the hooks on rpcrdma's functions, by their own
 * address and their transport's; so only once layout.c has seen that both are found
 * where they are looked for. Write infos are brought by the workqueue's tracepoints,
 * by their work item's address; of those the transport is not known, so they are
 * thinned together.
 *
 * The clock is CLOCK_MONOTONIC as it can be read anywhere. It is read for what is
 * tracked alone.
 */
#ifndef SVLAG_WAITS_H
#define SVLAG_WAITS_H

#include <linux/jump_label.h>
#include <linux/types.h>
#include <svcrdma_lag/abi.h>

#include "inflight.h"
#include "inflight_hot.h"

/* The kinds of item on svcrdma_wq; a release list has the first alone. */
enum svlag_kind {
	SVLAG_SEND_CTXT,
	SVLAG_WRITE_INFO,
	SVLAG_KINDS
};

/* The bounds of the parameters. */
#define SVLAG_LEAK_AGE_MS_MIN	100
#define SVLAG_LEAK_AGE_MS_MAX	600000

extern struct svlag_inflight svlag_inflight[SVLAG_KINDS];
extern struct svlag_histogram svlag_service[SVLAG_KINDS];

/* True while the hooks are to bring send contexts; patched into them. */
DECLARE_STATIC_KEY_FALSE(svlag_tracks_ctxts);

/*
 * Out of line, where hooks go with their last jump: so they need no stack for what few
 * items need. One of each for each kind, which then knows where its table is.
 */
void svlag_waits_enter_ctxt(unsigned long key, struct svlag_inflight_set *set, u32 id);
void svlag_waits_enter_info(unsigned long key, struct svlag_inflight_set *set, u32 id);
void svlag_waits_turn_ctxt(unsigned long key, struct svlag_inflight_set *set, u32 id,
			   enum svlag_inflight_met met);
void svlag_waits_turn_info(unsigned long key, struct svlag_inflight_set *set, u32 id,
			   enum svlag_inflight_met met);
void svlag_waits_leave_ctxt(unsigned long key, struct svlag_inflight_set *set,
			    unsigned int where);
void svlag_waits_leave_info(unsigned long key, struct svlag_inflight_set *set,
			    unsigned int where);

/**
 * svlag_waits_begin - an item is queued
 * @kind: its kind, a constant
 * @key: its address
 * @id: of its transport, from svlag_inflight_id()
 *
 * Context: any, hooks included.
 */
static __always_inline void svlag_waits_begin(enum svlag_kind kind, unsigned long key, u32 id)
{
	struct svlag_inflight *t = &svlag_inflight[kind];
	struct svlag_inflight_set *set = svlag_inflight_set(t, key);
	enum svlag_inflight_met met = svlag_inflight_meet(t, set, key, id);

	if (met == SVLAG_MET_ALL && kind == SVLAG_SEND_CTXT)
		svlag_waits_enter_ctxt(key, set, id);
	else if (met == SVLAG_MET_ALL)
		svlag_waits_enter_info(key, set, id);
	else if (met != SVLAG_MET_PASSED && kind == SVLAG_SEND_CTXT)
		svlag_waits_turn_ctxt(key, set, id, met);
	else if (met != SVLAG_MET_PASSED)
		svlag_waits_turn_info(key, set, id, met);
}

/**
 * svlag_waits_end - its release begins
 * @kind: its kind, a constant
 * @key: its address
 *
 * Context: any, hooks included.
 */
static __always_inline void svlag_waits_end(enum svlag_kind kind, unsigned long key)
{
	struct svlag_inflight *t = &svlag_inflight[kind];
	struct svlag_inflight_set *set = svlag_inflight_set(t, key);
	unsigned int where = svlag_inflight_seek(t, set, key);

	if (where != SVLAG_INFLIGHT_NOWHERE && kind == SVLAG_SEND_CTXT)
		svlag_waits_leave_ctxt(key, set, where);
	else if (where != SVLAG_INFLIGHT_NOWHERE)
		svlag_waits_leave_info(key, set, where);
}

/**
 * svlag_waits_served - the work on an item is done
 * @kind: its kind
 * @ns: how long it took
 *
 * Context: any, hooks included.
 */
static __always_inline void svlag_waits_served(enum svlag_kind kind, u64 ns)
{
	svlag_histogram_add(&svlag_service[kind], ns, 1);
}

/**
 * svlag_waits_teardown - a transport goes away, with all its send contexts
 * @transport: its address
 *
 * What is left of it in the table is purged a sample later, since that may take a
 * while. Of more than 256 transports between two samples the first are forgotten:
 * what they have left expires.
 *
 * Context: any, hooks included.
 */
void svlag_waits_teardown(unsigned long transport);

/**
 * svlag_waits_start - make the tables
 * @entries: the size of each, up to SVLAG_INFLIGHT_MAX; 0 for none: nothing is tracked
 *
 * Context: may sleep. Return: 0, or -ENOMEM with a sentence in the log.
 */
int svlag_waits_start(u32 entries);

/**
 * svlag_waits_stop - free them; no hook is armed any more
 */
void svlag_waits_stop(void);

/**
 * svlag_waits_bytes - the memory that all of it takes
 */
size_t svlag_waits_bytes(void);

/**
 * svlag_waits_armed - the hooks are about to be armed, or were disarmed
 * @may_track: send contexts may be tracked as soon as the layout is known
 *
 * What was in the tables is purged.
 *
 * Context: may sleep; no hook is armed.
 */
void svlag_waits_armed(bool may_track);

/**
 * svlag_waits_tend - to be called with each sample
 * @settled: of each kind: all that was queued before the hooks came is through
 * @leak_age_ms: what is older is taken for leaked
 *
 * Begins to track once the layout is known, expires, purges, and adapts.
 *
 * Context: may sleep; one caller at a time.
 */
void svlag_waits_tend(const bool settled[SVLAG_KINDS], unsigned int leak_age_ms);

/**
 * svlag_waits_tracked - is this kind tracked, or was it ever?
 * @kind: which
 */
bool svlag_waits_tracked(enum svlag_kind kind);

/**
 * struct svlag_waits_of - the times of one kind of thing, by the buckets of hist.h
 * @count: how many took so long, since the load
 * @lost: how many left the table at that age, since the load
 * @waiting: how many are in the table at that age
 */
struct svlag_waits_of {
	u64 count[SVLAG_HIST_BUCKETS];
	u64 lost[SVLAG_HIST_BUCKETS];
	u64 waiting[SVLAG_HIST_BUCKETS];
};

/**
 * svlag_waits_times - read the times of one kind of thing
 * @what: which
 * @times: filled in
 * @survey: filled in with what is in its table; of services with nothing
 *
 * Context: may sleep. Looks through the whole table.
 */
void svlag_waits_times(enum svlag_times what, struct svlag_waits_of *times,
		       struct svlag_inflight_survey *survey);

/**
 * struct svlag_waits_account - the accounting of both tables together
 * @sum: what svlag_inflight_account() says of them; the ceiling is that of send contexts
 * @live: entries seen in the tables
 * @live_low: by the counts, at least so many
 * @live_high: and at most so many
 * @weight: how many items those seen stand for
 * @entries: the size of each table; 0 if there is none
 * @oldest_age_ns: of each kind
 */
struct svlag_waits_account {
	struct svlag_inflight_account sum;
	u64 live;
	u64 live_low;
	u64 live_high;
	u64 weight;
	u32 entries;
	u64 oldest_age_ns[SVLAG_KINDS];
};

/**
 * svlag_waits_account - what became of all that was tracked
 * @account: filled in
 *
 * Context: may sleep. Looks through both tables.
 */
void svlag_waits_account(struct svlag_waits_account *account);

#endif
