// SPDX-License-Identifier: GPL-2.0
#include "render_histogram.h"

#include <stdio.h>
#include <string.h>

#include "human.h"
#include "render_table.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* A shorter bar says nothing, a longer one no more; and a line has its size. */
#define BAR_MIN		5
#define BAR_MAX		120

static const struct {
	const char *title;
	const char *done;
} times[SVLAG_NR_TIMES] = {
	[SVLAG_TIMES_WAIT]		= { "wait of send contexts", "released" },
	[SVLAG_TIMES_WRITE_INFO_WAIT]	= { "wait of write infos", "released" },
	[SVLAG_TIMES_SERVICE]		= { "work on send contexts", "done" },
	[SVLAG_TIMES_WRITE_INFO_SERVICE] = { "work on write infos", "done" },
};

/* The name of a sort's column, and what its bars are made of. */
static const struct {
	const char *title;
	const char *ascii;
	const char *utf8;
} looks[SVLAG_NR_SORTS] = {
	[SVLAG_COMPLETE]	= { "count",	"#", "\xe2\x96\x88" },	/* a full block */
	[SVLAG_LOST]		= { "lost",	"x", "\xc3\x97" },	/* a cross */
	[SVLAG_WAITING]		= { "waiting",	".", "\xe2\x96\x91" },	/* a light shade */
};

/**
 * struct drawing - a histogram in the making
 * @rows: its rows
 * @nr: how many
 * @total: all items, by their sort
 * @most: the items of the fullest row, of all sorts
 * @width: of the column of each sort; 0: there is none
 * @bar: characters in the longest bar; 0: there is no room for bars
 * @utf8: characters may be other than ASCII
 * @text: where it goes
 * @used: how much of that
 */
struct drawing {
	struct svlag_row rows[SVLAG_ROWS_MAX];
	unsigned int nr;
	__u64 total[SVLAG_NR_SORTS];
	__u64 most;
	unsigned int width[SVLAG_NR_SORTS];
	unsigned int bar;
	bool utf8;
	char *text;
	size_t used;
};

static struct svlag_line begin(const struct drawing *drawing)
{
	return (struct svlag_line){ drawing->text + drawing->used, 0 };
}

static void end(struct drawing *drawing, struct svlag_line *line)
{
	svlag_end(line);
	drawing->used += line->used;
}

static unsigned int max(unsigned int a, unsigned int b)
{
	return a > b ? a : b;
}

/* Blanks before a column, and before the bars. */
#define GUTTER		2
#define BOUND_WIDTH	7
#define WITHIN_WIDTH	8

/* The title of a sort's column ends with what its bars are made of. */
static unsigned int title_width(enum svlag_sort sort)
{
	return strlen(looks[sort].title) + 2;
}

static void measure(struct drawing *drawing, const struct svlag_terminal *terminal)
{
	unsigned int used = 2 * (GUTTER + BOUND_WIDTH) + GUTTER + WITHIN_WIDTH + GUTTER;
	char text[SVLAG_HUMAN_SIZE];
	unsigned int i;
	enum svlag_sort sort;

	for (i = 0; i < drawing->nr; i++) {
		const struct svlag_row *row = &drawing->rows[i];

		for (sort = 0; sort < SVLAG_NR_SORTS; sort++)
			drawing->total[sort] += row->count[sort];
		if (svlag_row_items(row) > drawing->most)
			drawing->most = svlag_row_items(row);
	}
	for (sort = 0; sort < SVLAG_NR_SORTS; sort++) {
		if (sort != SVLAG_COMPLETE && !drawing->total[sort])
			continue;
		drawing->width[sort] = title_width(sort);
		for (i = 0; i < drawing->nr; i++) {
			svlag_human_count(drawing->rows[i].count[sort], text);
			drawing->width[sort] = max(drawing->width[sort], strlen(text));
		}
		used += GUTTER + drawing->width[sort];
	}
	if (terminal->columns >= used + BAR_MIN)
		drawing->bar = terminal->columns - used;
	if (drawing->bar > BAR_MAX)
		drawing->bar = BAR_MAX;
	drawing->utf8 = terminal->utf8;
}

static void add_title(struct drawing *drawing, enum svlag_times what)
{
	struct svlag_line line = begin(drawing);
	char n[SVLAG_HUMAN_SIZE];

	svlag_add(&line, "%s: %s %s", times[what].title,
		  svlag_human_count(drawing->total[SVLAG_COMPLETE], n), times[what].done);
	if (drawing->total[SVLAG_LOST])
		svlag_add(&line, ", %s lost", svlag_human_count(drawing->total[SVLAG_LOST], n));
	if (drawing->total[SVLAG_WAITING])
		svlag_add(&line, ", %s still wait",
			  svlag_human_count(drawing->total[SVLAG_WAITING], n));
	end(drawing, &line);
}

static const char *mark_of(const struct drawing *drawing, enum svlag_sort sort)
{
	return drawing->utf8 ? looks[sort].utf8 : looks[sort].ascii;
}

static void add_columns(struct drawing *drawing)
{
	struct svlag_line line = begin(drawing);
	enum svlag_sort sort;

	svlag_add(&line, "%*s%*s", GUTTER + BOUND_WIDTH, "from", GUTTER + BOUND_WIDTH, "to");
	for (sort = 0; sort < SVLAG_NR_SORTS; sort++)
		if (drawing->width[sort])
			svlag_add(&line, "%*s%s %s", GUTTER + drawing->width[sort] -
				  title_width(sort), "", looks[sort].title,
				  mark_of(drawing, sort));
	svlag_add(&line, "%*s", GUTTER + WITHIN_WIDTH, "within");
	end(drawing, &line);
}

/*
 * The share of @part, rounded down, so that only all are 100 %; where few are beyond, to
 * two digits more. What was lost never counts as part: it is not known to have taken no
 * longer.
 */
static void add_share(struct svlag_line *line, __u64 part, __u64 all)
{
	char text[SVLAG_HUMAN_SIZE] = "-";
	unsigned int ppm;

	if (all && part == all) {
		strcpy(text, "100%");
	} else if (all) {
		ppm = (double)part / (double)all * 1e6;
		ppm = ppm < 1000000 ? ppm : 999999;
		if (ppm < 990000)
			snprintf(text, sizeof(text), "%u.%02u%%", ppm / 10000, ppm / 100 % 100);
		else
			snprintf(text, sizeof(text), "%u.%04u%%", ppm / 10000, ppm % 10000);
	}
	svlag_add(line, "%*s", GUTTER + WITHIN_WIDTH, text);
}

static unsigned int scale(const struct drawing *drawing, __u64 count, unsigned int units)
{
	return (double)count / (double)drawing->most * units;
}

/*
 * How many characters each sort gets, and all of them. What there is of is seen, however
 * little it be; where that makes too many the largest one pays.
 */
static unsigned int share_bar(const struct drawing *drawing, const struct svlag_row *row,
			      unsigned int cells[SVLAG_NR_SORTS])
{
	enum svlag_sort sort, largest = SVLAG_COMPLETE;
	unsigned int used = 0, end;
	__u64 sum = 0;

	for (sort = 0; sort < SVLAG_NR_SORTS; sort++) {
		sum += row->count[sort];
		end = scale(drawing, sum, drawing->bar);
		cells[sort] = end > used ? end - used : row->count[sort] > 0;
		used += cells[sort];
		if (cells[sort] > cells[largest])
			largest = sort;
	}
	if (used > drawing->bar) {
		cells[largest] -= used - drawing->bar;
		used = drawing->bar;
	}
	return used;
}

static void repeat(struct svlag_line *line, const char *mark, unsigned int nr)
{
	while (nr--)
		svlag_add(line, "%s", mark);
}

/* There are characters for one to seven eighths of a block, from the right to the left. */
static void add_part_of_block(struct svlag_line *line, unsigned int eighths)
{
	svlag_add(line, "\xe2\x96%c", 0x90 - eighths);
}

static void add_bar(struct svlag_line *line, const struct drawing *drawing,
		    const struct svlag_row *row)
{
	unsigned int cells[SVLAG_NR_SORTS];
	unsigned int used = share_bar(drawing, row, cells);
	unsigned int whole = cells[SVLAG_COMPLETE], eighths = 0;
	enum svlag_sort sort;

	if (drawing->utf8 && whole) {
		eighths = max(scale(drawing, row->count[SVLAG_COMPLETE], 8 * drawing->bar), 1);
		whole = eighths / 8 < whole ? eighths / 8 : whole;
		eighths = whole < cells[SVLAG_COMPLETE] || used < drawing->bar ? eighths % 8 : 0;
	}
	if (used)
		svlag_add(line, "%*s", GUTTER, "");
	repeat(line, mark_of(drawing, SVLAG_COMPLETE), whole);
	if (eighths)
		add_part_of_block(line, eighths);
	for (sort = SVLAG_LOST; sort < SVLAG_NR_SORTS; sort++)
		repeat(line, mark_of(drawing, sort), cells[sort]);
}

static void add_row(struct drawing *drawing, const struct svlag_row *row, __u64 within)
{
	struct svlag_line line = begin(drawing);
	__u64 upper_ns = svlag_hist_upper_ns(row->last);
	char text[SVLAG_HUMAN_SIZE];
	enum svlag_sort sort;

	svlag_add(&line, "%*s", GUTTER + BOUND_WIDTH,
		  svlag_human_fine(svlag_hist_lower_ns(row->first), text));
	svlag_add(&line, "%*s", GUTTER + BOUND_WIDTH, upper_ns == SVLAG_HIST_NO_BOUND ?
		  "or more" : svlag_human_fine(upper_ns, text));
	for (sort = 0; sort < SVLAG_NR_SORTS; sort++)
		if (drawing->width[sort])
			svlag_add(&line, "%*s", GUTTER + drawing->width[sort],
				  svlag_human_count(row->count[sort], text));
	add_share(&line, within, drawing->total[SVLAG_COMPLETE] + drawing->total[SVLAG_LOST]);
	if (drawing->bar)
		add_bar(&line, drawing, row);
	end(drawing, &line);
}

static void add_percentile(struct svlag_line *line, const char *name, bool is_known,
			   const struct svlag_percentile *p)
{
	char text[SVLAG_HUMAN_SIZE] = "-";

	if (is_known)
		svlag_human_fine(p->is_least ? p->lower_ns : p->upper_ns, text);
	svlag_add(line, "%*s%s %s%s", GUTTER, "", name, is_known && p->is_least ? ">=" : "", text);
}

static void add_percentiles(struct drawing *drawing, const struct svlag_distribution *d,
			    __u64 oldest_ns)
{
	static const struct {
		const char *name;
		unsigned int permille;
	} some[] = { { "p50", 500 }, { "p90", 900 }, { "p99", 990 }, { "p99.9", 999 } };
	struct svlag_line line = begin(drawing);
	struct svlag_percentile p;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(some); i++)
		add_percentile(&line, some[i].name,
			       svlag_waits_percentile(d, some[i].permille, &p), &p);
	add_percentile(&line, "max", svlag_waits_longest(d, oldest_ns, &p), &p);
	end(drawing, &line);
}

size_t svlag_histogram(char text[SVLAG_HISTOGRAM_SIZE], enum svlag_times what,
		       const struct svlag_distribution *d, __u64 oldest_ns,
		       const struct svlag_terminal *terminal)
{
	struct drawing drawing = { .text = text };
	__u64 within = 0;
	unsigned int i;

	text[0] = '\0';
	drawing.nr = svlag_rows_cut(d, drawing.rows);
	if (!drawing.nr)
		return 0;
	measure(&drawing, terminal);
	add_title(&drawing, what);
	add_columns(&drawing);
	for (i = 0; i < drawing.nr; i++) {
		within += drawing.rows[i].count[SVLAG_COMPLETE];
		add_row(&drawing, &drawing.rows[i], within);
	}
	add_percentiles(&drawing, d, oldest_ns);
	return drawing.used;
}

/* 0 for what is not tracked: then no distribution tells of its waits either. */
static __u64 oldest_of(const struct svlag_sample *sample, enum svlag_times what)
{
	if (what == SVLAG_TIMES_WAIT)
		return sample->stats.oldest_age_ns;
	return what == SVLAG_TIMES_WRITE_INFO_WAIT ? sample->stats.write_info_oldest_age_ns : 0;
}

static size_t put_head(char text[SVLAG_LINE_SIZE], const struct svlag_report *report)
{
	struct svlag_line line = { text, 0 };
	char n[SVLAG_HUMAN_SIZE];

	svlag_add(&line, "%s", svlag_human_clock(report->sample->stats.realtime_ns, n));
	if (report->since_arming)
		svlag_add(&line, ", since the load");
	else if (report->window->length_ns)
		svlag_add(&line, ", in %s", svlag_human_delay(report->window->length_ns, n));
	svlag_add(&line, ": ");
	svlag_table_state(&line, report);
	svlag_end(&line);
	return line.used;
}

/* Why there are no histograms. Of a reset the head has told already. */
static size_t put_none(char text[SVLAG_LINE_SIZE], const struct svlag_report *report, bool is_known)
{
	struct svlag_line line = { text, 0 };
	const struct svlag_sample *sample = report->sample;

	if (is_known)
		svlag_add(&line, "nothing was timed, and nothing waits");
	else if (sample->wait_fault[0])
		svlag_add(&line, "no histograms: %s", sample->wait_fault);
	else if (!sample->waits.known)
		svlag_add(&line, "no histograms: this module has no file wait");
	else if (report->window->reset == SVLAG_RESET_NONE)
		svlag_add(&line, "no histograms: the reading before cannot be compared");
	if (line.used)
		svlag_end(&line);
	return line.used;
}

void svlag_histograms(char text[SVLAG_HISTOGRAMS_SIZE], const struct svlag_report *report,
		      const struct svlag_terminal *terminal)
{
	const struct svlag_waits *waits = report->since_arming ? &report->sample->waits :
						&report->window->waits;
	size_t head = put_head(text, report);
	size_t used = head;
	unsigned int what;

	for (what = 0; what < SVLAG_NR_TIMES; what++)
		used += svlag_histogram(text + used, what, &waits->of[what],
					oldest_of(report->sample, what), terminal);
	if (used == head)
		used += put_none(text + used, report, waits->known);
	strcpy(text + used, "\n");
}
