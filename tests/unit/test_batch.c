// SPDX-License-Identifier: GPL-2.0
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <linux/kernel.h>

#include "batch.h"

#define THREADS	24

static int clear(void **state)
{
	(void)state;
	memset(svlag_batches, 0, sizeof(svlag_batches));
	shim_percpu_clear();
	shim_cpu = 0;
	return 0;
}

static void release(u32 thread, u32 from, u32 to)
{
	for (; from <= to; from++)
		assert_int_equal(svlag_batch_add(thread), from);
}

static void counts_since_the_begin(void **state)
{
	(void)state;
	assert_int_equal(svlag_batch_max(), 0);
	svlag_batch_begin(4711);
	assert_int_equal(svlag_batch_max(), 0);
	release(4711, 1, 5);
	assert_int_equal(svlag_batch_max(), 5);
	svlag_batch_begin(4711);
	release(4711, 1, 3);
	assert_int_equal(svlag_batch_max(), 5);
	svlag_batch_begin(4711);
	release(4711, 1, 6);
	assert_int_equal(svlag_batch_max(), 6);
}

static void a_begin_that_was_not_seen(void **state)
{
	(void)state;
	assert_int_equal(svlag_batch_add(4711), 0);
	assert_int_equal(svlag_batch_add(4711), 0);
	assert_int_equal(svlag_batch_max(), 0);
}

/* It is the thread's, whatever CPU that is on, and others drain in between. */
static void wanders_between_cpus(void **state)
{
	u32 nr;

	(void)state;
	svlag_batch_begin(1000);
	for (nr = 1; nr <= 40; nr++) {
		shim_cpu = nr % 3;
		assert_int_equal(svlag_batch_add(1000), nr);
		svlag_batch_begin(1001);
		assert_int_equal(svlag_batch_add(1001), 1);
	}
	shim_cpu = 3;
	assert_int_equal(svlag_batch_max(), 40);
}

/* Of two threads in one slot the later drain is counted, the other one in part. */
static void two_share_a_slot(void **state)
{
	(void)state;
	svlag_batch_begin(7);
	release(7, 1, 4);
	svlag_batch_begin(7 + SVLAG_BATCH_SLOTS);
	assert_int_equal(svlag_batch_add(7), 0);
	release(7 + SVLAG_BATCH_SLOTS, 1, 3);
	assert_int_equal(svlag_batch_add(7), 0);
	release(7 + SVLAG_BATCH_SLOTS, 4, 6);
	assert_int_equal(svlag_batch_max(), 6);
	svlag_batch_begin(7);
	release(7, 1, 1);
}

static void more_than_can_be_counted(void **state)
{
	(void)state;
	svlag_batch_begin(9);
	svlag_batches[9].of |= ~0U - 1;
	assert_int_equal(svlag_batch_add(9), ~0U);
	assert_int_equal(svlag_batch_add(9), 0);
	assert_int_equal(svlag_batch_add(9), 0);
	assert_int_equal(svlag_batch_max(), ~0U);
}

static void drains_beside(void)
{
	shim_interrupts = NULL;
	svlag_batch_begin(2);
	release(2, 1, 9);
}

/* A larger one that comes in between on the same CPU is not forgotten. */
static void interrupted_while_it_raises_the_maximum(void **state)
{
	(void)state;
	svlag_batch_begin(1);
	release(1, 1, 3);
	shim_interrupts = drains_beside;
	release(1, 4, 4);
	assert_null(shim_interrupts);
	assert_int_equal(svlag_batch_max(), 9);
}

/* Threads at random against what each has truly released; a part of them share slots. */
static void at_random(void **state)
{
	const char *given = getenv("BATCH_SEED");
	unsigned int seed = given ? strtoul(given, NULL, 0) : (unsigned int)time(NULL);
	u64 truth[THREADS], most = 0, lost = 0;
	unsigned int shared, i, t;

	(void)state;
	print_message("BATCH_SEED=%u\n", seed);
	srandom(seed);
	for (shared = 0; shared < 2; shared++) {
		clear(NULL);
		memset(truth, 0, sizeof(truth));
		most = lost = 0;
		for (t = 0; t < THREADS; t++)
			svlag_batch_begin(1000 + t * (shared ? SVLAG_BATCH_SLOTS / 4 : 1));
		for (i = 0; i < 100000; i++) {
			u32 thread, said;

			t = random() % THREADS;
			thread = 1000 + t * (shared ? SVLAG_BATCH_SLOTS / 4 : 1);
			shim_cpu = random() % 4;
			if (random() % (t * 8 + 2) == 0) {
				truth[t] = 0;
				svlag_batch_begin(thread);
				continue;
			}
			truth[t]++;
			most = truth[t] > most ? truth[t] : most;
			said = svlag_batch_add(thread);
			lost += !said;
			assert_true(shared ? said <= truth[t] : said == truth[t]);
		}
		assert_true(shared ? lost > 0 : lost == 0);
		if (shared)
			assert_in_range(svlag_batch_max(), 1, most);
		else
			assert_int_equal(svlag_batch_max(), most);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(counts_since_the_begin, clear),
		cmocka_unit_test_setup(a_begin_that_was_not_seen, clear),
		cmocka_unit_test_setup(wanders_between_cpus, clear),
		cmocka_unit_test_setup(two_share_a_slot, clear),
		cmocka_unit_test_setup(more_than_can_be_counted, clear),
		cmocka_unit_test_setup(interrupted_while_it_raises_the_maximum, clear),
		cmocka_unit_test_setup(at_random, clear),
	};

	return RUN(tests);
}
