// SPDX-License-Identifier: GPL-2.0
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "waits.h"

#define LAST	(SVLAG_HIST_BUCKETS - 1)
#define MS	1000000ULL

static struct svlag_waits from, to, window;
static struct svlag_wait_row rows[SVLAG_NR_TIMES * SVLAG_HIST_BUCKETS];
static struct svlag_percentile p;

static struct svlag_wait_row row(const char *what, __u64 upper_ns, __u64 count, __u64 lost,
				 __u64 waiting)
{
	struct svlag_wait_row r = { .upper_ns = upper_ns, .count_total = count,
				    .lost_total = lost, .waiting = waiting };

	strcpy(r.what, what);
	return r;
}

static int afresh(void **state)
{
	(void)state;
	memset(&from, 0, sizeof(from));
	memset(&to, 0, sizeof(to));
	from.known = to.known = true;
	return 0;
}

static void every_bucket_is_taken(void **state)
{
	unsigned int what, bucket, nr = 0;

	(void)state;
	for (what = 0; what < SVLAG_NR_TIMES; what++)
		for (bucket = 0; bucket < SVLAG_HIST_BUCKETS; bucket++, nr++)
			rows[nr] = row(svlag_times_name(what), svlag_hist_upper_ns(bucket),
				       nr + 1, nr + 2, nr + 3);
	assert_int_equal(svlag_waits_take(&to, rows, nr), 0);
	assert_true(to.known);
	for (what = nr = 0; what < SVLAG_NR_TIMES; what++)
		for (bucket = 0; bucket < SVLAG_HIST_BUCKETS; bucket++, nr++) {
			assert_int_equal(to.of[what].complete[bucket], nr + 1);
			assert_int_equal(to.of[what].lost[bucket], nr + 2);
			assert_int_equal(to.of[what].waiting[bucket], nr + 3);
		}
}

static void no_rows_are_no_items(void **state)
{
	(void)state;
	assert_int_equal(svlag_waits_take(&to, rows, 0), 0);
	assert_true(to.known);
	assert_false(svlag_waits_percentile(&to.of[SVLAG_TIMES_WAIT], 500, &p));
}

static void other_times_are_skipped(void **state)
{
	(void)state;
	rows[0] = row("wait_of_tomorrow", 5, SVLAG_UNKNOWN, 1, 1);
	rows[1] = row("wait", 991, 1, SVLAG_UNKNOWN, SVLAG_UNKNOWN);
	assert_int_equal(svlag_waits_take(&to, rows, 2), 0);
	assert_int_equal(to.of[SVLAG_TIMES_WAIT].complete[0], 1);
	assert_int_equal(to.of[SVLAG_TIMES_WAIT].lost[0], 0);
	assert_int_equal(to.of[SVLAG_TIMES_WAIT].waiting[0], 0);
}

static void bad_rows(void **state)
{
	static const struct {
		__u64 upper_ns, count, lost, waiting;
	} bad[] = {
		{ 0, 1, 0, 0 }, { 990, 1, 0, 0 }, { 992, 1, 0, 0 }, { 1024, 1, 0, 0 },
		{ SVLAG_HIST_TO_NS, 1, 0, 0 }, { SVLAG_UNKNOWN - 1, 1, 0, 0 },
		{ 1023, 1, 0, 0 },			/* the second of that bucket */
		{ 1087, SVLAG_UNKNOWN, 0, 0 },
		{ 1087, SVLAG_ITEMS_MAX, 0, 0 },	/* with what there is, too many */
		{ 1087, 0, SVLAG_ITEMS_MAX, 0 },
		{ 1087, 0, 0, SVLAG_ITEMS_MAX },
		{ 1087, SVLAG_UNKNOWN - 1, 0, 0 },
		{ 1087, SVLAG_ITEMS_MAX - 1, SVLAG_UNKNOWN - 1, 0 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(bad); i++) {
		rows[0] = row("service", 1023, 1, 1, 1);
		rows[1] = row("wait", 1023, 1, 0, 1);
		rows[2] = row("wait", bad[i].upper_ns, bad[i].count, bad[i].lost, bad[i].waiting);
		assert_int_equal(svlag_waits_take(&to, rows, 3), 3);
		assert_false(to.known);
		assert_int_equal(to.of[SVLAG_TIMES_WAIT].complete[1], 0);
	}
	rows[2] = row("wait", 1087, SVLAG_ITEMS_MAX - 2, 1, SVLAG_ITEMS_MAX - 1);
	assert_int_equal(svlag_waits_take(&to, rows, 3), 0);
	assert_true(svlag_waits_percentile(&to.of[SVLAG_TIMES_WAIT], 1000, &p));
	assert_int_equal(p.lower_ns, 1024);
}

static void a_window_is_the_difference(void **state)
{
	(void)state;
	from.of[SVLAG_TIMES_WAIT].complete[3] = 5;
	to.of[SVLAG_TIMES_WAIT].complete[3] = 7;
	to.of[SVLAG_TIMES_WAIT].lost[LAST] = 2;
	from.of[SVLAG_TIMES_WAIT].waiting[4] = 9;
	to.of[SVLAG_TIMES_WAIT].waiting[4] = 8;
	to.of[SVLAG_TIMES_WRITE_INFO_SERVICE].complete[0] = 1;
	svlag_waits_diff(&from, &to, &window);
	assert_true(window.known);
	assert_int_equal(window.of[SVLAG_TIMES_WAIT].complete[3], 2);
	assert_int_equal(window.of[SVLAG_TIMES_WAIT].lost[LAST], 2);
	assert_int_equal(window.of[SVLAG_TIMES_WAIT].waiting[4], 8);
	assert_int_equal(window.of[SVLAG_TIMES_WRITE_INFO_SERVICE].complete[0], 1);
}

static void what_one_end_does_not_know_is_not_known(void **state)
{
	(void)state;
	to.of[SVLAG_TIMES_WAIT].complete[3] = 7;
	from.known = false;
	svlag_waits_diff(&from, &to, &window);
	assert_false(window.known);
	from.known = true;
	to.known = false;
	svlag_waits_diff(&from, &to, &window);
	assert_false(window.known);
	assert_int_equal(window.of[SVLAG_TIMES_WAIT].complete[3], 0);
}

static void a_count_that_fell_makes_it_unknown(void **state)
{
	unsigned int what;

	(void)state;
	for (what = 0; what < SVLAG_NR_TIMES; what++) {
		afresh(state);
		to.of[SVLAG_TIMES_WAIT].complete[3] = 7;
		from.of[what].complete[LAST] = 1;
		svlag_waits_diff(&from, &to, &window);
		assert_false(window.known);
		assert_int_equal(window.of[SVLAG_TIMES_WAIT].complete[3], 0);

		from.of[what].complete[LAST] = 0;
		from.of[what].lost[0] = 1;
		svlag_waits_diff(&from, &to, &window);
		assert_false(window.known);

		from.of[what].lost[0] = 0;
		from.of[what].waiting[0] = 1;
		svlag_waits_diff(&from, &to, &window);
		assert_true(window.known);
	}
}

#define A_MS	svlag_hist_bucket(MS)
#define A_S	svlag_hist_bucket(1000 * MS)

static void percentiles_are_of_what_left(void **state)
{
	struct svlag_distribution *d = &to.of[SVLAG_TIMES_WAIT];

	(void)state;
	d->complete[A_MS] = 98;
	d->lost[A_S] = 2;
	d->waiting[0] = 100000;
	assert_true(svlag_waits_percentile(d, 500, &p));
	assert_int_equal(p.upper_ns, svlag_hist_upper_ns(A_MS));
	assert_false(p.is_least);
	assert_true(svlag_waits_percentile(d, 990, &p));
	assert_true(p.is_least);
	assert_int_equal(p.lower_ns, svlag_hist_lower_ns(A_S));
}

static void the_longest(void **state)
{
	struct svlag_distribution *d = &to.of[SVLAG_TIMES_WAIT];
	__u64 upper_ns = svlag_hist_upper_ns(A_MS);

	(void)state;
	assert_false(svlag_waits_longest(d, 0, &p));
	assert_false(svlag_waits_longest(d, SVLAG_UNKNOWN, &p));
	assert_true(svlag_waits_longest(d, 7, &p));
	assert_true(p.is_least);
	assert_int_equal(p.lower_ns, 7);

	d->complete[A_MS] = 1;
	assert_true(svlag_waits_longest(d, upper_ns, &p));
	assert_false(p.is_least);
	assert_int_equal(p.upper_ns, upper_ns);
	assert_true(svlag_waits_longest(d, SVLAG_UNKNOWN, &p));
	assert_false(p.is_least);
	assert_true(svlag_waits_longest(d, upper_ns + 1, &p));
	assert_true(p.is_least);
	assert_int_equal(p.lower_ns, upper_ns + 1);
	assert_int_equal(p.upper_ns, SVLAG_HIST_NO_BOUND);

	/* What was lost is as good a bound as what still waits: the higher one counts. */
	d->lost[A_S] = 1;
	assert_true(svlag_waits_longest(d, 5 * MS, &p));
	assert_true(p.is_least);
	assert_int_equal(p.lower_ns, svlag_hist_lower_ns(A_S));
	assert_true(svlag_waits_longest(d, 5000 * MS, &p));
	assert_int_equal(p.lower_ns, 5000 * MS);
}

static uint64_t seed;

static uint64_t draw(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* Mostly what can be, now and then what cannot. */
static __u64 draw_number(void)
{
	return draw() % 32 ? draw() % 5 : draw() >> draw() % 64;
}

static __u64 draw_bound(void)
{
	return svlag_hist_upper_ns(draw() % SVLAG_HIST_BUCKETS) + !(draw() % 32);
}

/* Whatever the rows say, what comes of it is in order. The sanitizers watch. */
static void any_rows(void **state)
{
	unsigned int round, i, what, good = 0;

	(void)state;
	for (round = 0; round < 20000; round++) {
		unsigned int nr = draw() % 8;

		for (i = 0; i < nr; i++)
			rows[i] = row(svlag_times_name(draw() % (SVLAG_NR_TIMES + 1)),
				      draw_bound(), draw_number(), draw_number(), draw_number());
		assert_true(svlag_waits_take(&to, rows, nr) <= nr);
		svlag_waits_diff(&from, &to, &window);
		for (what = 0; what < SVLAG_NR_TIMES; what++) {
			struct svlag_percentile half = { 0 }, most = { 0 };

			if (svlag_waits_percentile(&to.of[what], 500, &half))
				assert_true(svlag_waits_longest(&to.of[what], draw_number(), &most));
			assert_true(half.lower_ns <= most.lower_ns && half.upper_ns <= most.upper_ns);
		}
		good += to.known;
		if (to.known && draw() % 4 == 0)
			from = to;
	}
	assert_in_range(good, 1000, round - 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(every_bucket_is_taken, afresh),
		cmocka_unit_test_setup(no_rows_are_no_items, afresh),
		cmocka_unit_test_setup(other_times_are_skipped, afresh),
		cmocka_unit_test_setup(bad_rows, afresh),
		cmocka_unit_test_setup(a_window_is_the_difference, afresh),
		cmocka_unit_test_setup(what_one_end_does_not_know_is_not_known, afresh),
		cmocka_unit_test_setup(a_count_that_fell_makes_it_unknown, afresh),
		cmocka_unit_test_setup(percentiles_are_of_what_left, afresh),
		cmocka_unit_test_setup(the_longest, afresh),
		cmocka_unit_test_setup(any_rows, afresh),
	};
	const char *given = getenv("FUZZ_SEED");

	seed = given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL) * 0x9e3779b97f4a7c15ULL;
	seed |= 1;
	fprintf(stderr, "FUZZ_SEED=%#llx\n", (unsigned long long)seed);
	return RUN(tests);
}
