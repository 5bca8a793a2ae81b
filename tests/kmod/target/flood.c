// SPDX-License-Identifier: GPL-2.0
/*
 * Floods, and their truth.
 */
#include "flood.h"

#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/math.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "arena.h"
#include "ctxt.h"
#include "era.h"
#include "jobs.h"
#include "ledger.h"
#include "pace.h"
#include "xprt.h"

enum flood_counter {
	FLOOD_QUEUED,		/* calls of svc_rdma_wc_send, but for the leak's */
	FLOOD_RELEASED,		/* releases, but for the next */
	FLOOD_UNQUEUED,		/* releases of what was not queued */
	FLOOD_REUSED,		/* queued while it was queued still */
	FLOOD_TORN,		/* queued when its transport was torn down */
	FLOOD_LEAKED,		/* calls of svc_rdma_wc_send, by the leak */
	FLOOD_LATE,		/* turns of a canary that came too late, and were left out */
	FLOOD_NR_COUNTS
};

static const char * const flood_names[FLOOD_NR_COUNTS] = {
	[FLOOD_QUEUED] = "queued",
	[FLOOD_RELEASED] = "released",
	[FLOOD_UNQUEUED] = "unqueued",
	[FLOOD_REUSED] = "reused",
	[FLOOD_TORN] = "torn",
	[FLOOD_LEAKED] = "leaked",
	[FLOOD_LATE] = "late",
};

static u64 last_leak_ns;
static atomic64_t flood_counts[FLOOD_NR_COUNTS];
static struct dentry *flood_directory;

static void flood_count_many(enum flood_counter what, u64 nr)
{
	atomic64_add(nr, &flood_counts[what]);
}

static void flood_count(enum flood_counter what)
{
	flood_count_many(what, 1);
}

static u64 flood_queue(struct target_ctxt *ctxt)
{
	u64 now_ns = ktime_get_ns();

	ctxt_wc_send(ctxt);
	flood_count(FLOOD_QUEUED);
	return now_ns;
}

static void flood_release(struct target_ctxt *ctxt, u64 queued_ns)
{
	ledger_waited(ktime_get_ns() - queued_ns);
	era_call_release(ctxt);
	flood_count(FLOOD_RELEASED);
}

/* A number below @below; the same ones for a transport each time. */
static u32 flood_draw(u64 *seed, u32 below)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (u64)(u32)(*seed >> 16) * below >> 32;
}

static u64 seed_of(const struct job *job)
{
	return 88172645463325252ULL + job->xprt;
}

/*
 * The canary: each item is to wait as long as was drawn for it, and is released in the
 * first round after that. A slot of its wheel has the items of a round; beyond
 * the longest wait it begins anew.
 */
#define CANARY_RATE	10000
#define ROUND_NS	(100 * NSEC_PER_USEC)
#define SHORTEST_NS	(200 * NSEC_PER_USEC)
#define OCTAVES		4
#define SLOTS		64
#define NOBODY		(-1)

struct canary_item {
	u64 queued_ns;
	int next;
};

struct canary {
	struct arena arena;
	struct canary_item *items;
	int wheel[SLOTS];
	int free;
	u64 round;		/* all slots up to this one are done */
	u64 next_ns;		/* when the next item is to be queued */
	u64 seed;
};

/* Of as many items between 0.2 and 0.4 ms as between 1.6 and 3.2 ms. */
static u64 canary_wait_ns(struct canary *c)
{
	u64 octave_ns = SHORTEST_NS << flood_draw(&c->seed, OCTAVES);

	return octave_ns + flood_draw(&c->seed, octave_ns);
}

static void canary_queue_one(struct canary *c)
{
	int nth = c->free, *slot;
	struct canary_item *item = &c->items[nth];

	if (nth == NOBODY) {
		flood_count(FLOOD_LATE);
		return;
	}
	c->free = item->next;
	item->queued_ns = flood_queue(arena_ctxt(&c->arena, nth));
	slot = &c->wheel[div64_u64(item->queued_ns + canary_wait_ns(c), ROUND_NS) % SLOTS];
	item->next = *slot;
	*slot = nth;
}

static void canary_queue(struct canary *c, u64 now_ns, u64 step_ns)
{
	for (; c->next_ns + PACE_CATCH_UP_NS < now_ns; c->next_ns += step_ns)
		flood_count(FLOOD_LATE);
	for (; c->next_ns <= now_ns; c->next_ns += step_ns)
		canary_queue_one(c);
}

static void canary_empty(struct canary *c, int *slot)
{
	int nth = *slot, next;

	*slot = NOBODY;
	for (; nth != NOBODY; nth = next) {
		next = c->items[nth].next;
		flood_release(arena_ctxt(&c->arena, nth), c->items[nth].queued_ns);
		c->items[nth].next = c->free;
		c->free = nth;
	}
}

static void canary_release(struct canary *c, u64 now_ns)
{
	u64 round = div64_u64(now_ns, ROUND_NS);

	c->round = max(c->round, round - min_t(u64, round, SLOTS));
	while (c->round < round)
		canary_empty(c, &c->wheel[c->round++ % SLOTS]);
}

static void canary_free(struct canary *c)
{
	arena_close(&c->arena);
	kvfree(c->items);
	kfree(c);
}

static struct canary *canary_new(struct job *job, struct target_conn *conn)
{
	struct canary *c = kzalloc(sizeof(*c), GFP_KERNEL);
	unsigned int i;

	if (!c)
		return NULL;
	c->items = kvcalloc(job->keys, sizeof(*c->items), GFP_KERNEL);
	if (!c->items || arena_open(&c->arena, conn, job->keys)) {
		canary_free(c);
		return NULL;
	}
	for (i = 0; i < SLOTS; i++)
		c->wheel[i] = NOBODY;
	for (i = 0; i < job->keys; i++)
		c->items[i].next = i + 1 < job->keys ? i + 1 : NOBODY;
	c->seed = seed_of(job);
	c->next_ns = ktime_get_ns();
	c->round = div64_u64(c->next_ns, ROUND_NS);
	return c;
}

static bool canary_play(struct job *job, struct target_conn *conn)
{
	struct canary *c = canary_new(job, conn);
	unsigned int i;

	if (!c)
		return false;
	/* So that waits stay near those that were drawn. */
	sched_set_fifo(current);
	while (!READ_ONCE(job->stop)) {
		u64 now_ns = ktime_get_ns();

		canary_release(c, now_ns);
		canary_queue(c, now_ns, div64_u64(NSEC_PER_SEC, job->rate ?: CANARY_RATE));
		usleep_range(100, 150);
	}
	for (i = 0; i < SLOTS; i++)
		canary_empty(c, &c->wheel[i]);
	canary_free(c);
	return true;
}

/* So many are leaked before they are counted, and others have their turn. */
#define LEAKS_AT_ONCE	256

static bool leak_play(struct job *job, struct target_conn *conn)
{
	struct arena arena = { 0 };
	unsigned int i;

	if (arena_open(&arena, conn, job->keys))
		return false;
	while (!READ_ONCE(job->stop) && (!job->count || job->n < job->count)) {
		pace_wait(&job->pace, DIV_ROUND_UP_ULL(job->rate, LEAKS_AT_ONCE));
		for (i = 0; i < LEAKS_AT_ONCE; i++)
			ctxt_wc_send(arena_ctxt(&arena, job->n++ % job->keys));
		flood_count_many(FLOOD_LEAKED, LEAKS_AT_ONCE);
		WRITE_ONCE(last_leak_ns, ktime_get_ns());
		cond_resched();
	}
	arena_close(&arena);
	return true;
}

/*
 * The backlog: a ring of items, queued by the job's thread, and released by a worker.
 * That has as many released as it should of those that were queued, whatever the pace
 * of both; once no more are queued, it goes on as fast as then.
 */
#define BACKLOG_IN	432
#define BACKLOG_OUT	342

struct backlog {
	struct job *job;
	struct arena arena;
	u64 *queued_ns;
	u64 queued;		/* written by the thread, and read by the worker */
	u64 released;		/* the other way round */
	bool over;
	struct pace pace;
	struct work_struct drain;
	struct completion drained;
};

static void backlog_drain(struct work_struct *work)
{
	struct backlog *b = container_of(work, struct backlog, drain);
	u64 rate = div64_u64(b->job->rate * BACKLOG_OUT, BACKLOG_IN);
	u64 nr = b->job->keys, queued, due;
	bool over;

	do {
		/* Before the number of items, which is then the last. */
		over = smp_load_acquire(&b->over);
		/* Before their times. */
		queued = smp_load_acquire(&b->queued);
		due = over ? queued : div64_u64(queued * BACKLOG_OUT, BACKLOG_IN);
		while (b->released < due) {
			u64 nth = b->released % nr;

			if (over)
				pace_wait(&b->pace, rate);
			flood_release(arena_ctxt(&b->arena, nth), b->queued_ns[nth]);
			/* After the last look at its place. */
			smp_store_release(&b->released, b->released + 1);
			cond_resched();
		}
		if (!over)
			usleep_range(200, 400);
	} while (!over);
	complete(&b->drained);
}

static void backlog_fill(struct backlog *b)
{
	struct job *job = b->job;

	while (!READ_ONCE(job->stop) && (!job->count || job->n < job->count)) {
		u64 nth = job->n % job->keys;

		/* All contexts wait. */
		if (job->n - smp_load_acquire(&b->released) >= job->keys) {
			msleep_interruptible(1);
			continue;
		}
		pace_wait(&job->pace, job->rate);
		b->queued_ns[nth] = ktime_get_ns();
		flood_queue(arena_ctxt(&b->arena, nth));
		/* After its place was written. */
		smp_store_release(&b->queued, ++job->n);
		cond_resched();
	}
}

static bool backlog_play(struct job *job, struct target_conn *conn)
{
	struct backlog b = { .job = job };
	bool played = false;

	b.queued_ns = kvmalloc_array(job->keys, sizeof(*b.queued_ns), GFP_KERNEL);
	if (b.queued_ns && !arena_open(&b.arena, conn, job->keys)) {
		pace_init(&b.pace);
		init_completion(&b.drained);
		INIT_WORK_ONSTACK(&b.drain, backlog_drain);
		queue_work(system_unbound_wq, &b.drain);
		backlog_fill(&b);
		/* After the last of them. */
		smp_store_release(&b.over, true);
		/* Not as one that hangs. */
		wait_for_completion_state(&b.drained, TASK_IDLE);
		flush_work(&b.drain);
		destroy_work_on_stack(&b.drain);
		arena_close(&b.arena);
		played = true;
	}
	kvfree(b.queued_ns);
	return played;
}

/*
 * Mixed: the thread queues any of its contexts, whether it is queued or not, and
 * releases any; in between, its transport is torn down. What is queued then is never
 * released, and comes again as something new; not before the samples of svcrdma_lag
 * have seen to the teardown, so that all can be told what has become of it.
 */
#define QUEUES_OF_1000	520
#define A_TEARDOWN_IN	50000
#define TEARDOWN_MS	1000

static void mixed_tear_down(struct job *job, struct target_conn *conn, u64 *queued_ns)
{
	u64 i;

	svc_rdma_send_ctxts_destroy(&conn->rdma);
	for (i = 0; i < job->keys; i++)
		if (queued_ns[i])
			flood_count(FLOOD_TORN);
	memset(queued_ns, 0, job->keys * sizeof(*queued_ns));
	msleep_interruptible(TEARDOWN_MS);
}

static void mixed_one(struct target_ctxt *ctxt, u64 *queued_ns, bool queues)
{
	if (queues) {
		if (*queued_ns)
			flood_count(FLOOD_REUSED);
		*queued_ns = flood_queue(ctxt);
	} else if (*queued_ns) {
		flood_release(ctxt, *queued_ns);
		*queued_ns = 0;
	} else {
		era_call_release(ctxt);
		flood_count(FLOOD_UNQUEUED);
	}
}

static bool mixed_play(struct job *job, struct target_conn *conn)
{
	u64 *queued_ns = kvcalloc(job->keys, sizeof(*queued_ns), GFP_KERNEL);
	u64 seed = seed_of(job);
	struct arena arena = { 0 };
	bool played = false;

	if (queued_ns && !arena_open(&arena, conn, job->keys)) {
		while (!READ_ONCE(job->stop) && (!job->count || job->n < job->count)) {
			u32 nth = flood_draw(&seed, job->keys);

			pace_wait(&job->pace, job->rate);
			mixed_one(arena_ctxt(&arena, nth), &queued_ns[nth],
				  flood_draw(&seed, 1000) < QUEUES_OF_1000);
			if (++job->n % A_TEARDOWN_IN == 0)
				mixed_tear_down(job, conn, queued_ns);
			cond_resched();
		}
		arena_close(&arena);
		played = true;
	}
	kvfree(queued_ns);
	return played;
}

/* The floods of a transport are over before it is torn down, but for what mixed plays. */
static void on_transport(struct job *job, bool (*play)(struct job *job, struct target_conn *conn))
{
	struct target_xprt *xprt = xprt_at(job->xprt);

	down_read(&xprt->alive);
	if (!play(job, xprt->conn))
		pr_target("no memory for %s\n", job->kind->name);
	up_read(&xprt->alive);
}

void canary_run(struct job *job)
{
	on_transport(job, canary_play);
}

void leak_run(struct job *job)
{
	on_transport(job, leak_play);
}

void backlog_run(struct job *job)
{
	on_transport(job, backlog_play);
}

void mixed_run(struct job *job)
{
	on_transport(job, mixed_play);
}

static int floods_show(struct seq_file *file, void *unused)
{
	unsigned int i;

	seq_printf(file, "time_ns %llu\n", ktime_get_ns());
	for (i = 0; i < FLOOD_NR_COUNTS; i++)
		seq_printf(file, "%s %lld\n", flood_names[i], atomic64_read(&flood_counts[i]));
	seq_printf(file, "last_leak_ns %llu\n", READ_ONCE(last_leak_ns));
	ledger_print_waits(file);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(floods);

void flood_init(void)
{
	flood_directory = debugfs_create_dir(KBUILD_MODNAME, NULL);
	debugfs_create_file("floods", 0444, flood_directory, NULL, &floods_fops);
}

void flood_exit(void)
{
	debugfs_remove(flood_directory);
}
