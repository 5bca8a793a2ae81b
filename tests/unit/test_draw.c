// SPDX-License-Identifier: GPL-2.0
/* One of each run is drawn, anywhere in it; and the weights add up to the items. */
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"

static u64 word;

static u32 item(u32 level)
{
	u32 weight = 0;

	if (svlag_draw_passes(word, svlag_draw_limit(level)))
		word--;
	else
		word = svlag_draw_turn(word, level, &weight);
	return weight;
}

static int begin(void **state)
{
	(void)state;
	srandom(7);
	word = svlag_draw_first(random());
	return 0;
}

static void one_of_each_run(void **state)
{
	u32 level, run, i;

	for (level = 1; level <= 12; level++) {
		begin(state);
		for (run = 0; run < 20; run++) {
			u32 drawn = 0;

			for (i = 0; i < 1U << level; i++) {
				u32 weight = item(level);

				assert_true(!weight || weight == 1U << level);
				drawn += !!weight;
			}
			assert_int_equal(drawn, 1);
		}
	}
}

static void the_coarsest_run(void **state)
{
	u32 i, drawn = 0;

	(void)state;
	for (i = 0; i < 1U << SVLAG_LEVEL_MAX; i++) {
		u32 weight = item(SVLAG_LEVEL_MAX);

		drawn += !!weight;
		assert_true(!weight || weight == 1U << SVLAG_LEVEL_MAX);
	}
	assert_int_equal(drawn, 1);
}

static void off_draws_nothing(void **state)
{
	u32 i, drawn = 0;

	(void)state;
	for (i = 0; i < 100; i++)
		assert_int_equal(item(SVLAG_LEVEL_OFF), 0);
	for (i = 0; i < 16; i++)
		drawn += item(3);
	assert_int_equal(drawn, 16);
}

static void limits_are_levels(void **state)
{
	u32 level;

	(void)state;
	assert_int_equal(svlag_draw_limit(0), 0);
	for (level = 0; level <= SVLAG_LEVEL_OFF; level++)
		assert_int_equal(svlag_draw_level(svlag_draw_limit(level)), level);
}

/* The number of the run has 37 bits, and nothing beside it is touched. */
static void runs_wrap(void **state)
{
	u32 i, drawn = 0;

	(void)state;
	word = ((1ULL << 37) - 2) << SVLAG_DRAW_RUN_SHIFT;
	for (i = 0; i < 16 * 8; i++) {
		u32 weight = item(4);

		assert_true(!weight || weight == 16);
		drawn += weight;
	}
	assert_int_equal(drawn, 16 * 8);
}

/* All places of a run come up, about as often as each other. */
static void every_place_comes_up(void **state)
{
	const u32 level = 4, runs = 16000;
	u32 times[16] = { 0 }, run, i;
	double chi2 = 0;

	(void)state;
	for (run = 0; run < runs; run++)
		for (i = 0; i < 16; i++)
			if (item(level))
				times[i]++;
	for (i = 0; i < 16; i++)
		chi2 += (times[i] - runs / 16.0) * (times[i] - runs / 16.0) / (runs / 16.0);
	/* 15 degrees of freedom: one in a thousand is beyond 37.7. */
	assert_true(chi2 < 37.7);
}

/* And in no order: each place after each other. */
static void places_follow_no_pattern(void **state)
{
	const u32 level = 4, runs = 64000;
	u32 times[16][16] = { 0 }, before = 0, run, i, k;
	double chi2 = 0;

	(void)state;
	for (run = 0; run < runs; run++) {
		for (i = 0; i < 16; i++) {
			if (!item(level))
				continue;
			times[before][i]++;
			before = i;
		}
	}
	for (i = 0; i < 16; i++)
		for (k = 0; k < 16; k++)
			chi2 += (times[i][k] - runs / 256.0) * (times[i][k] - runs / 256.0) /
				(runs / 256.0);
	/* 255 degrees of freedom: one in a thousand is beyond 330.5. */
	assert_true(chi2 < 330.5);
}

/* However long the run is that goes on. */
static void a_finer_level_is_there_at_once(void **state)
{
	u32 i, drawn = 0;

	(void)state;
	for (i = 0; i < 10; i++)
		item(SVLAG_LEVEL_MAX);
	for (i = 0; i < 16; i++)
		drawn += item(2) == 4;
	assert_int_equal(drawn, 4);
}

/*
 * Traffic with a period, of which only every n-th item is slow: a phase that stood
 * still would see all of them, or none.
 */
static void no_period_is_resonant(void **state)
{
	u32 period, i;

	(void)state;
	for (period = 2; period <= 64; period++) {
		const u32 items = 64 * 4096;
		u32 slow = 0;

		for (i = 0; i < items; i++) {
			u32 weight = item(6);

			if (i % period == 0)
				slow += weight;
		}
		/* 4,096 draws, of which 1 / period are to be slow. */
		assert_true(fabs(slow / 64.0 - 4096.0 / period) <
			    5 * sqrt(4096.0 / period * (1 - 1.0 / period)) + 1);
	}
}

/* A coarser level waits for the end of the run: the weights add up all the time. */
static void coarser_keeps_the_sum(void **state)
{
	u64 items = 0, sum = 0;
	u32 level, i;

	(void)state;
	for (level = 1; level <= 14; level++) {
		for (i = 5000 + random() % 5000; i; i--) {
			items++;
			sum += item(level);
			assert_true(sum < items + (1ULL << level));
			assert_true(items < sum + (1ULL << level));
		}
	}
}

/*
 * Levels that change at any time, but not because of what was drawn: in the mean the
 * weights add up to the items.
 */
static void any_change_is_unbiased(void **state)
{
	const u32 trials = 4000;
	double sum = 0, squares = 0, mean, error;
	u32 trial, change, i;

	(void)state;
	for (trial = 0; trial < trials; trial++) {
		double off = 0;

		word = svlag_draw_first(random());
		for (change = 0; change < 20; change++) {
			u32 level = 1 + random() % 7, items = random() % 300;

			for (i = 0; i < items; i++)
				off += item(level) - 1.0;
		}
		sum += off;
		squares += off * off;
	}
	mean = sum / trials;
	error = sqrt(squares / trials / trials);
	print_message("off by %.2f +- %.2f of 3,000 items in the mean\n", mean, error);
	assert_true(fabs(mean) < 4 * error);
	assert_true(error < 3);
}

#define BEGIN(test)	cmocka_unit_test_setup(test, begin)

int main(void)
{
	const struct CMUnitTest tests[] = {
		BEGIN(one_of_each_run),
		BEGIN(the_coarsest_run),
		BEGIN(off_draws_nothing),
		BEGIN(limits_are_levels),
		BEGIN(runs_wrap),
		BEGIN(every_place_comes_up),
		BEGIN(places_follow_no_pattern),
		BEGIN(a_finer_level_is_there_at_once),
		BEGIN(no_period_is_resonant),
		BEGIN(coarser_keeps_the_sum),
		BEGIN(any_change_is_unbiased),
	};

	return RUN(tests);
}
