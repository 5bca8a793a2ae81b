// SPDX-License-Identifier: GPL-2.0
#include "render_table.h"

#include <stdio.h>
#include <string.h>

#include "human.h"

#define NSEC_PER_SEC	1000000000ULL

/* The columns before the state, each with the blanks before it. */
enum column {
	TIME, QUEUED, RELEASED, GET, CAPPED, RATIO, DEPTH, WAIT, P50, P99, MAX, NR_COLUMNS
};

static const struct {
	const char *title;
	int width;
} columns[NR_COLUMNS] = {
	[TIME]		= { "time",		8 },
	[QUEUED]	= { "queued/s",		11 },
	[RELEASED]	= { "released/s",	12 },
	[GET]		= { "get/s",		11 },
	[CAPPED]	= { "capped/s",		10 },
	[RATIO]		= { "q/r",		6 },
	[DEPTH]		= { "depth",		12 },
	[WAIT]		= { "wait",		8 },
	[P50]		= { "p50",		8 },
	[P99]		= { "p99",		8 },
	[MAX]		= { "max",		8 },
};

/* A value too wide for its column pushes the next ones only as far as it must. */
static void add_cell(struct svlag_line *line, enum column nth, const char *text)
{
	size_t right = 0, len = strlen(text);
	enum column i;
	int blanks;

	for (i = 0; i <= nth; i++)
		right += columns[i].width;
	blanks = right > line->used + len ? right - line->used - len : nth > 0;
	svlag_add(line, "%*s%s", blanks, "", text);
}

static void add_rate(struct svlag_line *line, enum column nth, const struct svlag_window *window,
		     __u64 count)
{
	char text[SVLAG_HUMAN_SIZE];

	add_cell(line, nth,
		 svlag_human_count(svlag_per_second(count, window->length_ns), text));
}

/* A number that may be but the least that it can be; that it is at least 0 says nothing. */
static void add_bound(struct svlag_line *line, enum column nth, bool is_least, const char *text)
{
	char cell[SVLAG_HUMAN_SIZE + 2] = "-";

	if (!is_least)
		strcpy(cell, text);
	else if (strcmp(text, "0") && strcmp(text, "-"))
		snprintf(cell, sizeof(cell), ">=%s", text);
	add_cell(line, nth, cell);
}

static void add_percentile(struct svlag_line *line, enum column nth, bool is_known,
			   const struct svlag_percentile *p)
{
	char text[SVLAG_HUMAN_SIZE];

	if (is_known)
		add_bound(line, nth, p->is_least,
			  svlag_human_delay(p->is_least ? p->lower_ns : p->upper_ns, text));
	else
		add_cell(line, nth, "-");
}

/* How long those had waited that left in the window; the oldest may wait on. */
static void add_waits(struct svlag_line *line, const struct svlag_report *report)
{
	const struct svlag_waits *waits = &report->window->waits;
	const struct svlag_distribution *d = &waits->of[SVLAG_TIMES_WAIT];
	struct svlag_percentile p;

	add_percentile(line, P50, svlag_waits_percentile(d, 500, &p), &p);
	add_percentile(line, P99, svlag_waits_percentile(d, 990, &p), &p);
	add_percentile(line, MAX, waits->known &&
		       svlag_waits_longest(d, report->sample->stats.oldest_age_ns, &p), &p);
}

/* Until the queue has been seen empty, depth is the least that it can be. */
static void add_backlog(struct svlag_line *line, const struct svlag_report *report)
{
	const struct svlag_stats *s = &report->sample->stats;
	char text[SVLAG_HUMAN_SIZE];
	enum column i;

	if (!svlag_is_deferred(report->sample)) {
		for (i = DEPTH; i < NR_COLUMNS; i++)
			add_cell(line, i, "-");
		return;
	}
	add_bound(line, DEPTH, !strcmp(s->depth_settled, "no"), svlag_human_count(s->depth, text));
	add_bound(line, WAIT, !strcmp(s->curve_wait_censored, "yes"),
		  svlag_human_delay(s->curve_wait_ns, text));
	add_waits(line, report);
}

static void add_broken_hook(struct svlag_line *line, const struct svlag_hook_row *hook)
{
	const char *name = strcmp(hook->symbol, "-") ? hook->symbol : hook->hook;
	const char *error = strchr(hook->verdict, ':');

	if (error)
		svlag_add(line, "hook %s failed with %s", name, error + 1);
	else
		svlag_add(line, "hook %s is %s", name, hook->verdict);
}

static void add_doubt(struct svlag_line *line, const struct svlag_report *report)
{
	const struct svlag_judgement *j = report->judgement;
	const struct svlag_stats *s = &report->sample->stats;

	switch (j->doubt) {
	case SVLAG_DOUBT_UNARMED:
		svlag_add(line, "not armed: waiting for %s", s->target);
		break;
	case SVLAG_DOUBT_HOOKS:
		svlag_add(line, "unknown: ");
		if (j->hook)
			add_broken_hook(line, j->hook);
		else
			svlag_add(line, "a hook is not ok");
		break;
	case SVLAG_DOUBT_MISSING:
		svlag_add(line, "unknown: stats does not give %s", j->missing);
		break;
	case SVLAG_DOUBT_CLOCK:
		svlag_add(line, "unknown: time_ns stood still");
		break;
	case SVLAG_DOUBT_RESET:
		if (report->window->reset == SVLAG_RESET_LOADED)
			svlag_add(line, "reset: svcrdma_lag was loaded anew");
		else if (report->window->reset == SVLAG_RESET_ARMED)
			svlag_add(line, "reset: the hooks were armed anew");
		else
			svlag_add(line, "reset: %s fell", report->window->fell);
		break;
	case SVLAG_DOUBT_NONE:
		/* The module has not completed a window since it was armed. */
		svlag_add(line, "unknown: too early to tell");
		break;
	}
}

static void add_outlook(struct svlag_line *line, const struct svlag_report *report)
{
	const struct svlag_judgement *j = report->judgement;
	const struct svlag_stats *s = &report->sample->stats;
	char text[SVLAG_HUMAN_SIZE];
	bool falls = j->growth < 0;

	switch (j->state) {
	case SVLAG_STATE_BEHIND:
		svlag_human_count(falls ? -j->growth : j->growth, text);
		svlag_add(line, ": %c%s/s", falls ? '-' : '+', text);
		break;
	case SVLAG_STATE_DRAINING:
		if (!strcmp(s->depth_settled, "no"))
			svlag_add(line, ": from before the arming");
		else if (!s->depth)
			svlag_add(line, ": empty");
		else if (j->empty_in_ns < NSEC_PER_SEC)
			svlag_add(line, ": empty in less than 1 s");
		else if (j->empty_in_ns != SVLAG_UNKNOWN)
			svlag_add(line, ": empty in %s", svlag_human_age(j->empty_in_ns, text));
		break;
	case SVLAG_STATE_STALLED:
		svlag_human_count(s->depth, text);
		if (svlag_era_of(s->era) == SVLAG_ERA_RELEASE_LIST)
			svlag_add(line, ": %s wait for a reply to drain the release list", text);
		else
			svlag_add(line, ": %s wait, none was released", text);
		break;
	default:
		break;
	}
}

/* Where release is not deferred, there is no depth to tell how much is in use. */
static void add_live(struct svlag_line *line, const struct svlag_sample *sample)
{
	const struct svlag_stats *s = &sample->stats;
	bool is_least = !strcmp(s->live_settled, "no");
	char text[SVLAG_HUMAN_SIZE];

	if (svlag_is_deferred(sample) || s->live_ctxts == SVLAG_UNKNOWN)
		return;
	if (s->live_ctxts || !is_least)
		svlag_add(line, ", %s%s live", is_least ? "at least " : "",
			  svlag_human_count(s->live_ctxts, text));
}

static void add_batches(struct svlag_line *line, const struct svlag_window *window)
{
	char text[SVLAG_HUMAN_SIZE];

	if (window->batches == SVLAG_UNKNOWN || !window->batches ||
	    window->released == SVLAG_UNKNOWN)
		return;
	svlag_add(line, ", %s a drain", svlag_human_ratio(window->released, window->batches, text));
}

static void add_judged(struct svlag_line *line, const struct svlag_report *report)
{
	svlag_add(line, "%s", svlag_state_name(report->judgement->state));
	if (!report->since_arming)
		add_outlook(line, report);
	add_live(line, report->sample);
	add_batches(line, report->window);
}

void svlag_table_state(struct svlag_line *line, const struct svlag_report *report)
{
	if (report->judgement->state == SVLAG_STATE_UNKNOWN)
		add_doubt(line, report);
	else
		add_judged(line, report);
	if (!svlag_is_conserved(report->judgement))
		svlag_add(line, " (does not add up)");
}

/* Of what time the rates of the first row are. */
static void add_since(struct svlag_line *line, const struct svlag_report *report)
{
	if (!report->since_arming || !svlag_is_armed(report->sample))
		return;
	if (report->sample->stats.arm_generation > 1)
		svlag_add(line, " (armed more than once: no rates since then)");
	else
		svlag_add(line, " (rates since the arming)");
}

void svlag_table_row(char text[SVLAG_LINE_SIZE], const struct svlag_report *report)
{
	const struct svlag_window *w = report->window;
	struct svlag_line line = { text, 0 };
	char clock[SVLAG_HUMAN_SIZE], ratio[SVLAG_HUMAN_SIZE];

	add_cell(&line, TIME, svlag_human_clock(report->sample->stats.realtime_ns, clock));
	add_rate(&line, QUEUED, w, w->queued);
	add_rate(&line, RELEASED, w, w->released);
	add_rate(&line, GET, w, w->get);
	add_rate(&line, CAPPED, w, w->capped);
	add_cell(&line, RATIO, svlag_human_ratio(w->queued, w->released, ratio));
	add_backlog(&line, report);
	svlag_add(&line, "  ");
	svlag_table_state(&line, report);
	add_since(&line, report);
	svlag_end(&line);
}

void svlag_table_columns(char text[SVLAG_LINE_SIZE])
{
	struct svlag_line line = { text, 0 };
	enum column i;

	for (i = 0; i < NR_COLUMNS; i++)
		add_cell(&line, i, columns[i].title);
	svlag_add(&line, "  state");
	svlag_end(&line);
}

static void add_era(struct svlag_line *line, const struct svlag_sample *sample)
{
	switch (svlag_era_of(sample->stats.era)) {
	case SVLAG_ERA_SYNCHRONOUS:
		svlag_add(line, ", synchronous era (release is not deferred: no depth, no wait)");
		break;
	case SVLAG_ERA_WORKQUEUE:
		svlag_add(line, ", workqueue era");
		break;
	case SVLAG_ERA_RELEASE_LIST:
		svlag_add(line, ", release list era");
		break;
	default:
		svlag_add(line, ", era %s", sample->stats.era);
	}
}

static bool is_armed_and_needed(const struct svlag_hook_row *hook)
{
	return strcmp(hook->mechanism, "-") && !strcmp(hook->needed, "yes");
}

static bool is_first_of_its_mechanism(const struct svlag_sample *sample, unsigned int nth)
{
	unsigned int i;

	for (i = 0; i < nth; i++)
		if (is_armed_and_needed(&sample->hook[i]) &&
		    !strcmp(sample->hook[i].mechanism, sample->hook[nth].mechanism))
			return false;
	return is_armed_and_needed(&sample->hook[nth]);
}

static void add_mechanisms(struct svlag_line *line, const struct svlag_sample *sample)
{
	const char *separator = " (";
	unsigned int i;

	for (i = 0; i < sample->nr_hooks; i++) {
		if (!is_first_of_its_mechanism(sample, i))
			continue;
		svlag_add(line, "%s%s", separator, sample->hook[i].mechanism);
		separator = ", ";
	}
	if (*separator == ',')
		svlag_add(line, ")");
}

void svlag_table_head(char text[SVLAG_LINE_SIZE], const struct svlag_sample *sample,
		      const char *kernel)
{
	const struct svlag_stats *s = &sample->stats;
	struct svlag_line line = { text, 0 };
	char ok[SVLAG_HUMAN_SIZE], needed[SVLAG_HUMAN_SIZE], age[SVLAG_HUMAN_SIZE];

	svlag_add(&line, "svcrdma_lag %s", SVLAG_VERSION);
	if (kernel)
		svlag_add(&line, ", kernel %s", kernel);
	if (!svlag_is_armed(sample)) {
		svlag_add(&line, ", not armed");
	} else {
		add_era(&line, sample);
		svlag_add(&line, ", hooks %s of %s ok", svlag_human_count(s->hooks_ok, ok),
			  svlag_human_count(s->hooks_needed, needed));
		add_mechanisms(&line, sample);
		if (s->time_ns >= s->armed_ns)
			svlag_add(&line, ", armed %s",
				  svlag_human_age(s->time_ns - s->armed_ns, age));
	}
	svlag_end(&line);
}
