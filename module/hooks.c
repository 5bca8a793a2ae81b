// SPDX-License-Identifier: GPL-2.0
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "hooks.h"

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/timekeeping.h>

#include "compat/compat.h"

#define CANARY_COUNTER(by) (SVLAG_COUNTERS_FREE + (by) - SVLAG_BY_FTRACE)

static enum svlag_hook_mode allowed;

/* Serialises calls of the canary, and the arming of a second one with them. */
static DEFINE_MUTEX(canary_lock);

/* What a canary's handler saw. Written by svlag_canary()'s caller alone, under canary_lock. */
static unsigned long canary_argument[SVLAG_NR_MECHANISMS];
static unsigned long canary_token;

/*
 * Out of line, not cloned and with an argument that the compiler cannot know:
 * just as strange to it as the functions that are watched.
 */
static noinline __noclone void svlag_canary(unsigned long token)
{
	asm volatile("" : : "r"(token) : "memory");
}

#ifdef CONFIG_DYNAMIC_FTRACE
static void notrace canary_ftrace(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
				  struct ftrace_regs *fregs)
{
	canary_argument[SVLAG_BY_FTRACE] = svlag_ftrace_argument(fregs, 0);
	svlag_count(CANARY_COUNTER(SVLAG_BY_FTRACE));
}
#else
#define canary_ftrace NULL
#endif

static int notrace canary_kprobe(struct kprobe *kprobe, struct pt_regs *regs)
{
	canary_argument[SVLAG_BY_KPROBE] = regs_get_kernel_argument(regs, 0);
	svlag_count(CANARY_COUNTER(SVLAG_BY_KPROBE));
	return 0;
}
NOKPROBE_SYMBOL(canary_kprobe);

/* A row for each mechanism that can fail; protected by canary_lock. */
static struct svlag_hook canaries[SVLAG_CANARIES] = {
	{
		.name = "canary",
		.symbol = "svlag_canary",
		.lost = "the proof that hooks by ftrace still work (is kernel.ftrace_enabled 1?)",
		.counter = CANARY_COUNTER(SVLAG_BY_FTRACE),
		.handlers = { canary_ftrace, canary_kprobe, .argument = true },
	}, {
		.name = "canary",
		.symbol = "svlag_canary",
		.lost = "the proof that hooks by kprobe still work (is debug/kprobes/enabled 1?)",
		.counter = CANARY_COUNTER(SVLAG_BY_KPROBE),
		.handlers = { canary_ftrace, canary_kprobe, .argument = true },
	},
};

static struct svlag_hook *canary_of(enum svlag_mechanism by)
{
	return &canaries[by == SVLAG_BY_KPROBE];
}

/* Called under canary_lock. Is the canary seen by this mechanism? */
static bool canary_sings(enum svlag_mechanism by)
{
	canary_argument[by] = 0;
	canary_token = canary_token * 5 + 3;	/* odd or even, but never the last one */
	svlag_canary(canary_token);
	barrier();
	return canary_argument[by] == canary_token;
}

/* Called under canary_lock. */
static int prove(enum svlag_mechanism by)
{
	struct svlag_hook *canary = canary_of(by);
	int err;

	if (canary->probe.by != SVLAG_BY_NONE)
		return canary->verdict == SVLAG_HOOK_OK ? 0 : -ENODEV;
	err = svlag_probe_attach(&canary->probe, by, KBUILD_MODNAME, canary->symbol,
				 &canary->handlers);
	if (!err && !canary_sings(by)) {
		svlag_probe_detach(&canary->probe);
		err = -ENODEV;
	}
	canary->verdict = err ? SVLAG_HOOK_FAILED : SVLAG_HOOK_OK;
	canary->error = err;
	return err;
}

static bool is_allowed(enum svlag_mechanism by)
{
	return allowed == SVLAG_MODE_AUTO ||
	       by == (allowed == SVLAG_MODE_FTRACE ? SVLAG_BY_FTRACE : SVLAG_BY_KPROBE);
}

static int mechanism_usable(enum svlag_mechanism by)
{
	int err;

	mutex_lock(&canary_lock);
	err = prove(by);
	mutex_unlock(&canary_lock);
	return err;
}

/* In the order in which they are tried, with what to look at where one fails. */
static const struct {
	enum svlag_mechanism by;
	const char *look;
} mechanisms[] = {
	{ SVLAG_BY_FTRACE, "is kernel.ftrace_enabled 1?" },
	{ SVLAG_BY_KPROBE, "is /sys/kernel/debug/kprobes/enabled 1?" },
};

int svlag_hooks_start(enum svlag_hook_mode mode)
{
	unsigned int i;
	int err = 0;

	allowed = mode;
	for (i = 0; i < ARRAY_SIZE(mechanisms); i++) {
		if (!is_allowed(mechanisms[i].by))
			continue;
		err = mechanism_usable(mechanisms[i].by);
		if (!err)
			return 0;
		pr_warn("%s does not work here (%d): a function of this module's own was hooked and not seen; %s\n",
			svlag_mechanism_name(mechanisms[i].by), err, mechanisms[i].look);
	}
	pr_err("not loaded: no allowed way to hook a function works, so nothing could be counted\n");
	return err;
}

void svlag_hooks_stop(void)
{
	unsigned int i;

	mutex_lock(&canary_lock);
	for (i = 0; i < ARRAY_SIZE(canaries); i++)
		svlag_probe_detach(&canaries[i].probe);
	mutex_unlock(&canary_lock);
}

void svlag_canary_call(void)
{
	enum svlag_mechanism by;

	mutex_lock(&canary_lock);
	for (by = SVLAG_BY_FTRACE; by <= SVLAG_BY_KPROBE; by++) {
		struct svlag_hook *canary = canary_of(by);

		if (canary->probe.by != SVLAG_BY_NONE)
			WRITE_ONCE(canary->verdict,
				   canary_sings(by) ? SVLAG_HOOK_OK : SVLAG_HOOK_SILENT);
	}
	mutex_unlock(&canary_lock);
}

unsigned int svlag_canary_info(struct svlag_hook_info *info, u64 now_ns)
{
	unsigned int i, used = 0;

	mutex_lock(&canary_lock);
	for (i = 0; i < ARRAY_SIZE(canaries); i++) {
		if (canaries[i].verdict == SVLAG_HOOK_ABSENT)
			continue;
		svlag_hook_info(&canaries[i], now_ns, &info[used]);
		info[used++].hits = svlag_counter_fold(canaries[i].counter);
	}
	mutex_unlock(&canary_lock);
	return used;
}

static u64 hits_of(const struct svlag_hook *hook)
{
	u64 hits = 0;
	unsigned int i;

	for (i = 0; i <= hook->also; i++)
		hits += svlag_counter_fold(hook->counter + i);
	return hits;
}

static void armed(struct svlag_hook *hook, int err)
{
	hook->error = err;
	hook->ever |= !err;
	WRITE_ONCE(hook->verdict, !err ? SVLAG_HOOK_OK :
				  err == -ENOENT ? SVLAG_HOOK_ABSENT : SVLAG_HOOK_FAILED);
}

static void arming(struct svlag_hook *hook)
{
	hook->hits_before = hits_of(hook);
	hook->hits_seen = hook->hits_before;
	hook->moved_ns = 0;
}

static void complain(const struct svlag_hook *hook, int err)
{
	if (err && err != -ENOENT)
		pr_warn("%s cannot be hooked (%d): %s\n", hook->symbol, err, hook->lost);
}

/* A count of some of the calls would be taken for one of all. */
static int refuse_split(const struct svlag_function *function)
{
	if (!function->split)
		return 0;
	pr_warn("the compiler has split a function up: %s sees only some of the calls\n",
		function->name);
	return -ENOTUNIQ;
}

void svlag_hook_find(struct svlag_hook *hook, const char *module)
{
	int err = hook->skip ? -ENOENT : svlag_resolve(module, hook->symbol, &hook->function);

	if (err == -ENOENT)
		hook->function = (struct svlag_function){};
	else if (!err)
		err = refuse_split(&hook->function);
	if (err) {
		hook->function.address = 0;
		complain(hook, err);
		armed(hook, err);
	}
}

void svlag_hook_arm(struct svlag_hook *hook, const char *module)
{
	unsigned int i;
	int err = 0;

	if (!hook->function.address)
		return;
	arming(hook);
	for (i = 0; i < ARRAY_SIZE(mechanisms); i++) {
		if (!is_allowed(mechanisms[i].by))
			continue;
		err = mechanism_usable(mechanisms[i].by);
		if (!err)
			err = svlag_probe_attach(&hook->probe, mechanisms[i].by, module,
						 hook->function.name, &hook->handlers);
		if (!err)
			break;
	}
	complain(hook, err);
	armed(hook, err);
}

void svlag_hook_arm_tracepoint(struct svlag_hook *hook, struct tracepoint *tracepoint)
{
	int err;

	if (hook->skip)
		return;
	arming(hook);
	err = tracepoint_probe_register(tracepoint, hook->tracepoint_hit, NULL);
	if (!err)
		hook->tracepoint = tracepoint;
	complain(hook, err);
	armed(hook, err);
}

void svlag_hook_disarm(struct svlag_hook *hook)
{
	svlag_probe_detach(&hook->probe);
	if (hook->tracepoint) {
		tracepoint_probe_unregister(hook->tracepoint, hook->tracepoint_hit, NULL);
		tracepoint_synchronize_unregister();
		hook->tracepoint = NULL;
	}
	WRITE_ONCE(hook->verdict, SVLAG_HOOK_ABSENT);
}

static bool is_armed(const struct svlag_hook *hook)
{
	enum svlag_verdict verdict = READ_ONCE(hook->verdict);

	return verdict == SVLAG_HOOK_OK || verdict == SVLAG_HOOK_SILENT;
}

static enum svlag_mechanism armed_by(const struct svlag_hook *hook)
{
	return READ_ONCE(hook->tracepoint) ? SVLAG_BY_TRACEPOINT : READ_ONCE(hook->probe.by);
}

/* Only a function that others of its own kind outrun can be called silent. */
static bool is_silent(const struct svlag_hook *hook, u64 sibling_hits)
{
	enum svlag_mechanism by = armed_by(hook);

	if (by == SVLAG_BY_TRACEPOINT || by == SVLAG_BY_NONE)
		return false;
	if (READ_ONCE(canary_of(by)->verdict) != SVLAG_HOOK_OK)
		return true;
	return !hook->may_rest && hook->hits_seen == hook->hits_before &&
	       sibling_hits >= SVLAG_SILENT_HITS;
}

void svlag_hooks_observe(struct svlag_hook *const *hooks, unsigned int nr, u64 now_ns)
{
	u64 most = 0;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		struct svlag_hook *hook = hooks[i];
		u64 hits = hits_of(hook);

		if (!is_armed(hook))
			continue;
		if (hits != hook->hits_seen) {
			hook->hits_seen = hits;
			WRITE_ONCE(hook->moved_ns, now_ns);
		}
		most = max(most, hits - hook->hits_before);
	}
	for (i = 0; i < nr; i++) {
		struct svlag_hook *hook = hooks[i];

		/* Disarming may overtake this; cmpxchg, so that it has the last word. */
		if (is_silent(hook, most))
			cmpxchg(&hook->verdict, SVLAG_HOOK_OK, SVLAG_HOOK_SILENT);
		else
			cmpxchg(&hook->verdict, SVLAG_HOOK_SILENT, SVLAG_HOOK_OK);
	}
}

void svlag_hook_info(const struct svlag_hook *hook, u64 now_ns, struct svlag_hook_info *info)
{
	u64 moved_ns = READ_ONCE(hook->moved_ns);

	*info = (struct svlag_hook_info){
		.name = hook->name,
		.symbol = hook->function.name[0] ? hook->function.name : hook->symbol,
		.lost = hook->lost,
		.needed = hook->needed,
		.verdict = READ_ONCE(hook->verdict),
		.error = hook->error,
		.by = armed_by(hook),
		.hits = hook->ever ? hits_of(hook) : SVLAG_UNKNOWN,
		.missed = svlag_probe_missed(&hook->probe),
		.age_ns = moved_ns ? now_ns - min(now_ns, moved_ns) : SVLAG_UNKNOWN,
	};
}
