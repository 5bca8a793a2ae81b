// SPDX-License-Identifier: GPL-2.0
/* The estimators of module/depth, one rule after the other. */
#include "test.h"

#include <string.h>

#include "depth.h"

#define MS	1000000ULL
#define S	1000000000ULL

static struct svlag_curve_point points[SVLAG_CURVE_POINTS];
static struct svlag_depth d;

static void arm_at(u64 time_ns, u64 queued, u64 released, bool empty, bool may_settle)
{
	const struct svlag_flow base = {
		.time_ns = time_ns,
		.queued = queued,
		.released = released,
		.released_after = released,
	};

	svlag_depth_restart(&d, &base, empty, may_settle);
}

/* Armed at 100 s with an empty queue. */
static int armed_empty(void **state)
{
	(void)state;
	memset(&d, 0, sizeof(d));
	d.curve.points = points;
	arm_at(100 * S, 0, 0, true, true);
	return 0;
}

/* Armed at 100 s with who knows what in the queue. */
static int armed_late(void **state)
{
	armed_empty(state);
	arm_at(100 * S, 0, 0, false, true);
	return 0;
}

static void observe_between(u64 time_ns, u64 queued, u64 released, u64 released_after)
{
	const struct svlag_flow flow = {
		.time_ns = time_ns,
		.queued = queued,
		.released = released,
		.released_after = released_after,
	};

	svlag_depth_observe(&d, &flow);
}

static void observe(u64 time_ns, u64 queued, u64 released)
{
	observe_between(time_ns, queued, released, released);
}

static void sample(u64 time_ns, u64 queued, u64 released)
{
	observe(time_ns, queued, released);
	svlag_depth_mark(&d);
}

#define assert_depth(least, most)	do {			\
	assert_int_equal(d.low, least);				\
	assert_int_equal(d.high, most);				\
	assert_int_equal(svlag_depth_now(&d), ((u64)(least) + (most)) / 2);	\
} while (0)

static void depth_is_the_difference(void **state)
{
	(void)state;
	observe(101 * S, 1000, 400);
	assert_depth(600, 600);
	observe_between(102 * S, 2000, 1500, 1800);
	assert_depth(200, 500);
	assert_int_equal(svlag_depth_correction(&d), 0);
	assert_true(d.settled);
}

/* Releases that overtake the fold are no reason to correct anything. */
static void skew_is_not_a_correction(void **state)
{
	(void)state;
	observe_between(101 * S, 1000, 990, 1100);
	assert_depth(0, 10);
	assert_int_equal(svlag_depth_correction(&d), 0);
}

static void the_base_counts_for_nothing(void **state)
{
	(void)state;
	arm_at(200 * S, 5000, 7000, true, true);
	observe(201 * S, 5100, 7060);
	assert_depth(40, 40);
	assert_int_equal(svlag_depth_correction(&d), 0);
}

static void what_came_unseen_before_is_early(void **state)
{
	(void)state;
	observe(101 * S, 100, 350);
	assert_depth(0, 0);
	assert_int_equal(svlag_depth_correction(&d), 250);
	assert_int_equal(d.late, 0);
	observe(102 * S, 400, 500);
	assert_depth(150, 150);
	observe(103 * S, 400, 700);
	assert_depth(0, 0);
	assert_int_equal(svlag_depth_correction(&d), 300);
	assert_false(d.settled);
}

static void what_came_unseen_once_settled_is_late(void **state)
{
	(void)state;
	observe(101 * S, 100, 103);
	assert_depth(0, 0);
	assert_int_equal(d.late, 3);
	assert_int_equal(svlag_depth_correction(&d), 3);
	observe(102 * S, 200, 150);
	assert_depth(53, 53);
	assert_true(d.settled);
}

static void stillness_settles(void **state)
{
	(void)state;
	observe(101 * S, 50, 80);
	observe(102 * S - 1, 50, 80);
	assert_false(d.settled);
	observe(102 * S, 50, 80);
	assert_true(d.settled);
}

/* A queue that is stuck when the hooks are armed looks as empty as an empty one. */
static void stillness_without_a_release_does_not(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 1; i < 100; i++)
		observe(100 * S + i * S, 0, 0);
	assert_false(d.settled);
	observe(200 * S, 1, 1);
	assert_false(d.settled);
	observe(201 * S, 1, 1);
	assert_true(d.settled);
}

static void movement_breaks_stillness(void **state)
{
	(void)state;
	observe(101 * S, 50, 80);
	observe(101 * S + 900 * MS, 51, 81);
	observe(102 * S + 899 * MS, 51, 81);
	assert_false(d.settled);
	observe(102 * S + 900 * MS, 51, 81);
	assert_true(d.settled);
}

static void depth_breaks_stillness(void **state)
{
	(void)state;
	observe(101 * S, 50, 80);
	observe(101 * S + 500 * MS, 51, 80);
	observe(101 * S + 600 * MS, 51, 81);
	observe(102 * S + 500 * MS, 51, 81);
	assert_false(d.settled);
	observe(102 * S + 600 * MS, 51, 81);
	assert_true(d.settled);
}

static void a_backlog_never_settles_by_stillness(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 1; i < 100; i++)
		observe(100 * S + i * S, 500, 100);
	assert_false(d.settled);
}

/* Comes back to the least depth @times times in @span_ns, with traffic in between. */
static void touch(unsigned int times, u64 span_ns)
{
	unsigned int i;

	for (i = 0; i < times; i++) {
		u64 at_ns = 101 * S + span_ns * i / (times - 1);

		observe(at_ns - 1, 10 * i + 10, 10 * i);
		observe(at_ns, 10 * i + 10, 10 * i + 10);
	}
}

static void touches_settle(void **state)
{
	(void)state;
	touch(SVLAG_SETTLE_TOUCHES, SVLAG_SETTLE_SPAN_NS);
	assert_true(d.settled);
}

/* Folds in which up to 3 came in may have hidden as many of what was queued before. */
static void touches_leave_slack(void **state)
{
	u64 at_ns = 107 * S;

	(void)state;
	observe_between(101 * S, 5, 5, 8);
	assert_int_equal(d.slack, 3);
	touch(SVLAG_SETTLE_TOUCHES, SVLAG_SETTLE_SPAN_NS + S);
	assert_true(d.settled);
	observe(at_ns, 1000, 1002);
	assert_int_equal(d.early, 2);
	assert_int_equal(d.late, 0);
	observe(at_ns + MS, 1000, 1005);
	assert_int_equal(d.early, 3);
	assert_int_equal(d.late, 2);
}

static void stillness_leaves_no_slack(void **state)
{
	(void)state;
	observe_between(101 * S, 5, 5, 8);
	observe(101 * S + MS, 8, 8);
	observe(103 * S, 8, 8);
	assert_true(d.settled);
	observe(104 * S, 8, 9);
	assert_int_equal(d.early, 0);
	assert_int_equal(d.late, 1);
}

static void too_few_touches_do_not(void **state)
{
	(void)state;
	touch(SVLAG_SETTLE_TOUCHES - 1, SVLAG_SETTLE_SPAN_NS);
	assert_false(d.settled);
}

static void touches_in_too_short_a_time_do_not(void **state)
{
	(void)state;
	touch(SVLAG_SETTLE_TOUCHES, SVLAG_SETTLE_SPAN_NS - 1);
	assert_false(d.settled);
	touch(SVLAG_SETTLE_TOUCHES + 20, SVLAG_SETTLE_SPAN_NS - 1);
	assert_false(d.settled);
}

static void a_deeper_least_voids_the_touches(void **state)
{
	u64 at_ns = 106 * S;

	(void)state;
	touch(SVLAG_SETTLE_TOUCHES - 1, SVLAG_SETTLE_SPAN_NS - 1);
	observe(at_ns, 1000, 1001);
	assert_false(d.settled);
	/* That observation is the first touch of the new least one. */
	observe(at_ns + 10 * MS, 1010, 1011);
	assert_false(d.settled);
	observe(at_ns + 1010 * MS, 1010, 1011);
	assert_true(d.settled);
}

static void some_queues_cannot_settle(void **state)
{
	(void)state;
	arm_at(100 * S, 0, 0, false, false);
	touch(100, 50 * S);
	observe(200 * S, 1000, 1000);
	observe(300 * S, 1000, 1000);
	assert_false(d.settled);
	assert_depth(0, 0);
}

static void the_peak_and_when(void **state)
{
	u64 when_ns;

	(void)state;
	observe(101 * S, 1000, 0);
	observe_between(102 * S, 5000, 1000, 1500);
	observe(103 * S, 5000, 5000);
	observe(104 * S, 6000, 5000);
	/* The lower end of the bracket: so much there surely was. */
	assert_int_equal(svlag_depth_peak(&d, &when_ns), 3500);
	assert_int_equal(when_ns, 102 * S);
}

/* What is found later to have been queued before the base was there all along. */
static void the_peak_grows_by_what_was_unseen(void **state)
{
	u64 when_ns;

	(void)state;
	observe(101 * S, 300, 100);
	assert_int_equal(svlag_depth_peak(&d, &when_ns), 200);
	observe(102 * S, 300, 1300);
	assert_int_equal(svlag_depth_peak(&d, &when_ns), 1200);
	assert_int_equal(when_ns, 101 * S);
}

static void the_peak_may_be_of_the_base(void **state)
{
	u64 when_ns;

	(void)state;
	observe(101 * S, 100, 700);
	assert_int_equal(svlag_depth_peak(&d, &when_ns), 600);
	assert_int_equal(when_ns, 100 * S);
}

static void peaks_outlive_a_restart(void **state)
{
	u64 when_ns;

	(void)state;
	sample(101 * S, 1000, 0);
	sample(102 * S, 1000, 900);
	assert_int_equal(d.wait_peak_ns, 1099 * MS);
	arm_at(500 * S, 1000, 1000, true, true);
	assert_depth(0, 0);
	assert_int_equal(svlag_depth_correction(&d), 0);
	observe(501 * S, 1500, 1000);
	assert_depth(500, 500);
	assert_int_equal(svlag_depth_peak(&d, &when_ns), 1000);
	assert_int_equal(when_ns, 101 * S);
	observe(502 * S, 3000, 1000);
	assert_int_equal(svlag_depth_peak(&d, &when_ns), 2000);
	assert_int_equal(when_ns, 502 * S);
	assert_true(d.wait_peak_ns > 1900 * MS);
}

static void no_wait_where_nothing_waits(void **state)
{
	(void)state;
	observe(101 * S, 0, 0);
	assert_int_equal(d.wait_ns, 0);
	assert_false(d.wait_censored);
	sample(102 * S, 1000, 1000);
	observe(109 * S, 1000, 1000);
	assert_int_equal(d.wait_ns, 0);
}

/* 1,000 in each second: item n was queued at 100 s + n ms. */
static void the_wait_is_read_off_the_curve(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 1; i <= 10; i++)
		sample((100 + i) * S, 1000 * i, 0);
	observe(110 * S, 10000, 2499);
	assert_int_equal(d.wait_ns, 7500 * MS);
	assert_false(d.wait_censored);
	observe(110 * S, 10000, 9999);
	assert_int_equal(d.wait_ns, 0);
	observe(110 * S, 10000, 10000);
	assert_int_equal(d.wait_ns, 0);
	assert_int_equal(d.wait_peak_ns, 9999 * MS);
}

static void the_wait_between_the_last_point_and_now(void **state)
{
	(void)state;
	sample(101 * S, 1000, 1000);
	observe(102 * S, 2000, 1499);
	assert_int_equal(d.wait_ns, 500 * MS);
}

/* Nothing came for nine seconds: what was queued before them waits since then. */
static void the_wait_of_items_after_a_pause(void **state)
{
	(void)state;
	sample(101 * S, 1000, 0);
	sample(105 * S, 1000, 0);
	sample(110 * S, 1000, 0);
	observe(110 * S, 1000, 999);
	assert_int_equal(d.wait_ns, 9 * S);
	observe(111 * S, 2000, 1000);
	/* The next one came in the second that is over now, at its first millisecond. */
	assert_int_equal(d.wait_ns, S - MS);
}

/* Corrections are no items of the curve: they were never seen queued. */
static void the_wait_leaves_the_unseen_out(void **state)
{
	(void)state;
	sample(101 * S, 1000, 1300);
	assert_int_equal(svlag_depth_correction(&d), 300);
	sample(102 * S, 2000, 1300);
	observe(103 * S, 2000, 1799);
	assert_int_equal(d.wait_ns, 1500 * MS);
}

static void a_wait_is_censored_until_settled(void **state)
{
	(void)state;
	sample(101 * S, 1000, 500);
	assert_int_equal(d.wait_ns, 499 * MS);
	assert_true(d.wait_censored);
}

/* The ring has forgotten when the item came: the wait is at least the ring's reach. */
static void a_wait_beyond_the_ring_is_censored(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 1; i < SVLAG_CURVE_POINTS; i++)
		sample(100 * S + i * 100 * MS, 100 * i, 0);
	/* The base is still the first point. */
	observe(1000 * S, 1000000, 0);
	assert_int_equal(d.wait_ns, 1000 * S - (100 * S + MS));
	assert_false(d.wait_censored);
	sample(100 * S + i * 100 * MS, 100 * i, 0);
	/* Now the point of 100 items is. */
	observe(1000 * S, 1000000, 99);
	assert_int_equal(d.wait_ns, 1000 * S - (100 * S + 100 * MS));
	assert_true(d.wait_censored);
	observe(1000 * S, 1000000, 100);
	assert_int_equal(d.wait_ns, 1000 * S - (100 * S + 101 * MS));
	assert_false(d.wait_censored);
}

static void a_ring_that_wrapped_often(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 1; i <= 5 * SVLAG_CURVE_POINTS + 7; i++) {
		sample(100 * S + i * MS, 10 * i, 10 * i > 100 ? 10 * i - 100 : 0);
		if (i > 20) {
			assert_int_equal(d.wait_ns, 10 * MS - MS / 10);
			assert_false(d.wait_censored);
		}
	}
}

static void enormous_counters(void **state)
{
	const u64 base = UINT64_MAX - 1000;

	(void)state;
	arm_at(100 * S, base, base, true, true);
	observe(101 * S, base + 900, base + 100);
	assert_depth(800, 800);
	/* A counter that wraps is a difference all the same. */
	observe(102 * S, base + 2000, base + 1500);
	assert_depth(500, 500);
	assert_int_equal(svlag_depth_correction(&d), 0);
}

/* Who asks for no waits gives no points. */
static void without_a_curve(void **state)
{
	(void)state;
	d.curve.points = NULL;
	arm_at(200 * S, 100, 100, false, true);
	sample(201 * S, 1000, 600);
	assert_depth(400, 400);
	assert_int_equal(d.wait_ns, 0);
	sample(202 * S, 1000, 1020);
	assert_depth(0, 0);
	assert_int_equal(svlag_depth_correction(&d), 20);
	assert_int_equal(d.wait_peak_ns, 0);
	sample(204 * S, 1000, 1020);
	assert_true(d.settled);
}

#define EMPTY(test)	cmocka_unit_test_setup(test, armed_empty)
#define LATE(test)	cmocka_unit_test_setup(test, armed_late)

int main(void)
{
	const struct CMUnitTest tests[] = {
		EMPTY(depth_is_the_difference),
		EMPTY(skew_is_not_a_correction),
		EMPTY(the_base_counts_for_nothing),
		LATE(what_came_unseen_before_is_early),
		EMPTY(what_came_unseen_once_settled_is_late),
		LATE(stillness_settles),
		LATE(stillness_without_a_release_does_not),
		LATE(stillness_leaves_no_slack),
		LATE(movement_breaks_stillness),
		LATE(depth_breaks_stillness),
		LATE(a_backlog_never_settles_by_stillness),
		LATE(touches_settle),
		LATE(touches_leave_slack),
		LATE(too_few_touches_do_not),
		LATE(touches_in_too_short_a_time_do_not),
		LATE(a_deeper_least_voids_the_touches),
		LATE(some_queues_cannot_settle),
		EMPTY(the_peak_and_when),
		LATE(the_peak_grows_by_what_was_unseen),
		LATE(the_peak_may_be_of_the_base),
		EMPTY(peaks_outlive_a_restart),
		EMPTY(no_wait_where_nothing_waits),
		EMPTY(the_wait_is_read_off_the_curve),
		EMPTY(the_wait_between_the_last_point_and_now),
		EMPTY(the_wait_of_items_after_a_pause),
		EMPTY(the_wait_leaves_the_unseen_out),
		LATE(a_wait_is_censored_until_settled),
		EMPTY(a_wait_beyond_the_ring_is_censored),
		EMPTY(a_ring_that_wrapped_often),
		EMPTY(enormous_counters),
		EMPTY(without_a_curve),
	};

	return RUN(tests);
}
