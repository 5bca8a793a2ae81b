// SPDX-License-Identifier: GPL-2.0
/* Each rule of state.h, and each of its thresholds one below, at, and above. */
#include "test.h"

#include <svcrdma_lag/state.h>

#define S(name)	SVLAG_STATE_##name

/* One second in which 10,000 came and went, and few waited. */
static struct svlag_window_facts usual(void)
{
	return (struct svlag_window_facts){
		.trusted = true,
		.length_ms = 1000,
		.queued = 10000,
		.released = 10000,
		.depth_begin = 10,
		.depth_end = 10,
		.depth_min = 10,
		.before = S(KEEPING_UP),
	};
}

/* The same with a backlog of @depth at both ends. */
static struct svlag_window_facts backlog(__u64 depth)
{
	struct svlag_window_facts w = usual();

	w.depth_begin = w.depth_end = w.depth_min = depth;
	return w;
}

#define assert_state(w, name)	assert_int_equal(svlag_judge(&(w)), S(name))

static void usual_is_keeping_up(void **state)
{
	struct svlag_window_facts w = usual();

	(void)state;
	assert_state(w, KEEPING_UP);
}

static void unknown_comes_first(void **state)
{
	struct svlag_window_facts w = backlog(1000000);

	(void)state;
	w.trusted = false;
	assert_state(w, UNKNOWN);
	w.released = 0;
	assert_state(w, UNKNOWN);
	w.queued = w.depth_begin = w.depth_end = w.depth_min = 0;
	assert_state(w, UNKNOWN);
}

static void stalled_needs_all_of_the_window(void **state)
{
	struct svlag_window_facts w = backlog(1);

	(void)state;
	w.released = 0;
	assert_state(w, STALLED);
	w.released = 1;
	assert_state(w, KEEPING_UP);
	w.released = 0;
	w.depth_begin = 0;
	assert_state(w, KEEPING_UP);
	w.depth_begin = 1;
	w.depth_min = 0;
	assert_state(w, KEEPING_UP);
	w.depth_min = 1;
	w.depth_end = 0;
	assert_state(w, KEEPING_UP);
}

static void stalled_whether_or_not_more_is_queued(void **state)
{
	struct svlag_window_facts w = backlog(28000);

	(void)state;
	w.queued = w.released = 0;
	assert_state(w, STALLED);
	w.queued = 5;
	w.depth_end = 28005;
	assert_state(w, STALLED);
}

static void idle_is_nothing_at_all(void **state)
{
	struct svlag_window_facts w = usual();

	(void)state;
	w.queued = w.released = w.depth_begin = w.depth_end = w.depth_min = 0;
	assert_state(w, IDLE);
	w.queued = 1;
	assert_state(w, KEEPING_UP);
	w.queued = 0;
	w.released = 1;
	assert_state(w, KEEPING_UP);
	w.released = 0;
	w.depth_end = 1;
	assert_state(w, KEEPING_UP);
}

static void a_backlog_has_64_items(void **state)
{
	struct svlag_window_facts w = backlog(63);

	(void)state;
	w.released = w.queued = 100;
	assert_state(w, KEEPING_UP);
	w = backlog(64);
	w.released = w.queued = 100;
	assert_state(w, BEHIND);
}

static void a_backlog_is_100_ms_of_release(void **state)
{
	struct svlag_window_facts w;

	(void)state;
	w = backlog(999);
	assert_state(w, KEEPING_UP);
	w = backlog(1000);
	assert_state(w, BEHIND);

	/* 10,009 in 1,000 ms are 1,000.9 in 100 ms, of which the fraction is dropped. */
	w.released = 10009;
	assert_state(w, BEHIND);
	w.released = 10010;
	assert_state(w, KEEPING_UP);

	w = backlog(1000);
	w.length_ms = 500;
	assert_state(w, KEEPING_UP);
	w.released = 5000;
	assert_state(w, BEHIND);
}

static void behind_in_all_of_its_samples(void **state)
{
	struct svlag_window_facts w = backlog(50000);

	(void)state;
	w.depth_end = 60000;
	assert_state(w, BEHIND);
	w.depth_min = 1000;
	assert_state(w, BEHIND);
	w.depth_min = 999;
	assert_state(w, KEEPING_UP);
	/* It may have grown up from nothing. */
	w = backlog(5000);
	w.depth_begin = 0;
	w.depth_min = 4000;
	assert_state(w, BEHIND);
}

static void draining_is_a_part_in_128(void **state)
{
	struct svlag_window_facts w = backlog(128000);

	(void)state;
	w.depth_min = w.depth_end = 128000 - 999;
	assert_state(w, BEHIND);
	w.depth_min = w.depth_end = 128000 - 1000;
	assert_state(w, DRAINING);
	w.depth_min = w.depth_end = 0;
	assert_state(w, DRAINING);
	w.depth_min = w.depth_end = 128001;
	assert_state(w, BEHIND);
}

static void draining_from_a_small_backlog(void **state)
{
	struct svlag_window_facts w = backlog(64);

	/* A part in 128 of 64 is 0: any item fewer will do, but not the same. */
	(void)state;
	w.released = w.queued = 100;
	w.depth_min = w.depth_end = 63;
	assert_state(w, DRAINING);
	w.depth_min = w.depth_end = 64;
	assert_state(w, BEHIND);
}

static void a_backlog_goes_on_below_100_ms(void **state)
{
	static const enum svlag_state going_on[] = { S(BEHIND), S(DRAINING), S(STALLED) };
	static const enum svlag_state others[] = { S(UNKNOWN), S(IDLE), S(KEEPING_UP) };
	struct svlag_window_facts w = backlog(500);
	unsigned int i;

	(void)state;
	w.depth_min = w.depth_end = 400;
	for (i = 0; i < ARRAY_LEN(going_on); i++) {
		w.before = going_on[i];
		w.depth_begin = 500;
		assert_state(w, DRAINING);
		w.depth_begin = 63;
		w.depth_min = w.depth_end = 10;
		assert_state(w, KEEPING_UP);
		w.depth_begin = 64;
		assert_state(w, DRAINING);
		w.depth_min = w.depth_end = 400;
	}
	w.depth_begin = 500;
	for (i = 0; i < ARRAY_LEN(others); i++) {
		w.before = others[i];
		assert_state(w, KEEPING_UP);
	}
}

static void draining_of_what_was_never_seen(void **state)
{
	struct svlag_window_facts w = usual();

	(void)state;
	w.depth_begin = w.depth_end = w.depth_min = 0;
	w.released = w.queued + 64;
	w.unseen = 63;
	assert_state(w, KEEPING_UP);
	w.unseen = 64;
	assert_state(w, DRAINING);
	w.released = w.queued;
	assert_state(w, KEEPING_UP);
	w.released = w.queued + 1;
	assert_state(w, DRAINING);
}

static void absurd_figures_do_no_harm(void **state)
{
	const __u64 most = SVLAG_UNKNOWN;
	struct svlag_window_facts w = {
		.trusted = true, .length_ms = most, .queued = most, .released = most,
		.unseen = most, .depth_begin = most, .depth_end = most, .depth_min = most,
	};

	(void)state;
	assert_state(w, BEHIND);
	w.length_ms = 0;
	assert_state(w, BEHIND);
	w.length_ms = 1;
	(void)svlag_judge(&w);
	w.depth_end = 0;
	(void)svlag_judge(&w);
	assert_true(svlag_is_backlog(most, most, most));
	assert_true(svlag_is_backlog(most, 1, 1));
	assert_false(svlag_is_backlog(63, most, 0));
	assert_true(svlag_is_backlog(64, most, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(usual_is_keeping_up),
		cmocka_unit_test(unknown_comes_first),
		cmocka_unit_test(stalled_needs_all_of_the_window),
		cmocka_unit_test(stalled_whether_or_not_more_is_queued),
		cmocka_unit_test(idle_is_nothing_at_all),
		cmocka_unit_test(a_backlog_has_64_items),
		cmocka_unit_test(a_backlog_is_100_ms_of_release),
		cmocka_unit_test(behind_in_all_of_its_samples),
		cmocka_unit_test(draining_is_a_part_in_128),
		cmocka_unit_test(draining_from_a_small_backlog),
		cmocka_unit_test(a_backlog_goes_on_below_100_ms),
		cmocka_unit_test(draining_of_what_was_never_seen),
		cmocka_unit_test(absurd_figures_do_no_harm),
	};

	return RUN(tests);
}
