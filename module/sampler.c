// SPDX-License-Identifier: GPL-2.0
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "sampler.h"

#include <linux/errno.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <svcrdma_lag/state.h>

#include "batch.h"
#include "counters.h"
#include "depth.h"
#include "layout.h"
#include "residence.h"
#include "waits.h"
#include "wq_events.h"

/* All counters as one pass over the CPUs read them; flow has released and wc_send. */
struct fold {
	struct svlag_flow flow;
	struct svlag_flow write_infos;
	u64 get;
	u64 drain;
	u64 drain_batch;
	u64 drain_batch_lost;
	u64 capped;
	struct svlag_wq_fold wq;
};

/* The window that is being filled. */
struct open_window {
	struct fold begin;
	u64 depth_begin;
	u64 early_begin;
	bool settled_begin;
	u64 write_infos_unseen_begin;
	u64 depth_min;
	u64 depth_max;
	u64 workers_max;
};

/* Constant while the thread runs. */
static const struct svlag_knobs *knobs;
static const char *target;
static u64 load_id;
static u64 memory_bytes;
static struct task_struct *thread;

/* Protects all below. Held for one pass over the CPUs, or for the copying of a ring. */
static DEFINE_MUTEX(lock);
static struct svlag_arming arming;	/* that the estimates below belong to */
static struct svlag_depth depth;		/* of send contexts */
static struct svlag_depth write_infos;	/* the same of the other kind of item */
static struct svlag_depth live;		/* from get to release; without a curve */
static struct fold now;			/* the last one */
static struct open_window window;
static struct svlag_window *ring;	/* of SVLAG_WINDOWS */
static u64 windows_total;
static enum svlag_state state;
static u64 state_since_ns;
static u64 next_wait_ns;
static unsigned int needed, ok;
static u64 workers_peak;
static struct svlag_residence residence;	/* of the last whole window */
static u64 samples_total, samples_late_total, sampled_ns;

/*
 * In this order a release is never counted without its completion, nor a
 * completion without its get; see abi.h. What happened before a release that was
 * read is seen by the readings after it: the barriers pair with the order that
 * queueing and starting a work item gives.
 */
static void take_fold(struct fold *f)
{
	f->capped = svlag_counter_fold(SVLAG_CAPPED);
	f->drain_batch_lost = svlag_counter_fold(SVLAG_DRAIN_BATCH_LOST);
	f->drain_batch = svlag_counter_fold(SVLAG_DRAIN_BATCH);
	f->drain = svlag_counter_fold(SVLAG_DRAIN);
	f->write_infos.released = svlag_counter_fold(SVLAG_WRITE_INFO_FREED);
	f->flow.released = svlag_counter_fold(SVLAG_RELEASED);
	f->flow.time_ns = ktime_get_ns();
	f->write_infos.time_ns = f->flow.time_ns;
	/* Whatever was released by then was queued before. */
	smp_rmb();
	f->write_infos.queued = svlag_counter_fold(SVLAG_WRITE_INFO_QUEUED);
	f->flow.queued = svlag_counter_fold(SVLAG_WC_SEND);
	/* And whatever had completed was got before. */
	smp_rmb();
	f->get = svlag_counter_fold(SVLAG_GET);
	f->flow.released_after = svlag_counter_fold(SVLAG_RELEASED);
	f->write_infos.released_after = svlag_counter_fold(SVLAG_WRITE_INFO_FREED);
	svlag_wq_fold(&f->wq);
}

static bool estimates(void)
{
	return arming.armed && svlag_era_defers(arming.era) &&
	       svlag_rpcrdma_known(SVLAG_WC_SEND) && svlag_rpcrdma_known(SVLAG_RELEASED);
}

static bool estimates_write_infos(void)
{
	return estimates() && svlag_rpcrdma_known(SVLAG_WRITE_INFO_QUEUED) &&
	       svlag_rpcrdma_known(SVLAG_WRITE_INFO_FREED);
}

/* Each release, that of an error path too, is of one that was got. */
static bool estimates_live(void)
{
	return arming.armed && svlag_rpcrdma_known(SVLAG_GET) &&
	       svlag_rpcrdma_known(SVLAG_RELEASED);
}

static void observe_live(void)
{
	struct svlag_flow flow = now.flow;

	flow.queued = now.get;
	svlag_depth_observe(&live, &flow);
}

static void open_next(void)
{
	window.begin = now;
	window.depth_begin = svlag_depth_now(&depth);
	window.early_begin = depth.early;
	window.settled_begin = depth.settled;
	window.write_infos_unseen_begin = svlag_depth_correction(&write_infos);
	window.depth_min = SVLAG_UNKNOWN;
	window.depth_max = 0;
	window.workers_max = 0;
}

static void set_state(enum svlag_state next)
{
	if (next == state && state_since_ns)
		return;
	state = next;
	state_since_ns = now.flow.time_ns;
}

/*
 * On a release list an empty queue cannot be told from the counters: what an
 * idle connection held before the hooks came stays there while others run empty.
 */
static void restart_depth(struct svlag_depth *d, const struct svlag_arming *next,
			  enum svlag_rpcrdma_counter in, enum svlag_rpcrdma_counter out)
{
	struct svlag_flow base = {
		.time_ns = next->armed_ns,
		.released = next->before[out],
		.queued = next->before[in],
		.released_after = next->before[out],
	};

	svlag_depth_restart(d, &base, next->from_start, next->era != SVLAG_ERA_RELEASE_LIST);
}

static void restart(const struct svlag_arming *next)
{
	if (next->generation != arming.generation) {
		restart_depth(&depth, next, SVLAG_WC_SEND, SVLAG_RELEASED);
		restart_depth(&write_infos, next, SVLAG_WRITE_INFO_QUEUED,
			      SVLAG_WRITE_INFO_FREED);
		restart_depth(&live, next, SVLAG_GET, SVLAG_RELEASED);
	}
	arming = *next;
	set_state(SVLAG_STATE_UNKNOWN);
	next_wait_ns = SVLAG_UNKNOWN;
	take_fold(&now);
	open_next();
	svlag_residence_none(&residence);
	svlag_residence_open();
}

static void observe(void)
{
	struct svlag_arming next;

	svlag_rpcrdma_arming(&next);
	if (next.generation != arming.generation || next.armed != arming.armed)
		restart(&next);
	else
		take_fold(&now);
	if (estimates())
		svlag_depth_observe(&depth, &now.flow);
	if (estimates_write_infos())
		svlag_depth_observe(&write_infos, &now.write_infos);
	if (estimates_live())
		observe_live();
	ok = svlag_rpcrdma_observe(now.flow.time_ns, &needed);
}

static enum svlag_state judge(u64 length_ns)
{
	u64 released = now.flow.released - window.begin.flow.released;
	struct svlag_window_facts facts = {
		.trusted = arming.armed && needed && ok == needed,
		.length_ms = div_u64(length_ns, NSEC_PER_MSEC),
		.queued = now.flow.queued - window.begin.flow.queued,
		.released = released,
		.unseen = depth.early - window.early_begin,
		.depth_begin = window.depth_begin,
		.depth_end = svlag_depth_now(&depth),
		.depth_min = window.depth_min,
		.before = state,
	};

	if (!estimates()) {
		facts.unseen = 0;
		facts.depth_begin = 0;
		facts.depth_end = 0;
		facts.depth_min = 0;
	}
	return svlag_judge(&facts);
}

static u64 if_known(u64 value, enum svlag_rpcrdma_counter counter)
{
	return svlag_rpcrdma_known(counter) ? value : SVLAG_UNKNOWN;
}

static u64 if_estimated(u64 value)
{
	return estimates() ? value : SVLAG_UNKNOWN;
}

static u64 if_batches(u64 value)
{
	return if_known(if_known(value, SVLAG_DRAIN), SVLAG_RELEASED);
}

static u64 if_write_infos(u64 value)
{
	return estimates_write_infos() ? value : SVLAG_UNKNOWN;
}

static u64 if_wq_events(u64 value)
{
	return svlag_wq_known() ? value : SVLAG_UNKNOWN;
}

/* How long the work on an item took in the window, on average. */
static u64 mean_service(enum svlag_kind kind)
{
	const struct svlag_wq_fold *then = &window.begin.wq;
	u64 timed = now.wq.timed[kind] - then->timed[kind];

	return timed ? div64_u64(now.wq.service_ns[kind] - then->service_ns[kind], timed) :
		       SVLAG_UNKNOWN;
}

/*
 * The two kinds share a queue that is first in, first out: once it has been seen
 * empty of send contexts, what was queued before the hooks came is through.
 */
static void check_write_infos(void)
{
	if (estimates_write_infos() && window.settled_begin &&
	    svlag_depth_correction(&write_infos) > window.write_infos_unseen_begin)
		svlag_rpcrdma_unseen_write_infos();
}

static void close_window(void)
{
	u64 length_ns = now.flow.time_ns - window.begin.flow.time_ns;
	u64 released = now.flow.released - window.begin.flow.released;
	u64 depth_now = svlag_depth_now(&depth);

	check_write_infos();
	set_state(judge(length_ns));
	next_wait_ns = !depth_now ? 0 : released ?
		mul_u64_u64_div_u64(depth_now, length_ns, released) : SVLAG_UNKNOWN;
	if (!arming.armed)
		return;
	svlag_residence_close(length_ns, (u64)READ_ONCE(*knobs->sample_ms) * NSEC_PER_MSEC,
			      &residence);
	ring[windows_total++ % SVLAG_WINDOWS] = (struct svlag_window){
		.end_ns = now.flow.time_ns,
		.length_ns = length_ns,
		.arm_generation = arming.generation,
		.get = if_known(now.get - window.begin.get, SVLAG_GET),
		.wc_send = if_known(now.flow.queued - window.begin.flow.queued, SVLAG_WC_SEND),
		.released = if_known(released, SVLAG_RELEASED),
		.capped = if_known(now.capped - window.begin.capped, SVLAG_CAPPED),
		.depth = if_estimated(depth_now),
		.depth_min = if_estimated(window.depth_min),
		.depth_max = if_estimated(window.depth_max),
		.wait_ns = if_estimated(depth.wait_ns),
		.service_ns = mean_service(SVLAG_SEND_CTXT),
		.write_info_service_ns = mean_service(SVLAG_WRITE_INFO),
		.workers_max = if_wq_events(window.workers_max),
		.drain = if_known(now.drain - window.begin.drain, SVLAG_DRAIN),
		.drain_batch = if_batches(now.drain_batch - window.begin.drain_batch),
		.wait_p50_ns = residence.p50_ns,
		.wait_p99_ns = residence.p99_ns,
		.wait_max_ns = residence.max_ns,
		.wait_lost = residence.lost,
		.wait_at_least = residence.is_least,
		.oldest_age_ns = residence.oldest_age_ns,
		.state = svlag_state_name(state),
	};
}

static void sample_residence(u64 released_before)
{
	struct svlag_agree_point point = {
		.depth = svlag_depth_now(&depth),
		.curve_ns = depth.wait_ns,
		.certain = estimates() && depth.settled && !depth.wait_censored,
	};

	svlag_residence_sample(&point, now.flow.released - released_before);
}

static void sample(void)
{
	u64 sample_ns = (u64)READ_ONCE(*knobs->sample_ms) * NSEC_PER_MSEC;
	u64 window_ns = (u64)READ_ONCE(*knobs->window_ms) * NSEC_PER_MSEC;
	u64 released;
	bool settled[SVLAG_KINDS];
	bool closes;

	mutex_lock(&lock);
	released = now.flow.released;
	observe();
	samples_total++;
	samples_late_total += sampled_ns && now.flow.time_ns - sampled_ns > 2 * sample_ns;
	sampled_ns = now.flow.time_ns;
	if (estimates())
		svlag_depth_mark(&depth);
	if (estimates_write_infos())
		svlag_depth_mark(&write_infos);
	sample_residence(released);
	settled[SVLAG_SEND_CTXT] = estimates() && depth.settled;
	settled[SVLAG_WRITE_INFO] = estimates_write_infos() && write_infos.settled;
	window.depth_min = min(window.depth_min, svlag_depth_now(&depth));
	window.depth_max = max(window.depth_max, svlag_depth_now(&depth));
	window.workers_max = max(window.workers_max, now.wq.workers);
	workers_peak = max(workers_peak, now.wq.workers);
	/* Half a sample early, lest jitter put a window's end off by a whole one. */
	closes = now.flow.time_ns - window.begin.flow.time_ns + sample_ns / 2 >= window_ns;
	mutex_unlock(&lock);
	svlag_layout_settle();
	svlag_waits_tend(settled, READ_ONCE(*knobs->leak_age_ms));
	if (!closes)
		return;

	/* The canary sings before the window is judged: did the hooks work all through it? */
	svlag_canary_call();
	mutex_lock(&lock);
	ok = svlag_rpcrdma_observe(now.flow.time_ns, &needed);
	close_window();
	open_next();
	mutex_unlock(&lock);
}

static int sampling(void *unused)
{
	ktime_t next = ktime_get();

	while (!kthread_should_stop()) {
		sample();
		next = ktime_add_ms(next, READ_ONCE(*knobs->sample_ms));
		/* What was missed stays missed: no burst of samples makes up for it. */
		if (ktime_before(next, ktime_get()))
			next = ktime_add_ms(ktime_get(), READ_ONCE(*knobs->sample_ms));
		set_current_state(TASK_IDLE);
		if (kthread_should_stop())
			break;
		schedule_hrtimeout(&next, HRTIMER_MODE_ABS);
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

static void free_rings(void)
{
	svlag_residence_stop();
	kvfree(depth.curve.points);
	kvfree(write_infos.curve.points);
	kvfree(ring);
	depth.curve.points = NULL;
	write_infos.curve.points = NULL;
	ring = NULL;
}

int svlag_sampler_start(const struct svlag_knobs *which, const char *whom, size_t others_bytes)
{
	size_t curve_bytes = array_size(SVLAG_CURVE_POINTS, sizeof(*depth.curve.points));
	size_t ring_bytes = array_size(SVLAG_WINDOWS, sizeof(*ring));

	knobs = which;
	target = whom;
	next_wait_ns = SVLAG_UNKNOWN;
	memory_bytes = others_bytes + 2 * curve_bytes + ring_bytes + svlag_residence_bytes();
	get_random_bytes(&load_id, sizeof(load_id));

	depth.curve.points = kvzalloc(curve_bytes, GFP_KERNEL);
	write_infos.curve.points = kvzalloc(curve_bytes, GFP_KERNEL);
	ring = kvzalloc(ring_bytes, GFP_KERNEL);
	if (svlag_residence_start() || !depth.curve.points || !write_infos.curve.points ||
	    !ring) {
		pr_err("not loaded: no memory for %zu bytes of samples\n",
		       2 * curve_bytes + ring_bytes + svlag_residence_bytes());
		free_rings();
		return -ENOMEM;
	}
	observe();
	open_next();

	thread = kthread_create(sampling, NULL, "svcrdma_lag");
	if (IS_ERR(thread)) {
		free_rings();
		return PTR_ERR(thread);
	}
	/* Its few microseconds ten times a second are to come even where CPUs are short. */
	set_user_nice(thread, MIN_NICE);
	wake_up_process(thread);
	return 0;
}

void svlag_sampler_stop(void)
{
	kthread_stop(thread);
	free_rings();
}

static u64 if_table(u64 value)
{
	return svlag_waits_tracked(SVLAG_WRITE_INFO) ? value : SVLAG_UNKNOWN;
}

static void add_tracked(struct svlag_stats *s)
{
	struct svlag_waits_account account;
	const struct svlag_inflight_account *sum = &account.sum;
	bool tracked = svlag_waits_tracked(SVLAG_SEND_CTXT);

	svlag_waits_account(&account);
	s->track_inserted_total = if_table(sum->inserted);
	s->track_matched_total = if_table(sum->matched);
	s->track_negative_total = if_table(sum->negative);
	s->track_refused_full_total = if_table(sum->refused_full);
	s->track_restarted_key_total = if_table(sum->restarted_key);
	s->track_expired_total = if_table(sum->expired);
	s->track_evicted_total = if_table(sum->evicted);
	s->track_purged_total = if_table(sum->purged);
	s->track_live = if_table(account.live);
	s->track_live_low = if_table(account.live_low);
	s->track_live_high = if_table(account.live_high);
	s->track_weight = if_table(account.weight);
	s->track_matched_weight_total = if_table(sum->matched_weight);
	s->track_missed_total = if_table(sum->missed);
	s->track_unmatched_total = if_table(sum->unmatched);
	s->track_level_max = if_table(sum->level_max);
	s->track_streams_thinned = if_table(sum->streams_thinned);
	s->track_entries = if_table(account.entries);
	s->leak_age_ns = if_table(sum->leak_age_ns);
	s->oldest_age_ns = tracked ? account.oldest_age_ns[SVLAG_SEND_CTXT] : SVLAG_UNKNOWN;
	s->write_info_oldest_age_ns = if_wq_events(account.oldest_age_ns[SVLAG_WRITE_INFO]);
	s->ceiling_ns = tracked ? sum->ceiling_ns : SVLAG_UNKNOWN;
}

void svlag_sampler_stats(struct svlag_stats *s)
{
	const struct svlag_wq_fold *wq = &now.wq;
	struct svlag_hook_info hooks[SVLAG_RPCRDMA_HOOKS];
	unsigned int i, nr;

	mutex_lock(&lock);
	observe();
	*s = (struct svlag_stats){
		.time_ns = now.flow.time_ns,
		.realtime_ns = ktime_get_real_ns(),
		.load_id = load_id,
		.arm_generation = arming.generation,
		.armed_ns = arming.armed ? arming.armed_ns : SVLAG_UNKNOWN,
		.target = target,
		.era = svlag_era_name(arming.era),
		.state = svlag_state_name(state),
		.state_since_ns = state_since_ns,
		.get_total = if_known(now.get, SVLAG_GET),
		.wc_send_total = if_known(now.flow.queued, SVLAG_WC_SEND),
		.released_total = if_known(now.flow.released, SVLAG_RELEASED),
		.drain_total = if_known(now.drain, SVLAG_DRAIN),
		.drain_batch_total = if_batches(now.drain_batch),
		.drain_batch_max = if_batches(svlag_batch_max()),
		.drain_batch_lost_total = if_batches(now.drain_batch_lost),
		.capped_total = if_known(now.capped, SVLAG_CAPPED),
		.depth = if_estimated(svlag_depth_now(&depth)),
		.depth_settled = !estimates() ? NULL : depth.settled ? "yes" : "no",
		.depth_low = if_estimated(depth.low),
		.depth_high = if_estimated(depth.high),
		.depth_correction = if_estimated(svlag_depth_correction(&depth)),
		.depth_correction_late = if_estimated(depth.late),
		.curve_wait_ns = if_estimated(depth.wait_ns),
		.curve_wait_censored = !estimates() ? NULL : depth.wait_censored ? "yes" : "no",
		.curve_wait_peak_ns = depth.wait_peak_ns,
		.next_wait_ns = if_estimated(next_wait_ns),
		.write_info_queued_total = if_known(now.write_infos.queued,
						    SVLAG_WRITE_INFO_QUEUED),
		.write_info_freed_total = if_known(now.write_infos.released,
						   SVLAG_WRITE_INFO_FREED),
		.write_info_depth = if_write_infos(svlag_depth_now(&write_infos)),
		.write_info_correction = if_write_infos(svlag_depth_correction(&write_infos)),
		.live_ctxts = estimates_live() ? svlag_depth_now(&live) : SVLAG_UNKNOWN,
		.live_settled = !estimates_live() ? NULL : live.settled ? "yes" : "no",
		.queue_depth = if_write_infos(svlag_depth_now(&depth) +
					      svlag_depth_now(&write_infos)),
		.wq_queued_total = if_wq_events(wq->queued[SVLAG_SEND_CTXT]),
		.wq_begun_total = if_wq_events(wq->begun[SVLAG_SEND_CTXT]),
		.wq_ended_total = if_wq_events(wq->ended[SVLAG_SEND_CTXT]),
		.wq_timed_total = if_wq_events(wq->timed[SVLAG_SEND_CTXT]),
		.wq_service_ns_total = if_wq_events(wq->service_ns[SVLAG_SEND_CTXT]),
		.wq_write_info_queued_total = if_wq_events(wq->queued[SVLAG_WRITE_INFO]),
		.wq_write_info_begun_total = if_wq_events(wq->begun[SVLAG_WRITE_INFO]),
		.wq_write_info_ended_total = if_wq_events(wq->ended[SVLAG_WRITE_INFO]),
		.wq_write_info_timed_total = if_wq_events(wq->timed[SVLAG_WRITE_INFO]),
		.wq_write_info_service_ns_total =
			if_wq_events(wq->service_ns[SVLAG_WRITE_INFO]),
		.wq_same_cpu_total = if_wq_events(wq->same_cpu),
		.wq_same_node_total = if_wq_events(wq->same_node),
		.wq_other_node_total = if_wq_events(wq->other_node),
		.workers = if_wq_events(wq->workers),
		.workers_peak = if_wq_events(workers_peak),
		.mean_depth = if_estimated(residence.agree.depth),
		.mean_depth_by_waits = if_estimated(residence.agree.depth_by_waits),
		.mean_wait_ns = if_estimated(residence.agree.wait_ns),
		.mean_curve_wait_ns = if_estimated(residence.agree.curve_ns),
		.agree = svlag_agree_word(residence.agree.verdict),
		.layout = arming.armed ? svlag_layout_verdict() : NULL,
		.hooks_needed = needed,
		.hooks_ok = arming.armed ? ok : 0,
		.samples_total = samples_total,
		.samples_late_total = samples_late_total,
		.sample_ms = READ_ONCE(*knobs->sample_ms),
		.window_ms = READ_ONCE(*knobs->window_ms),
		.memory_bytes = memory_bytes,
	};
	s->depth_peak = svlag_depth_peak(&depth, &s->depth_peak_ns);
	nr = svlag_rpcrdma_hooks(hooks, now.flow.time_ns);
	mutex_unlock(&lock);

	add_tracked(s);
	s->missed_total = SVLAG_UNKNOWN;
	for (i = 0; i < nr; i++)
		if (hooks[i].missed != SVLAG_UNKNOWN)
			s->missed_total = hooks[i].missed +
				(s->missed_total == SVLAG_UNKNOWN ? 0 : s->missed_total);
}

unsigned int svlag_sampler_windows(struct svlag_window *windows)
{
	unsigned int i, nr;

	mutex_lock(&lock);
	nr = min_t(u64, windows_total, SVLAG_WINDOWS);
	for (i = 0; i < nr; i++) {
		u32 nth;

		div_u64_rem(windows_total - nr + i, SVLAG_WINDOWS, &nth);
		windows[i] = ring[nth];
	}
	mutex_unlock(&lock);
	return nr;
}
