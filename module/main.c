// SPDX-License-Identifier: GPL-2.0
/*
 * svcrdma_lag: does deferred release of NFS/RDMA send contexts keep up?
 *
 * Here are the parameters, the ladder up and the ladder down. What is watched
 * is rpcrdma.c's; what is shown is debugfs.c's.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include <svcrdma_lag/abi.h>

#include "batch.h"
#include "compat/compat.h"
#include "counters.h"
#include "debugfs.h"
#include "hooks.h"
#include "layout.h"
#include "rpcrdma.h"
#include "sampler.h"
#include "waits.h"
#include "wq_events.h"

/*
 * Parameters. A value that is not allowed is refused when it is given, at the
 * load or later, with a sentence in the log; none is bent to one that is.
 */
static int set_within(const char *value, const struct kernel_param *kp, unsigned int least,
		      unsigned int most)
{
	unsigned int number;

	if (kstrtouint(value, 0, &number) || number < least || number > most) {
		pr_err("%s=%s: must be a whole number from %u to %u\n", kp->name, value, least,
		       most);
		return -EINVAL;
	}
	WRITE_ONCE(*(unsigned int *)kp->arg, number);
	return 0;
}

static int set_sample_ms(const char *value, const struct kernel_param *kp)
{
	return set_within(value, kp, SVLAG_SAMPLE_MS_MIN, SVLAG_SAMPLE_MS_MAX);
}

static int set_window_ms(const char *value, const struct kernel_param *kp)
{
	return set_within(value, kp, SVLAG_WINDOW_MS_MIN, SVLAG_WINDOW_MS_MAX);
}

static int set_track_entries(const char *value, const struct kernel_param *kp)
{
	return set_within(value, kp, 0, SVLAG_INFLIGHT_MAX);
}

static int set_leak_age_ms(const char *value, const struct kernel_param *kp)
{
	return set_within(value, kp, SVLAG_LEAK_AGE_MS_MIN, SVLAG_LEAK_AGE_MS_MAX);
}

static const char *const mode_names[] = {
	[SVLAG_MODE_AUTO] = "auto",
	[SVLAG_MODE_FTRACE] = "ftrace",
	[SVLAG_MODE_KPROBE] = "kprobe",
};

static int set_hook(const char *value, const struct kernel_param *kp)
{
	int mode = match_string(mode_names, ARRAY_SIZE(mode_names), value);

	if (mode < 0) {
		pr_err("hook=%s: must be auto, ftrace or kprobe\n", value);
		return -EINVAL;
	}
	*(enum svlag_hook_mode *)kp->arg = mode;
	return 0;
}

static int get_hook(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%s\n", mode_names[*(enum svlag_hook_mode *)kp->arg]);
}

static char target[MODULE_NAME_LEN] = "rpcrdma";

/* A module is called what its file is called, but with '_' for '-'. */
static const char name_letters[] =
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

static int set_target(const char *value, const struct kernel_param *kp)
{
	size_t len = strlen(value);

	if (!len || len >= sizeof(target) || strspn(value, name_letters) != len) {
		pr_err("target=%s: must be the name of a module as lsmod prints it\n", value);
		return -EINVAL;
	}
	strscpy(target, value, sizeof(target));
	return 0;
}

static int get_target(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%s\n", target);
}

static int set_layout(const char *value, const struct kernel_param *kp)
{
	return svlag_layout_set(value);
}

static int get_layout(char *buffer, const struct kernel_param *kp)
{
	int len = svlag_layout_print(buffer, PAGE_SIZE - 1);

	return len + sysfs_emit_at(buffer, len, "\n");
}

static unsigned int sample_ms = 100;
static unsigned int window_ms = 1000;
static unsigned int track_entries = 65536;
static unsigned int leak_age_ms = 10000;
static enum svlag_hook_mode hook = SVLAG_MODE_AUTO;
static char *skip;
static bool wq_events = true;

static const struct kernel_param_ops sample_ms_ops = {
	.set = set_sample_ms,
	.get = param_get_uint,
};

static const struct kernel_param_ops window_ms_ops = {
	.set = set_window_ms,
	.get = param_get_uint,
};

static const struct kernel_param_ops track_entries_ops = {
	.set = set_track_entries,
	.get = param_get_uint,
};

static const struct kernel_param_ops leak_age_ms_ops = {
	.set = set_leak_age_ms,
	.get = param_get_uint,
};

static const struct kernel_param_ops hook_ops = { .set = set_hook, .get = get_hook };
static const struct kernel_param_ops target_ops = { .set = set_target, .get = get_target };

static const struct kernel_param_ops layout_ops = { .set = set_layout, .get = get_layout };

module_param_cb(sample_ms, &sample_ms_ops, &sample_ms, 0644);
MODULE_PARM_DESC(sample_ms, "Milliseconds between two samples, 10 to 100 (default 100)");
module_param_cb(window_ms, &window_ms_ops, &window_ms, 0644);
MODULE_PARM_DESC(window_ms, "Milliseconds of a window of the flight recorder, which keeps 600 of them, 100 to 60000 (default 1000)");
module_param_cb(track_entries, &track_entries_ops, &track_entries, 0444);
MODULE_PARM_DESC(track_entries, "Size of each of the two in-flight tables, by which waits are measured, up to 4194304; rounded up to a power of two, 24 bytes each; 0: nothing is tracked (default 65536)");
module_param_cb(leak_age_ms, &leak_age_ms_ops, &leak_age_ms, 0644);
MODULE_PARM_DESC(leak_age_ms, "Milliseconds after which an item is taken for leaked, or four times the present wait, whichever is longer, 100 to 600000 (default 10000)");
module_param_cb(hook, &hook_ops, &hook, 0444);
MODULE_PARM_DESC(hook, "How functions are hooked: auto (ftrace, and kprobes where that fails; default), ftrace or kprobe");
module_param_cb(target, &target_ops, &target, 0444);
MODULE_PARM_DESC(target, "The module that is watched (default rpcrdma)");
module_param_cb(layout, &layout_ops, NULL, 0444);
MODULE_PARM_DESC(layout, "Offsets into struct svc_rdma_send_ctxt, as svcrdma-lag layout prints them (default: those of the headers that this was built with)");
module_param(skip, charp, 0444);
MODULE_PARM_DESC(skip, "Hooks not to arm, separated by commas: released, drain, wc_send, get, teardown, capped, write_info_queued, write_info_freed, wq_queue, wq_begin, wq_end");
module_param(wq_events, bool, 0444);
MODULE_PARM_DESC(wq_events, "Use the workqueue's own tracepoints where the target has a workqueue: service times, workers, CPUs (default Y)");

static const struct svlag_knobs knobs = {
	.sample_ms = &sample_ms,
	.window_ms = &window_ms,
	.leak_age_ms = &leak_age_ms,
};

static int __init svlag_init(void)
{
	int err;

	err = svlag_hooks_start(hook);
	if (err)
		return err;
	err = svlag_waits_start(track_entries);
	if (err)
		goto stop_hooks;
	err = svlag_wq_start(wq_events);
	if (err)
		goto stop_waits;
	err = svlag_sampler_start(&knobs, target, svlag_counters_bytes() + svlag_batch_bytes() +
				  svlag_waits_bytes() + svlag_wq_bytes());
	if (err)
		goto stop_wq;
	err = svlag_rpcrdma_start(target, skip);
	if (err)
		goto stop_sampler;
	svlag_debugfs_open();
	return 0;

stop_sampler:
	svlag_sampler_stop();
stop_wq:
	svlag_wq_stop();
stop_waits:
	svlag_waits_stop();
stop_hooks:
	svlag_hooks_stop();
	return err;
}

static void __exit svlag_exit(void)
{
	svlag_debugfs_close();
	svlag_rpcrdma_stop();
	svlag_sampler_stop();
	svlag_wq_stop();
	svlag_waits_stop();
	svlag_hooks_stop();
}

module_init(svlag_init);
module_exit(svlag_exit);

MODULE_DESCRIPTION("Does deferred release of NFS/RDMA send contexts keep up?");
MODULE_AUTHOR("The svcrdma_lag developers");
MODULE_LICENSE("GPL");
MODULE_VERSION(SVLAG_VERSION);
/* For modinfo: what the kernel that it was built for has. */
MODULE_INFO(probes, SVLAG_ANSWERS);
