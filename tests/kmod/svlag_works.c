// SPDX-License-Identifier: GPL-2.0
/*
 * svlag_works - work items that are nobody's business: what does watching the
 * workqueues cost them?
 *
 *	echo N >/sys/module/svlag_works/parameters/run	queues up to 1000 items that do
 *			nothing and waits for them, five times over
 *	cat .../item_ns	how long an item took, in the fastest of the five; under
 *			QEMU's icount that is guest instructions
 */
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/workqueue.h>

#define REPEATS	5
#define ITEMS	1000

static unsigned long long item_ns;
module_param(item_ns, ullong, 0444);

static void nothing(struct work_struct *work)
{
}

static struct work_struct works[ITEMS];

/* One worker of one CPU takes them all, one after the other: the least that an item can cost. */
static u64 time_of(unsigned int items)
{
	u64 begin_ns = ktime_get_raw_ns();
	unsigned int i;

	for (i = 0; i < items; i++)
		schedule_work(&works[i]);
	for (i = 0; i < items; i++)
		flush_work(&works[i]);
	return ktime_get_raw_ns() - begin_ns;
}

static int set_run(const char *value, const struct kernel_param *kp)
{
	u64 least_ns = U64_MAX;
	unsigned int items, i;

	if (kstrtouint(value, 0, &items) || !items || items > ITEMS)
		return -EINVAL;
	for (i = 0; i < REPEATS; i++)
		least_ns = min(least_ns, time_of(items));
	item_ns = div_u64(least_ns, items);
	return 0;
}

static const struct kernel_param_ops run_ops = { .set = set_run };
module_param_cb(run, &run_ops, NULL, 0200);

static int __init works_init(void)
{
	unsigned int i;

	for (i = 0; i < ITEMS; i++)
		INIT_WORK(&works[i], nothing);
	return 0;
}

/* Who ran them has waited for them. */
static void __exit works_exit(void)
{
}

module_init(works_init);
module_exit(works_exit);

MODULE_DESCRIPTION("Work items that are nobody's business");
MODULE_AUTHOR("The svcrdma_lag developers");
MODULE_LICENSE("GPL");
