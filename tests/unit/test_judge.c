// SPDX-License-Identifier: GPL-2.0
#include "test.h"

#include <string.h>

#include "judge.h"
#include "moment.h"

static struct svlag_watch watch;
static struct svlag_judgement j;

/* Judges the window between two samples, after a window that was @before. */
static void judge_after(enum svlag_state before, const struct svlag_sample *from,
			const struct svlag_sample *to)
{
	struct svlag_window w;

	memset(&watch, 0, sizeof(watch));
	watch.before = before;
	svlag_diff(from, to, &w);
	svlag_judge_window(&watch, from, to, &w, &j);
}

static void judge(const struct svlag_sample *from, const struct svlag_sample *to)
{
	judge_after(SVLAG_STATE_KEEPING_UP, from, to);
}

static void set_depth(struct svlag_sample *s, __u64 depth)
{
	s->stats.depth = s->stats.depth_low = s->stats.depth_high = depth;
}

static void keeping_up(void **state)
{
	struct svlag_sample from = moment(10), to = moment(11);

	(void)state;
	judge(&from, &to);
	assert_int_equal(j.state, SVLAG_STATE_KEEPING_UP);
	assert_int_equal(j.doubt, SVLAG_DOUBT_NONE);
	assert_int_equal(j.growth, 0);
	assert_int_equal(j.empty_in_ns, SVLAG_UNKNOWN);
	assert_true(svlag_is_conserved(&j));
	assert_int_equal(watch.before, SVLAG_STATE_KEEPING_UP);
}

static void behind_grows(void **state)
{
	struct svlag_sample from = moment(10), to = moment(12);

	(void)state;
	to.stats.released_total -= 1001;
	set_depth(&to, 1001);
	set_depth(&from, 200);
	judge(&from, &to);
	assert_int_equal(j.state, SVLAG_STATE_BEHIND);
	/* 1,000/s and 500/s, as they are shown. */
	assert_int_equal(j.growth, 500);
	assert_int_equal(j.empty_in_ns, SVLAG_UNKNOWN);
	assert_int_equal(watch.before, SVLAG_STATE_BEHIND);
}

static void draining_ends(void **state)
{
	struct svlag_sample from = moment(10), to = moment(12);

	(void)state;
	set_depth(&from, 10000);
	set_depth(&to, 4000);
	to.stats.released_total = from.stats.released_total + 8000;
	judge(&from, &to);
	assert_int_equal(j.state, SVLAG_STATE_DRAINING);
	assert_int_equal(j.growth, -3000);
	/* 4,000 are left, and 6,000 net went in 2 s. */
	assert_int_equal(j.empty_in_ns, 4000 * 2 * SECOND_NS / 6000);
	assert_true(svlag_is_conserved(&j));
}

static void the_state_before_counts(void **state)
{
	struct svlag_sample from = moment(10), to = moment(11);

	(void)state;
	set_depth(&from, 90);
	set_depth(&to, 80);
	judge_after(SVLAG_STATE_DRAINING, &from, &to);
	assert_int_equal(j.state, SVLAG_STATE_DRAINING);
	judge_after(SVLAG_STATE_IDLE, &from, &to);
	assert_int_equal(j.state, SVLAG_STATE_KEEPING_UP);
}

static void the_watch_begins_with_the_modules_state(void **state)
{
	struct svlag_sample s = moment(10);

	(void)state;
	strcpy(s.stats.state, "behind");
	svlag_watch_begin(&watch, &s);
	assert_int_equal(watch.before, SVLAG_STATE_BEHIND);
	assert_int_equal(watch.got, 0);
}

static void a_broken_hook_is_named(void **state)
{
	struct svlag_sample from = moment(10), to = moment(11);

	(void)state;
	strcpy(to.hook[1].verdict, "silent");
	strcpy(to.hook[2].verdict, "failed:-22");
	to.stats.hooks_ok = 1;
	judge(&from, &to);
	assert_int_equal(j.state, SVLAG_STATE_UNKNOWN);
	assert_int_equal(j.doubt, SVLAG_DOUBT_HOOKS);
	assert_ptr_equal(j.hook, &to.hook[1]);

	to.nr_hooks = 0;
	judge(&from, &to);
	assert_int_equal(j.doubt, SVLAG_DOUBT_HOOKS);
	assert_null(j.hook);
}

static void a_hook_that_was_broken_at_the_beginning(void **state)
{
	struct svlag_sample from = moment(10), to = moment(11);

	(void)state;
	strcpy(from.hook[0].verdict, "silent");
	from.stats.hooks_ok = 1;
	judge(&from, &to);
	assert_int_equal(j.state, SVLAG_STATE_UNKNOWN);
	assert_int_equal(j.doubt, SVLAG_DOUBT_HOOKS);
	assert_ptr_equal(j.hook, &from.hook[0]);
}

static void missing_numbers_are_named(void **state)
{
	static const struct {
		const char *name;
		size_t offset;
	} needed[] = {
#define NEEDED(name)	{ #name, offsetof(struct svlag_stats, name) }
		NEEDED(wc_send_total), NEEDED(released_total), NEEDED(depth),
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(needed); i++) {
		struct svlag_sample from = moment(10), to = moment(11);

		memset((char *)&to.stats + needed[i].offset, 0xff, sizeof(__u64));
		judge(&from, &to);
		assert_int_equal(j.state, SVLAG_STATE_UNKNOWN);
		assert_int_equal(j.doubt, SVLAG_DOUBT_MISSING);
		assert_string_equal(j.missing, needed[i].name);
	}
}

static void hooks_that_are_not_counted(void **state)
{
	struct svlag_sample from = moment(10), to = moment(11);

	(void)state;
	to.stats.hooks_ok = to.stats.hooks_needed = SVLAG_UNKNOWN;
	judge(&from, &to);
	assert_int_equal(j.state, SVLAG_STATE_UNKNOWN);
	assert_string_equal(j.missing, "hooks_needed");
}

static void resets_and_armings(void **state)
{
	struct svlag_sample from = moment(10), to = moment(11);

	(void)state;
	to.stats.arm_generation = 2;
	strcpy(to.stats.state, "idle");
	judge_after(SVLAG_STATE_BEHIND, &from, &to);
	assert_int_equal(j.state, SVLAG_STATE_UNKNOWN);
	assert_int_equal(j.doubt, SVLAG_DOUBT_RESET);
	assert_int_equal(watch.before, SVLAG_STATE_IDLE);

	to.stats.armed_ns = SVLAG_UNKNOWN;
	judge(&from, &to);
	assert_int_equal(j.doubt, SVLAG_DOUBT_UNARMED);
	to.stats.arm_generation = 1;
	judge(&from, &to);
	assert_int_equal(j.doubt, SVLAG_DOUBT_UNARMED);
}

static void no_time_no_state(void **state)
{
	struct svlag_sample from = moment(10), to = moment(10);

	(void)state;
	judge(&from, &to);
	assert_int_equal(j.state, SVLAG_STATE_UNKNOWN);
	assert_int_equal(j.doubt, SVLAG_DOUBT_CLOCK);
}

static void synchronous_has_no_depth(void **state)
{
	struct svlag_sample from = moment(10), to = moment(11);

	(void)state;
	strcpy(from.stats.era, "synchronous");
	strcpy(to.stats.era, "synchronous");
	set_depth(&from, SVLAG_UNKNOWN);
	set_depth(&to, SVLAG_UNKNOWN);
	judge(&from, &to);
	assert_int_equal(j.state, SVLAG_STATE_KEEPING_UP);
	assert_true(svlag_is_conserved(&j));
}

static void releases_add_up(void **state)
{
	struct svlag_sample from = moment(10), to = moment(11);

	/* 1,000 completions, 3 at most waited, 5 had not been seen. */
	(void)state;
	from.stats.depth_high = 3;
	to.stats.depth_correction = 5;
	to.stats.released_total += 8;
	judge(&from, &to);
	assert_int_equal(j.too_many_released, 0);
	to.stats.released_total++;
	judge(&from, &to);
	assert_int_equal(j.too_many_released, 1);
	assert_false(svlag_is_conserved(&j));

	from.stats.depth_high = SVLAG_UNKNOWN;
	judge(&from, &to);
	assert_int_equal(j.too_many_released, 0);
}

static void releases_of_absurd_figures(void **state)
{
	struct svlag_sample from = moment(10), to = moment(11);

	(void)state;
	from.stats.wc_send_total = from.stats.released_total = 0;
	from.stats.depth_high = to.stats.depth_correction = SVLAG_UNKNOWN - 1;
	to.stats.wc_send_total = to.stats.released_total = SVLAG_UNKNOWN - 1;
	judge(&from, &to);
	assert_int_equal(j.too_many_released, 0);
}

static void gets_add_up(void **state)
{
	struct svlag_sample from = moment(0), to = moment(0);
	struct svlag_window w;
	unsigned int i;

	/* Each window lacks 1,000 gets; what was in flight excuses the first 65. */
	(void)state;
	svlag_watch_begin(&watch, &from);
	for (i = 1; i <= 66; i++) {
		to.stats.time_ns += SECOND_NS;
		to.stats.get_total += 9000;
		to.stats.wc_send_total += 10000;
		to.stats.released_total += 10000;
		svlag_diff(&from, &to, &w);
		svlag_judge_window(&watch, &from, &to, &w, &j);
		assert_int_equal(j.too_few_got, i < 66 ? 0 : 66000 - SVLAG_IN_FLIGHT_MAX);
		from = to;
	}
	/* An arming anew forgets it. */
	to.stats.arm_generation++;
	to.stats.time_ns += SECOND_NS;
	svlag_diff(&from, &to, &w);
	svlag_judge_window(&watch, &from, &to, &w, &j);
	assert_int_equal(j.too_few_got, 0);
	assert_int_equal(watch.queued, 0);
}

static void the_table_is_within_its_bracket(void **state)
{
	static const struct {
		__u64 low, live, high, astray;
	} cases[] = {
		{ 5, 5, 9, 0 }, { 5, 9, 9, 0 }, { 5, 4, 9, 1 }, { 5, 12, 9, 3 },
		{ 5, SVLAG_UNKNOWN, 9, 0 }, { SVLAG_UNKNOWN, 4, 9, 0 }, { 5, 12, SVLAG_UNKNOWN, 0 },
		{ 0, SVLAG_UNKNOWN - 1, 0, SVLAG_UNKNOWN - 1 },
	};
	struct svlag_sample from = moment(10), to = moment(11);
	struct svlag_window w;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		to.stats.track_live_low = cases[i].low;
		to.stats.track_live = cases[i].live;
		to.stats.track_live_high = cases[i].high;
		judge(&from, &to);
		assert_int_equal(j.astray, cases[i].astray);
		assert_int_equal(svlag_is_conserved(&j), !cases[i].astray);
		assert_int_equal(j.state, SVLAG_STATE_KEEPING_UP);
		svlag_since_arming(&to, &w);
		svlag_judge_sample(&to, &w, &j);
		assert_int_equal(j.astray, cases[i].astray);
	}
}

static void what_ends_was_inserted(void **state)
{
	struct svlag_sample from = moment(10), to = moment(11);

	/* 1,000 inserted and 5 there: 1,005 may leave, as which they like. */
	(void)state;
	from.stats.track_live_high = 5;
	to.stats.track_matched_total = from.stats.track_matched_total + 1000;
	to.stats.track_expired_total = 5;
	judge(&from, &to);
	assert_int_equal(j.too_many_ended, 0);
	assert_true(svlag_is_conserved(&j));
	to.stats.track_purged_total = 3;
	judge(&from, &to);
	assert_int_equal(j.too_many_ended, 3);
	assert_false(svlag_is_conserved(&j));
	/* Though the hooks cannot be trusted. */
	to.stats.hooks_ok = 1;
	judge(&from, &to);
	assert_int_equal(j.too_many_ended, 3);
	/* What is not known, or cannot be, is no violation. */
	from.stats.track_live_high = SVLAG_UNKNOWN;
	judge(&from, &to);
	assert_int_equal(j.too_many_ended, 0);
	from.stats.track_live_high = SVLAG_UNKNOWN - 1;
	judge(&from, &to);
	assert_int_equal(j.too_many_ended, 0);
	from.stats.track_live_high = 5;
	to.stats.track_inserted_total = SVLAG_UNKNOWN;
	judge(&from, &to);
	assert_int_equal(j.too_many_ended, 0);
	/* Nor is a load anew. */
	to.stats.track_inserted_total = 0;
	to.stats.load_id++;
	judge(&from, &to);
	assert_true(svlag_is_conserved(&j));
}

static void a_get_hook_that_says_nothing(void **state)
{
	struct svlag_sample from = moment(10), to = moment(11);

	(void)state;
	to.stats.wc_send_total += 1000000;
	to.stats.released_total += 1000000;
	to.stats.get_total = from.stats.get_total;
	judge(&from, &to);
	assert_int_equal(j.too_few_got, 0);
	to.stats.get_total = SVLAG_UNKNOWN;
	judge(&from, &to);
	assert_int_equal(j.too_few_got, 0);
}

static void a_single_sample(void **state)
{
	struct svlag_sample s = moment(10);
	struct svlag_window w;

	(void)state;
	strcpy(s.stats.state, "behind");
	svlag_since_arming(&s, &w);
	svlag_judge_sample(&s, &w, &j);
	assert_int_equal(j.state, SVLAG_STATE_BEHIND);
	s.stats.hooks_ok = 1;
	svlag_judge_sample(&s, &w, &j);
	assert_int_equal(j.state, SVLAG_STATE_UNKNOWN);
	assert_int_equal(j.doubt, SVLAG_DOUBT_HOOKS);
	s.stats.armed_ns = SVLAG_UNKNOWN;
	svlag_judge_sample(&s, &w, &j);
	assert_int_equal(j.doubt, SVLAG_DOUBT_UNARMED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeping_up),
		cmocka_unit_test(behind_grows),
		cmocka_unit_test(draining_ends),
		cmocka_unit_test(the_state_before_counts),
		cmocka_unit_test(the_watch_begins_with_the_modules_state),
		cmocka_unit_test(a_broken_hook_is_named),
		cmocka_unit_test(a_hook_that_was_broken_at_the_beginning),
		cmocka_unit_test(missing_numbers_are_named),
		cmocka_unit_test(hooks_that_are_not_counted),
		cmocka_unit_test(resets_and_armings),
		cmocka_unit_test(no_time_no_state),
		cmocka_unit_test(synchronous_has_no_depth),
		cmocka_unit_test(releases_add_up),
		cmocka_unit_test(releases_of_absurd_figures),
		cmocka_unit_test(gets_add_up),
		cmocka_unit_test(the_table_is_within_its_bracket),
		cmocka_unit_test(what_ends_was_inserted),
		cmocka_unit_test(a_get_hook_that_says_nothing),
		cmocka_unit_test(a_single_sample),
	};

	return RUN(tests);
}
