/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Paces: so many turns a second, for one taker or for many.
 *
 * Turns are dealt out on a time line and not by sleeping between them, so that
 * the rate is right on the average however late a sleeper wakes. A taker that
 * is less than PACE_SLACK_NS early does not sleep: turns come in small bursts.
 */
#ifndef TARGET_PACE_H
#define TARGET_PACE_H

#include <linux/atomic.h>
#include <linux/types.h>
#include <linux/wait.h>

#define PACE_SLACK_NS		(1 * NSEC_PER_MSEC)
#define PACE_CATCH_UP_NS	(20 * NSEC_PER_MSEC)

struct pace {
	atomic64_t next_ns;
	atomic_t epoch;
	wait_queue_head_t sleepers;
};

void pace_init(struct pace *pace);

/* Waits for a turn; @per_second 0 is always its turn. */
void pace_wait(struct pace *pace, unsigned int per_second);

/* Sleeps so long, or until pace_restart(). */
void pace_sleep(struct pace *pace, u64 ns);

/* Lets all go who wait, and begins anew. */
void pace_restart(struct pace *pace);

#endif
