// SPDX-License-Identifier: GPL-2.0
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "moment.h"
#include "render_table.h"

static char line[SVLAG_LINE_SIZE];
static struct svlag_sample from, to;
static struct svlag_window window;
static struct svlag_judgement judgement;

static void show(enum svlag_state before)
{
	struct svlag_report report = { &to, &window, &judgement, false };
	struct svlag_watch watch = { .before = before };

	svlag_diff(&from, &to, &window);
	svlag_judge_window(&watch, &from, &to, &window, &judgement);
	svlag_table_row(line, &report);
	assert_int_equal(line[strlen(line) - 1], '\n');
}

static void show_since_arming(void)
{
	struct svlag_report report = { &to, &window, &judgement, true };

	svlag_since_arming(&to, &window);
	svlag_judge_sample(&to, &window, &judgement);
	svlag_table_row(line, &report);
}

static int two_moments(void **state)
{
	(void)state;
	from = moment(10);
	to = moment(15);
	return 0;
}

#define assert_line(expected)	assert_string_equal(line, expected "\n")
#define assert_ends(expected)	\
	assert_string_equal(line + strlen(line) - strlen(expected "\n"), expected "\n")

#define COLUMNS	\
"    time   queued/s  released/s      get/s  capped/s   q/r       depth    wait     p50     p99     max  state"

static void columns(void **state)
{
	(void)state;
	svlag_table_columns(line);
	assert_line(COLUMNS);
}

static void a_usual_row(void **state)
{
	(void)state;
	to.stats.depth = 3;
	to.stats.curve_wait_ns = 11250;
	show(SVLAG_STATE_KEEPING_UP);
	assert_line("00:01:55      1,000       1,000      1,000         -  1.00"
		    "           3    11us       -       -       -  keeping-up");
}

static void a_row_from_the_field(void **state)
{
	(void)state;
	to.stats.wc_send_total = from.stats.wc_send_total + 5 * 4320000ULL;
	to.stats.released_total = from.stats.released_total + 5 * 3420000ULL;
	to.stats.get_total = from.stats.get_total + 5 * 4321000ULL;
	from.stats.capped_total = 0;
	to.stats.capped_total = 5 * 1200;
	to.stats.depth = 4500000;
	to.stats.curve_wait_ns = 1316 * 1000000ULL;
	show(SVLAG_STATE_KEEPING_UP);
	assert_line("00:01:55  4,320,000   3,420,000  4,321,000     1,200  1.26"
		    "   4,500,000    1.3s       -       -       -  behind: +900,000/s");
}

/* The state begins where its title does, in whatever row fits its columns. */
static void columns_are_aligned(void **state)
{
	const size_t column = strlen(COLUMNS) - strlen("state");

	(void)state;
	show(SVLAG_STATE_KEEPING_UP);
	assert_memory_equal(line + column - 2, "  keeping-up", 12);
	to.stats.depth = 4104320;
	strcpy(to.stats.depth_settled, "no");
	to.stats.curve_wait_ns = 1200000000;
	strcpy(to.stats.curve_wait_censored, "yes");
	to.stats.oldest_age_ns = 999000000;
	to.waits.of[SVLAG_TIMES_WAIT].complete[0] = 1;
	show(SVLAG_STATE_KEEPING_UP);
	assert_memory_equal(line + column - 46,
			    " >=4,104,320  >=1.2s   991ns   991ns >=999ms  behind", 52);
	to.stats.arm_generation = 2;
	show(SVLAG_STATE_KEEPING_UP);
	assert_memory_equal(line + column - 2, "  reset", 7);
}

static void wide_numbers_push_no_further_than_they_must(void **state)
{
	(void)state;
	to.stats.wc_send_total = 5000000000000000ULL;
	to.stats.released_total = from.stats.released_total;
	show(SVLAG_STATE_KEEPING_UP);
	assert_memory_equal(line, "00:01:55 999,999,999,998,000  0      1,000 ", 43);

	to.stats.wc_send_total = SVLAG_UNKNOWN - 1;
	to.stats.get_total = SVLAG_UNKNOWN - 1;
	to.stats.depth = SVLAG_UNKNOWN - 1;
	to.stats.curve_wait_ns = SVLAG_UNKNOWN - 1;
	to.stats.oldest_age_ns = SVLAG_UNKNOWN - 1;
	show(SVLAG_STATE_KEEPING_UP);
	assert_ends(" 18,446,744,073,709,551,614 5124096h - - >=5124096h"
		    "  behind: +3,689,348,814,741,907,968/s");
}

/* What the columns of depth and of the waits say, in a row of no other news. */
#define assert_backlog(expected)	\
	assert_memory_equal(line + strlen(COLUMNS) - strlen("state") - 46, expected "  ", 46)

static void lower_bounds_are_marked(void **state)
{
	(void)state;
	strcpy(to.stats.depth_settled, "no");
	strcpy(to.stats.curve_wait_censored, "yes");
	to.stats.depth = 7;
	to.stats.curve_wait_ns = 12000000;
	show(SVLAG_STATE_KEEPING_UP);
	assert_backlog("         >=7  >=12ms       -       -       -");
	/* At least none, for at least no time: that is not known. */
	to.stats.depth = to.stats.curve_wait_ns = 0;
	show(SVLAG_STATE_KEEPING_UP);
	assert_backlog("           -       -       -       -       -");
	strcpy(to.stats.depth_settled, "yes");
	strcpy(to.stats.curve_wait_censored, "no");
	show(SVLAG_STATE_KEEPING_UP);
	assert_backlog("           0       0       -       -       -");
}

#define US	1000ULL
#define MS	1000000ULL

static void waits_of_the_window(void **state)
{
	struct svlag_distribution *before = &from.waits.of[SVLAG_TIMES_WAIT];
	struct svlag_distribution *d = &to.waits.of[SVLAG_TIMES_WAIT];

	/* What had been there before does not count, nor does what waits. */
	(void)state;
	before->complete[svlag_hist_bucket(100 * MS)] = 1000000;
	d->complete[svlag_hist_bucket(100 * MS)] = 1000000;
	d->complete[svlag_hist_bucket(10 * US)] = 980;
	d->complete[svlag_hist_bucket(MS)] = 20;
	d->waiting[svlag_hist_bucket(200 * MS)] = 5000;
	show(SVLAG_STATE_KEEPING_UP);
	assert_backlog("           0       0    10us   1.0ms   1.0ms");

	/* Two are lost: of the longest two of 1,002 it is known that they are no shorter. */
	d->lost[svlag_hist_bucket(2 * MS)] = 2;
	show(SVLAG_STATE_KEEPING_UP);
	assert_backlog("           0       0    10us   1.0ms >=2.0ms");
	d->lost[svlag_hist_bucket(2 * MS)] = 20;
	show(SVLAG_STATE_KEEPING_UP);
	assert_backlog("           0       0    10us >=2.0ms >=2.0ms");

	/* The oldest still waits, and longer than any that left. */
	to.stats.oldest_age_ns = 200 * MS;
	show(SVLAG_STATE_KEEPING_UP);
	assert_backlog("           0       0    10us >=2.0ms >=200ms");
	to.stats.oldest_age_ns = 5 * US;
	show(SVLAG_STATE_KEEPING_UP);
	assert_backlog("           0       0    10us >=2.0ms >=2.0ms");
}

static void none_left_and_the_oldest_waits(void **state)
{
	(void)state;
	to.stats.oldest_age_ns = 3000 * MS;
	show(SVLAG_STATE_KEEPING_UP);
	assert_backlog("           0       0       -       -  >=3.0s");
	/* Of a window whose waits are not known neither is the longest. */
	to.waits.known = false;
	show(SVLAG_STATE_KEEPING_UP);
	assert_backlog("           0       0       -       -       -");
}

static void waits_since_the_arming(void **state)
{
	(void)state;
	to.waits.of[SVLAG_TIMES_WAIT].complete[svlag_hist_bucket(10 * US)] = 3;
	to.waits.of[SVLAG_TIMES_WRITE_INFO_WAIT].complete[svlag_hist_bucket(MS)] = 300;
	show_since_arming();
	assert_backlog("           0       0    10us    10us    10us");
	to.stats.arm_generation = 2;
	show_since_arming();
	assert_backlog("           0       0       -       -       -");
}

static void unknown_values(void **state)
{
	(void)state;
	memset(&to.stats.realtime_ns, 0xff, sizeof(__u64));
	to.stats.get_total = SVLAG_UNKNOWN;
	to.stats.curve_wait_ns = SVLAG_UNKNOWN;
	strcpy(to.stats.curve_wait_censored, "yes");
	to.stats.depth = SVLAG_UNKNOWN;
	strcpy(to.stats.depth_settled, "no");
	show(SVLAG_STATE_KEEPING_UP);
	assert_line("       -      1,000       1,000          -         -  1.00"
		    "           -       -       -       -       -"
		    "  unknown: stats does not give depth");
}

static void nothing_released_has_no_ratio(void **state)
{
	(void)state;
	to.stats.released_total = from.stats.released_total;
	to.stats.depth = from.stats.depth = 1234;
	show(SVLAG_STATE_KEEPING_UP);
	assert_ends("    -       1,234       0       -       -       -  stalled: 1,234 wait, none was released");
	strcpy(to.stats.era, "release_list");
	show(SVLAG_STATE_KEEPING_UP);
	assert_ends("stalled: 1,234 wait for a reply to drain the release list");
}

static void draining(void **state)
{
	(void)state;
	from.stats.depth = from.stats.depth_high = 100000;
	to.stats.depth = 40000;
	to.stats.released_total = from.stats.released_total + 65000;
	show(SVLAG_STATE_BEHIND);
	assert_ends("draining: empty in 3 s");
	to.stats.depth = 2400000;
	from.stats.depth = 3000000;
	show(SVLAG_STATE_BEHIND);
	assert_ends("draining: empty in 3 min 20 s");
	to.stats.depth = 11999;
	show(SVLAG_STATE_BEHIND);
	assert_ends("draining: empty in less than 1 s");
	to.stats.depth = 0;
	show(SVLAG_STATE_BEHIND);
	assert_ends("draining: empty");
	strcpy(to.stats.depth_settled, "no");
	show(SVLAG_STATE_BEHIND);
	assert_ends("draining: from before the arming");
}

static void behind_may_hold_its_depth(void **state)
{
	(void)state;
	from.stats.depth = from.stats.depth_high = 100000;
	to.stats.depth = 99990;
	to.stats.released_total = from.stats.released_total + 5010;
	show(SVLAG_STATE_BEHIND);
	assert_ends("behind: -2/s");
	to.stats.released_total -= 10;
	show(SVLAG_STATE_BEHIND);
	assert_ends("behind: +0/s");
}

static void broken_hooks(void **state)
{
	(void)state;
	to.stats.hooks_ok = 1;
	strcpy(to.hook[1].verdict, "silent");
	show(SVLAG_STATE_KEEPING_UP);
	assert_ends("unknown: hook svc_rdma_wc_send is silent");
	strcpy(to.hook[1].verdict, "failed:-22");
	show(SVLAG_STATE_KEEPING_UP);
	assert_ends("unknown: hook svc_rdma_wc_send failed with -22");
	strcpy(to.hook[1].symbol, "-");
	strcpy(to.hook[1].verdict, "absent");
	show(SVLAG_STATE_KEEPING_UP);
	assert_ends("unknown: hook wc_send is absent");
	to.nr_hooks = 0;
	show(SVLAG_STATE_KEEPING_UP);
	assert_ends("unknown: a hook is not ok");
}

static void resets(void **state)
{
	(void)state;
	to.stats.load_id++;
	show(SVLAG_STATE_KEEPING_UP);
	assert_line("00:01:55          -           -          -         -     -"
		    "           0       0       -       -       -  reset: svcrdma_lag was loaded anew");
	to = moment(15);
	to.stats.arm_generation++;
	show(SVLAG_STATE_KEEPING_UP);
	assert_ends("reset: the hooks were armed anew");
	to = moment(15);
	to.stats.released_total = 3;
	show(SVLAG_STATE_KEEPING_UP);
	assert_ends("reset: released_total fell");
	to = moment(10);
	show(SVLAG_STATE_KEEPING_UP);
	assert_ends("unknown: time_ns stood still");
	to = moment(15);
	to.stats.armed_ns = SVLAG_UNKNOWN;
	show(SVLAG_STATE_KEEPING_UP);
	assert_ends("not armed: waiting for rpcrdma");
}

static void what_does_not_add_up_is_marked(void **state)
{
	(void)state;
	to.stats.released_total++;
	show(SVLAG_STATE_KEEPING_UP);
	assert_ends("keeping-up (does not add up)");
}

static void the_row_since_the_arming(void **state)
{
	(void)state;
	show_since_arming();
	assert_line("00:01:55      1,000       1,000      1,001         -  1.00"
		    "           0       0       -       -       -  keeping-up (rates since the arming)");
	to.stats.arm_generation = 2;
	show_since_arming();
	assert_line("00:01:55          -           -          -         -     -"
		    "           0       0       -       -       -"
		    "  keeping-up (armed more than once: no rates since then)");
	strcpy(to.stats.state, "unknown");
	show_since_arming();
	assert_ends("unknown: too early to tell (armed more than once: no rates since then)");
	to.stats.armed_ns = SVLAG_UNKNOWN;
	show_since_arming();
	assert_ends("not armed: waiting for rpcrdma");
}

static void the_synchronous_era(void **state)
{
	(void)state;
	strcpy(from.stats.era, "synchronous");
	strcpy(to.stats.era, "synchronous");
	to.stats.depth = 5;
	to.stats.curve_wait_ns = 5;
	show(SVLAG_STATE_KEEPING_UP);
	assert_line("00:01:55      1,000       1,000      1,000         -  1.00"
		    "           -       -       -       -       -  keeping-up, 8 live");
	strcpy(to.stats.live_settled, "no");
	show(SVLAG_STATE_KEEPING_UP);
	assert_ends("  keeping-up, at least 8 live");
	show_since_arming();
	assert_ends("  keeping-up, at least 8 live (rates since the arming)");
	to.stats.live_ctxts = 0;
	show(SVLAG_STATE_KEEPING_UP);
	assert_ends("  keeping-up");
	strcpy(to.stats.live_settled, "yes");
	show(SVLAG_STATE_KEEPING_UP);
	assert_ends("  keeping-up, 0 live");
	to.stats.live_ctxts = SVLAG_UNKNOWN;
	show(SVLAG_STATE_KEEPING_UP);
	assert_ends("  keeping-up");
}

static void drains(void **state)
{
	(void)state;
	strcpy(from.stats.era, "release_list");
	strcpy(to.stats.era, "release_list");
	from.stats.drain_batch_total = 20000;
	to.stats.drain_batch_total = 22500;
	show(SVLAG_STATE_KEEPING_UP);
	assert_ends("  keeping-up, 2.00 a drain");
	to.stats.depth = 20000;
	show(SVLAG_STATE_BEHIND);
	assert_ends("  behind: +0/s, 2.00 a drain");
	to.stats.drain_batch_total = 20000;
	show(SVLAG_STATE_BEHIND);
	assert_ends("  behind: +0/s");
	to.stats.drain_batch_total = 22500;
	to.stats.released_total = SVLAG_UNKNOWN;
	show(SVLAG_STATE_BEHIND);
	assert_ends("  unknown: stats does not give released_total");
}

static void heads(void **state)
{
	(void)state;
	svlag_table_head(line, &to, "6.12.117");
	assert_line("svcrdma_lag " SVLAG_VERSION ", kernel 6.12.117, workqueue era, "
		    "hooks 2 of 2 ok (ftrace), armed 15 s");
	strcpy(to.stats.era, "release_list");
	strcpy(to.hook[1].mechanism, "kprobe");
	to.stats.hooks_ok = 1;
	svlag_table_head(line, &to, NULL);
	assert_line("svcrdma_lag " SVLAG_VERSION ", release list era, "
		    "hooks 1 of 2 ok (ftrace, kprobe), armed 15 s");
	strcpy(to.stats.era, "synchronous");
	to.nr_hooks = 0;
	svlag_table_head(line, &to, NULL);
	assert_line("svcrdma_lag " SVLAG_VERSION ", synchronous era (release is not deferred: "
		    "no depth, no wait), hooks 1 of 2 ok, armed 15 s");
	strcpy(to.stats.era, "new_era");
	svlag_table_head(line, &to, NULL);
	assert_non_null(strstr(line, ", era new_era, "));
	to.stats.armed_ns = SVLAG_UNKNOWN;
	svlag_table_head(line, &to, NULL);
	assert_line("svcrdma_lag " SVLAG_VERSION ", not armed");
}

static void a_line_is_cut_before_its_newline(void **state)
{
	char kernel[2 * SVLAG_LINE_SIZE];

	(void)state;
	memset(kernel, 'k', sizeof(kernel));
	kernel[sizeof(kernel) - 1] = '\0';
	svlag_table_head(line, &to, kernel);
	assert_int_equal(strlen(line), SVLAG_LINE_SIZE - 1);
	assert_int_equal(line[SVLAG_LINE_SIZE - 2], '\n');
}

#define ROW(test)	cmocka_unit_test_setup(test, two_moments)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns),
		ROW(a_usual_row),
		ROW(a_row_from_the_field),
		ROW(columns_are_aligned),
		ROW(wide_numbers_push_no_further_than_they_must),
		ROW(lower_bounds_are_marked),
		ROW(waits_of_the_window),
		ROW(none_left_and_the_oldest_waits),
		ROW(waits_since_the_arming),
		ROW(unknown_values),
		ROW(nothing_released_has_no_ratio),
		ROW(draining),
		ROW(behind_may_hold_its_depth),
		ROW(broken_hooks),
		ROW(resets),
		ROW(what_does_not_add_up_is_marked),
		ROW(the_row_since_the_arming),
		ROW(the_synchronous_era),
		ROW(drains),
		ROW(heads),
		ROW(a_line_is_cut_before_its_newline),
	};

	setenv("TZ", "UTC", 1);
	tzset();
	return RUN(tests);
}
