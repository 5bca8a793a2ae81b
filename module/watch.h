/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The coming and going of the module that is watched.
 *
 * Its arrival is seen before its init runs, so that nothing of it is missed; its
 * departure after its exit and before its text is freed. It is never pinned. A
 * target whose init fails is announced as leaving like any other.
 */
#ifndef SVLAG_WATCH_H
#define SVLAG_WATCH_H

#include <linux/types.h>

#include "hooks.h"

/**
 * struct svlag_watcher - who is told
 * @arrived: the target is there; @from_start: none of it has run yet. To return
 *	whether anything was armed, and so is to be told of the departure
 * @leaving: it is about to be freed. When this returns, nothing may be armed on it
 * @tracepoint: a row that is armed on the target's tracepoint of that name while
 *	there is one
 *
 * They are called one at a time, and may sleep.
 */
struct svlag_watcher {
	bool (*arrived)(bool from_start);
	void (*leaving)(void);
	struct svlag_hook *tracepoint;
};

/**
 * svlag_watch_start - look out for a module
 * @target: its name
 * @watcher: who is told; at once, where it is there already
 *
 * Context: may sleep. Return: 0 or an errno.
 */
int svlag_watch_start(const char *target, const struct svlag_watcher *watcher);

/**
 * svlag_watch_stop - look no more; @leaving is called first where it is due
 */
void svlag_watch_stop(void);

#endif
