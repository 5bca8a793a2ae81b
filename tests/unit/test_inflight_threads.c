// SPDX-License-Identifier: GPL-2.0
/*
 * The in-flight table under threads, each a CPU: nothing is lost, nothing is torn,
 * and when all are done the accounts add up. Built for the address and for the
 * thread sanitizer.
 */
#include "test.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

#include <linux/kernel.h>
#include <linux/log2.h>

#include "inflight_hot.h"

#define S		1000000000ULL

#define THREADS		4
#define CONTROLLER	THREADS		/* a CPU of its own */
#define ROUNDS		20000

static struct svlag_inflight t;
static bool done;

static void open_table(u32 entries)
{
	shim_percpu_clear();
	shim_possible_cpus = (1 << (THREADS + 1)) - 1;
	shim_cpu = CONTROLLER;
	done = false;
	assert_int_equal(svlag_inflight_create(&t, entries, 64, 0), 0);
}

static int close_table(void **state)
{
	(void)state;
	svlag_inflight_destroy(&t);
	return shim_allocations ? -1 : 0;
}

struct worker {
	pthread_t thread;
	unsigned int nr;
	u64 seed;
	u64 matched, missed, torn;
};

static struct worker worker[THREADS];

static u32 draw(struct worker *w, u32 below)
{
	w->seed ^= w->seed << 13;
	w->seed ^= w->seed >> 7;
	w->seed ^= w->seed << 17;
	return (u64)(u32)(w->seed >> 16) * below >> 32;
}

/* An item says of itself what it must be, so that one put together of two is seen. */
static u64 since_of(unsigned long key, u32 salt)
{
	return key * 2654435761U % S + salt * S;
}

static void queue(unsigned long key, u32 salt)
{
	u32 id = (u32)(key >> 4) ^ salt;
	u32 weight = svlag_inflight_begin(&t, key, id);

	if (weight)
		svlag_inflight_insert(&t, key, id, weight, since_of(key, salt));
}

static bool release(struct worker *w, unsigned long key)
{
	struct svlag_inflight_item item;

	if (!svlag_inflight_take(&t, key, &item)) {
		w->missed++;
		return false;
	}
	w->matched++;
	w->torn += item.since_ns != since_of(key, item.id ^ (u32)(key >> 4));
	w->torn += !is_power_of_2(item.weight);
	return true;
}

/* Of what goes on all the time: no end without its beginning. */
static void watch(u64 now_ns)
{
	u64 ages[SVLAG_HIST_BUCKETS] = { 0 };
	struct svlag_inflight_account a;
	struct svlag_inflight_survey s;

	svlag_inflight_account(&t, &a);
	assert_true((s64)a.live >= 0);
	assert_true((s64)a.weight >= 0);
	svlag_inflight_survey(&t, now_ns, &s, ages);
	assert_true(s.live <= t.nr_sets * SVLAG_INFLIGHT_WAYS);
}

static void run(void *(*work)(void *), void (*control)(u32 round))
{
	unsigned int i, round = 0;

	for (i = 0; i < THREADS; i++) {
		worker[i] = (struct worker){ .nr = i, .seed = 88172645463325252ULL + i };
		assert_int_equal(pthread_create(&worker[i].thread, NULL, work, &worker[i]), 0);
	}
	while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) {
		control(round++);
		sched_yield();
	}
	for (i = 0; i < THREADS; i++)
		pthread_join(worker[i].thread, NULL);
	assert_true(round > 0);
}

static void finish(void)
{
	static unsigned int finished;

	if (__atomic_add_fetch(&finished, 1, __ATOMIC_ACQ_REL) % THREADS == 0)
		__atomic_store_n(&done, true, __ATOMIC_RELEASE);
}

static struct svlag_inflight_account assert_accounted(void)
{
	u64 censored[SVLAG_HIST_BUCKETS] = { 0 }, matched = 0, missed = 0;
	struct svlag_inflight_account a;
	struct svlag_inflight_survey s;
	s64 told = atomic_read(&t.live), spilled = 0;
	unsigned int cpu, i;
	u32 nth;

	svlag_inflight_account(&t, &a);
	svlag_inflight_survey(&t, 0, &s, NULL);
	assert_int_equal(a.inserted, a.matched + a.refused_full + a.expired + a.purged +
			 a.restarted_key + s.live);
	assert_int_equal(a.weight, s.weight);
	for (nth = 0; nth <= t.stream_mask; nth++)
		for_each_possible_cpu(cpu)
			told += per_cpu_ptr(t.stream_cpu, cpu)[nth].untold;
	assert_int_equal(told, s.live);
	for (i = 0; i < THREADS; i++) {
		matched += worker[i].matched;
		missed += worker[i].missed;
		assert_int_equal(worker[i].torn, 0);
	}
	assert_int_equal(a.matched, matched);
	assert_int_equal(a.missed, missed);
	svlag_histogram_fold(&t.censored, censored);
	assert_true(svlag_hist_total(censored) >= a.expired + a.purged);
	for (nth = 0; nth < t.nr_sets; nth++)
		spilled += atomic_read(&t.sets[nth].spilled);
	assert_in_range(spilled, 0, s.live);
	return a;
}

/*
 * As rpcrdma does it: each thread queues contexts and hands them to the next, which
 * releases them and gives them back. They recur quickly. Nothing is thinned or
 * refused, so each must be found.
 */
#define CONTEXTS	48

static struct ring {
	unsigned long key[64];
	u32 in ____cacheline_aligned;
	u32 out ____cacheline_aligned;
} queued[THREADS], freed[THREADS];

static bool ring_put(struct ring *r, unsigned long key)
{
	u32 in = __atomic_load_n(&r->in, __ATOMIC_RELAXED);

	if (in - __atomic_load_n(&r->out, __ATOMIC_ACQUIRE) == ARRAY_LEN(r->key))
		return false;
	r->key[in % ARRAY_LEN(r->key)] = key;
	__atomic_store_n(&r->in, in + 1, __ATOMIC_RELEASE);
	return true;
}

static unsigned long ring_get(struct ring *r)
{
	u32 out = __atomic_load_n(&r->out, __ATOMIC_RELAXED);
	unsigned long key;

	if (out == __atomic_load_n(&r->in, __ATOMIC_ACQUIRE))
		return 0;
	key = r->key[out % ARRAY_LEN(r->key)];
	__atomic_store_n(&r->out, out + 1, __ATOMIC_RELEASE);
	return key;
}

static void *serve(void *argument)
{
	struct worker *w = argument;
	struct ring *mine = &queued[w->nr], *others = &queued[(w->nr + 1) % THREADS];
	struct ring *back = &freed[(w->nr + 1) % THREADS];
	unsigned int sent = 0, released = 0;
	unsigned long key;

	shim_cpu = w->nr;
	while (sent < ROUNDS || released < ROUNDS) {
		key = sent < ROUNDS ? ring_get(&freed[w->nr]) : 0;
		if (key) {
			queue(key, sent++ % 64);
			while (!ring_put(mine, key))
				sched_yield();
		}
		key = ring_get(others);
		if (key) {
			release(w, key);
			released++;
			while (!ring_put(back, key))
				sched_yield();
		} else {
			sched_yield();
		}
	}
	finish();
	return NULL;
}

static void control_serving(u32 round)
{
	svlag_inflight_sweep(&t, 64 * S, t.nr_sets / 8);
	svlag_inflight_control(&t, round * S / 10, 0, true, 1000 * S);
	watch(64 * S);
}

static void nothing_is_lost(void **state)
{
	struct svlag_inflight_account a;
	unsigned int i, k;

	(void)state;
	open_table(65536);
	memset(queued, 0, sizeof(queued));
	memset(freed, 0, sizeof(freed));
	for (i = 0; i < THREADS; i++)
		for (k = 0; k < CONTEXTS; k++)
			ring_put(&freed[i], 0xffff888100000000UL + (i * CONTEXTS + k) * 1024);
	run(serve, control_serving);
	a = assert_accounted();
	assert_int_equal(a.inserted, THREADS * ROUNDS);
	assert_int_equal(a.matched, THREADS * ROUNDS);
	assert_int_equal(a.missed, 0);
}

/*
 * All at once on few keys: queued twice, released twice, by several threads at the
 * same moment, leaked, purged and swept, in a table that is much too small.
 */
static void *attack(void *argument)
{
	struct worker *w = argument;
	unsigned int i;

	shim_cpu = w->nr;
	for (i = 0; i < 4 * ROUNDS; i++) {
		unsigned long key = 4096 + 64 * draw(w, draw(w, 8) ? 100 : 1000000);

		if (draw(w, 16) == 0)
			atomic64_set(&t.limit[draw(w, t.stream_mask + 1)], 0);
		if (draw(w, 2))
			queue(key, draw(w, 64));
		else
			release(w, key);
		if (draw(w, 200) == 0)
			svlag_inflight_purge(&t, (u32)(key >> 4) ^ draw(w, 64), ~0ULL,
					     64 * S);
	}
	finish();
	return NULL;
}

static void control_attack(u32 round)
{
	/* Now and then all are older than that. */
	u64 now_ns = (64 + round % 40) * S;

	svlag_inflight_control(&t, round * S / 10, 0, true, 30 * S);
	svlag_inflight_sweep(&t, now_ns, t.nr_sets / 2);
	watch(now_ns);
}

static void the_accounts_add_up_under_attack(void **state)
{
	static const u32 entries[] = { 64, 256, 2048 };
	struct svlag_inflight_account a;
	unsigned int i;

	for (i = 0; i < ARRAY_LEN(entries); i++) {
		if (i)
			close_table(state);
		open_table(entries[i]);
		run(attack, control_attack);
		a = assert_accounted();
		assert_true(a.matched > 100);
		assert_true(a.restarted_key > 100);
		assert_true(a.expired > 100);
		assert_true(entries[i] > 64 || a.refused_full > 100);
	}
}

#define OWN(test)	cmocka_unit_test_teardown(test, close_table)

int main(void)
{
	const struct CMUnitTest tests[] = {
		OWN(nothing_is_lost),
		OWN(the_accounts_add_up_under_attack),
	};

	return RUN(tests);
}
