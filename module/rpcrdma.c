// SPDX-License-Identifier: GPL-2.0
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "rpcrdma.h"

#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <rdma/ib_verbs.h>

#include "batch.h"
#include "compat/compat.h"
#include "counters.h"
#include "layout.h"
#include "waits.h"
#include "watch.h"

/*
 * The handlers: both mechanisms lead to the same few instructions, what##_hit().
 * Most look at no argument, so they are right whatever the target's structures
 * look like; the others leave it to layout.c to look.
 */
#ifdef CONFIG_DYNAMIC_FTRACE
#define BY_FTRACE(what)	what##_by_ftrace
#define DEFINE_FTRACE_HANDLER(what, call)						\
static void notrace what##_by_ftrace(unsigned long ip, unsigned long parent_ip,		\
				     struct ftrace_ops *ops, struct ftrace_regs *fregs)	\
{											\
	call;										\
}
#else
#define BY_FTRACE(what)	NULL
#define DEFINE_FTRACE_HANDLER(what, call)
#endif

#define DEFINE_HANDLERS(what, ftrace_call, kprobe_call)					\
DEFINE_FTRACE_HANDLER(what, ftrace_call)						\
static int notrace what##_by_kprobe(struct kprobe *kprobe, struct pt_regs *regs)	\
{											\
	kprobe_call;									\
	return 0;									\
}											\
NOKPROBE_SYMBOL(what##_by_kprobe)

#define DEFINE_COUNTING(what) DEFINE_HANDLERS(what, what##_hit(), what##_hit())
#define DEFINE_LOOKING(what) DEFINE_HANDLERS(what,					\
	what##_hit(svlag_ftrace_argument(fregs, 0), svlag_ftrace_argument(fregs, 1)),	\
	what##_hit(regs_get_kernel_argument(regs, 0), regs_get_kernel_argument(regs, 1)))

#define COUNTING(what)	{ BY_FTRACE(what), what##_by_kprobe }
#define LOOKING(what)	{ BY_FTRACE(what), what##_by_kprobe, .argument = true }

/*
 * A send context is tracked by its own address. A completion leads to it by its cqe,
 * and to its transport by the CQ's context. That begins only when the layout has been
 * checked: so what checks, and what tracks, is each the last that a handler does, and
 * neither makes it save registers for the other.
 */
static __always_inline void track_completed(unsigned long cq, unsigned long wc)
{
	unsigned long ctxt;
	u32 id;

	if (!static_branch_likely(&svlag_tracks_ctxts))
		return;
	ctxt = (unsigned long)((const struct ib_wc *)wc)->wr_cqe - svlag_layout.cqe;
	id = svlag_inflight_id((unsigned long)((const struct ib_cq *)cq)->cq_context);
	svlag_waits_begin(SVLAG_SEND_CTXT, ctxt, id);
}

static __always_inline void track_released(unsigned long ctxt)
{
	if (static_branch_likely(&svlag_tracks_ctxts))
		svlag_waits_end(SVLAG_SEND_CTXT, ctxt);
}

static __always_inline void get_hit(void)
{
	svlag_count(SVLAG_GET);
}

static __always_inline void wc_send_hit(unsigned long cq, unsigned long wc)
{
	svlag_count(SVLAG_WC_SEND);
	if (static_branch_unlikely(&svlag_layout_unchecked))
		svlag_layout_completion(cq, wc);
	else
		track_completed(cq, wc);
}

static __always_inline void put_async_hit(unsigned long work, unsigned long unused)
{
	svlag_count(SVLAG_RELEASED);
	if (static_branch_unlikely(&svlag_layout_unchecked))
		svlag_layout_work(work);
	else
		track_released(work - svlag_layout.work);
}

static __always_inline void released_hit(void)
{
	svlag_count(SVLAG_RELEASED);
}

static __always_inline void list_released_hit(unsigned long rdma, unsigned long ctxt)
{
	u32 nr = svlag_batch_add(current->pid);

	if (nr < 2)
		svlag_count(nr ? SVLAG_DRAIN_BATCH : SVLAG_DRAIN_BATCH_LOST);
	svlag_count(SVLAG_RELEASED);
	track_released(ctxt);
}

static __always_inline void drain_hit(void)
{
	svlag_batch_begin(current->pid);
	svlag_count(SVLAG_DRAIN);
}

static __always_inline void write_done_hit(void)
{
	svlag_count(SVLAG_WRITE_INFO_QUEUED);
}

static __always_inline void write_release_hit(unsigned long rdma, unsigned long ctxt)
{
	int nr = svlag_layout_write_infos(ctxt);

	if (nr > 0)
		svlag_count_many(SVLAG_WRITE_INFO_QUEUED, nr);
}

static __always_inline void write_info_freed_hit(void)
{
	svlag_count(SVLAG_WRITE_INFO_FREED);
}

static __always_inline void teardown_hit(unsigned long transport, unsigned long unused)
{
	svlag_count(SVLAG_TEARDOWN);
	if (static_branch_likely(&svlag_tracks_ctxts))
		svlag_waits_teardown(transport);
}

DEFINE_COUNTING(get);
DEFINE_LOOKING(wc_send);
DEFINE_LOOKING(put_async);
DEFINE_COUNTING(released);
DEFINE_LOOKING(list_released);
DEFINE_COUNTING(drain);
DEFINE_COUNTING(write_done);
DEFINE_LOOKING(write_release);
DEFINE_COUNTING(write_info_freed);
DEFINE_LOOKING(teardown);

static void notrace capped_hit(void *data, const void *cid)
{
	svlag_count(SVLAG_CAPPED);
}

/*
 * The rows, in the order of arming: what ends an item comes before what begins
 * it. In the other order an item can begin unended in between, and the depth
 * stays too large for good. Disarming goes backwards.
 *
 * Where kernels of one era do the same in different places, a row has no place
 * beside the function that unless names, or without its own where it is a variant.
 */
#define IN(era) BIT(SVLAG_ERA_##era)
#define IN_ALL (IN(SYNCHRONOUS) | IN(WORKQUEUE) | IN(RELEASE_LIST))

static struct rpcrdma_row {
	unsigned int eras;
	const char *unless;
	struct svlag_hook hook;
	bool variant;
	bool by_layout;	/* its count is only as right as the layout is */
	bool out;	/* decided when the target came */
} rows[] = {
	{ IN(WORKQUEUE), NULL, {
		.name = "write_info_freed", .symbol = "svc_rdma_write_info_free_async",
		.counter = SVLAG_WRITE_INFO_FREED, .may_rest = true,
		.handlers = COUNTING(write_info_freed),
		.lost = "releases of write infos: not how many wait",
	} },
	{ IN(WORKQUEUE), "svc_rdma_write_chunk_release", {
		.name = "write_info_queued", .symbol = "svc_rdma_write_done",
		.counter = SVLAG_WRITE_INFO_QUEUED, .may_rest = true,
		.handlers = COUNTING(write_done),
		.lost = "write infos queued: not how many wait",
	} },
	{ IN(WORKQUEUE), NULL, {
		.name = "write_info_queued", .symbol = "svc_rdma_write_chunk_release",
		.counter = SVLAG_WRITE_INFO_QUEUED, .may_rest = true,
		.handlers = LOOKING(write_release),
		.lost = "write infos queued: not how many wait",
	}, .variant = true, .by_layout = true },
	{ IN(WORKQUEUE), NULL, {
		.name = "released", .symbol = "svc_rdma_send_ctxt_put_async",
		.counter = SVLAG_RELEASED, .needed = true,
		.handlers = LOOKING(put_async),
		.lost = "releases: no depth, no wait, no state",
	} },
	{ IN(RELEASE_LIST), NULL, {
		.name = "released", .symbol = "svc_rdma_reply_chunk_release",
		.counter = SVLAG_RELEASED, .needed = true,
		.handlers = LOOKING(list_released),
		.lost = "releases: no depth, no wait, no state",
	} },
	{ IN(SYNCHRONOUS), NULL, {
		.name = "released", .symbol = "svc_rdma_send_ctxt_put",
		.counter = SVLAG_RELEASED, .needed = true,
		.handlers = COUNTING(released),
		.lost = "releases, and so the state",
	} },
	{ IN(RELEASE_LIST), NULL, {
		.name = "drain", .symbol = "svc_rdma_send_ctxts_drain",
		.counter = SVLAG_DRAIN,
		.handlers = COUNTING(drain),
		.lost = "how many releases a drain does at once",
	} },
	{ IN_ALL, NULL, {
		.name = "wc_send", .symbol = "svc_rdma_wc_send",
		.counter = SVLAG_WC_SEND, .needed = true,
		.handlers = LOOKING(wc_send),
		.lost = "Send completions: no depth, no wait, no state",
	} },
	{ IN_ALL, NULL, {
		.name = "get", .symbol = "svc_rdma_send_ctxt_get",
		.counter = SVLAG_GET,
		.handlers = COUNTING(get),
		.lost = "demand: how many send contexts are asked for",
	} },
	{ IN(WORKQUEUE) | IN(RELEASE_LIST), NULL, {
		.name = "teardown", .symbol = "svc_rdma_send_ctxts_destroy",
		.counter = SVLAG_TEARDOWN, .may_rest = true,
		.handlers = LOOKING(teardown),
		.lost = "when a transport goes away: what it leaves in the table has to age",
	} },
	/* Last: watch.c arms it, where the target has such a tracepoint. */
	{ IN_ALL, NULL, {
		.name = "capped", .symbol = "svcrdma_send_ctxt_capped",
		.counter = SVLAG_CAPPED,
		.tracepoint_hit = capped_hit,
		.lost = "how often the cache of send contexts was capped (some vendors' kernels)",
	} },
};

#define CAPPED_ROW (ARRAY_SIZE(rows) - 1)

static const char *target_name;

/* What svlag_rpcrdma_arming() gives out; written by the arming thread alone. */
static struct svlag_arming arming;
static DEFINE_SPINLOCK(arming_lock);

static bool has(const char *symbol)
{
	struct svlag_function function;

	/* What cannot be probed is there all the same. */
	return svlag_resolve(target_name, symbol, &function) != -ENOENT;
}

/* The era is told by what the target has, and by nothing else. See abi.h. */
static enum svlag_era era_of_target(void)
{
	if (has("svc_rdma_send_ctxt_put_async"))
		return SVLAG_ERA_WORKQUEUE;
	if (has("svc_rdma_send_ctxts_drain"))
		return SVLAG_ERA_RELEASE_LIST;
	if (has("svc_rdma_send_ctxt_put"))
		return SVLAG_ERA_SYNCHRONOUS;
	return SVLAG_ERA_UNKNOWN;
}

static bool belongs(const struct rpcrdma_row *row, enum svlag_era era)
{
	return era == SVLAG_ERA_UNKNOWN || (!row->out && (row->eras & BIT(era)));
}

static void publish(const struct svlag_arming *now)
{
	spin_lock(&arming_lock);
	arming = *now;
	spin_unlock(&arming_lock);
}

/*
 * Which functions are there? What the layout is checked by are the addresses of
 * two of them; where the compiler has changed arguments, none is read.
 */
static void find_rows(enum svlag_era era)
{
	unsigned long wc_send = 0, released = 0, put_async = 0, write_info_free = 0;
	bool renamed = false;
	unsigned int i;

	for (i = 0; i < CAPPED_ROW; i++) {
		struct svlag_hook *hook = &rows[i].hook;

		if (!(rows[i].eras & BIT(era)))
			continue;
		rows[i].out = (rows[i].unless && has(rows[i].unless)) ||
			      (rows[i].variant && !has(hook->symbol));
		if (rows[i].out)
			continue;
		svlag_hook_find(hook, target_name);
		renamed |= hook->function.renamed && hook->handlers.argument;
		if (hook->counter == SVLAG_WC_SEND)
			wc_send = hook->function.address;
		else if (hook->counter == SVLAG_RELEASED)
			released = hook->function.address;
		else if (hook->counter == SVLAG_WRITE_INFO_FREED)
			write_info_free = hook->function.address;
	}
	if (era == SVLAG_ERA_WORKQUEUE)
		put_async = released;
	if (renamed)
		svlag_layout_distrust("wrong:the-compiler-changed-arguments");
	else if (!wc_send)
		svlag_layout_distrust("wrong:svc_rdma_wc_send-is-not-hooked");
	else
		svlag_layout_begin(wc_send, put_async);
	/* A wait has two ends; and where release is not deferred there is none. */
	svlag_waits_armed(svlag_era_defers(era) && wc_send && released);
	if (put_async || write_info_free)
		svlag_wq_arm(put_async, write_info_free);
}

static bool target_arrived(bool from_start)
{
	struct svlag_arming now = arming;
	unsigned int i, armed = 0;

	now.era = era_of_target();
	if (now.era == SVLAG_ERA_UNKNOWN) {
		if (from_start)
			pr_warn("%s has come, but has none of the functions known here; nothing is counted\n",
				target_name);
		publish(&now);
		return false;
	}

	/* Before any hook is armed, so that no count of this generation is missed. */
	for (i = 0; i < SVLAG_RPCRDMA_COUNTERS; i++)
		now.before[i] = svlag_counter_fold(i);
	find_rows(now.era);
	for (i = 0; i < CAPPED_ROW; i++) {
		if (!belongs(&rows[i], now.era))
			continue;
		svlag_hook_arm(&rows[i].hook, target_name);
		armed += rows[i].hook.verdict == SVLAG_HOOK_OK;
	}
	now.armed = armed;
	now.from_start = from_start;
	now.generation += now.armed;
	now.armed_ns = ktime_get_ns();
	publish(&now);
	pr_info("%s %s: %s era, %u hooks armed\n", target_name,
		from_start ? "has come" : "is there", svlag_era_name(now.era), armed);
	return true;
}

static void target_leaving(void)
{
	struct svlag_arming now = arming;
	unsigned int i;

	/* First, so that nobody judges by hooks that are on their way out. */
	now.armed = false;
	publish(&now);
	for (i = CAPPED_ROW; i-- > 0;)
		svlag_hook_disarm(&rows[i].hook);
	svlag_wq_disarm();
	svlag_waits_armed(false);
	svlag_layout_end();
	pr_info("%s disarmed\n", target_name);
}

static const struct svlag_watcher watcher = {
	.arrived = target_arrived,
	.leaving = target_leaving,
	.tracepoint = &rows[CAPPED_ROW].hook,
};

/* Marks the rows of one name; tells whether there were any. */
static bool skip_name(const char *name, size_t len)
{
	unsigned int i;
	bool found = false;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct svlag_hook *hook = &rows[i].hook;

		if (strlen(hook->name) != len || strncmp(hook->name, name, len))
			continue;
		hook->skip = true;
		found = true;
	}
	return svlag_wq_skip(name, len) || found;
}

static int skip_names(const char *names)
{
	while (names && *names) {
		size_t len = strcspn(names, ",");

		if (!skip_name(names, len)) {
			pr_err("skip=%s: no hook is called that; they are released, drain, wc_send, get, teardown, capped, write_info_queued, write_info_freed, wq_queue, wq_begin, wq_end\n",
			       names);
			return -EINVAL;
		}
		names += len;
		names += *names == ',';
	}
	return 0;
}

int svlag_rpcrdma_start(const char *target, const char *skip)
{
	int err = skip_names(skip);

	BUILD_BUG_ON((int)SVLAG_RPCRDMA_COUNTERS > SVLAG_WQ_FIRST);
	BUILD_BUG_ON(ARRAY_SIZE(rows) + SVLAG_WQ_HOOKS != SVLAG_RPCRDMA_HOOKS);
	if (err)
		return err;
	target_name = target;
	err = svlag_watch_start(target, &watcher);
	if (!err && !arming.armed)
		pr_info("%s is not there; its hooks are armed when it comes\n", target);
	return err;
}

void svlag_rpcrdma_stop(void)
{
	svlag_watch_stop();
}

void svlag_rpcrdma_arming(struct svlag_arming *now)
{
	spin_lock(&arming_lock);
	*now = arming;
	spin_unlock(&arming_lock);
}

/* Those of the present era, in the order of the file hooks. */
static unsigned int shown(struct svlag_hook **hooks)
{
	struct svlag_arming now;
	unsigned int i, nr = 0;

	svlag_rpcrdma_arming(&now);
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		if (belongs(&rows[i], now.era))
			hooks[nr++] = &rows[i].hook;
	if (now.era == SVLAG_ERA_WORKQUEUE || now.era == SVLAG_ERA_UNKNOWN)
		nr += svlag_wq_hooks(&hooks[nr]);
	return nr;
}

unsigned int svlag_rpcrdma_observe(u64 now_ns, unsigned int *needed)
{
	struct svlag_hook *hooks[SVLAG_RPCRDMA_HOOKS];
	unsigned int i, nr = shown(hooks), ok = 0;

	svlag_hooks_observe(hooks, nr, now_ns);
	*needed = 0;
	for (i = 0; i < nr; i++) {
		if (!hooks[i]->needed)
			continue;
		++*needed;
		ok += READ_ONCE(hooks[i]->verdict) == SVLAG_HOOK_OK;
	}
	return ok;
}

bool svlag_rpcrdma_known(enum svlag_rpcrdma_counter counter)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].hook.counter == counter && READ_ONCE(rows[i].hook.ever) &&
		    !rows[i].out && !(rows[i].by_layout && svlag_layout_is_wrong()))
			return true;
	return false;
}

void svlag_rpcrdma_unseen_write_infos(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].by_layout && READ_ONCE(rows[i].hook.probe.by) != SVLAG_BY_NONE)
			svlag_layout_distrust("wrong:sc_write_info_list");
}

unsigned int svlag_rpcrdma_hooks(struct svlag_hook_info *info, u64 now_ns)
{
	struct svlag_hook *hooks[SVLAG_RPCRDMA_HOOKS];
	unsigned int i, nr = shown(hooks);

	for (i = 0; i < nr; i++)
		svlag_hook_info(hooks[i], now_ns, &info[i]);
	return nr;
}
