// SPDX-License-Identifier: GPL-2.0
/*
 * The floods that stop other tables, in simulated time: a leak of ten million
 * items beside a canary, and a backlog of a million. The same traffic goes to a
 * hash table that refuses when it is full, and to one that then evicts the entry
 * used least recently. The figures are printed.
 */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/log2.h>

#include "inflight_hot.h"

#define US		1000ULL
#define MS		1000000ULL
#define S		1000000000ULL

#define ENTRIES		65536
#define STREAMS		64
#define CPUS		4
#define LEAK_AGE_NS	(10 * S)
#define TICK_NS		(100 * MS)

static struct svlag_inflight t;
static u64 now_ns;
static u64 present_wait_ns;
static u64 next_tick_ns;

static u64 seed = 88172645463325252ULL;

static u32 draw(u32 below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (u64)(u32)(seed >> 16) * below >> 32;
}

/*
 * The two others, by their textbook: a hash table with chains, of a fixed number of
 * entries, that know the order in which they were entered.
 */
#define NONE		0xffffffffU

struct book {
	u32 entries, used;
	bool evicts;
	u32 oldest, newest, free;
	u32 *head;
	struct page {
		unsigned long key;
		u64 since_ns;
		u32 next, older, newer;
	} *page;
	u64 refused;
};

static u32 *book_head(struct book *b, unsigned long key)
{
	return &b->head[(u64)key * GOLDEN_RATIO_64 >> (64 - ilog2(b->entries))];
}

static void book_open(struct book *b, u32 entries, bool evicts)
{
	u32 i;

	*b = (struct book){ .entries = entries, .evicts = evicts, .oldest = NONE, .newest = NONE };
	b->head = malloc(entries * sizeof(*b->head));
	b->page = malloc(entries * sizeof(*b->page));
	for (i = 0; i < entries; i++) {
		b->head[i] = NONE;
		b->page[i].next = i + 1 < entries ? i + 1 : NONE;
	}
}

static void book_close(struct book *b)
{
	free(b->head);
	free(b->page);
}

static bool book_take(struct book *b, unsigned long key, u64 *since_ns)
{
	u32 *link = book_head(b, key), i;
	struct page *p;

	while (*link != NONE && b->page[*link].key != key)
		link = &b->page[*link].next;
	if (*link == NONE)
		return false;
	i = *link;
	p = &b->page[i];
	*since_ns = p->since_ns;
	*link = p->next;
	*(p->older == NONE ? &b->oldest : &b->page[p->older].newer) = p->newer;
	*(p->newer == NONE ? &b->newest : &b->page[p->newer].older) = p->older;
	p->next = b->free;
	b->free = i;
	b->used--;
	return true;
}

static void book_insert(struct book *b, unsigned long key, u64 at_ns)
{
	u32 *head = book_head(b, key), i;
	struct page *p;
	u64 since_ns;

	if (b->used == b->entries && !b->evicts) {
		b->refused++;
		return;
	}
	if (b->used == b->entries)
		book_take(b, b->page[b->oldest].key, &since_ns);
	i = b->free;
	p = &b->page[i];
	b->free = p->next;
	*p = (struct page){ .key = key, .since_ns = at_ns, .next = *head,
			    .older = b->newest, .newer = NONE };
	*head = i;
	*(b->newest == NONE ? &b->oldest : &b->page[b->newest].newer) = i;
	b->newest = i;
	b->used++;
}

static struct book hash, lru;

/* What one of the tables says of a window, and what is true. */
struct report {
	u64 count;
	u64 of[SVLAG_HIST_BUCKETS];
	u64 last_ns;
};

static void add(struct report *r, u64 wait_ns, u64 weight)
{
	r->count += weight;
	r->of[svlag_hist_bucket(wait_ns)] += weight;
	r->last_ns = now_ns;
}

static double percentile_ms(const struct report *r, unsigned int permille)
{
	static const u64 none[SVLAG_HIST_BUCKETS];
	struct svlag_percentile p;

	if (!svlag_hist_percentile(r->of, none, permille, &p))
		return 0;
	return (p.lower_ns + p.upper_ns) / 2e6;
}

static void assert_within(double is, double of, double tolerance)
{
	if (fabs(is - of) <= tolerance * of)
		return;
	print_error("%g is not within %g %% of %g\n", is, tolerance * 100, of);
	fail();
}

/* The rest of the module. */
static bool tick(void)
{
	if (now_ns < next_tick_ns)
		return false;
	next_tick_ns += TICK_NS;
	svlag_inflight_sweep(&t, now_ns, t.nr_sets / 8);
	svlag_inflight_control(&t, now_ns, present_wait_ns, true, LEAK_AGE_NS);
	return true;
}

static void queue(unsigned long key, u32 id)
{
	u32 weight = svlag_inflight_begin(&t, key, id);

	if (weight)
		svlag_inflight_insert(&t, key, id, weight, now_ns);
}

static u32 level_of(u32 id)
{
	return svlag_draw_level(atomic64_read(&t.limit[id & t.stream_mask]));
}

static void assert_accounted(void)
{
	struct svlag_inflight_account a;
	struct svlag_inflight_survey s;

	svlag_inflight_account(&t, &a);
	svlag_inflight_survey(&t, now_ns, &s, NULL);
	assert_int_equal(a.live, s.live);
	assert_int_equal(a.weight, s.weight);
	assert_int_equal(a.inserted, a.matched + a.refused_full + a.expired + a.purged +
			 a.restarted_key + s.live);
}

static int open_all(void **state)
{
	(void)state;
	shim_percpu_clear();
	shim_possible_cpus = (1 << CPUS) - 1;
	now_ns = 1000 * S;
	next_tick_ns = now_ns;
	present_wait_ns = 0;
	assert_int_equal(svlag_inflight_create(&t, ENTRIES, STREAMS, now_ns), 0);
	book_open(&hash, 8192, false);
	book_open(&lru, 65536, true);
	return 0;
}

static int close_all(void **state)
{
	(void)state;
	svlag_inflight_destroy(&t);
	assert_int_equal(shim_allocations, 0);
	book_close(&hash);
	book_close(&lru);
	return 0;
}

/*
 * The leak. A canary of 10,000 pairs a second, in steps of 100 us, which waits some
 * 100 us as a rule and one time in fifty 10 ms; after 20 s leaks, 84,000 a second for
 * 120 s; then the canary alone for 40 s.
 */
#define CANARY_STEP_NS	(100 * US)
#define CANARY_ITEMS	1024
#define CANARY_ID	7
#define WHEEL		4096
#define LEAKS_A_STEP	(84000 / 10000.0)

enum phase { BEFORE, FLOOD, AFTER, PHASES };
static const char *const phase_name[PHASES] = { "before", "flood", "after" };

struct canary {
	u64 sent;
	double variance;
	u32 level_max;
	struct report truth, told, by_hash, by_lru;
};

static struct canary canary[PHASES];
static u64 flood_ended_ns, whole_again_ns;

/* Of an item's phase, that of its queueing. */
struct pair {
	struct pair *next;
	enum phase phase;
	u64 queued_ns, released_ns;
};

static struct pair pairs[CANARY_ITEMS], *free_pairs, *wheel[WHEEL];
static unsigned long leak_address;

static unsigned long key_of(const struct pair *p)
{
	return 0xffff888100000000UL + (p - pairs) * 1024;
}

static void canary_queue(enum phase phase)
{
	struct pair *p = free_pairs, **slot;
	u32 level;

	assert_non_null(p);
	free_pairs = p->next;
	p->phase = phase;
	p->queued_ns = now_ns;
	p->released_ns = now_ns + 50 * US + draw(100 * US) + (draw(50) ? 0 : 5 * MS + draw(10 * MS));
	slot = &wheel[(p->released_ns / CANARY_STEP_NS + 1) % WHEEL];
	p->next = *slot;
	*slot = p;

	shim_cpu = draw(CPUS);
	level = level_of(CANARY_ID);
	queue(key_of(p), CANARY_ID);
	book_insert(&hash, key_of(p), now_ns);
	book_insert(&lru, key_of(p), now_ns);
	canary[phase].sent++;
	canary[phase].variance += (1U << level) - 1;
	if (canary[phase].level_max < level)
		canary[phase].level_max = level;
}

static void canary_release(struct pair *p)
{
	struct canary *c = &canary[p->phase];
	struct svlag_inflight_item item;
	u64 wait_ns = 0, since_ns;

	now_ns = p->released_ns;
	shim_cpu = draw(CPUS);
	if (svlag_inflight_take(&t, key_of(p), &item)) {
		assert_true(svlag_inflight_wait(&t, &item, now_ns, &wait_ns));
		assert_int_equal(wait_ns, p->released_ns - p->queued_ns);
		add(&c->told, wait_ns, item.weight);
	}
	add(&c->truth, p->released_ns - p->queued_ns, 1);
	if (book_take(&hash, key_of(p), &since_ns))
		add(&c->by_hash, now_ns - since_ns, 1);
	if (book_take(&lru, key_of(p), &since_ns))
		add(&c->by_lru, now_ns - since_ns, 1);
	p->next = free_pairs;
	free_pairs = p;
}

static void leak(u32 id)
{
	leak_address += 1024;
	shim_cpu = draw(CPUS);
	queue(leak_address, id);
	book_insert(&hash, leak_address, now_ns);
	book_insert(&lru, leak_address, now_ns);
}

static void observe_level(enum phase phase)
{
	struct svlag_inflight_account a;

	svlag_inflight_account(&t, &a);
	if (phase == FLOOD)
		flood_ended_ns = now_ns;
	if (a.streams_thinned)
		whole_again_ns = now_ns + TICK_NS;
}

/* Sixteen transports leak, or the canary's own does. */
static void leak_run(bool own)
{
	const u64 steps[PHASES] = { 200000, 1200000, 400000 };
	double leaks_due = 0;
	enum phase phase;
	unsigned int i;
	u64 step_ns, n, leaks = 0;

	memset(canary, 0, sizeof(canary));
	memset(wheel, 0, sizeof(wheel));
	free_pairs = NULL;
	for (i = 0; i < CANARY_ITEMS; i++) {
		pairs[i].next = free_pairs;
		free_pairs = &pairs[i];
	}
	leak_address = 0xffff888200000000UL;
	present_wait_ns = 15 * MS;
	step_ns = now_ns;
	for (phase = BEFORE; phase < PHASES; phase++) {
		for (n = 0; n < steps[phase]; n++) {
			struct pair *p = wheel[step_ns / CANARY_STEP_NS % WHEEL], *next;

			wheel[step_ns / CANARY_STEP_NS % WHEEL] = NULL;
			for (; p; p = next) {
				next = p->next;
				canary_release(p);
			}
			now_ns = step_ns;
			if (tick())
				observe_level(phase);
			canary_queue(phase);
			for (leaks_due += phase == FLOOD ? LEAKS_A_STEP : 0; leaks_due >= 1;
			     leaks_due--, leaks++)
				leak(own ? CANARY_ID : CANARY_ID + 1 + draw(16));
			step_ns += CANARY_STEP_NS;
		}
	}
	assert_true(leaks > 10000000);
}

static double share(const struct report *r, u64 of)
{
	return of ? (double)r->count / of : 0;
}

static void leak_tell(const char *whose, enum phase phase)
{
	const struct canary *c = &canary[phase];

	print_message("leak on %s, %-6s: traced/sent %.4f (s.e. %.4f, level up to %u), ", whose,
		      phase_name[phase], share(&c->told, c->sent), sqrt(c->variance) / c->sent,
		      c->level_max);
	print_message("p50 %.3f of %.3f ms, p99 %.1f of %.1f ms; ",
		      percentile_ms(&c->told, 500), percentile_ms(&c->truth, 500),
		      percentile_ms(&c->told, 990), percentile_ms(&c->truth, 990));
	print_message("hash 8,192: %.4f, LRU 65,536: %.4f\n", share(&c->by_hash, c->sent),
		      share(&c->by_lru, c->sent));
}

/* A hash that is full stays full: that is what this is all about. */
static void assert_hash_stopped(void)
{
	assert_true(share(&canary[BEFORE].by_hash, canary[BEFORE].sent) > 0.999);
	assert_true(share(&canary[AFTER].by_hash, canary[AFTER].sent) < 0.4);
}

/* All at one of one again: a second after the last leak has aged. */
static void assert_usable_again(void)
{
	assert_in_range(whole_again_ns - flood_ended_ns, 0, LEAK_AGE_NS + S);
}

static void a_leak_on_other_transports(void **state)
{
	enum phase phase;

	(void)state;
	leak_run(false);
	for (phase = BEFORE; phase < PHASES; phase++) {
		const struct canary *c = &canary[phase];

		leak_tell("others", phase);
		assert_within(share(&c->told, c->sent), 1, 0.005);
		assert_within(percentile_ms(&c->told, 500), percentile_ms(&c->truth, 500), 0.1);
		assert_within(percentile_ms(&c->told, 990), percentile_ms(&c->truth, 990), 0.1);
	}
	assert_hash_stopped();
	assert_usable_again();
	assert_accounted();
}

static void a_leak_on_the_same_transport(void **state)
{
	enum phase phase;

	(void)state;
	leak_run(true);
	for (phase = BEFORE; phase < PHASES; phase++) {
		const struct canary *c = &canary[phase];

		leak_tell("its own", phase);
		assert_true(fabs(share(&c->told, c->sent) - 1) <=
			    3 * sqrt(c->variance) / c->sent + 0.005);
		assert_within(percentile_ms(&c->told, 500), percentile_ms(&c->truth, 500), 0.1);
	}
	assert_hash_stopped();
	assert_usable_again();
	assert_accounted();
}

/*
 * A queue, first in, first out: 432,000 items come a second, and 342,000 go. Contexts
 * that are free again are used first.
 */
#define IN_NS		(S / 432000.0)
#define OUT_NS		(S / 342000.0)
#define WINDOW_NS	S
#define QUEUE_ID	21
#define QUEUE_MAX	1400000

static u64 queued_ns[QUEUE_MAX];	/* of the items that wait, a ring */
static u32 context[QUEUE_MAX];
static u32 free_contexts[QUEUE_MAX], nr_free, nr_contexts;
static u64 came, gone, peak;

static struct report truth, told, by_lru;
static u64 truth_total, told_total, by_lru_total;

static unsigned long context_key(u32 nth)
{
	return 0xffff888100000000UL + nth * 1024UL;
}

static void item_in(void)
{
	u32 c = nr_free ? free_contexts[--nr_free] : nr_contexts++;

	assert_true(came - gone < QUEUE_MAX);
	queued_ns[came % QUEUE_MAX] = now_ns;
	context[came++ % QUEUE_MAX] = c;
	if (peak < came - gone)
		peak = came - gone;
	shim_cpu = draw(CPUS);
	queue(context_key(c), QUEUE_ID);
	book_insert(&lru, context_key(c), now_ns);
}

static void item_out(void)
{
	u32 c = context[gone % QUEUE_MAX];
	u64 since_ns = queued_ns[gone++ % QUEUE_MAX], wait_ns = 0;
	struct svlag_inflight_item item;

	add(&truth, now_ns - since_ns, 1);
	shim_cpu = draw(CPUS);
	if (svlag_inflight_take(&t, context_key(c), &item)) {
		assert_true(svlag_inflight_wait(&t, &item, now_ns, &wait_ns));
		assert_int_equal(wait_ns, now_ns - since_ns);
		add(&told, wait_ns, item.weight);
	}
	if (book_take(&lru, context_key(c), &since_ns))
		add(&by_lru, now_ns - since_ns, 1);
	free_contexts[nr_free++] = c;
}

static void window_tell(u64 second)
{
	struct svlag_inflight_account a;

	svlag_inflight_account(&t, &a);
	print_message("%2llu s: %7llu wait, %5llu in the table, level %u; traced %.4f, ",
		      (unsigned long long)second, (unsigned long long)(came - gone),
		      (unsigned long long)a.live, a.level_max, share(&told, truth.count));
	print_message("p50 %.0f of %.0f ms, p99 %.0f of %.0f ms, max %.0f of %.0f ms; ",
		      percentile_ms(&told, 500), percentile_ms(&truth, 500),
		      percentile_ms(&told, 990), percentile_ms(&truth, 990),
		      percentile_ms(&told, 1000), percentile_ms(&truth, 1000));
	print_message("LRU 65,536: %.3f, max %.0f ms\n", share(&by_lru, truth.count),
		      percentile_ms(&by_lru, 1000));
}

static void end_window(u64 second)
{
	window_tell(second);
	if (truth.count > 10000) {
		assert_within(share(&told, truth.count), 1, 0.1);
		assert_within(percentile_ms(&told, 500), percentile_ms(&truth, 500), 0.1);
		assert_within(percentile_ms(&told, 990), percentile_ms(&truth, 990), 0.1);
		assert_within(percentile_ms(&told, 1000), percentile_ms(&truth, 1000), 0.1);
		assert_true(now_ns - told.last_ns < WINDOW_NS);
	}
	truth_total += truth.count;
	told_total += told.count;
	by_lru_total += by_lru.count;
	memset(&truth, 0, sizeof(truth));
	memset(&told, 0, sizeof(told));
	memset(&by_lru, 0, sizeof(by_lru));
}

/* Items come until in_until_s and go from out_from_s on, until all have gone. */
static void queue_run(u64 in_until_s, u64 out_from_s)
{
	const u64 start_ns = now_ns;
	double in = 0, out = out_from_s * (double)S;
	u64 second = 0;

	came = gone = peak = 0;
	nr_free = nr_contexts = 0;
	truth_total = told_total = by_lru_total = 0;
	while (came != gone || in < in_until_s * (double)S) {
		bool comes = in < in_until_s * (double)S && in < out;

		now_ns = start_ns + (comes ? in : out);
		present_wait_ns = came == gone ? 0 : now_ns - queued_ns[gone % QUEUE_MAX];
		tick();
		if (now_ns - start_ns >= (second + 1) * WINDOW_NS)
			end_window(second++);
		if (comes) {
			item_in();
			in += IN_NS;
		} else {
			if (came != gone)
				item_out();
			out += OUT_NS;
		}
	}
	end_window(second);
	assert_true(peak > 1000000);
	assert_within((double)told_total / truth_total, 1, 0.005);
	assert_accounted();
}

static void a_backlog_of_a_million(void **state)
{
	(void)state;
	queue_run(12, 0);
	/* An LRU evicts those that have waited longest. */
	assert_true(by_lru_total < 0.1 * truth_total);
}

/* Nothing is released for three seconds. */
static void a_stall(void **state)
{
	(void)state;
	queue_run(3, 3);
	assert_true(by_lru_total < 0.1 * truth_total);
}

#define FLOOD_TEST(test)	cmocka_unit_test_setup_teardown(test, open_all, close_all)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FLOOD_TEST(a_leak_on_other_transports),
		FLOOD_TEST(a_leak_on_the_same_transport),
		FLOOD_TEST(a_backlog_of_a_million),
		FLOOD_TEST(a_stall),
	};

	return RUN(tests);
}
