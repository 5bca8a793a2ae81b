// SPDX-License-Identifier: GPL-2.0
/*
 * The per-CPU counters: exact, whoever hammers them, and folds that bracket the
 * truth while they are hammered. Built for the address and for the thread
 * sanitizer.
 */
#include "test.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "counters.h"

#define HITS		1000000
#define THREADS		4

/* A fence that the thread sanitizer knows. */
static u64 fence;
#define smp_mb()	__atomic_fetch_add(&fence, 1, __ATOMIC_SEQ_CST)

/* Two counters as rpcrdma uses them: what is released was queued before. */
enum { RELEASED, QUEUED };

static int clear(void **state)
{
	(void)state;
	shim_percpu_clear();
	shim_possible_cpus = 0xf;
	shim_cpu = 0;
	return 0;
}

static void a_hit_counts_where_it_happens(void **state)
{
	unsigned int cpu, counter;

	(void)state;
	for (cpu = 0; cpu < 4; cpu++) {
		shim_cpu = cpu;
		for (counter = 0; counter <= cpu; counter++)
			svlag_count(counter);
	}
	for (cpu = 0; cpu < 4; cpu++)
		for (counter = 0; counter < SVLAG_COUNTERS; counter++)
			assert_int_equal(svlag_counter_of(cpu, counter), counter <= cpu);
	assert_int_equal(svlag_counter_fold(0), 4);
	assert_int_equal(svlag_counter_fold(3), 1);
	assert_int_equal(svlag_counter_fold(SVLAG_COUNTERS - 1), 0);
}

static void cpus_may_have_gaps(void **state)
{
	(void)state;
	shim_possible_cpus = 1ULL << 0 | 1ULL << 5 | 1ULL << 63;
	shim_cpu = 63;
	svlag_count(1);
	shim_cpu = 5;
	svlag_count(1);
	assert_int_equal(svlag_counter_fold(1), 2);
	assert_int_equal(svlag_counters_bytes(), 3 * sizeof(struct svlag_counters));
}

static void no_line_is_shared(void **state)
{
	(void)state;
	assert_int_equal(sizeof(struct svlag_counters) % L1_CACHE_BYTES, 0);
	assert_int_equal((uintptr_t)per_cpu_ptr(&svlag_counters, 1) % L1_CACHE_BYTES, 0);
}

/* The high numbers wrap as u64 do, and nothing else happens. */
static void a_counter_may_be_large(void **state)
{
	(void)state;
	per_cpu(svlag_counters, 0).count[2] = UINT64_MAX - 1;
	svlag_count(2);
	assert_int_equal(svlag_counter_fold(2), UINT64_MAX);
	svlag_count(2);
	assert_int_equal(svlag_counter_fold(2), 0);
}

struct hammer {
	pthread_t thread;
	unsigned int cpu;
};

static bool done;

/* Queues and then releases, over and over: never is more released than queued. */
static void *hammer(void *argument)
{
	struct hammer *h = argument;
	unsigned int i;

	shim_cpu = h->cpu;
	for (i = 0; i < HITS; i++) {
		svlag_count(QUEUED);
		/* In the kernel these are two functions, in an order that hardware keeps. */
		smp_mb();
		svlag_count(RELEASED);
	}
	return NULL;
}

/* Folds as the sampler does, as long as the hammers run. Returns how often. */
static void *fold(void *unused)
{
	u64 last_released = 0, last_queued = 0;
	uintptr_t folds = 0;

	(void)unused;
	while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) {
		u64 released, queued, released_after;

		released = svlag_counter_fold(RELEASED);
		smp_mb();
		queued = svlag_counter_fold(QUEUED);
		smp_mb();
		released_after = svlag_counter_fold(RELEASED);

		/* They only rise; no release without its cause. */
		if (released < last_released || queued < last_queued ||
		    released_after < released || released > queued)
			return NULL;
		last_released = released;
		last_queued = queued;
		folds++;
	}
	return (void *)(folds + 1);
}

static void totals_are_exact_and_folds_bracket(void **state)
{
	struct hammer hammers[THREADS];
	pthread_t folder;
	unsigned int i;
	void *folds;

	(void)state;
	done = false;
	assert_int_equal(pthread_create(&folder, NULL, fold, NULL), 0);
	for (i = 0; i < THREADS; i++) {
		hammers[i].cpu = i;
		assert_int_equal(pthread_create(&hammers[i].thread, NULL, hammer, &hammers[i]), 0);
	}
	for (i = 0; i < THREADS; i++)
		pthread_join(hammers[i].thread, NULL);
	__atomic_store_n(&done, true, __ATOMIC_RELEASE);
	pthread_join(folder, &folds);
	assert_non_null(folds);

	assert_int_equal(svlag_counter_fold(QUEUED), THREADS * HITS);
	assert_int_equal(svlag_counter_fold(RELEASED), THREADS * HITS);
	for (i = 0; i < THREADS; i++)
		assert_int_equal(svlag_counter_of(i, QUEUED), HITS);
}

/*
 * The bracket. Two CPUs queue and two others release what was queued, and a
 * ledger says before and after each count that it happens. What the ledger
 * proves of the depth during a fold must meet [queued - released_after,
 * queued - released].
 */
struct ledger {
	u64 begun;
	u64 done;
};

static struct ledger queue_ledger, release_ledger;

static u64 look(const u64 *entry)
{
	return __atomic_load_n(entry, __ATOMIC_SEQ_CST);
}

static void count_with_ledger(struct ledger *ledger, unsigned int counter)
{
	__atomic_fetch_add(&ledger->begun, 1, __ATOMIC_SEQ_CST);
	svlag_count(counter);
	__atomic_fetch_add(&ledger->done, 1, __ATOMIC_SEQ_CST);
}

static void *produce(void *argument)
{
	unsigned int i;

	shim_cpu = ((struct hammer *)argument)->cpu;
	for (i = 0; i < HITS / 4; i++)
		count_with_ledger(&queue_ledger, QUEUED);
	return NULL;
}

/* Takes tickets, so that no release comes before the completion that it belongs to. */
static u64 tickets;

static void *consume(void *argument)
{
	shim_cpu = ((struct hammer *)argument)->cpu;
	for (;;) {
		u64 ticket = __atomic_fetch_add(&tickets, 1, __ATOMIC_SEQ_CST);

		if (ticket >= HITS / 2)
			return NULL;
		while (look(&queue_ledger.done) <= ticket)
			sched_yield();
		count_with_ledger(&release_ledger, RELEASED);
	}
}

static u64 less(u64 a, u64 b)
{
	return a > b ? a - b : 0;
}

static void check_bracket(void)
{
	u64 queued_before = look(&queue_ledger.done);
	u64 released_before = look(&release_ledger.done);
	u64 released = svlag_counter_fold(RELEASED);
	u64 queued, released_after, queued_begun, released_begun;

	smp_mb();
	queued = svlag_counter_fold(QUEUED);
	smp_mb();
	released_after = svlag_counter_fold(RELEASED);
	released_begun = look(&release_ledger.begun);
	queued_begun = look(&queue_ledger.begun);

	assert_in_range(queued, queued_before, queued_begun);
	assert_in_range(released, released_before, released_after);
	assert_true(released_after <= released_begun);
	assert_true(released <= queued);
	assert_true(queued - released >= less(queued_before, released_begun));
	assert_true(less(queued, released_after) <= less(queued_begun, released_before));
}

static void the_bracket_meets_the_truth(void **state)
{
	static void *(*const roles[THREADS])(void *) = { produce, produce, consume, consume };
	struct hammer hammers[THREADS];
	unsigned int i;

	(void)state;
	for (i = 0; i < THREADS; i++) {
		hammers[i].cpu = i;
		assert_int_equal(pthread_create(&hammers[i].thread, NULL, roles[i], &hammers[i]),
				 0);
	}
	while (look(&release_ledger.done) < HITS / 2)
		check_bracket();
	for (i = 0; i < THREADS; i++)
		pthread_join(hammers[i].thread, NULL);
	check_bracket();
	assert_int_equal(svlag_counter_fold(QUEUED), HITS / 2);
	assert_int_equal(svlag_counter_fold(RELEASED), HITS / 2);
}

#define CLEAR(test)	cmocka_unit_test_setup(test, clear)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CLEAR(a_hit_counts_where_it_happens),
		CLEAR(cpus_may_have_gaps),
		CLEAR(no_line_is_shared),
		CLEAR(a_counter_may_be_large),
		CLEAR(totals_are_exact_and_folds_bracket),
		CLEAR(the_bracket_meets_the_truth),
	};

	return RUN(tests);
}
