// SPDX-License-Identifier: GPL-2.0
/* Three estimates of a queue that is simulated agree, and one that is wrong is named. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include <svcrdma_lag/abi.h>

#include "agree.h"

#define MS		1000000ULL
#define S		1000000000ULL
#define SAMPLE_NS	(100 * MS)
#define ITEMS		200000

/* When each was queued, and released; in the order of queueing. */
static u64 queued_ns[ITEMS], released_ns[ITEMS];
static unsigned int nr;

static u64 waits[SVLAG_HIST_BUCKETS];
static struct svlag_agree_samples samples;
static struct svlag_agree_waits window;
static struct svlag_agree result;

/* Arrivals every gap_ns; the queue serves one at a time, each so long. */
static void fifo(u64 gap_ns, u64 serve_ns, u64 until_ns)
{
	u64 free_ns = 0, at_ns;

	nr = 0;
	for (at_ns = 0; at_ns < until_ns && nr < ITEMS; at_ns += gap_ns) {
		u64 begin_ns = at_ns > free_ns ? at_ns : free_ns;

		queued_ns[nr] = at_ns;
		released_ns[nr++] = begin_ns;
		free_ns = begin_ns + serve_ns;
	}
}

static u64 depth_at(u64 ns)
{
	u64 depth = 0;
	unsigned int i;

	for (i = 0; i < nr && queued_ns[i] <= ns; i++)
		depth += released_ns[i] > ns;
	return depth;
}

static u64 ages_at(u64 ns)
{
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < nr && queued_ns[i] <= ns; i++)
		if (released_ns[i] > ns)
			sum += (ns - queued_ns[i]) >> 10;
	return sum;
}

/* How long ago had so many been queued as are released now? */
static u64 curve_at(u64 ns)
{
	u64 released = 0;
	unsigned int i;

	for (i = 0; i < nr && queued_ns[i] <= ns; i++)
		released += released_ns[i] <= ns;
	return released < nr && queued_ns[released] < ns ? ns - queued_ns[released] : 0;
}

static u64 released_between(u64 from_ns, u64 to_ns)
{
	u64 count = 0;
	unsigned int i;

	for (i = 0; i < nr; i++)
		count += released_ns[i] > from_ns && released_ns[i] <= to_ns;
	return count;
}

static struct svlag_agree_point point_at(u64 ns)
{
	return (struct svlag_agree_point){ depth_at(ns), curve_at(ns), true };
}

/* What the module sees of the window; each of weight items is one that was drawn. */
static void see(u64 from_ns, u64 to_ns, unsigned int weight)
{
	unsigned int i;
	u64 at_ns;

	memset(waits, 0, sizeof(waits));
	memset(&samples, 0, sizeof(samples));
	memset(&window, 0, sizeof(window));
	for (at_ns = from_ns + SAMPLE_NS; at_ns <= to_ns; at_ns += SAMPLE_NS) {
		struct svlag_agree_point from = point_at(at_ns - SAMPLE_NS);
		struct svlag_agree_point to = point_at(at_ns);

		svlag_agree_sample(&samples, &from, &to,
				   released_between(at_ns - SAMPLE_NS, at_ns));
	}
	for (i = 0; i < nr; i += weight) {
		if (released_ns[i] <= from_ns || released_ns[i] > to_ns)
			continue;
		waits[svlag_hist_bucket(released_ns[i] - queued_ns[i])] += weight;
		window.drawn++;
	}
	window.length_ns = to_ns - from_ns;
	window.sample_ns = SAMPLE_NS;
	window.waits = waits;
	window.age_begin_us = ages_at(from_ns);
	window.age_end_us = ages_at(to_ns);
}

static const char *verdict(void)
{
	svlag_agree_window(&samples, &window, &result);
	return svlag_agree_word(result.verdict) ?: "-";
}

static void assert_near(u64 is, u64 should)
{
	if (is > should + should / 20 || is < should - should / 20)
		fail_msg("%llu is not about %llu", (unsigned long long)is,
			 (unsigned long long)should);
}

/* 2,000 a second come, 1,000 are served: after 4 s the next has waited 2 s. */
static void a_backlog_that_grows(void **state)
{
	(void)state;
	fifo(MS / 2, MS, 20 * S);
	see(4 * S, 5 * S, 1);
	assert_string_equal(verdict(), "yes");
	assert_near(result.depth, 4500);
	assert_near(result.depth_by_waits, 4500);
	assert_near(result.wait_ns, 2250 * MS);
	assert_near(result.curve_ns, 2250 * MS);
}

/* The same out of the other end: nothing comes any more. */
static void a_backlog_that_drains(void **state)
{
	(void)state;
	fifo(MS / 2, MS, 4 * S);
	see(5 * S, 6 * S, 1);
	assert_string_equal(verdict(), "yes");
	assert_near(result.depth, 2500);
	assert_near(result.depth_by_waits, 2500);
}

/* Twenty times as fast as it grew: from sample to sample the wait falls by a fourth. */
static void a_backlog_that_collapses(void **state)
{
	unsigned int i;

	(void)state;
	fifo(MS / 2, MS, 4 * S);
	/* From 4 s on the rest is released in half a second. */
	for (i = 0; i < nr; i++)
		if (released_ns[i] > 4 * S)
			released_ns[i] = 4 * S + (released_ns[i] - 4 * S) / 8;
	see(4 * S, 5 * S, 1);
	assert_string_equal(verdict(), "yes");
	assert_near(result.wait_ns, result.curve_ns);
}

/* One of 16 is tracked: chance is allowed for. */
static void a_part_alone_is_tracked(void **state)
{
	(void)state;
	fifo(MS / 2, MS, 20 * S);
	see(4 * S, 5 * S, 16);
	assert_string_equal(verdict(), "yes");
	assert_near(result.wait_ns, 2250 * MS);
}

static void too_little_to_tell(void **state)
{
	(void)state;
	fifo(MS, MS / 2, 10 * S);
	see(4 * S, 5 * S, 1);
	assert_string_equal(verdict(), "-");
	assert_int_equal(result.depth_by_waits, 0);

	/* Nothing at all. */
	nr = 0;
	see(4 * S, 5 * S, 1);
	assert_string_equal(verdict(), "-");
	assert_true(result.wait_ns == SVLAG_UNKNOWN);
	assert_true(result.curve_ns == SVLAG_UNKNOWN);
}

/* Completions that were not counted, or releases that were counted twice. */
static void a_depth_that_is_wrong(void **state)
{
	unsigned int i;

	(void)state;
	fifo(MS / 2, MS, 20 * S);
	see(4 * S, 5 * S, 1);
	samples.depth = 0;
	samples.depth_square = 0;
	for (i = 0; i < samples.nr; i++) {
		samples.depth += 3600 + 100 * i / samples.nr;
		samples.depth_square += 3600 * 3600;
	}
	assert_string_equal(verdict(), "no:depth");
}

/* A table that finds one release in two. */
static void waits_that_are_wrong(void **state)
{
	unsigned int i;

	(void)state;
	fifo(MS / 2, MS, 20 * S);
	see(4 * S, 5 * S, 1);
	for (i = 0; i < SVLAG_HIST_BUCKETS; i++)
		waits[i] /= 2;
	assert_string_equal(verdict(), "no:depth");
}

static void a_curve_that_is_wrong(void **state)
{
	(void)state;
	fifo(MS / 2, MS, 20 * S);
	see(4 * S, 5 * S, 1);
	samples.curve_us = samples.curve_us * 3 / 2;
	assert_string_equal(verdict(), "no:curve");
}

/* In the mean all is as it was, but a few wait far longer than the curve says. */
static void an_order_that_is_another(void **state)
{
	unsigned int i;

	(void)state;
	fifo(MS / 2, MS, 20 * S);
	see(8 * S, 9 * S, 1);
	assert_string_equal(verdict(), "yes");
	/* Two of a hundred have come before their time, two have waited twice as long. */
	for (i = 0; i < SVLAG_HIST_BUCKETS; i++)
		if (waits[i] >= 100) {
			waits[svlag_hist_bucket(svlag_hist_lower_ns(i) * 2)] += waits[i] / 40;
			waits[0] += waits[i] / 40;
			waits[i] -= 2 * (waits[i] / 40);
		}
	assert_string_equal(verdict(), "no:order");
}

/* A lower bound is compared with nothing, and neither is a sum that lacks a part. */
static void what_is_not_known(void **state)
{
	const struct svlag_agree_point sure = { 4500, 2 * S, true };
	const struct svlag_agree_point unsure = { 4500, 2 * S, false };

	(void)state;
	fifo(MS / 2, MS, 20 * S);
	see(4 * S, 5 * S, 1);
	window.lost = 1;
	samples.depth *= 2;
	assert_string_equal(verdict(), "yes");
	assert_true(result.depth_by_waits == SVLAG_UNKNOWN);
	svlag_agree_sample(&samples, &sure, &unsure, 100);
	assert_string_equal(verdict(), "-");
}

/* What ten samples see of a depth that jumps about is no more than that. */
static void chance_is_no_fault(void **state)
{
	const struct svlag_agree_point points[] = {
		{ 500, 2250 * MS, true }, { 7000, 2250 * MS, true },
	};
	unsigned int i;

	(void)state;
	fifo(MS / 2, MS, 20 * S);
	see(4 * S, 5 * S, 1);
	memset(&samples, 0, sizeof(samples));
	for (i = 0; i < 10; i++)
		svlag_agree_sample(&samples, &points[i % 2], &points[i % 2], 100);
	assert_string_equal(verdict(), "yes");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_backlog_that_grows),
		cmocka_unit_test(a_backlog_that_drains),
		cmocka_unit_test(a_backlog_that_collapses),
		cmocka_unit_test(a_part_alone_is_tracked),
		cmocka_unit_test(too_little_to_tell),
		cmocka_unit_test(a_depth_that_is_wrong),
		cmocka_unit_test(waits_that_are_wrong),
		cmocka_unit_test(a_curve_that_is_wrong),
		cmocka_unit_test(an_order_that_is_another),
		cmocka_unit_test(what_is_not_known),
		cmocka_unit_test(chance_is_no_fault),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
