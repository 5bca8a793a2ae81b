// SPDX-License-Identifier: GPL-2.0
/* The buckets tile all times, none is wide, and percentiles say what they know. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include <svcrdma_lag/hist.h>

#define US	1000ULL
#define MS	1000000ULL
#define S	1000000000ULL

#define LAST	(SVLAG_HIST_BUCKETS - 1)

static __u64 complete[SVLAG_HIST_BUCKETS], censored[SVLAG_HIST_BUCKETS];

static int clear(void **state)
{
	(void)state;
	memset(complete, 0, sizeof(complete));
	memset(censored, 0, sizeof(censored));
	return 0;
}

static void buckets_tile_all_times(void **state)
{
	unsigned int bucket;

	(void)state;
	assert_int_equal(svlag_hist_lower_ns(0), 0);
	assert_true(svlag_hist_upper_ns(LAST) == SVLAG_HIST_NO_BOUND);
	for (bucket = 0; bucket <= LAST; bucket++) {
		assert_int_equal(svlag_hist_bucket(svlag_hist_lower_ns(bucket)), bucket);
		assert_int_equal(svlag_hist_bucket(svlag_hist_upper_ns(bucket)), bucket);
		if (bucket)
			assert_int_equal(svlag_hist_lower_ns(bucket),
					 svlag_hist_upper_ns(bucket - 1) + 1);
	}
}

static void no_bucket_is_wider_than_a_sixteenth(void **state)
{
	unsigned int bucket;

	(void)state;
	for (bucket = 1; bucket < LAST; bucket++) {
		__u64 lower = svlag_hist_lower_ns(bucket);

		assert_true((svlag_hist_upper_ns(bucket) - lower) * 16 <= lower);
	}
}

static void from_a_microsecond_to_ten_minutes(void **state)
{
	(void)state;
	assert_int_equal(svlag_hist_bucket(0), 0);
	assert_int_equal(svlag_hist_bucket(SVLAG_HIST_FROM_NS - 1), 0);
	assert_int_equal(svlag_hist_bucket(US), 1);
	assert_int_equal(svlag_hist_bucket(600 * S), LAST - 1);
	assert_int_equal(svlag_hist_bucket(SVLAG_HIST_TO_NS), LAST);
	assert_int_equal(svlag_hist_bucket(~0ULL), LAST);
	assert_int_equal(svlag_hist_lower_ns(1), SVLAG_HIST_FROM_NS);
	assert_true(svlag_hist_lower_ns(LAST) == SVLAG_HIST_TO_NS);
}

static void count(__u64 *where, __u64 ns, __u64 times)
{
	where[svlag_hist_bucket(ns)] += times;
}

static struct svlag_percentile percentile(unsigned int permille)
{
	struct svlag_percentile p;

	assert_true(svlag_hist_percentile(complete, censored, permille, &p));
	return p;
}

static void assert_known(unsigned int permille, __u64 ns)
{
	struct svlag_percentile p = percentile(permille);

	assert_false(p.is_least);
	assert_in_range(ns, p.lower_ns, p.upper_ns);
}

static void assert_at_least(unsigned int permille, __u64 ns)
{
	struct svlag_percentile p = percentile(permille);

	assert_true(p.is_least);
	assert_true(p.upper_ns == SVLAG_HIST_NO_BOUND);
	assert_int_equal(p.lower_ns, svlag_hist_lower_ns(svlag_hist_bucket(ns)));
	assert_true(p.lower_ns <= ns);
}

static void nothing_has_no_percentile(void **state)
{
	struct svlag_percentile p = { 1, 2, 0 };

	(void)state;
	assert_false(svlag_hist_percentile(complete, censored, 500, &p));
	assert_int_equal(p.lower_ns, 1);
	assert_int_equal(p.upper_ns, 2);
}

static void percentiles_of_complete_times(void **state)
{
	(void)state;
	count(complete, 5 * US, 500);
	count(complete, 1 * MS, 400);
	count(complete, 20 * MS, 99);
	count(complete, 3 * S, 1);
	assert_known(0, 5 * US);
	assert_known(500, 5 * US);
	assert_known(501, 1 * MS);
	assert_known(900, 1 * MS);
	assert_known(901, 20 * MS);
	assert_known(999, 20 * MS);
	assert_known(1000, 3 * S);
}

static void one_time_is_every_percentile(void **state)
{
	(void)state;
	count(complete, 7 * MS, 1);
	assert_known(0, 7 * MS);
	assert_known(500, 7 * MS);
	assert_known(1000, 7 * MS);
}

static void beyond_the_last_bound_is_at_least(void **state)
{
	(void)state;
	count(complete, 700 * S, 1);
	assert_at_least(500, SVLAG_HIST_TO_NS);
	clear(state);
	count(complete, 300, 1);
	assert_known(500, 300);
}

/* Wherever the one censored time ends, the median stays where it is. */
static void what_censoring_cannot_move_is_known(void **state)
{
	(void)state;
	count(complete, 5 * US, 999);
	count(censored, 1 * US, 1);
	assert_known(500, 5 * US);
	assert_known(999, 5 * US);
	assert_at_least(1000, 5 * US);
}

static void a_percentile_among_censored_times_is_at_least(void **state)
{
	(void)state;
	count(complete, 5 * US, 900);
	count(censored, 10 * S, 100);
	assert_known(500, 5 * US);
	assert_known(900, 5 * US);
	assert_at_least(901, 10 * S);
	assert_at_least(1000, 10 * S);
}

/* 40 % were lost from sight at 1 ms: half of all may have taken up to 3 s. */
static void what_censoring_can_move_is_at_least(void **state)
{
	(void)state;
	count(complete, 5 * US, 300);
	count(censored, 1 * MS, 400);
	count(complete, 3 * S, 300);
	assert_known(300, 5 * US);
	assert_at_least(500, 1 * MS);
	assert_at_least(900, 3 * S);
}

static void all_censored(void **state)
{
	(void)state;
	count(censored, 2 * S, 3);
	assert_at_least(1, 2 * S);
	assert_at_least(1000, 2 * S);
}

/* A hundred years at a million a second. */
static void counts_may_be_large(void **state)
{
	(void)state;
	count(complete, 5 * US, 3000000000000000ULL);
	count(complete, 5 * MS, 150000000000000ULL);
	count(censored, 5 * S, 1000000000000ULL);
	assert_known(500, 5 * US);
	assert_known(990, 5 * MS);
	assert_at_least(1000, 5 * S);
}

/* Against the very times, sorted. */
static int compare(const void *a, const void *b)
{
	__u64 x = *(const __u64 *)a, y = *(const __u64 *)b;

	return (x > y) - (x < y);
}

static void percentiles_are_those_of_the_times(void **state)
{
	static const unsigned int permille[] = { 1, 500, 900, 990, 999, 1000 };
	static __u64 times[10000];
	unsigned int i;

	srandom(4);
	for (i = 0; i < ARRAY_LEN(times); i++) {
		times[i] = (US + random() % US) << random() % 24;
		count(complete, times[i], 1);
	}
	qsort(times, ARRAY_LEN(times), sizeof(times[0]), compare);
	for (i = 0; i < ARRAY_LEN(permille); i++)
		assert_known(permille[i], times[ARRAY_LEN(times) * permille[i] / 1000 - 1]);
	(void)state;
}

#define CLEAR(test)	cmocka_unit_test_setup(test, clear)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CLEAR(buckets_tile_all_times),
		CLEAR(no_bucket_is_wider_than_a_sixteenth),
		CLEAR(from_a_microsecond_to_ten_minutes),
		CLEAR(nothing_has_no_percentile),
		CLEAR(percentiles_of_complete_times),
		CLEAR(one_time_is_every_percentile),
		CLEAR(beyond_the_last_bound_is_at_least),
		CLEAR(what_censoring_cannot_move_is_known),
		CLEAR(a_percentile_among_censored_times_is_at_least),
		CLEAR(what_censoring_can_move_is_at_least),
		CLEAR(all_censored),
		CLEAR(counts_may_be_large),
		CLEAR(percentiles_are_those_of_the_times),
	};

	return RUN(tests);
}
