// SPDX-License-Identifier: GPL-2.0
/*
 * Dealing out turns.
 */
#include "pace.h"

#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/sched.h>

void pace_init(struct pace *pace)
{
	atomic64_set(&pace->next_ns, 0);
	atomic_set(&pace->epoch, 0);
	init_waitqueue_head(&pace->sleepers);
}

/* Interruptible, for then nobody takes the wait for a hang; kthreads get no signals. */
static void sleep_in_epoch(struct pace *pace, int epoch, u64 ns)
{
	wait_event_interruptible_hrtimeout(pace->sleepers, atomic_read(&pace->epoch) != epoch,
					   ns_to_ktime(ns));
}

void pace_sleep(struct pace *pace, u64 ns)
{
	if (ns)
		sleep_in_epoch(pace, atomic_read(&pace->epoch), ns);
}

void pace_wait(struct pace *pace, unsigned int per_second)
{
	int epoch = atomic_read(&pace->epoch);
	s64 next = atomic64_read(&pace->next_ns);
	s64 now, turn;

	if (!per_second)
		return;
	do {
		now = ktime_get_ns();
		turn = max_t(s64, next, now - PACE_CATCH_UP_NS);
	} while (!atomic64_try_cmpxchg(&pace->next_ns, &next, turn + NSEC_PER_SEC / per_second));
	if (turn > now + PACE_SLACK_NS)
		sleep_in_epoch(pace, epoch, turn - now);
}

void pace_restart(struct pace *pace)
{
	atomic64_set(&pace->next_ns, 0);
	atomic_inc(&pace->epoch);
	wake_up_all(&pace->sleepers);
}
