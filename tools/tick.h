/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Waiting: for the next tick, for room on stdout, or for a signal.
 *
 * SIGINT and SIGTERM are blocked and read from a descriptor, so that there is
 * no handler, no global, and no moment at which one could be overlooked.
 */
#ifndef SVLAG_TOOLS_TICK_H
#define SVLAG_TOOLS_TICK_H

#include <stdbool.h>

#include <linux/types.h>

/**
 * struct svlag_ticker - made by svlag_ticker_start()
 * @timer_fd: expires at whole multiples of the interval from the start on
 * @signal_fd: where the signals arrive
 */
struct svlag_ticker {
	int timer_fd;
	int signal_fd;
};

enum svlag_wakeup {
	SVLAG_WOKE,		/* what was waited for is there */
	SVLAG_INTERRUPTED,	/* SIGINT or SIGTERM came */
	SVLAG_WAIT_FAILED,	/* errno says why */
};

/**
 * svlag_ticker_start - begin to tick, by CLOCK_MONOTONIC
 * @ticker: filled in
 * @interval_ns: above 0
 *
 * Return: 0, or -1 with errno set.
 */
int svlag_ticker_start(struct svlag_ticker *ticker, __u64 interval_ns);

/* Wait for the next tick. Ticks that passed in the meantime count as one. */
enum svlag_wakeup svlag_await_tick(const struct svlag_ticker *ticker);

/* Wait until a write to @fd does not block. */
enum svlag_wakeup svlag_await_room(const struct svlag_ticker *ticker, int fd);

#endif
