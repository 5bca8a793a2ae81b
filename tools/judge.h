/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a window means: its state, whether that can be believed, and whether
 * the numbers add up. Pure arithmetic; the words are render's business.
 */
#ifndef SVLAG_TOOLS_JUDGE_H
#define SVLAG_TOOLS_JUDGE_H

#include "sample.h"

/*
 * A completion has its get before it, so completions can exceed gets only by
 * what had been got before one looked. That is a context for each RPC of each
 * transport, 64 credits by default: 218 transports, as seen in the field, make
 * 14,000. More than this is no such thing, it is gets that were not counted.
 */
#define SVLAG_IN_FLIGHT_MAX	65536

/**
 * struct svlag_watch - what is remembered from window to window
 * @before: the state of the window before
 * @got: gets since the watch began or the last reset
 * @queued: completions since then
 */
struct svlag_watch {
	enum svlag_state before;
	__u64 got;
	__u64 queued;
};

/**
 * enum svlag_doubt - why a state is unknown
 * @SVLAG_DOUBT_NONE: it is not
 * @SVLAG_DOUBT_UNARMED: no hook is armed
 * @SVLAG_DOUBT_HOOKS: a hook that the state depends on is not ok
 * @SVLAG_DOUBT_MISSING: a number that it depends on is not there
 * @SVLAG_DOUBT_CLOCK: no time passed between the two samples
 * @SVLAG_DOUBT_RESET: the two samples cannot be compared
 */
enum svlag_doubt {
	SVLAG_DOUBT_NONE,
	SVLAG_DOUBT_UNARMED,
	SVLAG_DOUBT_HOOKS,
	SVLAG_DOUBT_MISSING,
	SVLAG_DOUBT_CLOCK,
	SVLAG_DOUBT_RESET,
};

/**
 * struct svlag_judgement - what a window means
 * @state: its state
 * @doubt: why that is unknown
 * @hook: with SVLAG_DOUBT_HOOKS the first hook that is not ok, or NULL where
 *	the file hooks does not say; it points into one of the samples
 * @missing: with SVLAG_DOUBT_MISSING the name of the number
 * @growth: completions less releases per second, from the rounded rates
 * @empty_in_ns: when the backlog will be gone at this rate, or SVLAG_UNKNOWN
 * @too_many_released: releases in excess of what can have been queued
 * @too_few_got: completions in excess of what can have been got
 * @astray: by how many items what is in the in-flight table differs from what its
 *	counts allow
 * @too_many_ended: items that left it in excess of those that can have been in it
 */
struct svlag_judgement {
	enum svlag_state state;
	enum svlag_doubt doubt;
	const struct svlag_hook_row *hook;
	const char *missing;
	long long growth;
	__u64 empty_in_ns;
	__u64 too_many_released;
	__u64 too_few_got;
	__u64 astray;
	__u64 too_many_ended;
};

/* Begin to watch. The state before the first window is the module's own. */
void svlag_watch_begin(struct svlag_watch *watch, const struct svlag_sample *sample);

/**
 * svlag_judge_window - what a window means
 * @watch: what is remembered, brought up to date
 * @from: the sample at its beginning
 * @to: the sample at its end
 * @window: the difference of the two
 * @judgement: filled in
 */
void svlag_judge_window(struct svlag_watch *watch, const struct svlag_sample *from,
			const struct svlag_sample *to, const struct svlag_window *window,
			struct svlag_judgement *judgement);

/*
 * What a single sample means: the state is that of the module's last window,
 * @window only gives the rates.
 */
void svlag_judge_sample(const struct svlag_sample *sample, const struct svlag_window *window,
			struct svlag_judgement *judgement);

/* Is there anything between a completion and its release in this era? */
bool svlag_is_deferred(const struct svlag_sample *sample);

/* The hook must be ok, and is not. */
bool svlag_is_broken(const struct svlag_hook_row *hook);

/**
 * struct svlag_report - what a renderer shows
 * @sample: the moment at the window's end
 * @window: the window
 * @judgement: what it means
 * @since_arming: the window is not one of the reader's, it began with the arming
 */
struct svlag_report {
	const struct svlag_sample *sample;
	const struct svlag_window *window;
	const struct svlag_judgement *judgement;
	bool since_arming;
};

/* Do the numbers of the window add up? */
static inline bool svlag_is_conserved(const struct svlag_judgement *judgement)
{
	return !judgement->too_many_released && !judgement->too_few_got &&
	       !judgement->astray && !judgement->too_many_ended;
}

#endif
