// SPDX-License-Identifier: GPL-2.0
#include "tick.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include <sys/signalfd.h>
#include <sys/timerfd.h>

#define NSEC_PER_SEC	1000000000ULL

/* Deadlines are multiples of the interval, so that no delay adds up. */
static int start_timer(__u64 interval_ns)
{
	struct itimerspec when = {
		.it_value.tv_sec = interval_ns / NSEC_PER_SEC,
		.it_value.tv_nsec = interval_ns % NSEC_PER_SEC,
		.it_interval.tv_sec = interval_ns / NSEC_PER_SEC,
		.it_interval.tv_nsec = interval_ns % NSEC_PER_SEC,
	};
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);

	if (fd >= 0 && timerfd_settime(fd, 0, &when, NULL)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* A shell has its background jobs ignore SIGINT; so it stays. */
static bool is_ignored(int signal_nr)
{
	struct sigaction action;

	return !sigaction(signal_nr, NULL, &action) && action.sa_handler == SIG_IGN;
}

int svlag_ticker_start(struct svlag_ticker *ticker, __u64 interval_ns)
{
	sigset_t signals;

	sigemptyset(&signals);
	if (!is_ignored(SIGINT))
		sigaddset(&signals, SIGINT);
	if (!is_ignored(SIGTERM))
		sigaddset(&signals, SIGTERM);
	if (sigprocmask(SIG_BLOCK, &signals, NULL))
		return -1;
	ticker->signal_fd = signalfd(-1, &signals, SFD_CLOEXEC);
	if (ticker->signal_fd < 0)
		return -1;
	ticker->timer_fd = start_timer(interval_ns);
	return ticker->timer_fd < 0 ? -1 : 0;
}

/* A signal wins: who has asked for the end gets no more lines. */
static enum svlag_wakeup await(const struct svlag_ticker *ticker, int fd, short events)
{
	struct pollfd fds[] = {
		{ .fd = ticker->signal_fd, .events = POLLIN },
		{ .fd = fd, .events = events },
	};

	for (;;) {
		if (poll(fds, 2, -1) < 0) {
			if (errno == EINTR)
				continue;
			return SVLAG_WAIT_FAILED;
		}
		if (fds[0].revents)
			return SVLAG_INTERRUPTED;
		if (fds[1].revents)
			return SVLAG_WOKE;
	}
}

enum svlag_wakeup svlag_await_tick(const struct svlag_ticker *ticker)
{
	enum svlag_wakeup wakeup = await(ticker, ticker->timer_fd, POLLIN);
	uint64_t ticks;

	if (wakeup == SVLAG_WOKE && read(ticker->timer_fd, &ticks, sizeof(ticks)) < 0)
		return SVLAG_WAIT_FAILED;
	return wakeup;
}

enum svlag_wakeup svlag_await_room(const struct svlag_ticker *ticker, int fd)
{
	return await(ticker, fd, POLLOUT);
}
