// SPDX-License-Identifier: GPL-2.0
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "wq_events.h"

#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/topology.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>
#include <trace/events/workqueue.h>

#include "compat/compat.h"

/*
 * At most max_active items, 256, are at work at once. With 16 times the room one
 * in some ten thousand finds its line full and is not timed.
 */
#define AT_WORK_LINE_BITS	10
#define AT_WORK_PER_LINE	4

/* Items that wait and whose queueing CPU is kept. */
#define QUEUED_ON_BITS		13

/*
 * What a worker is at. @task is set by it when it begins and cleared when it ends,
 * so that in between nobody else touches the entry.
 */
struct at_work {
	unsigned long task;
	u64 begun_ns;
};

struct at_work_line {
	struct at_work of[AT_WORK_PER_LINE];
} ____cacheline_aligned;

/*
 * An item and the CPU that queued it in one word, so that neither is ever read
 * without the other; 0 where there is none.
 */
#define QUEUED_ON_CPU_BITS	16

static struct tables {
	struct at_work_line at_work[1 << AT_WORK_LINE_BITS];
	u64 queued_on[1 << QUEUED_ON_BITS];
} *tables;

/* By kind. Written while nothing is armed. */
static unsigned long functions[SVLAG_KINDS] __read_mostly;

/* Of svlag_wq_fold(): what the least depth ever seen between begin and end proves. */
static u64 ended_unbegun;

/* Negative where the item is none of ours: for nearly all that come by. */
static __always_inline int kind_of(unsigned long function)
{
	if (svlag_is_function(function, functions[SVLAG_SEND_CTXT]))
		return SVLAG_SEND_CTXT;
	if (svlag_is_function(function, functions[SVLAG_WRITE_INFO]))
		return SVLAG_WRITE_INFO;
	return -1;
}

static __always_inline int kind_of_work(const struct work_struct *work)
{
	return kind_of((unsigned long)READ_ONCE(work->func));
}

/* The low bits of an item's address are zero, and its high ones say nothing. */
static u64 item_key(const struct work_struct *work)
{
	return ((u64)(unsigned long)work & ~7ULL) << (QUEUED_ON_CPU_BITS - 3);
}

static u64 *queued_on(const struct work_struct *work)
{
	return &tables->queued_on[hash_64((unsigned long)work, QUEUED_ON_BITS)];
}

static void keep_cpu(const struct work_struct *work)
{
	u64 *entry = queued_on(work);

	/* If two find it free, one is lost: it counts among those not told. */
	if (!READ_ONCE(*entry))
		WRITE_ONCE(*entry, item_key(work) | raw_smp_processor_id());
}

static void tell_cpus(const struct work_struct *work)
{
	unsigned int cpu = raw_smp_processor_id(), from;
	u64 *entry = queued_on(work);
	u64 value = READ_ONCE(*entry);

	if ((value ^ item_key(work)) >> QUEUED_ON_CPU_BITS)
		return;
	WRITE_ONCE(*entry, 0);
	from = value & (BIT(QUEUED_ON_CPU_BITS) - 1);
	if (from == cpu)
		svlag_count(SVLAG_WQ_SAME_CPU);
	else if (cpu_to_node(from) == cpu_to_node(cpu))
		svlag_count(SVLAG_WQ_SAME_NODE);
	else
		svlag_count(SVLAG_WQ_OTHER_NODE);
}

static struct at_work_line *line_of(unsigned long task)
{
	return &tables->at_work[hash_long(task, AT_WORK_LINE_BITS)];
}

static void begin_work(void)
{
	unsigned long task = (unsigned long)current;
	struct at_work_line *line = line_of(task);
	unsigned int i;

	for (i = 0; i < AT_WORK_PER_LINE; i++) {
		struct at_work *w = &line->of[i];

		if (!READ_ONCE(w->task) && !cmpxchg(&w->task, 0, task)) {
			w->begun_ns = ktime_get_mono_fast_ns();
			return;
		}
	}
}

static void end_work(enum svlag_kind kind)
{
	unsigned long task = (unsigned long)current;
	struct at_work_line *line = line_of(task);
	unsigned int i;

	for (i = 0; i < AT_WORK_PER_LINE; i++) {
		struct at_work *w = &line->of[i];
		s64 took_ns;

		if (READ_ONCE(w->task) != task)
			continue;
		took_ns = ktime_get_mono_fast_ns() - w->begun_ns;
		/* begun_ns has been read before another may write it. */
		smp_store_release(&w->task, 0);
		if (took_ns < 0)
			return;
		svlag_waits_served(kind, took_ns);
		svlag_count(SVLAG_WQ_TIMED + kind);
		svlag_count_many(SVLAG_WQ_SERVICE_NS + kind, took_ns);
		return;
	}
}

/* Under the lock of the pool, with interrupts off. */
static void notrace queue_hit(void *data, int req_cpu, struct pool_workqueue *pwq,
			      struct work_struct *work)
{
	int kind = kind_of_work(work);

	if (likely(kind < 0))
		return;
	keep_cpu(work);
	svlag_count(SVLAG_WQ_QUEUED + kind);
	/* Send contexts are rpcrdma.c's to track, from their completion on. */
	if (kind == SVLAG_WRITE_INFO)
		svlag_waits_begin(SVLAG_WRITE_INFO, (unsigned long)work, 0);
}

/* By the worker, just before it calls the function. */
static void notrace begin_hit(void *data, struct work_struct *work)
{
	int kind = kind_of_work(work);

	if (likely(kind < 0))
		return;
	svlag_count(SVLAG_WQ_BEGUN + kind);
	if (kind == SVLAG_WRITE_INFO)
		svlag_waits_end(SVLAG_WRITE_INFO, (unsigned long)work);
	tell_cpus(work);
	begin_work();
}

/* By the same worker. The item may be gone by now, so its address is not looked at. */
static void notrace end_hit(void *data, struct work_struct *work, work_func_t function)
{
	int kind = kind_of((unsigned long)function);

	if (likely(kind < 0))
		return;
	end_work(kind);
	svlag_count(SVLAG_WQ_ENDED + kind);
}

/* In the order of arming: what ends an item before what begins it. */
static struct svlag_hook rows[SVLAG_WQ_HOOKS] = {
	{
		.name = "wq_end", .symbol = "workqueue_execute_end",
		.counter = SVLAG_WQ_ENDED, .also = SVLAG_KINDS - 1,
		.tracepoint_hit = end_hit,
		.lost = "how long the work takes, and how many workers are at it",
	}, {
		.name = "wq_begin", .symbol = "workqueue_execute_start",
		.counter = SVLAG_WQ_BEGUN, .also = SVLAG_KINDS - 1,
		.tracepoint_hit = begin_hit,
		.lost = "how long the work takes, and how many workers are at it",
	}, {
		.name = "wq_queue", .symbol = "workqueue_queue_work",
		.counter = SVLAG_WQ_QUEUED, .also = SVLAG_KINDS - 1,
		.tracepoint_hit = queue_hit,
		.lost = "what is queued without a Send completion, and on which CPU",
	},
};

static bool used;

int svlag_wq_start(bool use)
{
	const size_t bytes = sizeof(*tables);

	BUILD_BUG_ON(SVLAG_WQ_COUNTERS_END > SVLAG_COUNTERS_FREE);
	check_trace_callback_type_workqueue_queue_work(queue_hit);
	check_trace_callback_type_workqueue_execute_start(begin_hit);
	check_trace_callback_type_workqueue_execute_end(end_hit);

	used = use;
	if (!use)
		return 0;
	tables = kvzalloc(bytes, GFP_KERNEL);
	if (!tables) {
		pr_err("not loaded: no memory for %zu bytes of wq_events; wq_events=n does without\n",
		       bytes);
		return -ENOMEM;
	}
	return 0;
}

void svlag_wq_stop(void)
{
	kvfree(tables);
	tables = NULL;
}

size_t svlag_wq_bytes(void)
{
	return tables ? sizeof(*tables) : 0;
}

bool svlag_wq_skip(const char *name, size_t len)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (strlen(rows[i].name) != len || strncmp(rows[i].name, name, len))
			continue;
		rows[i].skip = true;
		return true;
	}
	return false;
}

static void arm_if_named(struct tracepoint *tracepoint, void *row)
{
	struct svlag_hook *hook = row;

	if (!hook->tracepoint && !strcmp(tracepoint->name, hook->symbol))
		svlag_hook_arm_tracepoint(hook, tracepoint);
}

void svlag_wq_arm(unsigned long put_async, unsigned long write_info_free)
{
	unsigned int i;

	if (!used)
		return;
	functions[SVLAG_SEND_CTXT] = put_async;
	functions[SVLAG_WRITE_INFO] = write_info_free;
	memset(tables, 0, sizeof(*tables));
	/* The workqueue's tracepoints are not exported, but the kernel shows all that it has. */
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		for_each_kernel_tracepoint(arm_if_named, &rows[i]);
}

void svlag_wq_disarm(void)
{
	unsigned int i;

	for (i = ARRAY_SIZE(rows); i-- > 0;)
		svlag_hook_disarm(&rows[i]);
}

unsigned int svlag_wq_hooks(struct svlag_hook **hooks)
{
	unsigned int i;

	for (i = 0; used && i < ARRAY_SIZE(rows); i++)
		hooks[i] = &rows[i];
	return i;
}

bool svlag_wq_known(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		if (!READ_ONCE(rows[i].ever))
			return false;
	return true;
}

static void fold_kinds(u64 *of_kinds, enum svlag_wq_counter counter)
{
	unsigned int kind;

	for (kind = 0; kind < SVLAG_KINDS; kind++)
		of_kinds[kind] = svlag_counter_fold(counter + kind);
}

static u64 both_kinds(const u64 *of_kinds)
{
	return of_kinds[SVLAG_SEND_CTXT] + of_kinds[SVLAG_WRITE_INFO];
}

/*
 * What ended when it was not seen to begin is told as depth.c tells what was
 * released unseen: from the upper end of the bracket. What is given out is the
 * lower end, so that a peak is never too high.
 */
static u64 count_workers(const struct svlag_wq_fold *fold)
{
	u64 begun = both_kinds(fold->begun) + ended_unbegun;
	u64 ended = both_kinds(fold->ended);
	u64 after[SVLAG_KINDS];

	if (ended > begun) {
		ended_unbegun += ended - begun;
		begun = ended;
	}
	fold_kinds(after, SVLAG_WQ_ENDED);
	return begun - min(begun, both_kinds(after));
}

void svlag_wq_fold(struct svlag_wq_fold *fold)
{
	fold_kinds(fold->service_ns, SVLAG_WQ_SERVICE_NS);
	fold_kinds(fold->timed, SVLAG_WQ_TIMED);
	fold_kinds(fold->ended, SVLAG_WQ_ENDED);
	/* Whatever has ended was begun before. */
	smp_rmb();
	fold->same_cpu = svlag_counter_fold(SVLAG_WQ_SAME_CPU);
	fold->same_node = svlag_counter_fold(SVLAG_WQ_SAME_NODE);
	fold->other_node = svlag_counter_fold(SVLAG_WQ_OTHER_NODE);
	fold_kinds(fold->begun, SVLAG_WQ_BEGUN);
	/* And whatever has begun was queued before. */
	smp_rmb();
	fold_kinds(fold->queued, SVLAG_WQ_QUEUED);
	fold->workers = count_workers(fold);
}
