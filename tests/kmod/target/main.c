// SPDX-License-Identifier: GPL-2.0
/*
 * A stand-in for rpcrdma: insmod svcrdma_lag.ko target=svlag_target
 *
 * It has the functions that svcrdma_lag hooks, under their own names, and plays
 * whatever is written to its parameters in /sys/module/<stand-in>/parameters/:
 *
 *	run		"KIND [NAME=VALUE]..." starts threads that do so and returns
 *			at once; any number of lines may be at work side by side
 *	ledger		the truth, as "name value" lines, all in one read
 *	xprts		the same by transport: a line of names, then a row each, as
 *			many as fit into a page, from the number on that is written
 *			to it
 *	mark		any write forgets the waits of the ledger so far
 *	measured	what the last "measure" found
 *	release_rate	releases a second, all workers together; 0: no limit
 *	service_us	what each release sleeps
 *	hold		Y: no release ends. As many as there are workers begin
 *	workers		releases at once (workqueue era); 0: 256, as svcrdma_wq
 *	max_ctxts	send contexts at once; beyond, get gives NULL
 *	transports	how many there are (at load)
 *	fail_init	init fails after all was set up (at load)
 *	layout		where struct svc_rdma_send_ctxt has its members, for svcrdma_lag's
 *			layout=; read-only
 *
 * Kinds:
 *	pairs		get, completion, and its release in its turn
 *	error_put	get, and its release without a completion
 *	lose		get, and a completion that is never queued
 *	stick		get, and a completion queued where no worker comes
 *	reconnect	the client goes and comes again: what is queued is flushed,
 *			send contexts and svcxprt_rdma are freed and made anew
 *	capped		a hit of the tracepoint (svlag_target_capped alone)
 *	hammer		count direct calls of each hooked function, nothing else; a
 *			thread is bound to each CPU. Cannot be stopped
 *	measure		times those calls: count rounds (20,000), the least of five
 *	canary		rate (10,000) items a second that wait 0.2 to 3.2 ms, by the
 *			direct calls, as all of the next; flood.h says where their truth is
 *	leak		queues items that are never released, in rounds of keys addresses
 *	backlog		queues count items, at rate at most, and has 342 of 432 released,
 *			first in, first out; then the rest
 *	mixed		queues or releases any of keys items, count times; tears its
 *			transport down in between. One thread a transport
 *	stop [KIND]	ends all jobs, or those of a kind, but for hammer and measure
 *
 * Names:
 *	xprt=0		the first transport
 *	xprts=1		so many from there on, in turn
 *	rate=0		a second and thread; 0: as fast as possible
 *	count=0		for each thread; 0: until stop
 *	threads=1
 *	highpri=0	1: before all others, as the workers of the Send CQ are
 *	keys=100000	for each thread: lose: the address of a lost context comes again
 *			after so many; stick: at most so many are stuck. They are held
 *			until rmmod, some 500 bytes each. Of the floods: so many
 *			contexts, in the memory of eight
 *	stuck=0		measure: so many contexts complete before, on the transport that is
 *			measured, and are never released
 *	infos=0		pairs: write infos on each send context, in stand-ins that have
 *			them (svlag_target_done, _infos, _layout, _renamed and _split)
 *
 * A release begins, and is counted, when its function is entered; its wait is
 * from the completion to there. depth is what was queued and has not begun.
 *
 * All is over when "jobs" of the ledger is 0 and depth is what is stuck.
 * rmmod stops the jobs, releases what is queued, and frees what was leaked.
 */
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "ctxt.h"
#include "era.h"
#include "flood.h"
#include "hammer.h"
#include "jobs.h"
#include "layout.h"
#include "ledger.h"
#include "release.h"
#include "target.h"
#include "xprt.h"

#define MAX_TRANSPORTS	65536

static unsigned int transports = 4;
static bool fail_init;
static unsigned int first_xprt;

static int run_set(const char *val, const struct kernel_param *kp)
{
	char *line = kstrdup(val, GFP_KERNEL);
	int err = line ? jobs_command(strim(line)) : -ENOMEM;

	kfree(line);
	return err;
}

static int ledger_get(char *buffer, const struct kernel_param *kp)
{
	return ledger_print(buffer);
}

static int xprts_get(char *buffer, const struct kernel_param *kp)
{
	return ledger_print_xprts(buffer, READ_ONCE(first_xprt));
}

static int xprts_set(const char *val, const struct kernel_param *kp)
{
	return kstrtouint(val, 0, &first_xprt);
}

static int measured_get(char *buffer, const struct kernel_param *kp)
{
	return measure_print(buffer);
}

static int layout_get(char *buffer, const struct kernel_param *kp)
{
	return layout_print(buffer);
}

static int mark_set(const char *val, const struct kernel_param *kp)
{
	ledger_mark();
	return 0;
}

static const struct kernel_param_ops run_ops = { .set = run_set };
static const struct kernel_param_ops ledger_ops = { .get = ledger_get };
static const struct kernel_param_ops xprts_ops = { .set = xprts_set, .get = xprts_get };
static const struct kernel_param_ops measured_ops = { .get = measured_get };
static const struct kernel_param_ops layout_ops = { .get = layout_get };
static const struct kernel_param_ops mark_ops = { .set = mark_set };

module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "KIND [NAME=VALUE]..., or stop");
module_param_cb(ledger, &ledger_ops, NULL, 0444);
MODULE_PARM_DESC(ledger, "the truth");
module_param_cb(xprts, &xprts_ops, NULL, 0644);
MODULE_PARM_DESC(xprts, "the truth by transport");
module_param_cb(measured, &measured_ops, NULL, 0444);
MODULE_PARM_DESC(measured, "ns a call, of the last measure");
module_param_cb(layout, &layout_ops, NULL, 0444);
MODULE_PARM_DESC(layout, "offsets into struct svc_rdma_send_ctxt");
module_param_cb(mark, &mark_ops, NULL, 0200);
MODULE_PARM_DESC(mark, "forgets the waits of the ledger");
module_param(transports, uint, 0444);
MODULE_PARM_DESC(transports, "how many there are");
module_param(fail_init, bool, 0444);
MODULE_PARM_DESC(fail_init, "init fails after all was set up");

static void target_leave(void)
{
	release_open();
	jobs_close();
	flood_exit();
	xprts_exit();
	ctxts_exit();
	era_exit();
}

static int __init target_init(void)
{
	int err;

	if (!transports || transports > MAX_TRANSPORTS) {
		pr_target("transports must be 1 to %u\n", MAX_TRANSPORTS);
		return -EINVAL;
	}
	release_init();
	err = era_init();
	if (err)
		return err;
	err = ctxts_init();
	if (err)
		goto no_ctxts;
	err = xprts_init(transports);
	if (err)
		goto no_xprts;
	if (fail_init) {
		target_leave();
		return -EINVAL;
	}
	flood_init();
	jobs_open();
	return 0;

no_xprts:
	ctxts_exit();
no_ctxts:
	era_exit();
	return err;
}

module_init(target_init);
module_exit(target_leave);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A stand-in for rpcrdma, for tests of svcrdma_lag");
