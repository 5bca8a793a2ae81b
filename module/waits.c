// SPDX-License-Identifier: GPL-2.0
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "waits.h"

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>

#include "layout.h"

/* A table is swept through in so many samples. */
#define SWEEP_PARTS	4

/* The longest wait is that of so long. */
#define LOOK_NS		NSEC_PER_SEC

/* Transports that go away between two samples. */
#define TEARDOWNS	256

struct svlag_inflight svlag_inflight[SVLAG_KINDS] __read_mostly;
struct svlag_histogram svlag_service[SVLAG_KINDS] __read_mostly;
static struct svlag_histogram waits[SVLAG_KINDS] __read_mostly;

DEFINE_STATIC_KEY_FALSE(svlag_tracks_ctxts);

/* Send contexts may be tracked, and ever were; the key is switched under this too. */
static DEFINE_MUTEX(tracking_lock);
static bool may_track, ever_tracked;

/*
 * A ring that hooks fill and the sampler empties. @nth is that of the teardown, from
 * 1 on, and is written last: another one means that it was overwritten, or is being.
 */
static struct teardown {
	u32 nth;
	u32 id;
	u64 gone_ns;
} teardowns[TEARDOWNS];
static atomic_t teardowns_begun;
static u32 teardowns_done, teardowns_due;	/* the sampler's own */

/*
 * How long do items wait that are released now? What waits several times that long is
 * taken for leaked. The curve would tell it sooner, but never forgets what has leaked.
 * While items wait and none is released there is nothing to tell the one from the other,
 * so that time is added.
 */
static struct {
	u64 counted[SVLAG_HIST_BUCKETS];	/* when it was looked last */
	u64 looked_ns;
	u64 longest_ns;		/* of those counted by then since the look before */
	u64 matched;
	u64 moved_ns;		/* any was released last, or none waited */
} present[SVLAG_KINDS];

/* The sampler's own; too large for a stack. */
static u64 scratch[SVLAG_HIST_BUCKETS];

static u32 entries_of_each;

static __always_inline u64 clock_ns(void)
{
	return ktime_get_mono_fast_ns();
}

static __always_inline void count_wait(enum svlag_kind kind,
				       const struct svlag_inflight_item *item)
{
	u64 wait_ns;

	if (svlag_inflight_wait(&svlag_inflight[kind], item, clock_ns(), &wait_ns))
		svlag_histogram_add(&waits[kind], wait_ns, item->weight);
}

/* Apart, since to look there takes an item whose address is known, and so a stack. */
static noinline void notrace leave_spilled(enum svlag_kind kind, unsigned long key)
{
	struct svlag_inflight_item item;

	if (svlag_inflight_take_spilled(&svlag_inflight[kind], key, &item))
		count_wait(kind, &item);
}
NOKPROBE_SYMBOL(leave_spilled);

static __always_inline void turn(enum svlag_kind kind, unsigned long key,
				 struct svlag_inflight_set *set, u32 id,
				 enum svlag_inflight_met met)
{
	struct svlag_inflight *t = &svlag_inflight[kind];
	u32 weight = svlag_inflight_begin_met(t, key, id, met);

	if (weight)
		svlag_inflight_enter(t, set, key, id, weight, clock_ns());
}

static __always_inline void leave(enum svlag_kind kind, unsigned long key,
				  struct svlag_inflight_set *set, unsigned int where)
{
	struct svlag_inflight_item item;

	if (unlikely(where == SVLAG_INFLIGHT_WAYS))
		leave_spilled(kind, key);
	else if (svlag_inflight_take_from(&svlag_inflight[kind], set, where, key, &item))
		count_wait(kind, &item);
}

noinline void notrace svlag_waits_enter_ctxt(unsigned long key, struct svlag_inflight_set *set,
					     u32 id)
{
	svlag_inflight_enter(&svlag_inflight[SVLAG_SEND_CTXT], set, key, id, 1, clock_ns());
}
NOKPROBE_SYMBOL(svlag_waits_enter_ctxt);

noinline void notrace svlag_waits_enter_info(unsigned long key, struct svlag_inflight_set *set,
					     u32 id)
{
	svlag_inflight_enter(&svlag_inflight[SVLAG_WRITE_INFO], set, key, id, 1, clock_ns());
}
NOKPROBE_SYMBOL(svlag_waits_enter_info);

noinline void notrace svlag_waits_turn_ctxt(unsigned long key, struct svlag_inflight_set *set,
					    u32 id, enum svlag_inflight_met met)
{
	turn(SVLAG_SEND_CTXT, key, set, id, met);
}
NOKPROBE_SYMBOL(svlag_waits_turn_ctxt);

noinline void notrace svlag_waits_turn_info(unsigned long key, struct svlag_inflight_set *set,
					    u32 id, enum svlag_inflight_met met)
{
	turn(SVLAG_WRITE_INFO, key, set, id, met);
}
NOKPROBE_SYMBOL(svlag_waits_turn_info);

noinline void notrace svlag_waits_leave_ctxt(unsigned long key, struct svlag_inflight_set *set,
					     unsigned int where)
{
	leave(SVLAG_SEND_CTXT, key, set, where);
}
NOKPROBE_SYMBOL(svlag_waits_leave_ctxt);

noinline void notrace svlag_waits_leave_info(unsigned long key, struct svlag_inflight_set *set,
					     unsigned int where)
{
	leave(SVLAG_WRITE_INFO, key, set, where);
}
NOKPROBE_SYMBOL(svlag_waits_leave_info);

noinline void notrace svlag_waits_teardown(unsigned long transport)
{
	u32 nth = atomic_inc_return_relaxed(&teardowns_begun);
	struct teardown *slot = &teardowns[nth % TEARDOWNS];

	WRITE_ONCE(slot->nth, 0);
	/* Who reads any of what follows no longer finds the number of before. (litmus: slot) */
	smp_wmb();
	WRITE_ONCE(slot->id, svlag_inflight_id(transport));
	WRITE_ONCE(slot->gone_ns, clock_ns());
	/* After what it is the number of. (litmus: slot) */
	smp_store_release(&slot->nth, nth);
}
NOKPROBE_SYMBOL(svlag_waits_teardown);

static void purge_torn_down(u32 nth)
{
	const struct teardown *slot = &teardowns[nth % TEARDOWNS];
	u64 gone_ns;
	u32 id;

	/* Pairs with the release. (litmus: slot) */
	if (smp_load_acquire(&slot->nth) != nth)
		return;
	id = READ_ONCE(slot->id);
	gone_ns = READ_ONCE(slot->gone_ns);
	/* Pairs with that of svlag_waits_teardown(). (litmus: slot) */
	smp_rmb();
	if (READ_ONCE(slot->nth) == nth)
		svlag_inflight_purge(&svlag_inflight[SVLAG_SEND_CTXT], id, gone_ns, clock_ns());
}

/* Those from before the last sample: what a teardown itself releases has its time. */
static void purge_teardowns(void)
{
	while (teardowns_done != teardowns_due)
		purge_torn_down(++teardowns_done);
	teardowns_due = atomic_read(&teardowns_begun);
}

static void free_all(void)
{
	unsigned int kind;

	for (kind = 0; kind < SVLAG_KINDS; kind++) {
		svlag_histogram_destroy(&svlag_service[kind]);
		svlag_histogram_destroy(&waits[kind]);
		svlag_inflight_destroy(&svlag_inflight[kind]);
	}
}

/* Transports are told apart where there is more than one: see the head of waits.h. */
static int make_kind(enum svlag_kind kind, u32 entries)
{
	u32 streams = kind == SVLAG_SEND_CTXT ? SVLAG_INFLIGHT_STREAMS_MAX : 1;

	return svlag_histogram_create(&waits[kind]) ?:
	       svlag_histogram_create(&svlag_service[kind]) ?:
	       svlag_inflight_create(&svlag_inflight[kind], entries, streams, clock_ns());
}

int svlag_waits_start(u32 entries)
{
	int err = make_kind(SVLAG_SEND_CTXT, entries) ?: make_kind(SVLAG_WRITE_INFO, entries);

	if (err) {
		pr_err("not loaded: no memory for track_entries=%u; fewer take less, and 0 does without\n",
		       entries);
		free_all();
		return err;
	}
	present[SVLAG_SEND_CTXT].moved_ns = clock_ns();
	present[SVLAG_WRITE_INFO].moved_ns = clock_ns();
	entries_of_each = svlag_inflight[SVLAG_SEND_CTXT].nr_sets * SVLAG_INFLIGHT_SET;
	return 0;
}

void svlag_waits_stop(void)
{
	free_all();
}

size_t svlag_waits_bytes(void)
{
	size_t bytes = 2 * SVLAG_KINDS * svlag_histogram_bytes();
	unsigned int kind;

	for (kind = 0; kind < SVLAG_KINDS; kind++)
		bytes += svlag_inflight_bytes(&svlag_inflight[kind]);
	return bytes;
}

void svlag_waits_armed(bool may)
{
	unsigned int kind;

	mutex_lock(&tracking_lock);
	may_track = may && entries_of_each;
	static_branch_disable(&svlag_tracks_ctxts);
	for (kind = 0; kind < SVLAG_KINDS; kind++)
		svlag_inflight_purge_all(&svlag_inflight[kind], clock_ns());
	mutex_unlock(&tracking_lock);
}

/* Under the lock, so that no verdict of another arming counts. */
static void track_if_known(void)
{
	mutex_lock(&tracking_lock);
	if (may_track && !static_key_enabled(&svlag_tracks_ctxts) && svlag_layout_is_ok()) {
		svlag_inflight_resume(&svlag_inflight[SVLAG_SEND_CTXT], clock_ns());
		ever_tracked = true;
		static_branch_enable(&svlag_tracks_ctxts);
	}
	mutex_unlock(&tracking_lock);
}

/* The longest wait counted since the last call. */
static u64 longest_new(enum svlag_kind kind)
{
	u64 longest_ns = 0;
	unsigned int i;

	memset(scratch, 0, sizeof(scratch));
	svlag_histogram_fold(&waits[kind], scratch);
	for (i = 0; i < SVLAG_HIST_BUCKETS; i++) {
		if (scratch[i] != present[kind].counted[i])
			longest_ns = min(svlag_hist_upper_ns(i), SVLAG_HIST_TO_NS);
		present[kind].counted[i] = scratch[i];
	}
	return longest_ns;
}

static u64 present_wait(enum svlag_kind kind, u64 now_ns)
{
	struct svlag_inflight_account account;
	u64 still_ns = now_ns - present[kind].moved_ns;

	svlag_inflight_counts(&svlag_inflight[kind], &account);
	if (account.matched != present[kind].matched) {
		/* What comes after a standstill has waited for all of it. */
		present[kind].longest_ns = max(present[kind].longest_ns, still_ns);
		present[kind].matched = account.matched;
		present[kind].moved_ns = now_ns;
	} else if (!account.live) {
		present[kind].moved_ns = now_ns;
	}
	if (present[kind].moved_ns == now_ns && now_ns - present[kind].looked_ns >= LOOK_NS) {
		present[kind].longest_ns = longest_new(kind) ?: present[kind].longest_ns;
		present[kind].looked_ns = now_ns;
	}
	return present[kind].longest_ns + now_ns - present[kind].moved_ns;
}

void svlag_waits_tend(const bool settled[SVLAG_KINDS], unsigned int leak_age_ms)
{
	u64 leak_age_ns = (u64)leak_age_ms * NSEC_PER_MSEC;
	unsigned int kind;

	track_if_known();
	purge_teardowns();
	for (kind = 0; kind < SVLAG_KINDS; kind++) {
		struct svlag_inflight *t = &svlag_inflight[kind];

		u64 now_ns = clock_ns();

		svlag_inflight_control(t, now_ns, present_wait(kind, now_ns), settled[kind],
				       leak_age_ns);
		svlag_inflight_sweep(t, now_ns, t->nr_sets / SWEEP_PARTS);
	}
}

bool svlag_waits_tracked(enum svlag_kind kind)
{
	return entries_of_each && (kind != SVLAG_SEND_CTXT || READ_ONCE(ever_tracked));
}

void svlag_waits_times(enum svlag_times what, struct svlag_waits_of *times,
		       struct svlag_inflight_survey *survey)
{
	bool is_write_info = what == SVLAG_TIMES_WRITE_INFO_WAIT ||
			     what == SVLAG_TIMES_WRITE_INFO_SERVICE;
	enum svlag_kind kind = is_write_info ? SVLAG_WRITE_INFO : SVLAG_SEND_CTXT;

	memset(times, 0, sizeof(*times));
	memset(survey, 0, sizeof(*survey));
	if (what == SVLAG_TIMES_SERVICE || what == SVLAG_TIMES_WRITE_INFO_SERVICE) {
		svlag_histogram_fold(&svlag_service[kind], times->count);
		return;
	}
	svlag_histogram_fold(&waits[kind], times->count);
	svlag_histogram_fold(&svlag_inflight[kind].censored, times->lost);
	svlag_inflight_survey(&svlag_inflight[kind], clock_ns(), survey, times->waiting);
}

static void add_account(struct svlag_inflight_account *sum,
			const struct svlag_inflight_account *a)
{
	sum->matched += a->matched;
	sum->negative += a->negative;
	sum->refused_full += a->refused_full;
	sum->restarted_key += a->restarted_key;
	sum->expired += a->expired;
	sum->evicted += a->evicted;
	sum->purged += a->purged;
	sum->missed += a->missed;
	sum->unmatched += a->unmatched;
	sum->inserted += a->inserted;
	sum->live += a->live;
	sum->matched_weight += a->matched_weight;
	sum->streams_thinned += a->streams_thinned;
	sum->level_max = max(sum->level_max, a->level_max);
}

static u64 ended(const struct svlag_inflight_account *a)
{
	return a->inserted - a->live;
}

static u64 excess(u64 over, u64 under)
{
	return over > under ? over - under : 0;
}

void svlag_waits_account(struct svlag_waits_account *account)
{
	unsigned int kind;

	*account = (struct svlag_waits_account){ .entries = entries_of_each };
	for (kind = 0; kind < SVLAG_KINDS; kind++) {
		const struct svlag_inflight *t = &svlag_inflight[kind];
		struct svlag_inflight_account before, after;
		struct svlag_inflight_survey survey;

		svlag_inflight_counts(t, &before);
		svlag_inflight_survey(t, clock_ns(), &survey, NULL);
		svlag_inflight_account(t, &after);
		add_account(&account->sum, &after);
		account->live += survey.live;
		/* What is in a place that changes hands may be counted already, or still. */
		account->live_low += excess(before.inserted, ended(&after) + survey.busy);
		account->live_high += excess(after.inserted, ended(&before));
		account->weight += survey.weight;
		account->oldest_age_ns[kind] = survey.oldest_age_ns;
		if (kind == SVLAG_SEND_CTXT) {
			account->sum.leak_age_ns = after.leak_age_ns;
			account->sum.ceiling_ns = after.ceiling_ns;
		}
	}
}
