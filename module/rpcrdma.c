// SPDX-License-Identifier: GPL-2.0
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "rpcrdma.h"

#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "counters.h"
#include "watch.h"

/*
 * The handlers: both mechanisms lead to one increment. They look at no argument,
 * so they are right whatever the target's structures look like.
 */
#ifdef CONFIG_DYNAMIC_FTRACE
#define DEFINE_FTRACE_COUNTER(what, counter)						\
static void notrace count_##what##_ftrace(unsigned long ip, unsigned long parent_ip,		\
				  struct ftrace_ops *ops, struct ftrace_regs *fregs)	\
{											\
	svlag_count(counter);								\
}
#else
#define DEFINE_FTRACE_COUNTER(what, counter)						\
static const ftrace_func_t count_##what##_ftrace;
#endif

#define DEFINE_COUNTER(what, counter)							\
DEFINE_FTRACE_COUNTER(what, counter)							\
static int notrace count_##what##_kprobe(struct kprobe *kprobe, struct pt_regs *regs)		\
{											\
	svlag_count(counter);								\
	return 0;									\
}											\
NOKPROBE_SYMBOL(count_##what##_kprobe)

DEFINE_COUNTER(released, SVLAG_RELEASED);
DEFINE_COUNTER(drain, SVLAG_DRAIN);
DEFINE_COUNTER(wc_send, SVLAG_WC_SEND);
DEFINE_COUNTER(get, SVLAG_GET);

static void notrace capped_hit(void *data, const void *cid)
{
	svlag_count(SVLAG_CAPPED);
}

/*
 * The rows, in the order of arming: what ends an item comes before what begins
 * it. In the other order an item can begin unended in between, and the depth
 * stays too large for good. Disarming goes backwards.
 */
#define IN(era) BIT(SVLAG_ERA_##era)
#define IN_ALL (IN(SYNCHRONOUS) | IN(WORKQUEUE) | IN(RELEASE_LIST))

static struct rpcrdma_row {
	unsigned int eras;
	struct svlag_hook hook;
} rows[] = {
	{ IN(WORKQUEUE), {
		.name = "released", .symbol = "svc_rdma_send_ctxt_put_async",
		.counter = SVLAG_RELEASED, .needed = true,
		.handlers = { count_released_ftrace, count_released_kprobe },
		.lost = "releases: no depth, no wait, no state",
	} },
	{ IN(RELEASE_LIST), {
		.name = "released", .symbol = "svc_rdma_reply_chunk_release",
		.counter = SVLAG_RELEASED, .needed = true,
		.handlers = { count_released_ftrace, count_released_kprobe },
		.lost = "releases: no depth, no wait, no state",
	} },
	{ IN(SYNCHRONOUS), {
		.name = "released", .symbol = "svc_rdma_send_ctxt_put",
		.counter = SVLAG_RELEASED, .needed = true,
		.handlers = { count_released_ftrace, count_released_kprobe },
		.lost = "releases, and so the state",
	} },
	{ IN(RELEASE_LIST), {
		.name = "drain", .symbol = "svc_rdma_send_ctxts_drain",
		.counter = SVLAG_DRAIN,
		.handlers = { count_drain_ftrace, count_drain_kprobe },
		.lost = "how many releases a drain does at once",
	} },
	{ IN_ALL, {
		.name = "wc_send", .symbol = "svc_rdma_wc_send",
		.counter = SVLAG_WC_SEND, .needed = true,
		.handlers = { count_wc_send_ftrace, count_wc_send_kprobe },
		.lost = "Send completions: no depth, no wait, no state",
	} },
	{ IN_ALL, {
		.name = "get", .symbol = "svc_rdma_send_ctxt_get",
		.counter = SVLAG_GET,
		.handlers = { count_get_ftrace, count_get_kprobe },
		.lost = "demand: how many send contexts are asked for",
	} },
	/* Last: watch.c arms it, where the target has such a tracepoint. */
	{ IN_ALL, {
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
	unsigned long address;

	/* What cannot be probed is there all the same. */
	return svlag_resolve(target_name, symbol, &address) != -ENOENT;
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
	return era == SVLAG_ERA_UNKNOWN || (row->eras & BIT(era));
}

static void publish(const struct svlag_arming *now)
{
	spin_lock(&arming_lock);
	arming = *now;
	spin_unlock(&arming_lock);
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
	now.released_before = svlag_counter_fold(SVLAG_RELEASED);
	now.wc_send_before = svlag_counter_fold(SVLAG_WC_SEND);
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
	return found;
}

static int skip_names(const char *names)
{
	while (names && *names) {
		size_t len = strcspn(names, ",");

		if (!skip_name(names, len)) {
			pr_err("skip=%s: no hook is called that; they are released, drain, wc_send, get, capped\n",
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

	BUILD_BUG_ON(SVLAG_CAPPED >= SVLAG_COUNTERS_FREE);
	BUILD_BUG_ON(ARRAY_SIZE(rows) != SVLAG_RPCRDMA_HOOKS);
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

unsigned int svlag_rpcrdma_observe(u64 now_ns, unsigned int *needed)
{
	struct svlag_hook *hooks[ARRAY_SIZE(rows)];
	unsigned int i, nr = 0, ok = 0;
	struct svlag_arming now;

	svlag_rpcrdma_arming(&now);
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		if (belongs(&rows[i], now.era))
			hooks[nr++] = &rows[i].hook;
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
		if (rows[i].hook.counter == counter && READ_ONCE(rows[i].hook.ever))
			return true;
	return false;
}

unsigned int svlag_rpcrdma_hooks(struct svlag_hook_info *info, u64 now_ns)
{
	struct svlag_arming now;
	unsigned int i, nr = 0;

	svlag_rpcrdma_arming(&now);
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		if (belongs(&rows[i], now.era))
			svlag_hook_info(&rows[i].hook, now_ns, &info[nr++]);
	return nr;
}
