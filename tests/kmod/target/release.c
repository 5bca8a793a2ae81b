// SPDX-License-Identifier: GPL-2.0
/*
 * The release of a send context, at the pace that the parameters give.
 */
#include "release.h"

#include <linux/atomic.h>
#include <linux/ktime.h>
#include <linux/moduleparam.h>
#include <linux/wait.h>

#include "ctxt.h"
#include "era.h"
#include "ledger.h"
#include "pace.h"

static struct pace pace;
static atomic_t in_service;
static bool always_open;
static bool ready;

static unsigned int release_rate;
static unsigned int service_us;
static bool hold;

static int knob_set_uint(const char *val, const struct kernel_param *kp)
{
	int err = param_set_uint(val, kp);

	if (ready)
		pace_restart(&pace);
	return err;
}

static int knob_set_bool(const char *val, const struct kernel_param *kp)
{
	int err = param_set_bool(val, kp);

	if (ready)
		pace_restart(&pace);
	return err;
}

static const struct kernel_param_ops uint_ops = { .set = knob_set_uint, .get = param_get_uint };
static const struct kernel_param_ops bool_ops = { .set = knob_set_bool, .get = param_get_bool };

module_param_cb(release_rate, &uint_ops, &release_rate, 0644);
MODULE_PARM_DESC(release_rate, "releases a second, all workers together; 0: no limit");
module_param_cb(service_us, &uint_ops, &service_us, 0644);
MODULE_PARM_DESC(service_us, "what each release sleeps");
module_param_cb(hold, &bool_ops, &hold, 0644);
MODULE_PARM_DESC(hold, "no release ends");

void release_init(void)
{
	pace_init(&pace);
	ready = true;
}

void release_open(void)
{
	WRITE_ONCE(always_open, true);
	pace_restart(&pace);
}

bool release_is_held(void)
{
	return READ_ONCE(hold) && !READ_ONCE(always_open);
}

unsigned int release_in_service(void)
{
	return atomic_read(&in_service);
}

void release_ctxt(struct target_ctxt *ctxt)
{
	ledger_release(ctxt->xprt, ctxt->queued_ns);
	atomic_inc(&in_service);
	if (!READ_ONCE(always_open)) {
		pace_wait(&pace, READ_ONCE(release_rate));
		pace_sleep(&pace, (u64)READ_ONCE(service_us) * NSEC_PER_USEC);
		wait_event_idle(pace.sleepers, !release_is_held());
	}
	atomic_dec(&in_service);
	ctxt_idle(ctxt);
}
