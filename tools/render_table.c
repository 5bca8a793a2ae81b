// SPDX-License-Identifier: GPL-2.0
#include "render_table.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "human.h"

#define NSEC_PER_SEC	1000000000ULL

/* The columns before the state, each with the blanks before it. */
enum column { TIME, QUEUED, RELEASED, GET, CAPPED, RATIO, DEPTH, WAIT, NR_COLUMNS };

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
};

/* A line in the making. @used never exceeds what leaves room for the newline. */
struct line {
	char *text;
	size_t used;
};

__attribute__((format(printf, 2, 3)))
static void add(struct line *line, const char *format, ...)
{
	size_t room = SVLAG_LINE_SIZE - 1 - line->used;
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(line->text + line->used, room, format, args);
	va_end(args);
	if (len > 0)
		line->used += (size_t)len < room ? (size_t)len : room - 1;
}

static void end(struct line *line)
{
	line->text[line->used++] = '\n';
	line->text[line->used] = '\0';
}

/* A value too wide for its column pushes the next ones only as far as it must. */
static void add_cell(struct line *line, enum column nth, const char *text)
{
	size_t right = 0, len = strlen(text);
	enum column i;
	int blanks;

	for (i = 0; i <= nth; i++)
		right += columns[i].width;
	blanks = right > line->used + len ? right - line->used - len : nth > 0;
	add(line, "%*s%s", blanks, "", text);
}

static void add_count(struct line *line, enum column nth, const char *prefix, __u64 count)
{
	char text[SVLAG_HUMAN_SIZE], cell[SVLAG_HUMAN_SIZE + 2];

	svlag_human_count(count, text);
	snprintf(cell, sizeof(cell), "%s%s", count == SVLAG_UNKNOWN ? "" : prefix, text);
	add_cell(line, nth, cell);
}

static void add_rate(struct line *line, enum column nth, const struct svlag_window *window,
		     __u64 count)
{
	add_count(line, nth, "", svlag_per_second(count, window->length_ns));
}

static void add_time(struct line *line, __u64 realtime_ns)
{
	time_t seconds = realtime_ns / NSEC_PER_SEC;
	char text[16] = "-";
	struct tm tm;

	if (realtime_ns != SVLAG_UNKNOWN && localtime_r(&seconds, &tm))
		strftime(text, sizeof(text), "%H:%M:%S", &tm);
	add_cell(line, TIME, text);
}

/* Until the queue has been seen empty, depth is the least that it can be. */
static void add_backlog(struct line *line, const struct svlag_sample *sample)
{
	const struct svlag_stats *s = &sample->stats;
	char text[SVLAG_HUMAN_SIZE], cell[SVLAG_HUMAN_SIZE + 2];

	if (!svlag_is_deferred(sample)) {
		add_cell(line, DEPTH, "-");
		add_cell(line, WAIT, "-");
		return;
	}
	add_count(line, DEPTH, strcmp(s->depth_settled, "no") ? "" : ">=", s->depth);
	svlag_human_delay(s->curve_wait_ns, text);
	snprintf(cell, sizeof(cell), "%s%s",
		 s->curve_wait_ns == SVLAG_UNKNOWN || strcmp(s->curve_wait_censored, "yes") ?
		 "" : ">=", text);
	add_cell(line, WAIT, cell);
}

static void add_broken_hook(struct line *line, const struct svlag_hook_row *hook)
{
	const char *name = strcmp(hook->symbol, "-") ? hook->symbol : hook->hook;
	const char *error = strchr(hook->verdict, ':');

	if (error)
		add(line, "hook %s failed with %s", name, error + 1);
	else
		add(line, "hook %s is %s", name, hook->verdict);
}

static void add_doubt(struct line *line, const struct svlag_report *report)
{
	const struct svlag_judgement *j = report->judgement;
	const struct svlag_stats *s = &report->sample->stats;

	switch (j->doubt) {
	case SVLAG_DOUBT_UNARMED:
		add(line, "not armed: waiting for %s", s->target);
		break;
	case SVLAG_DOUBT_HOOKS:
		add(line, "unknown: ");
		if (j->hook)
			add_broken_hook(line, j->hook);
		else
			add(line, "a hook is not ok");
		break;
	case SVLAG_DOUBT_MISSING:
		add(line, "unknown: stats does not give %s", j->missing);
		break;
	case SVLAG_DOUBT_CLOCK:
		add(line, "unknown: time_ns stood still");
		break;
	case SVLAG_DOUBT_RESET:
		if (report->window->reset == SVLAG_RESET_LOADED)
			add(line, "reset: svcrdma_lag was loaded anew");
		else if (report->window->reset == SVLAG_RESET_ARMED)
			add(line, "reset: the hooks were armed anew");
		else
			add(line, "reset: %s fell", report->window->fell);
		break;
	case SVLAG_DOUBT_NONE:
		/* The module has not completed a window since it was armed. */
		add(line, "unknown: too early to tell");
		break;
	}
}

static void add_outlook(struct line *line, const struct svlag_report *report)
{
	const struct svlag_judgement *j = report->judgement;
	const struct svlag_stats *s = &report->sample->stats;
	char text[SVLAG_HUMAN_SIZE];
	bool falls = j->growth < 0;

	switch (j->state) {
	case SVLAG_STATE_BEHIND:
		svlag_human_count(falls ? -j->growth : j->growth, text);
		add(line, ": %c%s/s", falls ? '-' : '+', text);
		break;
	case SVLAG_STATE_DRAINING:
		if (!strcmp(s->depth_settled, "no"))
			add(line, ": from before the arming");
		else if (!s->depth)
			add(line, ": empty");
		else if (j->empty_in_ns < NSEC_PER_SEC)
			add(line, ": empty in less than 1 s");
		else if (j->empty_in_ns != SVLAG_UNKNOWN)
			add(line, ": empty in %s", svlag_human_age(j->empty_in_ns, text));
		break;
	case SVLAG_STATE_STALLED:
		svlag_human_count(s->depth, text);
		if (svlag_era_of(s->era) == SVLAG_ERA_RELEASE_LIST)
			add(line, ": %s wait for a reply to drain the release list", text);
		else
			add(line, ": %s wait, none was released", text);
		break;
	default:
		break;
	}
}

/* Where release is not deferred, there is no depth to tell how much is in use. */
static void add_live(struct line *line, const struct svlag_sample *sample)
{
	const struct svlag_stats *s = &sample->stats;
	bool is_least = !strcmp(s->live_settled, "no");
	char text[SVLAG_HUMAN_SIZE];

	if (svlag_is_deferred(sample) || s->live_ctxts == SVLAG_UNKNOWN)
		return;
	if (s->live_ctxts || !is_least)
		add(line, ", %s%s live", is_least ? "at least " : "",
		    svlag_human_count(s->live_ctxts, text));
}

static void add_batches(struct line *line, const struct svlag_window *window)
{
	char text[SVLAG_HUMAN_SIZE];

	if (window->batches == SVLAG_UNKNOWN || !window->batches ||
	    window->released == SVLAG_UNKNOWN)
		return;
	add(line, ", %s a drain", svlag_human_ratio(window->released, window->batches, text));
}

static void add_judged(struct line *line, const struct svlag_report *report)
{
	add(line, "%s", svlag_state_name(report->judgement->state));
	if (!report->since_arming)
		add_outlook(line, report);
	add_live(line, report->sample);
	add_batches(line, report->window);
}

static void add_state(struct line *line, const struct svlag_report *report)
{
	const struct svlag_judgement *j = report->judgement;
	bool is_since_arming = report->since_arming && svlag_is_armed(report->sample);

	add(line, "  ");
	if (j->state == SVLAG_STATE_UNKNOWN)
		add_doubt(line, report);
	else
		add_judged(line, report);
	if (is_since_arming && report->sample->stats.arm_generation > 1)
		add(line, " (armed more than once: no rates since then)");
	else if (is_since_arming)
		add(line, " (rates since the arming)");
	if (!svlag_is_conserved(j))
		add(line, " (does not add up)");
}

void svlag_table_row(char text[SVLAG_LINE_SIZE], const struct svlag_report *report)
{
	const struct svlag_window *w = report->window;
	struct line line = { text, 0 };
	char ratio[SVLAG_HUMAN_SIZE];

	add_time(&line, report->sample->stats.realtime_ns);
	add_rate(&line, QUEUED, w, w->queued);
	add_rate(&line, RELEASED, w, w->released);
	add_rate(&line, GET, w, w->get);
	add_rate(&line, CAPPED, w, w->capped);
	add_cell(&line, RATIO, svlag_human_ratio(w->queued, w->released, ratio));
	add_backlog(&line, report->sample);
	add_state(&line, report);
	end(&line);
}

void svlag_table_columns(char text[SVLAG_LINE_SIZE])
{
	struct line line = { text, 0 };
	enum column i;

	for (i = 0; i < NR_COLUMNS; i++)
		add_cell(&line, i, columns[i].title);
	add(&line, "  state");
	end(&line);
}

static void add_era(struct line *line, const struct svlag_sample *sample)
{
	switch (svlag_era_of(sample->stats.era)) {
	case SVLAG_ERA_SYNCHRONOUS:
		add(line, ", synchronous era (release is not deferred: no depth, no wait)");
		break;
	case SVLAG_ERA_WORKQUEUE:
		add(line, ", workqueue era");
		break;
	case SVLAG_ERA_RELEASE_LIST:
		add(line, ", release list era");
		break;
	default:
		add(line, ", era %s", sample->stats.era);
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

static void add_mechanisms(struct line *line, const struct svlag_sample *sample)
{
	const char *separator = " (";
	unsigned int i;

	for (i = 0; i < sample->nr_hooks; i++) {
		if (!is_first_of_its_mechanism(sample, i))
			continue;
		add(line, "%s%s", separator, sample->hook[i].mechanism);
		separator = ", ";
	}
	if (*separator == ',')
		add(line, ")");
}

void svlag_table_head(char text[SVLAG_LINE_SIZE], const struct svlag_sample *sample,
		      const char *kernel)
{
	const struct svlag_stats *s = &sample->stats;
	struct line line = { text, 0 };
	char ok[SVLAG_HUMAN_SIZE], needed[SVLAG_HUMAN_SIZE], age[SVLAG_HUMAN_SIZE];

	add(&line, "svcrdma_lag %s", SVLAG_VERSION);
	if (kernel)
		add(&line, ", kernel %s", kernel);
	if (!svlag_is_armed(sample)) {
		add(&line, ", not armed");
	} else {
		add_era(&line, sample);
		add(&line, ", hooks %s of %s ok", svlag_human_count(s->hooks_ok, ok),
		    svlag_human_count(s->hooks_needed, needed));
		add_mechanisms(&line, sample);
		if (s->time_ns >= s->armed_ns)
			add(&line, ", armed %s", svlag_human_age(s->time_ns - s->armed_ns, age));
	}
	end(&line);
}
