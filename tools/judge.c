// SPDX-License-Identifier: GPL-2.0
#include "judge.h"

#include <string.h>

#include <svcrdma_lag/state.h>

#define NSEC_PER_MSEC	1000000

bool svlag_is_deferred(const struct svlag_sample *sample)
{
	return svlag_era_of(sample->stats.era) != SVLAG_ERA_SYNCHRONOUS;
}

bool svlag_is_broken(const struct svlag_hook_row *hook)
{
	return !strcmp(hook->needed, "yes") &&
	       strcmp(hook->verdict, svlag_verdict_name(SVLAG_HOOK_OK));
}

static const struct svlag_hook_row *find_broken(const struct svlag_sample *sample)
{
	unsigned int i;

	for (i = 0; i < sample->nr_hooks; i++)
		if (svlag_is_broken(&sample->hook[i]))
			return &sample->hook[i];
	return NULL;
}

/* The name of a number without which a sample cannot be judged, or NULL. */
static const char *find_missing(const struct svlag_sample *sample)
{
	const struct svlag_stats *s = &sample->stats;

	if (s->hooks_needed == SVLAG_UNKNOWN)
		return "hooks_needed";
	if (s->hooks_ok == SVLAG_UNKNOWN)
		return "hooks_ok";
	if (s->wc_send_total == SVLAG_UNKNOWN)
		return "wc_send_total";
	if (s->released_total == SVLAG_UNKNOWN)
		return "released_total";
	if (s->depth == SVLAG_UNKNOWN && svlag_is_deferred(sample))
		return "depth";
	return NULL;
}

/* Silent or absent hooks come before the numbers that are missing because of them. */
static bool doubt_sample(const struct svlag_sample *sample, struct svlag_judgement *judgement)
{
	const struct svlag_stats *s = &sample->stats;

	if (!svlag_is_armed(sample)) {
		judgement->doubt = SVLAG_DOUBT_UNARMED;
	} else if (s->hooks_ok != s->hooks_needed) {
		judgement->doubt = SVLAG_DOUBT_HOOKS;
		judgement->hook = find_broken(sample);
	} else {
		judgement->missing = find_missing(sample);
		if (judgement->missing)
			judgement->doubt = SVLAG_DOUBT_MISSING;
	}
	return judgement->doubt != SVLAG_DOUBT_NONE;
}

static __u64 depth_of(const struct svlag_sample *sample)
{
	return svlag_is_deferred(sample) ? sample->stats.depth : 0;
}

static void foresee(const struct svlag_sample *to, const struct svlag_window *window,
		    struct svlag_judgement *judgement)
{
	__u64 in = svlag_per_second(window->queued, window->length_ns);
	__u64 out = svlag_per_second(window->released, window->length_ns);
	double empty_in_ns;

	judgement->empty_in_ns = SVLAG_UNKNOWN;
	if (in == SVLAG_UNKNOWN || out == SVLAG_UNKNOWN)
		return;
	judgement->growth = in - out;
	if (window->released <= window->queued || to->stats.depth == SVLAG_UNKNOWN)
		return;
	empty_in_ns = (double)to->stats.depth * (double)window->length_ns /
		      (double)(window->released - window->queued);
	if (empty_in_ns < 1e18)
		judgement->empty_in_ns = (__u64)empty_in_ns;
}

/*
 * A release has its completion before it: one of this window, one that waited
 * when it began, or one that was not seen, which the correction then has grown
 * by. The depth at the beginning is the upper end of its bracket.
 */
static void check_releases(const struct svlag_sample *from, const struct svlag_window *window,
			   struct svlag_judgement *judgement)
{
	__u64 left = window->released;
	__u64 from_high = from->stats.depth_high;

	if (!svlag_is_deferred(from) || from_high == SVLAG_UNKNOWN ||
	    window->correction == SVLAG_UNKNOWN || left == SVLAG_UNKNOWN ||
	    window->queued == SVLAG_UNKNOWN)
		return;
	left -= left < window->queued ? left : window->queued;
	left -= left < from_high ? left : from_high;
	left -= left < window->correction ? left : window->correction;
	judgement->too_many_released = left;
}

static void check_gets(struct svlag_watch *watch, const struct svlag_window *window,
		       struct svlag_judgement *judgement)
{
	/* A hook on get that says nothing at all is told of elsewhere. */
	if (window->get == SVLAG_UNKNOWN || window->queued == SVLAG_UNKNOWN || !window->get)
		return;
	watch->got += window->get;
	watch->queued += window->queued;
	if (watch->queued > watch->got && watch->queued - watch->got > SVLAG_IN_FLIGHT_MAX)
		judgement->too_few_got = watch->queued - watch->got - SVLAG_IN_FLIGHT_MAX;
}

/* The table was looked through between the two countings that give the bracket. */
static void check_live(const struct svlag_sample *sample, struct svlag_judgement *judgement)
{
	const struct svlag_stats *s = &sample->stats;

	if (s->track_live == SVLAG_UNKNOWN || s->track_live_low == SVLAG_UNKNOWN ||
	    s->track_live_high == SVLAG_UNKNOWN)
		return;
	if (s->track_live < s->track_live_low)
		judgement->astray = s->track_live_low - s->track_live;
	else if (s->track_live > s->track_live_high)
		judgement->astray = s->track_live - s->track_live_high;
}

/*
 * What leaves the table was brought to it in this window, or in it when that began. Where
 * either is not known, it excuses any number.
 */
static void check_ends(const struct svlag_sample *from, const struct svlag_window *window,
		       struct svlag_judgement *judgement)
{
	__u64 left = window->ended;
	__u64 from_high = from->stats.track_live_high;

	if (left == SVLAG_UNKNOWN)
		return;
	left -= left < window->inserted ? left : window->inserted;
	left -= left < from_high ? left : from_high;
	judgement->too_many_ended = left;
}

void svlag_watch_begin(struct svlag_watch *watch, const struct svlag_sample *sample)
{
	memset(watch, 0, sizeof(*watch));
	watch->before = svlag_state_of(sample->stats.state);
}

static void judge_trusted(const struct svlag_watch *watch, const struct svlag_sample *from,
			  const struct svlag_sample *to, const struct svlag_window *window,
			  struct svlag_judgement *judgement)
{
	struct svlag_window_facts facts = {
		.trusted = true,
		.length_ms = window->length_ns / NSEC_PER_MSEC,
		.queued = window->queued,
		.released = window->released,
		.unseen = window->unseen == SVLAG_UNKNOWN ? 0 : window->unseen,
		.depth_begin = depth_of(from),
		.depth_end = depth_of(to),
		.depth_min = depth_of(to),
		.before = watch->before,
	};

	judgement->state = svlag_judge(&facts);
}

void svlag_judge_window(struct svlag_watch *watch, const struct svlag_sample *from,
			const struct svlag_sample *to, const struct svlag_window *window,
			struct svlag_judgement *judgement)
{
	memset(judgement, 0, sizeof(*judgement));
	judgement->empty_in_ns = SVLAG_UNKNOWN;

	if (window->reset != SVLAG_RESET_NONE) {
		svlag_watch_begin(watch, to);
		judgement->doubt = svlag_is_armed(to) ? SVLAG_DOUBT_RESET : SVLAG_DOUBT_UNARMED;
		return;
	}
	/* The table's books need no hook to balance. */
	check_live(to, judgement);
	check_ends(from, window, judgement);
	if (!svlag_is_armed(to)) {
		judgement->doubt = SVLAG_DOUBT_UNARMED;
	} else if (!window->length_ns) {
		judgement->doubt = SVLAG_DOUBT_CLOCK;
	} else if (!doubt_sample(to, judgement) && !doubt_sample(from, judgement)) {
		judge_trusted(watch, from, to, window, judgement);
		check_releases(from, window, judgement);
		check_gets(watch, window, judgement);
	}
	foresee(to, window, judgement);
	watch->before = judgement->state;
}

void svlag_judge_sample(const struct svlag_sample *sample, const struct svlag_window *window,
			struct svlag_judgement *judgement)
{
	memset(judgement, 0, sizeof(*judgement));
	if (!doubt_sample(sample, judgement))
		judgement->state = svlag_state_of(sample->stats.state);
	check_live(sample, judgement);
	foresee(sample, window, judgement);
}
