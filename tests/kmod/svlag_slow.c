// SPDX-License-Identifier: GPL-2.0
/*
 * svlag_slow - makes a real backlog on a real server, with the CPU left free.
 *
 * Each release of a send context is sent through slow_release() below, which
 * sleeps and then calls the original. 256 workers and 500 ms leave 512 releases
 * a second, while completions go on at the clients' rate: depth grows, memory
 * goes, and the clients notice nothing. On a kernel with a release list there is
 * no worker to slow down; there the drains are held back instead.
 *
 *	insmod svlag_slow.ko [target=rpcrdma]
 *	cd /sys/module/svlag_slow/parameters
 *	echo 500 >delay_ms	a backlog grows (0: releases pass at full speed); who
 *				sleeps is woken by another value
 *	echo Y >hold		release lists fill (N: the next reply drains them)
 *	echo Y >spare		hold spares one connection, the first that drains
 *	cat armed		the function that is redirected, or "-"
 *	cat inside		releases that sleep, and drains that are held, at this moment
 *	cat redirected		releases and drains that were redirected since load
 *	rmmod svlag_slow	at any time, also under traffic
 *
 * What is redirected is called a second time by slow_release(): a tracer on
 * svc_rdma_reply_chunk_release counts those releases twice. svcrdma_lag counts
 * there on kernels with a release list alone, where it is left as it is.
 *
 * The original is called through its address. On a CPU that enforces IBT the
 * kernel seals functions that nobody takes the address of: use nocet there.
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/ftrace.h>
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/wait.h>

#define pr_slow(fmt, ...) pr_info("svlag_slow: " fmt, ##__VA_ARGS__)

static char *target = "rpcrdma";
static unsigned int delay_ms;
static bool hold, spare;
static void *spared;

static atomic_long_t inside, redirected;
static DECLARE_WAIT_QUEUE_HEAD(delay_changed);

/*
 * A function that can be redirected. Armed is at most one of them, and while it
 * is nobody writes @address.
 */
struct redirect {
	const char *symbol;
	unsigned long instead;
	bool (*wanted)(unsigned long parent_ip);
	unsigned long address;
	struct ftrace_ops ops;
};

static struct redirect *armed;		/* protected by arming */
static DEFINE_MUTEX(arming);

static bool delay_wanted(unsigned long parent_ip)
{
	return READ_ONCE(delay_ms);
}

/* The last drain of a connection, as it is torn down, must pass: nobody else would. */
static bool hold_wanted(unsigned long parent_ip)
{
	char caller[64];

	if (!READ_ONCE(hold))
		return false;
	snprintf(caller, sizeof(caller), "%ps", (void *)parent_ip);
	return strncmp(caller, "svc_rdma_free", strlen("svc_rdma_free"));
}

static void slow_release(void *rdma, void *ctxt);
static void hold_drain(void *rdma);

/* A kernel with a release list has both functions; the first that is there is taken. */
static struct redirect redirects[] = {
	{ "svc_rdma_send_ctxts_drain", (unsigned long)hold_drain, hold_wanted },
	{ "svc_rdma_reply_chunk_release", (unsigned long)slow_release, delay_wanted },
};

static noinline void slow_release(void *rdma, void *ctxt)
{
	void (*original)(void *rdma, void *ctxt) = (void *)redirects[1].address;

	unsigned int ms = READ_ONCE(delay_ms);

	atomic_long_inc(&inside);
	wait_event_idle_timeout(delay_changed, READ_ONCE(delay_ms) != ms, msecs_to_jiffies(ms));
	original(rdma, ctxt);
	/* This also keeps the call above from becoming a jump, whose parent would not be us. */
	atomic_long_dec(&inside);
}

static noinline void hold_drain(void *rdma)
{
	void (*original)(void *rdma) = (void *)redirects[0].address;

	atomic_long_inc(&inside);
	if (!READ_ONCE(spare))
		WRITE_ONCE(spared, NULL);
	else if (READ_ONCE(spared) == rdma || !cmpxchg(&spared, NULL, rdma))
		original(rdma);
	atomic_long_dec(&inside);
}

static void notrace redirect_call(unsigned long ip, unsigned long parent_ip,
				  struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	struct redirect *redirect = container_of(ops, struct redirect, ops);

	if (within_module(parent_ip, THIS_MODULE) || !redirect->wanted(parent_ip))
		return;
	atomic_long_inc(&redirected);
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS
	instruction_pointer_set(ftrace_get_regs(fregs), redirect->instead);
#else
	ftrace_regs_set_instruction_pointer(fregs, redirect->instead);
#endif
}

/* 0 where the target is not loaded or has no such function. */
static unsigned long resolve(const char *symbol)
{
	char name[128];
	struct kprobe probe = { .symbol_name = name, .flags = KPROBE_FLAG_DISABLED };
	unsigned long address;

	if (snprintf(name, sizeof(name), "%s:%s", target, symbol) >= sizeof(name) ||
	    register_kprobe(&probe))
		return 0;
	address = (unsigned long)probe.addr;
	unregister_kprobe(&probe);
	return address;
}

static int arm(struct redirect *redirect)
{
	int err;

	redirect->ops = (struct ftrace_ops){
		.func = redirect_call,
		.flags = FTRACE_OPS_FL_IPMODIFY,
	};
	if (IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_REGS))
		redirect->ops.flags |= FTRACE_OPS_FL_SAVE_REGS;
	err = ftrace_set_filter_ip(&redirect->ops, redirect->address, 0, 0);
	if (!err)
		err = register_ftrace_function(&redirect->ops);
	if (err)
		ftrace_free_filter(&redirect->ops);
	else
		armed = redirect;
	return err;
}

/* -ENOENT where there is nothing (yet) to redirect. */
static int arm_first(void)
{
	int err = -ENOENT;
	unsigned int i;

	mutex_lock(&arming);
	for (i = 0; i < ARRAY_SIZE(redirects) && !armed && err == -ENOENT; i++) {
		redirects[i].address = resolve(redirects[i].symbol);
		if (redirects[i].address)
			err = arm(&redirects[i]);
	}
	if (armed)
		pr_slow("redirects %s of %s\n", armed->symbol, target);
	else
		pr_slow("nothing to redirect in %s: %d\n", target, err);
	mutex_unlock(&arming);
	return err;
}

static void disarm(void)
{
	mutex_lock(&arming);
	if (armed) {
		unregister_ftrace_function(&armed->ops);
		ftrace_free_filter(&armed->ops);
	}
	armed = NULL;
	mutex_unlock(&arming);
}

static int target_event(struct notifier_block *nb, unsigned long state, void *data)
{
	struct module *module = data;

	if (strcmp(module->name, target))
		return NOTIFY_DONE;
	/* A failure was said; a module that watches does not keep another from loading. */
	if (state == MODULE_STATE_COMING)
		arm_first();
	else if (state == MODULE_STATE_GOING)
		disarm();
	return NOTIFY_DONE;
}

static struct notifier_block target_notifier = { .notifier_call = target_event };

static int delay_set(const char *val, const struct kernel_param *kp)
{
	int err = param_set_uint(val, kp);

	wake_up_all(&delay_changed);
	return err;
}

static const struct kernel_param_ops delay_ops = { .set = delay_set, .get = param_get_uint };

static int armed_get(char *buffer, const struct kernel_param *kp)
{
	int len;

	mutex_lock(&arming);
	len = sysfs_emit(buffer, "%s\n", armed ? armed->symbol : "-");
	mutex_unlock(&arming);
	return len;
}

static const struct kernel_param_ops armed_ops = { .get = armed_get };

static int atomic_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%ld\n", atomic_long_read(kp->arg));
}

static const struct kernel_param_ops atomic_ops = { .get = atomic_get };

module_param(target, charp, 0444);
MODULE_PARM_DESC(target, "the module whose releases are slowed down");
module_param_cb(delay_ms, &delay_ops, &delay_ms, 0644);
MODULE_PARM_DESC(delay_ms, "what each release sleeps; 0: releases pass");
module_param(hold, bool, 0644);
MODULE_PARM_DESC(hold, "drains of a release list return at once");
module_param(spare, bool, 0644);
MODULE_PARM_DESC(spare, "hold spares one connection");
module_param_cb(armed, &armed_ops, NULL, 0444);
MODULE_PARM_DESC(armed, "the function that is redirected");
module_param_cb(inside, &atomic_ops, &inside, 0444);
MODULE_PARM_DESC(inside, "releases that sleep now");
module_param_cb(redirected, &atomic_ops, &redirected, 0444);
MODULE_PARM_DESC(redirected, "calls redirected since load");

static int __init slow_init(void)
{
	int err = register_module_notifier(&target_notifier);

	if (err)
		return err;
	/* Nothing there yet is no error: the notifier arms when the target comes. */
	err = arm_first();
	if (err && err != -ENOENT) {
		unregister_module_notifier(&target_notifier);
		return err;
	}
	return 0;
}

static void __exit slow_exit(void)
{
	unregister_module_notifier(&target_notifier);
	WRITE_ONCE(delay_ms, 0);
	wake_up_all(&delay_changed);
	disarm();
	/*
	 * A task that was redirected may not have reached slow_release() yet. It is
	 * inside once it has scheduled of its own will, and out of our text once it
	 * has done so again after its count.
	 */
	synchronize_rcu_tasks();
	while (atomic_long_read(&inside))
		msleep(20);
	synchronize_rcu_tasks();
}

module_init(slow_init);
module_exit(slow_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Slows the release of NFS/RDMA send contexts down, for tests of svcrdma_lag");
