// SPDX-License-Identifier: GPL-2.0
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "moment.h"
#include "render_histogram.h"

#define US	1000ULL
#define MS	1000000ULL
#define LAST	(SVLAG_HIST_BUCKETS - 1)

static char text[SVLAG_HISTOGRAMS_SIZE];
static struct svlag_distribution d;
static struct svlag_terminal terminal;

static int afresh(void **state)
{
	(void)state;
	memset(&d, 0, sizeof(d));
	terminal = (struct svlag_terminal){ .columns = 80 };
	return 0;
}

static const char *draw(enum svlag_times what, __u64 oldest_ns)
{
	size_t len;

	memset(text, 'X', sizeof(text));
	len = svlag_histogram(text, what, &d, oldest_ns, &terminal);
	assert_int_equal(len, strlen(text));
	assert_true(len < SVLAG_HISTOGRAM_SIZE);
	return text;
}

static void put(__u64 *count, __u64 ns, __u64 items)
{
	count[svlag_hist_bucket(ns)] += items;
}

static unsigned int lines(void)
{
	unsigned int nr = 0;
	const char *c;

	for (c = text; *c; c++)
		nr += *c == '\n';
	return nr;
}

/* Characters in the longest row; bytes of UTF-8 that only continue one are none. */
static unsigned int width(void)
{
	const char *c = strchr(text, '\n') + 1, *end = strstr(text, "\n  p50") + 1;
	unsigned int widest = 0, now = 0;

	for (; c < end; c++) {
		now = *c == '\n' ? 0 : now + ((*c & 0xc0) != 0x80);
		if (now > widest)
			widest = now;
	}
	return widest;
}

static void nothing(void **state)
{
	(void)state;
	assert_string_equal(draw(SVLAG_TIMES_WAIT, 0), "");
	/* What waits is in the table, or the oldest is none of this distribution. */
	assert_string_equal(draw(SVLAG_TIMES_WAIT, 5 * MS), "");
}

static void complete_ones(void **state)
{
	(void)state;
	terminal.columns = 60;
	put(d.complete, 5 * US, 10);
	put(d.complete, 8 * US, 20);
	put(d.complete, 9 * US, 970);
	assert_string_equal(draw(SVLAG_TIMES_SERVICE, 0),
"work on send contexts: 1,000 done\n"
"     from       to  count #    within\n"
"   4.86us   5.89us       10     1.00%  #\n"
"   5.89us   6.91us        0     1.00%\n"
"   6.91us   8.19us       20     3.00%  #\n"
"   8.19us   9.73us      970      100%  #####################\n"
"  p50 9.22us  p90 9.22us  p99 9.22us  p99.9 9.22us  max 9.22us\n");
}

static void all_sorts(void **state)
{
	(void)state;
	put(d.complete, 10 * US, 50);
	put(d.lost, 10 * US, 25);
	put(d.lost, 30 * US, 5);
	put(d.waiting, 10 * US, 25);
	put(d.waiting, 3000 * MS, 100);
	assert_string_equal(draw(SVLAG_TIMES_WRITE_INFO_WAIT, 3000 * MS),
"wait of write infos: 50 released, 30 lost, 125 still wait\n"
"     from       to  count #  lost x  waiting .    within\n"
"   9.73us   11.8us       50      25         25    62.50%  ###########xxxxx......\n"
"   11.8us   27.6us        0       0          0    62.50%\n"
"   27.6us   32.8us        0       5          0    62.50%  x\n"
"   32.8us    2.55s        0       0          0    62.50%\n"
"    2.55s    3.09s        0       0        100    62.50%  ......................\n"
"  p50 10.2us  p90 >=9.73us  p99 >=29.7us  p99.9 >=29.7us  max >=3.00s\n");
}

/* One that took 1 ms beside a million is seen, and so are 999,999 not taken for all. */
static void the_few_are_seen(void **state)
{
	(void)state;
	put(d.complete, 10 * US, 10000000);
	put(d.complete, MS, 1);
	draw(SVLAG_TIMES_WAIT, 0);
	assert_non_null(strstr(text, " 10,000,000  99.9999%  ####"));
	assert_non_null(strstr(text, "          1      100%  #\n"));
	assert_non_null(strstr(text, "wait of send contexts: 10,000,001 released\n"));

	/* Though the bar of the others has no room for more. */
	put(d.lost, 10 * US, 1);
	put(d.waiting, 10 * US, 1);
	draw(SVLAG_TIMES_WAIT, 0);
	assert_non_null(strstr(text, "#x.\n"));
	assert_int_equal(width(), 80);

	/* And though a double cannot tell the share from 1. */
	memset(&d.lost, 0, sizeof(d.lost));
	put(d.complete, 10 * US, SVLAG_ITEMS_MAX - 10000001);
	draw(SVLAG_TIMES_WAIT, 0);
	assert_non_null(strstr(text, "18,014,398,509,481,983  "));
	assert_non_null(strstr(text, "  99.9999%  #####"));
	assert_null(strstr(text, "100.0000%"));
	assert_int_equal(width(), 80);
}

static void none_left(void **state)
{
	(void)state;
	put(d.waiting, 2 * MS, 3);
	draw(SVLAG_TIMES_WAIT, 2 * MS);
	assert_non_null(strstr(text, ": 0 released, 3 still wait\n"));
	assert_non_null(strstr(text, "          3         -  ."));
	assert_non_null(strstr(text, "\n  p50 -  p90 -  p99 -  p99.9 -  max >=2.00ms\n"));
}

static void the_first_and_the_last_bucket(void **state)
{
	(void)state;
	d.complete[0] = d.complete[LAST] = 1;
	draw(SVLAG_TIMES_WAIT, 0);
	assert_non_null(strstr(text, "\n        0   1.02us "));
	assert_non_null(strstr(text, "\n     550s  or more        1      100%  #"));
	assert_non_null(strstr(text, "  max >=10.3min\n"));
	assert_int_equal(lines(), 3 + 3);
}

/* Whatever is where, there are few rows, and each item is in one of them. */
static void rows_are_few(void **state)
{
	unsigned int from, to, bucket;

	(void)state;
	for (from = 0; from < SVLAG_HIST_BUCKETS; from += 31)
		for (to = from; to < SVLAG_HIST_BUCKETS; to += 7) {
			const char *line;
			__u64 sum = 0;

			memset(&d, 0, sizeof(d));
			for (bucket = from; bucket <= to; bucket++)
				d.complete[bucket] = 1;
			draw(SVLAG_TIMES_WAIT, 0);
			assert_in_range(lines(), 3 + 1, 3 + SVLAG_ROWS_MAX);
			for (line = strchr(strchr(text, '\n') + 1, '\n') + 1; strncmp(line, "  p50", 5);
			     line = strchr(line, '\n') + 1) {
				char lower[16], upper[16], count[16];

				assert_int_equal(sscanf(line, "%15s or more %15s", lower, count) == 2 ||
						 sscanf(line, "%15s %15s %15s", lower, upper, count) == 3,
						 1);
				sum += strtoul(count, NULL, 10);
			}
			assert_int_equal(sum, to - from + 1);
		}
}

/* The stretch without items, too, takes a row, and the one beyond it another. */
static void a_gap_takes_a_row(void **state)
{
	unsigned int quarters;

	(void)state;
	for (quarters = 1; quarters <= SVLAG_ROWS_MAX; quarters++) {
		unsigned int bucket, nr;

		memset(&d, 0, sizeof(d));
		/* From 1.02 us on, a power of two is sixteen buckets. */
		for (bucket = 2; bucket < 2 + 4 * quarters; bucket++)
			d.complete[bucket] = 1;
		d.complete[LAST - 3] = 1;
		draw(SVLAG_TIMES_WAIT, 0);
		nr = lines() - 3;
		assert_in_range(nr, 3, SVLAG_ROWS_MAX);
		assert_non_null(strstr(text, "      100%  "));
	}
}

/* On a logarithmic scale rows are equally wide, or their bars would lie. */
static void rows_are_equally_wide(void **state)
{
	unsigned int bucket, nr = 0;
	double lower, upper;
	char *line;

	(void)state;
	for (bucket = svlag_hist_bucket(1100 * US); bucket <= svlag_hist_bucket(30 * MS); bucket++)
		d.complete[bucket] = 1;
	draw(SVLAG_TIMES_WAIT, 0);
	for (line = strchr(strchr(text, '\n') + 1, '\n') + 1;
	     sscanf(line, "%lfms %lfms", &lower, &upper) == 2; line = strchr(line, '\n') + 1, nr++)
		assert_true(upper / lower > 1.165 && upper / lower < 1.215);
	assert_int_equal(nr, 20);
}

static void in_utf8(void **state)
{
	(void)state;
	terminal.utf8 = true;
	terminal.columns = 66;
	put(d.complete, 10 * US, 64);
	put(d.complete, 30 * US, 5);
	put(d.lost, 30 * US, 1);
	put(d.waiting, 30 * US, 8);
	draw(SVLAG_TIMES_WAIT, 0);
	assert_non_null(strstr(text, " count \xe2\x96\x88  lost \xc3\x97  waiting \xe2\x96\x91 "));
	/* Of 8 characters: 64 fill them, 5 are five eighths of one, 1 and 8 are one each. */
	assert_non_null(strstr(text, "91.42%  \xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"
				     "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\n"));
	assert_non_null(strstr(text, "98.57%  \xe2\x96\x8b\xc3\x97\xe2\x96\x91\n"));
	assert_int_equal(width(), 66);
}

/* No line is wider than the terminal, but for what the numbers take. */
static void the_width_is_kept(void **state)
{
	unsigned int columns, bare;

	(void)state;
	put(d.complete, 10 * US, 5000000);
	put(d.complete, 20 * US, 1);
	put(d.lost, 10 * US, 1000000);
	put(d.waiting, 10 * US, 7000000);
	put(d.waiting, 40 * US, 1);
	terminal.columns = SVLAG_COLUMNS_MIN;
	draw(SVLAG_TIMES_WAIT, 0);
	bare = width();
	for (columns = SVLAG_COLUMNS_MIN; columns <= SVLAG_COLUMNS_MAX; columns++) {
		terminal.columns = columns;
		terminal.utf8 = !terminal.utf8;
		draw(SVLAG_TIMES_WAIT, 0);
		/* Two blanks, and a bar of 5 to 120. */
		if (columns >= bare + 7 && columns <= bare + 122)
			assert_int_equal(width(), columns);
		else if (columns < bare + 7)
			assert_int_equal(width(), bare);
		else
			assert_int_equal(width(), bare + 122);
	}
}

static struct svlag_sample sample, before;
static struct svlag_window window;
static struct svlag_judgement judgement;

static void draw_window(void)
{
	struct svlag_report report = { &sample, &window, &judgement, false };
	struct svlag_watch watch = { .before = SVLAG_STATE_KEEPING_UP };

	svlag_diff(&before, &sample, &window);
	svlag_judge_window(&watch, &before, &sample, &window, &judgement);
	svlag_histograms(text, &report, &terminal);
}

static void draw_since_load(void)
{
	struct svlag_report report = { &sample, &window, &judgement, true };

	svlag_since_arming(&sample, &window);
	svlag_judge_sample(&sample, &window, &judgement);
	svlag_histograms(text, &report, &terminal);
}

static int two_moments(void **state)
{
	before = moment(10);
	sample = moment(15);
	return afresh(state);
}

static void a_window(void **state)
{
	(void)state;
	put(before.waits.of[SVLAG_TIMES_WAIT].complete, 10 * US, 7);
	put(sample.waits.of[SVLAG_TIMES_WAIT].complete, 10 * US, 10);
	put(sample.waits.of[SVLAG_TIMES_WRITE_INFO_SERVICE].complete, 10 * US, 2);
	sample.stats.oldest_age_ns = 70 * US;
	sample.stats.write_info_oldest_age_ns = 80 * US;
	draw_window();
	assert_ptr_equal(strstr(text, "00:01:55, in 5.0s: keeping-up\n"
				"wait of send contexts: 3 released\n"), text);
	assert_non_null(strstr(text, "  max >=70.0us\nwork on write infos: 2 done\n"));
	assert_non_null(strstr(text, "  max 10.2us\n\n"));
	assert_string_equal(text + strlen(text) - 8, "10.2us\n\n");

	put(sample.waits.of[SVLAG_TIMES_WRITE_INFO_WAIT].complete, 10 * US, 2);
	draw_window();
	assert_non_null(strstr(text, "  max >=80.0us\nwork on"));
}

static void the_first_is_since_the_load(void **state)
{
	(void)state;
	put(sample.waits.of[SVLAG_TIMES_WAIT].complete, 10 * US, 10);
	draw_since_load();
	assert_ptr_equal(strstr(text, "00:01:55, since the load: keeping-up\n"
				"wait of send contexts: 10 released\n"), text);
	/* Histograms go back to the load, however often the hooks were armed. */
	sample.stats.arm_generation = 2;
	draw_since_load();
	assert_non_null(strstr(text, ": 10 released\n"));
}

static void no_histograms(void **state)
{
	(void)state;
	draw_window();
	assert_string_equal(text, "00:01:55, in 5.0s: keeping-up\n"
			    "nothing was timed, and nothing waits\n\n");
	put(before.waits.of[SVLAG_TIMES_WAIT].complete, 10 * US, 7);
	draw_window();
	assert_non_null(strstr(text, "\nno histograms: the reading before cannot be compared\n\n"));
	sample.waits.known = false;
	draw_window();
	assert_non_null(strstr(text, "\nno histograms: this module has no file wait\n\n"));
	strcpy(sample.wait_fault, "wait is damaged in row 7");
	draw_window();
	assert_non_null(strstr(text, "\nno histograms: wait is damaged in row 7\n\n"));
	sample = moment(15);
	sample.stats.load_id++;
	draw_window();
	assert_string_equal(text, "00:01:55: reset: svcrdma_lag was loaded anew\n\n");
}

/* All that there can be, in lines as long as they can be. */
static void the_largest(void **state)
{
	unsigned int what, bucket;

	(void)state;
	terminal = (struct svlag_terminal){ .columns = SVLAG_COLUMNS_MAX, .utf8 = true };
	for (what = 0; what < SVLAG_NR_TIMES; what++)
		for (bucket = 0; bucket < SVLAG_HIST_BUCKETS; bucket++) {
			sample.waits.of[what].complete[bucket] = SVLAG_ITEMS_MAX / 1000;
			sample.waits.of[what].lost[bucket] = SVLAG_ITEMS_MAX / 1000;
			sample.waits.of[what].waiting[bucket] = SVLAG_ITEMS_MAX / 500;
		}
	draw_since_load();
	assert_in_range(lines(), 60, 2 + SVLAG_NR_TIMES * (SVLAG_ROWS_MAX + 3));
	assert_true(strlen(text) < sizeof(text));
	assert_string_equal(text + strlen(text) - 2, "\n\n");
	assert_int_equal(lines(), 2 + SVLAG_NR_TIMES * (3 + 16));
}

#define AFRESH(test)	cmocka_unit_test_setup(test, afresh)
#define WINDOW(test)	cmocka_unit_test_setup(test, two_moments)

int main(void)
{
	const struct CMUnitTest tests[] = {
		AFRESH(nothing),
		AFRESH(complete_ones),
		AFRESH(all_sorts),
		AFRESH(the_few_are_seen),
		AFRESH(none_left),
		AFRESH(the_first_and_the_last_bucket),
		AFRESH(rows_are_few),
		AFRESH(a_gap_takes_a_row),
		AFRESH(rows_are_equally_wide),
		AFRESH(in_utf8),
		AFRESH(the_width_is_kept),
		WINDOW(a_window),
		WINDOW(the_first_is_since_the_load),
		WINDOW(no_histograms),
		WINDOW(the_largest),
	};

	setenv("TZ", "UTC", 1);
	tzset();
	return RUN(tests);
}
