// SPDX-License-Identifier: GPL-2.0
#include "notes.h"

#include <stdarg.h>
#include <string.h>

#include "human.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

__attribute__((format(printf, 2, 3)))
static void note(FILE *out, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("svcrdma-lag: ", out);
	vfprintf(out, format, args);
	fputc('\n', out);
	va_end(args);
}

/* Has @now doubled since it was last told of? Then it has been, from now on. */
static bool is_worth_telling(__u64 *told, __u64 now)
{
	bool worth = now != SVLAG_UNKNOWN && now > *told && now - *told >= *told;

	if (worth || now < *told)
		*told = now;
	return worth;
}

static bool is_news(bool *told, bool now)
{
	bool news = now && !*told;

	*told = now;
	return news;
}

/* An optional hook may well be absent; that the kernel refused it is odd all the same. */
static bool is_notable(const struct svlag_hook_row *hook)
{
	return svlag_is_broken(hook) ||
	       (strcmp(hook->verdict, "-") &&
		strcmp(hook->verdict, svlag_verdict_name(SVLAG_HOOK_OK)) &&
		strcmp(hook->verdict, svlag_verdict_name(SVLAG_HOOK_ABSENT)));
}

static void note_hooks(struct svlag_notes *notes, const struct svlag_sample *sample, FILE *out)
{
	unsigned int i;

	for (i = 0; i < sample->nr_hooks; i++) {
		const struct svlag_hook_row *hook = &sample->hook[i];

		if (!strcmp(notes->verdict[i], hook->verdict))
			continue;
		strcpy(notes->verdict[i], hook->verdict);
		if (is_notable(hook))
			note(out, "hook %s (%s) is %s; lost without it: %s", hook->hook,
			     hook->symbol, hook->verdict, hook->lost);
	}
}

static void note_damage(struct svlag_notes *notes, const struct svlag_sample *sample, FILE *out)
{
	const struct svlag_parsed *how = &sample->how;

	if (!is_news(&notes->damaged, how->cut || how->damaged || how->missing))
		return;
	if (how->cut)
		note(out, "stats ends in the middle of a line, which is not believed");
	if (how->damaged)
		note(out, "stats is damaged in line %u%s", how->damaged_line,
		     how->damaged > 1 ? " and others" : "");
	if (how->missing)
		note(out, "stats does not give %s%s", how->first_missing,
		     how->missing > 1 ? " and others" : "");
}

static void note_waits(struct svlag_notes *notes, const struct svlag_report *report, FILE *out)
{
	const char *fault = report->sample->wait_fault;
	bool fell = report->window->waits_fell;

	if (is_news(&notes->no_waits, fell || fault[0]))
		note(out, "%s: no percentiles", fell ? "a count in wait fell" : fault);
}

/* Other connections' traffic never shows whether a release list is empty. */
static void note_unsettled(enum svlag_era era, FILE *out)
{
	note(out, "what was queued before the hooks were armed is not known%s: depth and wait are "
	     "the least they can be", era == SVLAG_ERA_RELEASE_LIST ? "" :
	     " until the queue has been seen empty");
}

static void note_trust(struct svlag_notes *notes, const struct svlag_stats *s, FILE *out)
{
	char n[SVLAG_HUMAN_SIZE];

	if (is_news(&notes->unsettled, !strcmp(s->depth_settled, "no")))
		note_unsettled(svlag_era_of(s->era), out);
	if (is_worth_telling(&notes->late, s->depth_correction_late))
		note(out, "%s contexts were released whose completion was never seen: "
		     "error paths, or completions that were missed",
		     svlag_human_count(s->depth_correction_late, n));
	if (is_worth_telling(&notes->missed, s->missed_total))
		note(out, "the kernel kept %s hits from the hooks: the counts are too low by that",
		     svlag_human_count(s->missed_total, n));
	if (is_worth_telling(&notes->samples_late, s->samples_late_total))
		note(out, "%s samples of the module came too late: peaks may have been missed",
		     svlag_human_count(s->samples_late_total, n));
}

static void note_tracking(struct svlag_notes *notes, const struct svlag_stats *s, FILE *out)
{
	char n[SVLAG_HUMAN_SIZE], age[SVLAG_HUMAN_SIZE];

	/* Each level halves what is tracked; it comes and goes with the traffic. */
	if (s->track_level_max != SVLAG_UNKNOWN && s->track_level_max < 64 &&
	    s->track_level_max > notes->level) {
		notes->level = s->track_level_max;
		note(out, "%s streams have more items than the in-flight table has room for: a "
		     "part of them, down to one in %llu, is tracked and stands for the rest",
		     svlag_human_count(s->track_streams_thinned, n), 1ULL << notes->level);
	}
	if (is_worth_telling(&notes->refused, s->track_refused_full_total))
		note(out, "%s items found no place in the in-flight table: many leak, or it is "
		     "too small (track_entries)",
		     svlag_human_count(s->track_refused_full_total, n));
	if (is_worth_telling(&notes->expired, s->track_expired_total))
		note(out, "%s items were not released within the leak age, now %s: they leak, or "
		     "their release was missed", svlag_human_count(s->track_expired_total, n),
		     svlag_human_age(s->leak_age_ns, age));
}

/* The module says of its last window which of its estimates do not agree. */
static void note_agreement(struct svlag_notes *notes, const struct svlag_stats *s, FILE *out)
{
	static const char *const ways[] = { "no:depth", "no:curve", "no:order" };
	char a[SVLAG_HUMAN_SIZE], b[SVLAG_HUMAN_SIZE];
	unsigned int way = 0;

	if (strncmp(s->agree, "no", 2))
		return;
	while (way < ARRAY_SIZE(ways) && strcmp(s->agree, ways[way]))
		way++;
	if (notes->disagreed[way])
		return;
	notes->disagreed[way] = true;
	if (way == 0)
		note(out, "estimates do not agree: by the samples %s waited on average, by the "
		     "waits that were measured %s", svlag_human_count(s->mean_depth, a),
		     svlag_human_count(s->mean_depth_by_waits, b));
	else if (way == 1)
		note(out, "estimates do not agree: those released had waited %s on average as "
		     "measured, %s by the curve", svlag_human_delay(s->mean_wait_ns, a),
		     svlag_human_delay(s->mean_curve_wait_ns, b));
	else if (way == 2)
		note(out, "some items waited much longer than wait says: the queue is not first "
		     "in, first out");
	else
		note(out, "estimates do not agree: %s", s->agree);
}

static void note_conservation(struct svlag_notes *notes, const struct svlag_judgement *judgement,
			      FILE *out)
{
	char n[SVLAG_HUMAN_SIZE];

	if (is_worth_telling(&notes->released, judgement->too_many_released))
		note(out, "the numbers do not add up: %s more were released than were queued "
		     "in the window or waited at its beginning",
		     svlag_human_count(judgement->too_many_released, n));
	if (is_worth_telling(&notes->got, judgement->too_few_got))
		note(out, "the numbers do not add up: %s more completed than were got or can "
		     "have been in flight", svlag_human_count(judgement->too_few_got, n));
	if (is_worth_telling(&notes->astray, judgement->astray))
		note(out, "the numbers do not add up: what is in the in-flight table differs by "
		     "%s from what its counts allow", svlag_human_count(judgement->astray, n));
	if (is_worth_telling(&notes->ended, judgement->too_many_ended))
		note(out, "the numbers do not add up: %s more left the in-flight table than were "
		     "brought to it in the window or in it at its beginning",
		     svlag_human_count(judgement->too_many_ended, n));
}

void svlag_note(struct svlag_notes *notes, const struct svlag_report *report, FILE *out)
{
	const struct svlag_sample *sample = report->sample;
	bool unarmed = !svlag_is_armed(sample);

	note_damage(notes, sample, out);
	note_waits(notes, report, out);
	if (is_news(&notes->unarmed, unarmed))
		note(out, "nothing is armed: %s is not loaded, or has none of the functions "
		     "known to svcrdma_lag", sample->stats.target);
	if (unarmed)
		return;
	note_hooks(notes, sample, out);
	note_trust(notes, &sample->stats, out);
	note_tracking(notes, &sample->stats, out);
	note_agreement(notes, &sample->stats, out);
	note_conservation(notes, report->judgement, out);
}
