// SPDX-License-Identifier: GPL-2.0
/*
 * The estimators of module/depth against the truth: a queue, first in first
 * out, whose every item is known, under random loads, sampled as the module
 * does it, with folds that take their time. SIM_SEED repeats a run.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "depth.h"

#define US		1000ULL
#define MS		1000000ULL
#define S		1000000000ULL

#define STEP_NS		(100 * US)
#define SAMPLE_STEPS	1000		/* 100 ms */
#define SECONDS		40
#define RUNS		12
#define PER_STEP_MAX	4		/* 40,000/s */

/* What at most comes between the two readings of a fold that bound depth from above. */
#define FOLD_ITEMS_MAX	(2 * PER_STEP_MAX)

#define ITEMS_MAX	(SECONDS * 10000 * PER_STEP_MAX + 200000)

/* The queue: all items ever, in order; the first @gone of them were released. */
static u64 queued_ns[ITEMS_MAX];
static u64 came, gone;

/* What the hooks count. An item that they did not see coming is counted when it goes. */
static u64 counted_queued, counted_released;
static u64 unseen;
static u64 backlog_at_arming;

static u64 now_ns;
static u64 armed_ns;

static struct svlag_curve_point points[SVLAG_CURVE_POINTS];
static struct svlag_depth d;

static uint64_t seed;

static u32 draw(u32 below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (seed >> 16) % below;
}

/* Rates in items per 1,000 steps. */
static u32 rate_in, rate_out;
static u32 error_permille;

static u32 some(u32 rate)
{
	return rate / 1000 + (draw(1000) < rate % 1000);
}

static void step(void)
{
	u32 in = some(rate_in), out = some(rate_out);

	now_ns += STEP_NS;
	while (in--) {
		assert_true(came < ITEMS_MAX);
		queued_ns[came++] = now_ns;
		if (error_permille && draw(1000) < error_permille)
			unseen++;
		else
			counted_queued++;
	}
	while (out-- && gone < came) {
		gone++;
		counted_released++;
	}
}

static u64 depth(void)
{
	return came - gone;
}

/* What was true while a fold went on. */
struct truth {
	u64 depth;		/* when queued was read */
	u64 waits;		/* whether anything waited at its end */
	u64 wait_ns;		/* of the item that was next then */
};

static struct truth sample(void)
{
	struct truth truth = { 0 };
	struct svlag_flow flow;

	flow.released = counted_released;
	step();
	flow.time_ns = now_ns;
	step();
	flow.queued = counted_queued;
	truth.depth = depth();
	step();
	flow.released_after = counted_released;
	truth.waits = gone < came;
	if (truth.waits && queued_ns[gone] < flow.time_ns)
		truth.wait_ns = flow.time_ns - queued_ns[gone];
	svlag_depth_observe(&d, &flow);
	svlag_depth_mark(&d);
	return truth;
}

static void check_order(void)
{
	u64 when_ns;

	assert_true(d.low <= d.high);
	assert_in_range(svlag_depth_now(&d), d.low, d.high);
	assert_true(svlag_depth_peak(&d, &when_ns) >= d.low);
	assert_in_range(when_ns, armed_ns, now_ns);
	assert_true(d.wait_peak_ns >= d.wait_ns);
}

/* The curve is straight between two samples: so far it may be off. */
static void check_wait(const struct truth *truth)
{
	const u64 tolerance_ns = (SAMPLE_STEPS + 6) * STEP_NS;

	if (d.wait_censored) {
		assert_true(d.wait_ns <= truth->wait_ns + tolerance_ns);
		return;
	}
	assert_true(d.wait_ns <= truth->wait_ns + tolerance_ns);
	assert_true(truth->wait_ns <= d.wait_ns + tolerance_ns);
}

static void check_settled(const struct truth *truth)
{
	assert_in_range(truth->depth, d.low, d.high);
	assert_false(d.wait_censored);
	check_wait(truth);
}

static void check_unsettled(const struct truth *truth)
{
	assert_true(d.low <= truth->depth);
	assert_true(d.wait_censored);
	check_wait(truth);
}

/* Another load for the next one to five seconds, now and then none at all. */
static u32 next_load(bool may_stall)
{
	static const u32 rates[] = { 0, 3, 40, 300, 1000, 2500, 3900 };

	rate_in = rates[draw(ARRAY_LEN(rates))];
	rate_out = rates[draw(ARRAY_LEN(rates))];
	if (!may_stall && !rate_out)
		rate_out = 10;
	return SAMPLE_STEPS * (10 + draw(40));
}

static void start(u64 backlog, bool empty)
{
	struct svlag_flow base;
	u64 i;

	now_ns = 1000 * S;
	for (came = 0; came < backlog; came++)
		queued_ns[came] = now_ns - (backlog - came) * 10 * US;
	gone = 0;
	backlog_at_arming = backlog;
	counted_queued = draw(1000000);
	counted_released = draw(1000000);
	unseen = 0;
	armed_ns = now_ns;
	base = (struct svlag_flow){
		.time_ns = now_ns,
		.queued = counted_queued,
		.released = counted_released,
		.released_after = counted_released,
	};
	memset(&d, 0, sizeof(d));
	d.curve.points = points;
	svlag_depth_restart(&d, &base, empty, true);
	for (i = draw(SAMPLE_STEPS); i; i--)
		step();
}

static void drain(void)
{
	unsigned int i, k;

	rate_in = 0;
	rate_out = 1000 * PER_STEP_MAX;
	while (depth())
		step();
	for (i = 0; i < 20; i++) {
		sample();
		for (k = 0; k < SAMPLE_STEPS - 3; k++)
			step();
	}
}

/* Runs one load after the other and checks at each sample. */
static void run(bool may_stall, void (*check)(const struct truth *))
{
	const u64 end_ns = now_ns + SECONDS * S;
	unsigned int steps_to_sample = 1;
	u32 steps_of_load = 0;

	while (now_ns < end_ns) {
		struct truth truth;

		if (!steps_of_load--)
			steps_of_load = next_load(may_stall);
		step();
		if (--steps_to_sample)
			continue;
		truth = sample();
		steps_to_sample = SAMPLE_STEPS - 3;
		check_order();
		check(&truth);
	}
}

static void armed_on_an_empty_queue(void **state)
{
	unsigned int i;

	(void)state;
	error_permille = 0;
	for (i = 0; i < RUNS; i++) {
		rate_in = rate_out = 0;
		start(0, true);
		run(true, check_settled);
		assert_int_equal(svlag_depth_correction(&d), 0);
		drain();
		assert_int_equal(d.high, 0);
		assert_int_equal(d.wait_ns, 0);
	}
}

/*
 * Armed on a backlog, the least depth is known only up to what comes during a
 * fold: where something always does, so much of the backlog stays unseen.
 */
static void check_either(const struct truth *truth)
{
	if (!d.settled) {
		check_unsettled(truth);
		return;
	}
	assert_true(truth->depth >= d.low);
	assert_true(truth->depth <= d.high + FOLD_ITEMS_MAX);
	if (svlag_depth_correction(&d) == backlog_at_arming)
		check_settled(truth);
}

static void armed_on_a_backlog(void **state)
{
	unsigned int i;

	(void)state;
	error_permille = 0;
	for (i = 0; i < RUNS; i++) {
		u64 backlog = draw(100000);

		rate_in = rate_out = 1000;
		start(backlog, false);
		run(false, check_either);
		drain();
		assert_true(d.settled);
		assert_int_equal(d.high, 0);
		assert_int_equal(svlag_depth_correction(&d), backlog);
		assert_int_equal(d.late, 0);
	}
}

/* Items never seen queued make depth too small until the queue runs empty. */
static void check_at_least(const struct truth *truth)
{
	assert_true(d.low <= truth->depth);
	assert_true(svlag_depth_correction(&d) <= unseen);
}

static void with_error_puts(void **state)
{
	unsigned int i;

	(void)state;
	error_permille = 10;
	for (i = 0; i < RUNS; i++) {
		rate_in = rate_out = 0;
		start(0, true);
		run(true, check_at_least);
		drain();
		assert_true(unseen > 0);
		assert_int_equal(d.high, 0);
		assert_int_equal(svlag_depth_correction(&d), unseen);
		assert_int_equal(d.late, unseen);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(armed_on_an_empty_queue),
		cmocka_unit_test(armed_on_a_backlog),
		cmocka_unit_test(with_error_puts),
	};
	const char *given = getenv("SIM_SEED");

	seed = given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL) * 0x9e3779b97f4a7c15ULL;
	seed |= 1;
	fprintf(stderr, "SIM_SEED=%#llx\n", (unsigned long long)seed);
	return RUN(tests);
}
