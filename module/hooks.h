/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hooks: rows that name a function, arm it by the best mechanism that was
 * proved to work, and tell how well it does.
 *
 * Mechanism alone. What the functions are is the business of who owns the rows.
 * A mechanism is proved by the canary, a function of this module's own: it is
 * hooked, called, and must be seen with its argument; and again once a window,
 * because ftrace and kprobes can be switched off on a running system.
 */
#ifndef SVLAG_HOOKS_H
#define SVLAG_HOOKS_H

#include <linux/tracepoint.h>
#include <linux/types.h>
#include <svcrdma_lag/abi.h>

#include "counters.h"
#include "mechanism.h"

/* The canaries count in the last counters; the others are free for rows. */
#define SVLAG_CANARIES		2
#define SVLAG_COUNTERS_FREE	(SVLAG_COUNTERS - SVLAG_CANARIES)

/* A hook that was never hit while a sibling was hit so often is silent. */
#define SVLAG_SILENT_HITS	256

/**
 * enum svlag_hook_mode - the parameter hook=
 * @SVLAG_MODE_AUTO: ftrace, and a kprobe where that fails
 * @SVLAG_MODE_FTRACE: ftrace or nothing
 * @SVLAG_MODE_KPROBE: kprobes or nothing
 */
enum svlag_hook_mode {
	SVLAG_MODE_AUTO,
	SVLAG_MODE_FTRACE,
	SVLAG_MODE_KPROBE,
};

/**
 * struct svlag_hook - a row
 *
 * Set by its owner and constant afterwards:
 * @name: for people and for the parameter skip=
 * @symbol: the function or tracepoint
 * @lost: the sentence that says what is lost without it
 * @counter: the counter that its handlers count in
 * @also: so many counters behind it they count in as well
 * @needed: the state depends on it
 * @may_rest: whether it is hit, or counts, depends on what the clients do, so its
 *	siblings do not tell that it should have been
 * @handlers: for a function
 * @tracepoint_hit: for a tracepoint, in place of @handlers
 * @skip: not to be armed
 *
 * hooks.c's own; written while the caller holds off other arming, read at any time:
 * @function: what was found of it in the module
 * @probe: of a function
 * @tracepoint: what was registered on
 * @verdict: ok or silent while armed
 * @error: the errno of a failed one
 * @hits_before: its hits when it was armed
 * @hits_seen: its hits at the last observation
 * @moved_ns: when an observation last saw a hit; 0 before the first
 * @ever: it was armed once, so its count is known
 */
struct svlag_hook {
	const char *name;
	const char *symbol;
	const char *lost;
	unsigned int counter;
	unsigned int also;
	bool needed;
	bool may_rest;
	struct svlag_handlers handlers;
	void *tracepoint_hit;
	bool skip;

	struct svlag_function function;
	struct svlag_probe probe;
	struct tracepoint *tracepoint;
	enum svlag_verdict verdict;
	int error;
	u64 hits_before;
	u64 hits_seen;
	u64 moved_ns;
	bool ever;
};

/* A row of the file hooks. */
struct svlag_hook_info {
	const char *name;
	const char *symbol;	/* as it is in the symbol table, where that is known */
	const char *lost;
	bool needed;
	enum svlag_verdict verdict;
	int error;
	enum svlag_mechanism by;
	u64 hits;
	u64 missed;
	u64 age_ns;
};

/**
 * svlag_hooks_start - prove the mechanisms
 * @mode: which are allowed
 *
 * Context: may sleep. Return: 0, or the errno of the one that should have
 * worked; then the log says which and what to do, and nothing is left armed.
 */
int svlag_hooks_start(enum svlag_hook_mode mode);

/**
 * svlag_hooks_stop - take the canaries back; all rows are disarmed before
 */
void svlag_hooks_stop(void);

/**
 * svlag_hook_find - look for a function, before it is armed
 * @hook: not armed
 * @module: the module that the function is in
 *
 * Sets @hook->function and, where there is none, the verdict.
 *
 * Context: may sleep; the caller holds off other arming and disarming.
 */
void svlag_hook_find(struct svlag_hook *hook, const char *module);

/**
 * svlag_hook_arm - arm a function that was looked for
 * @hook: not armed
 * @module: the module that the function is in
 *
 * Its verdict tells the result; a failure is also said in the log.
 *
 * Context: as svlag_hook_find().
 */
void svlag_hook_arm(struct svlag_hook *hook, const char *module);

/**
 * svlag_hook_arm_tracepoint - arm a tracepoint
 * @hook: not armed
 * @tracepoint: of the name @hook->symbol
 *
 * Context: as svlag_hook_find().
 */
void svlag_hook_arm_tracepoint(struct svlag_hook *hook, struct tracepoint *tracepoint);

/**
 * svlag_hook_disarm - disarm either kind; no handler runs when it returns
 * @hook: armed or not
 *
 * Context: as svlag_hook_find().
 */
void svlag_hook_disarm(struct svlag_hook *hook);

/**
 * svlag_hooks_observe - see which hooks were hit, and judge the others by that
 * @hooks: the rows that were armed together
 * @nr: how many
 * @now_ns: the time
 *
 * Context: one caller at a time; may run beside arming.
 */
void svlag_hooks_observe(struct svlag_hook *const *hooks, unsigned int nr, u64 now_ns);

/**
 * svlag_hook_info - what the file hooks shows of a row
 * @hook: the row
 * @now_ns: the time
 * @info: filled in
 */
void svlag_hook_info(const struct svlag_hook *hook, u64 now_ns, struct svlag_hook_info *info);

/**
 * svlag_canary_call - prove the mechanisms that are in use once more
 *
 * Context: may sleep.
 */
void svlag_canary_call(void);

/**
 * svlag_canary_info - what the file hooks shows of the canaries in use
 * @info: room for SVLAG_CANARIES rows
 * @now_ns: the time
 *
 * Return: how many rows were filled in.
 */
unsigned int svlag_canary_info(struct svlag_hook_info *info, u64 now_ns);

#endif
