// SPDX-License-Identifier: GPL-2.0
/*
 * The in-flight table in one thread: what comes out is what went in, every end has
 * its counter, and they add up exactly, whatever is done to it.
 */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>

#include "inflight_hot.h"

#define US		1000ULL
#define MS		1000000ULL
#define S		1000000000ULL

#define CPUS		4
#define LEAK_AGE_NS	(10 * S)
#define ID		7
#define OTHER_ID	(ID + 1)

static struct svlag_inflight t;
static u64 now_ns;

static void open_table(u32 entries)
{
	shim_percpu_clear();
	shim_possible_cpus = (1 << CPUS) - 1;
	shim_cpu = 0;
	now_ns = 1000 * S;
	assert_int_equal(svlag_inflight_create(&t, entries, 64, now_ns), 0);
	svlag_inflight_control(&t, now_ns, 0, true, LEAK_AGE_NS);
}

static u32 level_of(u32 stream)
{
	return svlag_draw_level(atomic64_read(&t.limit[stream]));
}

static void set_level(u32 stream, u32 level)
{
	atomic64_set(&t.limit[stream], svlag_draw_limit(level));
}

static int open_usual(void **state)
{
	(void)state;
	srandom(4);
	open_table(65536);
	return 0;
}

static int close_table(void **state)
{
	(void)state;
	svlag_inflight_destroy(&t);
	return shim_allocations ? -1 : 0;
}

static struct svlag_inflight_account account(void)
{
	struct svlag_inflight_account a;

	svlag_inflight_account(&t, &a);
	return a;
}

/* All that can be told at a quiet time tells the same. */
static void assert_accounted(void)
{
	struct svlag_inflight_account a = account();
	struct svlag_inflight_survey s;
	u64 censored[SVLAG_HIST_BUCKETS] = { 0 };
	s64 told = atomic_read(&t.live), spilled = 0, elsewhere = 0;
	unsigned int cpu, way;
	u32 nth;

	svlag_inflight_survey(&t, now_ns, &s, NULL);
	assert_int_equal(a.inserted, a.matched + a.refused_full + a.expired + a.purged +
			 a.restarted_key + s.live);
	assert_int_equal(a.live, s.live);
	assert_int_equal(a.weight, s.weight);
	assert_true(a.negative <= a.matched);
	assert_true(a.evicted <= a.expired);
	assert_true(a.unmatched <= a.missed);
	svlag_histogram_fold(&t.censored, censored);
	assert_true(svlag_hist_total(censored) >= a.expired + a.purged);

	for (nth = 0; nth <= t.stream_mask; nth++)
		for_each_possible_cpu(cpu)
			told += per_cpu_ptr(t.stream_cpu, cpu)[nth].untold;
	assert_int_equal(told, s.live);

	for (nth = 0; nth < t.nr_sets; nth++) {
		spilled += atomic_read(&t.sets[nth].spilled);
		for (way = 0; way < SVLAG_INFLIGHT_WAYS; way++) {
			unsigned long key = t.sets[nth].key[way];

			assert_int_not_equal(key, SVLAG_KEY_BUSY);
			if (key != SVLAG_KEY_FREE)
				elsewhere += svlag_inflight_set(&t, key) != &t.sets[nth];
		}
	}
	assert_int_equal(spilled, elsewhere);
}

/* Somewhere in the memory of a server. */
static unsigned long key_nr(unsigned long nth)
{
	return 0xffff888100000000UL + nth * 1024;
}

static u32 queue(unsigned long key, u32 id)
{
	u32 weight = svlag_inflight_begin(&t, key, id);

	if (weight)
		svlag_inflight_insert(&t, key, id, weight, now_ns);
	return weight;
}

/* Takes what must be there. */
static u64 release(unsigned long key)
{
	struct svlag_inflight_item item;
	u64 wait_ns = 0;

	assert_true(svlag_inflight_take(&t, key, &item));
	assert_true(svlag_inflight_wait(&t, &item, now_ns, &wait_ns));
	return wait_ns;
}

static void assert_missed(unsigned long key)
{
	struct svlag_inflight_item item;

	assert_false(svlag_inflight_take(&t, key, &item));
}

static void tick(u64 ns)
{
	now_ns += ns;
	svlag_inflight_control(&t, now_ns, 0, true, LEAK_AGE_NS);
}

static void a_wait_is_told_exactly(void **state)
{
	struct svlag_inflight_item item;

	(void)state;
	assert_int_equal(queue(key_nr(1), ID), 1);
	now_ns += 10;
	assert_int_equal(queue(key_nr(2), OTHER_ID), 1);
	now_ns += 100;
	shim_cpu = 1;
	assert_true(svlag_inflight_take(&t, key_nr(2), &item));
	assert_int_equal(item.since_ns, now_ns - 100);
	assert_int_equal(item.id, OTHER_ID);
	assert_int_equal(item.weight, 1);
	assert_int_equal(release(key_nr(1)), 110);
	assert_missed(key_nr(1));
	assert_missed(key_nr(3));
	assert_int_equal(account().matched, 2);
	assert_int_equal(account().matched_weight, 2);
	assert_int_equal(account().missed, 2);
	assert_int_equal(account().live, 0);
	assert_accounted();
}

static void a_key_that_comes_again_is_restarted(void **state)
{
	(void)state;
	queue(key_nr(1), ID);
	now_ns += 3 * S;
	queue(key_nr(1), OTHER_ID);
	assert_int_equal(account().restarted_key, 1);
	assert_int_equal(account().live, 1);
	assert_accounted();
	now_ns += 5;
	assert_int_equal(release(key_nr(1)), 5);
	assert_accounted();
}

/* Or the wait of an item that was not drawn would be taken from one long gone. */
static void a_key_that_comes_again_undrawn_is_restarted_too(void **state)
{
	(void)state;
	queue(key_nr(1), ID);
	now_ns += 3 * S;
	set_level(ID, 10);
	assert_int_equal(queue(key_nr(1), ID), 0);
	assert_int_equal(account().restarted_key, 1);
	assert_missed(key_nr(1));
	assert_accounted();
}

static void time_going_back_is_no_wait(void **state)
{
	struct svlag_inflight_item item;
	u64 wait_ns = 123;

	(void)state;
	queue(key_nr(1), ID);
	now_ns -= 50;
	assert_true(svlag_inflight_take(&t, key_nr(1), &item));
	assert_false(svlag_inflight_wait(&t, &item, now_ns, &wait_ns));
	assert_int_equal(wait_ns, 123);
	assert_int_equal(account().negative, 1);
	assert_int_equal(account().matched, 1);

	queue(key_nr(2), ID);
	now_ns -= 50;
	svlag_inflight_sweep(&t, now_ns, t.nr_sets);
	assert_int_equal(account().expired, 0);
	svlag_inflight_purge_all(&t, now_ns);
	assert_int_equal(account().purged, 1);
	assert_accounted();
}

static void what_is_no_key_does_no_harm(void **state)
{
	struct svlag_inflight_item item;

	(void)state;
	assert_int_equal(queue(SVLAG_KEY_FREE, ID), 1);
	assert_int_equal(queue(SVLAG_KEY_BUSY, ID), 1);
	assert_false(svlag_inflight_take(&t, SVLAG_KEY_FREE, &item));
	assert_false(svlag_inflight_take(&t, SVLAG_KEY_BUSY, &item));
	assert_int_equal(account().refused_full, 2);
	assert_accounted();
}

/* The nth key of the same set as key_nr(0). */
static unsigned long key_beside(unsigned int nth)
{
	unsigned long i;

	for (i = 1; nth; i++)
		if (svlag_inflight_set(&t, key_nr(i)) == svlag_inflight_set(&t, key_nr(0)))
			nth--;
	return key_nr(i - 1);
}

static void what_finds_its_set_full_goes_to_a_second(void **state)
{
	const unsigned int nr = 2 * SVLAG_INFLIGHT_WAYS;
	unsigned int i;

	(void)state;
	for (i = 0; i < nr; i++) {
		queue(key_beside(i), ID);
		now_ns += 1;
	}
	assert_int_equal(account().refused_full, 0);
	assert_int_equal(atomic_read(&svlag_inflight_set(&t, key_nr(0))->spilled),
			 nr - SVLAG_INFLIGHT_WAYS);
	assert_accounted();

	/* There it is restarted, released, expired and purged as well. */
	queue(key_beside(nr - 1), ID);
	assert_int_equal(account().restarted_key, 1);
	assert_int_equal(release(key_beside(nr - 2)), 2);
	assert_accounted();
	for (i = 0; i < SVLAG_INFLIGHT_WAYS; i++)
		assert_int_equal(release(key_beside(i)), nr - i);
	assert_accounted();
	now_ns += LEAK_AGE_NS;
	svlag_inflight_sweep(&t, now_ns, t.nr_sets);
	svlag_inflight_purge(&t, ID, now_ns, now_ns);
	assert_int_equal(atomic_read(&svlag_inflight_set(&t, key_nr(0))->spilled), 0);
	assert_int_equal(account().live, 0);
	assert_accounted();
}

/* 64 entries, all of one transport, at one of one: 56 places. */
static void fill(void)
{
	unsigned int i;

	for (i = 0; i < 1000; i++) {
		set_level(0, 0);
		queue(key_nr(i), ID);
		now_ns += 1;
	}
	assert_int_equal(account().live, t.nr_sets * SVLAG_INFLIGHT_WAYS);
	assert_int_equal(account().live, 56);
	assert_int_equal(account().refused_full, 1000 - 56);
	assert_int_equal(account().evicted, 0);
	assert_accounted();
}

static void a_full_table_refuses(void **state)
{
	(void)state;
	open_table(64);
	fill();
	/* Of what is in it, nothing was hurt. */
	assert_int_equal(release(key_nr(0)), 1000);
}

static void only_what_has_leaked_is_evicted(void **state)
{
	u64 censored[SVLAG_HIST_BUCKETS] = { 0 };
	struct svlag_inflight_survey s;

	(void)state;
	open_table(64);
	fill();
	svlag_inflight_survey(&t, now_ns, &s, NULL);

	/* The oldest is just as old as the leak age. */
	now_ns += LEAK_AGE_NS - s.oldest_age_ns;
	set_level(0, 0);
	queue(key_nr(5000), ID);
	assert_int_equal(account().evicted, 0);

	now_ns += 1;
	set_level(0, 0);
	queue(key_nr(0), ID);		/* restarts the oldest */
	assert_int_equal(account().evicted, 0);
	assert_int_equal(account().restarted_key, 1);
	now_ns += S;
	set_level(0, 0);
	queue(key_nr(6000), ID);
	assert_int_equal(account().evicted, 1);
	assert_int_equal(account().expired, 1);
	assert_int_equal(account().live, 56);
	assert_int_equal(release(key_nr(6000)), 0);
	svlag_histogram_fold(&t.censored, censored);
	assert_int_equal(censored[svlag_hist_bucket(LEAK_AGE_NS + S)], 1);
	assert_accounted();
}

static void a_sweep_expires_what_is_too_old(void **state)
{
	u64 censored[SVLAG_HIST_BUCKETS] = { 0 };
	struct svlag_inflight_survey s;
	unsigned int i;

	(void)state;
	for (i = 0; i < 1000; i++)
		queue(key_nr(i), ID);
	now_ns += LEAK_AGE_NS;
	for (i = 1000; i < 1010; i++)
		queue(key_nr(i), ID);
	svlag_inflight_sweep(&t, now_ns, t.nr_sets);
	assert_int_equal(account().expired, 0);

	now_ns += 1;
	svlag_inflight_survey(&t, now_ns, &s, NULL);
	assert_int_equal(s.live, 1010);
	assert_int_equal(s.oldest_age_ns, LEAK_AGE_NS + 1);
	svlag_inflight_sweep(&t, now_ns, t.nr_sets);
	assert_int_equal(account().expired, 1000);
	assert_int_equal(account().evicted, 0);
	assert_int_equal(account().live, 10);
	svlag_histogram_fold(&t.censored, censored);
	assert_int_equal(censored[svlag_hist_bucket(LEAK_AGE_NS)], 1000);
	assert_missed(key_nr(0));
	assert_accounted();
}

static void sweeps_go_round(void **state)
{
	unsigned int i;
	u64 before, after;

	(void)state;
	for (i = 0; i < 5000; i++)
		queue(key_nr(i), i);
	now_ns += LEAK_AGE_NS + 1;
	for (i = 0, after = 5000; i < 8; i++) {
		before = after;
		svlag_inflight_sweep(&t, now_ns, t.nr_sets / 8);
		after = account().live;
		/* An eighth of the table, where about an eighth of them is. */
		assert_in_range(before - after, 500, 750);
	}
	assert_int_equal(after, 0);
	assert_accounted();
}

static void the_leak_age_follows_the_waits(void **state)
{
	(void)state;
	queue(key_nr(1), ID);
	now_ns += 14 * S;
	svlag_inflight_control(&t, now_ns, 14 * S, false, LEAK_AGE_NS);
	assert_int_equal(account().leak_age_ns, 56 * S);
	svlag_inflight_sweep(&t, now_ns, t.nr_sets);
	assert_int_equal(release(key_nr(1)), 14 * S);
	svlag_inflight_control(&t, now_ns, MS, true, LEAK_AGE_NS);
	assert_int_equal(account().leak_age_ns, LEAK_AGE_NS);
}

/* The two transports are of one stream. */
static void a_purge_is_of_one_transport(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < 300; i++)
		queue(key_nr(i), i % 3 == 0 ? ID : i % 3 == 1 ? ID + 64 : OTHER_ID);
	now_ns += MS;
	svlag_inflight_purge(&t, ID, now_ns, now_ns);
	assert_int_equal(account().purged, 100);
	assert_int_equal(account().live, 200);
	assert_missed(key_nr(0));
	assert_int_equal(release(key_nr(1)), MS);
	assert_int_equal(release(key_nr(2)), MS);
	svlag_inflight_purge(&t, ID + 1000, now_ns, now_ns);
	assert_int_equal(account().purged, 100);
	svlag_inflight_purge_all(&t, now_ns);
	assert_int_equal(account().purged, 298);
	assert_accounted();
}

/* The address of a transport that went away may be another's by now. */
static void a_purge_spares_what_came_later(void **state)
{
	u64 gone_ns;

	(void)state;
	queue(key_nr(0), ID);
	gone_ns = now_ns;
	now_ns += MS;
	queue(key_nr(1), ID);
	now_ns += MS;
	svlag_inflight_purge(&t, ID, gone_ns, now_ns);
	assert_int_equal(account().purged, 1);
	assert_missed(key_nr(0));
	assert_int_equal(release(key_nr(1)), MS);
	assert_accounted();
}

/* What was queued before tracking began, or began anew, is not taken for unmatched. */
static void tracking_resumes(void **state)
{
	(void)state;
	tick(10 * S);
	assert_missed(key_nr(0));
	svlag_inflight_resume(&t, now_ns);
	tick(S / 10);
	assert_int_equal(account().unmatched, 0);
	now_ns += 10 * S;
	tick(S / 10);
	assert_missed(key_nr(0));
	tick(S / 10);
	assert_int_equal(account().unmatched, 1);
}

static void a_table_of_no_entries(void **state)
{
	struct svlag_inflight_survey s;
	unsigned int i;

	(void)state;
	open_table(0);
	for (i = 0; i < 100000; i++) {
		assert_int_equal(queue(key_nr(i), i), 0);
		assert_missed(key_nr(i));
	}
	svlag_inflight_sweep(&t, now_ns, 1000);
	svlag_inflight_purge(&t, ID, now_ns, now_ns);
	svlag_inflight_purge_all(&t, now_ns);
	tick(S);
	svlag_inflight_survey(&t, now_ns, &s, NULL);
	assert_int_equal(s.live, 0);
	assert_int_equal(account().inserted, 0);
	assert_int_equal(account().level_max, 0);
	assert_accounted();
}

static void sizes(void **state)
{
	(void)state;
	assert_int_equal(svlag_inflight_create(&t, SVLAG_INFLIGHT_MAX + 1, 64, 0), -EINVAL);
	assert_int_equal(svlag_inflight_create(&t, 65536, 63, 0), -EINVAL);
	assert_int_equal(svlag_inflight_create(&t, 65536, 0, 0), -EINVAL);
	assert_int_equal(svlag_inflight_create(&t, 65536, 2 * SVLAG_INFLIGHT_STREAMS_MAX, 0),
			 -EINVAL);
	open_table(1);
	assert_int_equal(t.nr_sets, 8);
	/* Too small for 64 floods to be told apart. */
	assert_int_equal(t.stream_mask, 0);
	close_table(state);
	open_table(65537);
	assert_int_equal(t.nr_sets, 16384);
	assert_int_equal(t.stream_mask, 63);
	/* A set is three lines; beside the sets there are 270 KB at most. */
	assert_in_range(svlag_inflight_bytes(&t), 16384 * 192, 16384 * 192 + 270000);
	close_table(state);
	open_table(SVLAG_INFLIGHT_MAX);
}

static void no_memory(void **state)
{
	unsigned int nth;
	int err = -ENOMEM;

	for (nth = 1; err; nth++) {
		shim_alloc_fails = nth;
		err = svlag_inflight_create(&t, 65536, 64, 0);
		if (err)
			assert_int_equal(err, -ENOMEM);
		assert_int_equal(close_table(state), 0);
	}
	assert_int_equal(nth, 8);
	shim_alloc_fails = 0;
}

static void no_line_is_shared(void **state)
{
	(void)state;
	assert_int_equal(sizeof(struct svlag_inflight_set) % L1_CACHE_BYTES, 0);
	assert_int_equal(offsetof(struct svlag_inflight_set, item), L1_CACHE_BYTES);
	assert_int_equal((uintptr_t)t.sets % L1_CACHE_BYTES, 0);
	assert_int_equal(sizeof(struct svlag_stream_cpu) % L1_CACHE_BYTES, 0);
	assert_int_equal((uintptr_t)per_cpu_ptr(t.stream_cpu, 1) % L1_CACHE_BYTES, 0);
	/* What hooks write now and then has no line with what they read each time. */
	assert_true(offsetof(struct svlag_inflight, live) / L1_CACHE_BYTES >
		    (offsetof(struct svlag_inflight, ceiling_ns) + 7) / L1_CACHE_BYTES);
}

/* As the head says: nothing but the own CPU's memory is written. */
static void what_is_not_drawn_writes_nothing_shared(void **state)
{
	static struct svlag_inflight_set sets[8192];
	unsigned int i, drawn = 0;
	u32 level;

	(void)state;
	for (i = 0; i < 100; i++)
		queue(key_nr(i), OTHER_ID);
	set_level(ID, 10);
	memcpy(sets, t.sets, sizeof(sets));
	for (i = 100; i < 1000 && !drawn; i++) {
		struct svlag_inflight before = t;
		u32 lives[64];

		for (level = 0; level < 64; level++)
			lives[level] = atomic_read(&t.stream[level].live);
		drawn = queue(key_nr(i), ID);
		if (drawn)
			break;
		assert_missed(key_nr(i));
		assert_memory_equal(&before, &t, sizeof(t));
		for (level = 0; level < 64; level++)
			assert_int_equal(lives[level], atomic_read(&t.stream[level].live));
		assert_memory_equal(sets, t.sets, sizeof(sets));
	}
	assert_true(i > 105);
}

/* A backlog on one stream: it is thinned, and by itself; the other is not. */
static void levels_rise_with_what_is_live(void **state)
{
	unsigned int i, sent = 0, level = 0;
	u64 weight = 0;

	(void)state;
	for (i = 0; i < 300; i++)
		queue(key_nr(i), OTHER_ID);
	while (sent < 4000000) {
		shim_cpu = sent % CPUS;
		weight += queue(key_nr(1000 + sent++), ID);
		assert_true(level_of(ID) >= level);
		level = level_of(ID);
		assert_int_equal(level_of(OTHER_ID), 0);
	}
	assert_in_range(level, 9, 14);
	assert_true(account().live <= 65536 / 4);
	assert_int_equal(account().refused_full, 0);
	assert_in_range(weight, sent - (CPUS << level), sent + (CPUS << level));
	assert_int_equal(account().weight, weight + 300);
	assert_accounted();
}

static void nothing_is_thinned_that_fits(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < 5000; i++)
		assert_int_equal(queue(key_nr(i), ID), 1);
	assert_int_equal(account().streams_thinned, 0);
	for (i = 0; i < 5000; i++)
		release(key_nr(i));
	assert_int_equal(account().level_max, 0);
	assert_accounted();
}

/* What a CPU keeps to itself is known to all after a tick. */
static void hooks_know_of_many_small_streams(void **state)
{
	unsigned int i, stream, places = 0;

	(void)state;
	for (stream = 0; stream < 64; stream++) {
		for (i = 0; stream != ID && i < 31 * CPUS; i++) {
			shim_cpu = i % CPUS;
			queue(key_nr(places++), stream);
		}
	}
	assert_int_equal(atomic_read(&t.live), 0);
	tick(100 * MS);
	for (i = 0; !level_of(ID); i++)
		queue(key_nr(places + i), ID);
	/* Half as many as are free then. */
	assert_in_range(3 * i + places, 16384 - 100, 16384 + 100);
	assert_accounted();
}

/* However full the table is. */
static void some_places_are_kept_for_each_stream(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < 20000; i++) {
		set_level(OTHER_ID, 0);
		queue(key_nr(i), OTHER_ID);
	}
	for (; i < 20060; i++)
		queue(key_nr(i), ID);
	tick(100 * MS);
	assert_true(account().live > t.room);
	assert_true(level_of(OTHER_ID) > 10);
	assert_int_equal(level_of(ID), 0);
}

/*
 * A flow whose items wait for a second, uneven by a quarter from tick to tick: the
 * level finds its place and stays there. When it ends, the level is back at 0 as soon
 * as the last item has gone.
 */
static void levels_do_not_swing(void **state)
{
	const unsigned int flows[] = { 3000, 6000, 12000, 20000, 50000, 100000, 400000 };
	unsigned int f, i, k, nr, in, out;

	for (f = 0; f < ARRAY_LEN(flows); f++) {
		unsigned int ticks[11] = { 0 };
		u64 raised = 0;

		open_table(65536);
		for (i = in = out = 0; i < 100; i++) {
			nr = flows[f] / 10 * (750 + random() % 500) / 1000;
			ticks[i % 11] = in + nr;
			for (k = 0; k < nr; k++)
				queue(key_nr(in++ % 1000000), ID);
			while (i >= 10 && out < ticks[(i + 1) % 11]) {
				struct svlag_inflight_item item;

				svlag_inflight_take(&t, key_nr(out++ % 1000000), &item);
			}
			tick(100 * MS);
			/* It may take three times a wait to settle. */
			if (i == 40)
				raised = account().raised;
		}
		assert_true(account().raised <= raised + 1);
		assert_int_equal(account().refused_full, 0);
		/* About as many as fit are used, not just a few of them. */
		assert_in_range(account().live, 2000, 9000);
		while (out < in) {
			struct svlag_inflight_item item;

			svlag_inflight_take(&t, key_nr(out++ % 1000000), &item);
		}
		assert_accounted();
		tick(100 * MS);
		assert_int_equal(account().live, 0);
		assert_int_equal(account().level_max, 0);
		close_table(state);
	}
	open_table(64);
}

/* Error puts are releases of what was never queued. */
static void unmatched_are_told_when_they_can_be(void **state)
{
	unsigned int i;

	(void)state;
	/* At first there may be items that were queued before the table was there. */
	assert_missed(key_nr(1));
	tick(100 * MS);
	assert_int_equal(account().unmatched, 0);
	for (i = 0; i < 12; i++)
		tick(100 * MS);
	assert_missed(key_nr(1));
	assert_missed(key_nr(2));
	tick(100 * MS);
	assert_int_equal(account().unmatched, 2);

	/* While a stream is thinned nothing can be told, ... */
	for (i = 0; i < 20000; i++)
		queue(key_nr(i), ID);
	for (i = 0; i < 10000; i++) {
		struct svlag_inflight_item item;

		svlag_inflight_take(&t, key_nr(i), &item);
	}
	tick(100 * MS);
	for (; i < 20000; i++) {
		struct svlag_inflight_item item;

		svlag_inflight_take(&t, key_nr(i), &item);
	}
	tick(100 * MS);
	tick(100 * MS);
	assert_int_equal(account().streams_thinned, 0);
	assert_true(account().missed > 2000);
	assert_int_equal(account().unmatched, 2);

	/* ... nor before two waits and a second are over, ... */
	for (i = 0; i < 60; i++) {
		assert_missed(key_nr(1));
		now_ns += 100 * MS;
		svlag_inflight_control(&t, now_ns, 2 * S, true, LEAK_AGE_NS);
		if (i < 50)
			assert_int_equal(account().unmatched, 2);
	}
	assert_in_range(account().unmatched, 2 + 5, 2 + 10);

	/* ... nor where the wait is not known. */
	i = account().unmatched;
	assert_missed(key_nr(1));
	now_ns += 100 * MS;
	svlag_inflight_control(&t, now_ns, 0, false, LEAK_AGE_NS);
	assert_int_equal(account().unmatched, i);
}

/* The nth key whose first set is the one where key is. */
static unsigned long key_where(unsigned long key, unsigned int nth)
{
	struct svlag_inflight_set *set = t.sets;
	unsigned long i;

	while (svlag_inflight_find(set, key) == SVLAG_INFLIGHT_WAYS)
		set++;
	for (i = 1; ; i++)
		if (svlag_inflight_set(&t, key_nr(i)) == set && !nth--)
			return key_nr(i);
}

static void what_was_refused_is_not_taken_for_unmatched(void **state)
{
	unsigned long key, beside[SVLAG_INFLIGHT_WAYS];
	unsigned int i;

	(void)state;
	for (i = 0; i < 20; i++)
		tick(100 * MS);
	/* The sets of one key are filled, while the table is as good as empty. */
	for (i = 0; i <= SVLAG_INFLIGHT_WAYS; i++)
		queue(key_beside(i), ID);
	key = key_beside(SVLAG_INFLIGHT_WAYS);
	for (i = 0; i < SVLAG_INFLIGHT_WAYS; i++)
		beside[i] = key_where(key, i);
	release(key);
	for (i = 0; i < SVLAG_INFLIGHT_WAYS; i++)
		queue(beside[i], ID);
	assert_int_equal(account().refused_full, 0);
	queue(key, ID);
	assert_int_equal(account().refused_full, 1);
	assert_missed(key);
	tick(100 * MS);
	assert_int_equal(account().missed, 1);
	assert_int_equal(account().unmatched, 0);
	assert_int_equal(account().streams_thinned, 0);
	assert_accounted();
}

static void the_ceiling_is_that_of_the_rate(void **state)
{
	unsigned int i;

	(void)state;
	assert_true(account().ceiling_ns == SVLAG_HIST_NO_BOUND);
	tick(1100 * MS);
	assert_int_equal(account().ceiling_ns, LEAK_AGE_NS);
	/* 4,096 a second into a quarter of 65,536. */
	for (i = 0; i < 4096; i++)
		queue(key_nr(i), ID);
	tick(S);
	assert_int_equal(account().ceiling_ns, 4 * S);
	tick(S);
	assert_int_equal(account().ceiling_ns, LEAK_AGE_NS);
}

/*
 * At random, against a map of what must be there: few keys, so that they are queued
 * twice, and in a small table, so that they are refused.
 */
#define KEYS	400

static void all_comes_out_as_it_went_in(void **state)
{
	static struct svlag_inflight_item there[KEYS];
	u64 refused, matched = 0, restarted = 0, purged = 0, missed = 0;
	unsigned int i, k;

	(void)state;
	open_table(128);
	memset(there, 0, sizeof(there));
	for (i = 0; i < 300000; i++) {
		unsigned long nth = random() % KEYS;
		u32 id = random() % 3;
		struct svlag_inflight_item item;

		shim_cpu = random() % CPUS;
		now_ns += random() % 100 - 30;	/* back, too */
		switch (random() % 20) {
		default:
			set_level(0, random() % 2);
			restarted += !!there[nth].weight;
			refused = account().refused_full;
			there[nth].weight = queue(key_nr(nth), id);
			there[nth].since_ns = now_ns;
			there[nth].id = id;
			if (account().refused_full != refused)
				there[nth].weight = 0;
			break;
		case 0 ... 9:
			if (!there[nth].weight) {
				assert_missed(key_nr(nth));
				missed++;
				break;
			}
			assert_true(svlag_inflight_take(&t, key_nr(nth), &item));
			assert_memory_equal(&item, &there[nth], sizeof(item));
			there[nth].weight = 0;
			matched++;
			break;
		case 10:
			if (random() % 50)
				break;
			svlag_inflight_purge(&t, id, ~0ULL, now_ns);
			for (k = 0; k < KEYS; k++)
				if (there[k].weight && there[k].id == id) {
					there[k].weight = 0;
					purged++;
				}
			break;
		}
		if (i % 1000 == 0)
			assert_accounted();
	}
	assert_int_equal(account().matched, matched);
	assert_int_equal(account().restarted_key, restarted);
	assert_int_equal(account().purged, purged);
	assert_int_equal(account().missed, missed);
	assert_true(account().refused_full > 1000);
	assert_accounted();
}

/* The same without mercy, in the smallest table; what waits are told is possible. */
static void no_hostility_breaks_the_accounting(void **state)
{
	const u64 begin_ns = 1000 * S;
	unsigned int i;

	(void)state;
	open_table(64);
	for (i = 0; i < 1000000; i++) {
		unsigned long key = key_nr(random() % (random() % 4 ? 40 : 1L << 30));
		struct svlag_inflight_item item;
		u64 wait_ns = 0;

		shim_cpu = random() % CPUS;
		now_ns += random() % MS - 300 * US;
		if (random() % 10 == 0)
			set_level(0, 0);
		if (random() % 3)
			queue(key, random() % 64);
		else if (svlag_inflight_take(&t, key, &item) &&
			 svlag_inflight_wait(&t, &item, now_ns, &wait_ns))
			assert_true(wait_ns <= now_ns - begin_ns + MS);
		if (random() % 1000 == 0)
			svlag_inflight_purge(&t, random() % 64, now_ns, now_ns);
		if (random() % 100 == 0)
			svlag_inflight_sweep(&t, now_ns, 1);
		if (random() % 500 == 0)
			svlag_inflight_control(&t, now_ns, random() % S, random() % 2,
					       random() % (2 * S));
		if (i % 1000 == 0)
			assert_accounted();
	}
	assert_true(account().expired > 100);
	assert_true(account().evicted > 10);
	assert_true(account().purged > 100);
	assert_true(account().restarted_key > 1000);
	assert_true(account().refused_full > 1000);
	assert_accounted();
}

/* Transports are a few KB, side by side in a slab or anywhere. */
static void ids_fall_into_many_streams(void **state)
{
	unsigned int i, shift, streams;

	(void)state;
	for (shift = 6; shift < 16; shift++) {
		u64 seen = 0;

		for (i = 0; i < 64; i++)
			seen |= 1ULL << svlag_inflight_id(key_nr(0) + ((u64)i << shift)) % 64;
		streams = __builtin_popcountll(seen);
		/* By chance it would be 40. */
		assert_in_range(streams, 30, 64);
	}
}

static void a_survey_adds_the_ages(void **state)
{
	u64 ages[SVLAG_HIST_BUCKETS] = { 0 };
	struct svlag_inflight_survey s;

	(void)state;
	queue(key_nr(1), ID);
	now_ns += 2 * S;
	queue(key_nr(2), ID);
	now_ns += MS;
	ages[svlag_hist_bucket(MS)] = 5;
	svlag_inflight_survey(&t, now_ns, &s, ages);
	assert_int_equal(s.live, 2);
	assert_int_equal(s.weight, 2);
	assert_int_equal(s.oldest_age_ns, 2 * S + MS);
	assert_int_equal(ages[svlag_hist_bucket(MS)], 6);
	assert_int_equal(ages[svlag_hist_bucket(2 * S + MS)], 1);
}

static void histograms_fold(void **state)
{
	struct svlag_histogram h = { 0 };
	u64 count[SVLAG_HIST_BUCKETS] = { 0 };

	(void)state;
	assert_int_equal(svlag_histogram_create(&h), 0);
	assert_int_equal(svlag_histogram_bytes(), CPUS * SVLAG_HIST_BUCKETS * 8);
	shim_cpu = 0;
	svlag_histogram_add(&h, MS, 1);
	shim_cpu = 3;
	svlag_histogram_add(&h, MS, 1 << 20);
	svlag_histogram_add(&h, 0, 2);
	svlag_histogram_fold(&h, count);
	assert_int_equal(count[svlag_hist_bucket(MS)], 1 + (1 << 20));
	assert_int_equal(count[0], 2);
	assert_int_equal(svlag_hist_total(count), 3 + (1 << 20));
	svlag_histogram_destroy(&h);
}

#define USUAL(test)	cmocka_unit_test_setup_teardown(test, open_usual, close_table)
#define OWN(test)	cmocka_unit_test_teardown(test, close_table)

int main(void)
{
	const struct CMUnitTest tests[] = {
		USUAL(a_wait_is_told_exactly),
		USUAL(a_key_that_comes_again_is_restarted),
		USUAL(a_key_that_comes_again_undrawn_is_restarted_too),
		USUAL(time_going_back_is_no_wait),
		USUAL(what_is_no_key_does_no_harm),
		USUAL(what_finds_its_set_full_goes_to_a_second),
		OWN(a_full_table_refuses),
		OWN(only_what_has_leaked_is_evicted),
		USUAL(a_sweep_expires_what_is_too_old),
		USUAL(sweeps_go_round),
		USUAL(the_leak_age_follows_the_waits),
		USUAL(a_purge_is_of_one_transport),
		USUAL(a_purge_spares_what_came_later),
		USUAL(tracking_resumes),
		OWN(a_table_of_no_entries),
		OWN(sizes),
		OWN(no_memory),
		USUAL(no_line_is_shared),
		USUAL(what_is_not_drawn_writes_nothing_shared),
		USUAL(levels_rise_with_what_is_live),
		USUAL(nothing_is_thinned_that_fits),
		USUAL(hooks_know_of_many_small_streams),
		USUAL(some_places_are_kept_for_each_stream),
		OWN(levels_do_not_swing),
		USUAL(unmatched_are_told_when_they_can_be),
		USUAL(what_was_refused_is_not_taken_for_unmatched),
		USUAL(the_ceiling_is_that_of_the_rate),
		OWN(all_comes_out_as_it_went_in),
		OWN(no_hostility_breaks_the_accounting),
		USUAL(ids_fall_into_many_streams),
		USUAL(a_survey_adds_the_ages),
		USUAL(histograms_fold),
	};

	return RUN(tests);
}
