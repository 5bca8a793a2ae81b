// SPDX-License-Identifier: GPL-2.0
/*
 * The rest of the table; inflight_hot.h says who may do what, and what orders it.
 *
 * Sweeps and purges read an item that they do not own, only to see whether it is
 * worth owning. If it changes hands in between, they take out another incarnation of
 * the key, and censor that at its true age.
 */
#include "inflight.h"

#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/time64.h>

#include "inflight_hot.h"

/* The leak age is at least so many times the present wait. */
#define LEAK_WAITS	4

/* After a stream was thinned, this and two waits must pass for all to be seen again. */
#define WHOLE_NS	(1 * (u64)NSEC_PER_SEC)

/* The ceiling is told from the rate over at least this time. */
#define RATE_NS		(1 * (u64)NSEC_PER_SEC)

/* Of the places, those that are used, and of these what is kept for each stream. */
#define ROOM_PART	4
#define FLOOR_PART	128
#define FLOOR_MIN	4

/* Of a table that is smaller than that for each stream, fewer are told apart. */
#define ROOM_OF_STREAM	16

/* Another try where a CPU's own interrupt was in between. */
#define DRAW_TRIES	4

/* How far what was told may be off, over all CPUs; and what one CPU keeps at most. */
#define UNTOLD_PART	128
#define UNTOLD_MAX	32

static u64 age_of(const struct svlag_inflight_item *item, u64 now_ns)
{
	u64 since_ns = READ_ONCE(item->since_ns);

	return now_ns - min(now_ns, since_ns);
}

/* What may still be taken; the floor keeps one stream from being blinded by others. */
static u32 free_room(const struct svlag_inflight *t, s32 live)
{
	s32 room = (s32)t->room - live;

	return max(room, t->room_floor);
}

/*
 * How thin is a stream that holds live places, where free ones are left? Up to half
 * as many as are free not at all; then one level for each sixteenth more.
 */
static u32 level_for(u32 live, u32 free)
{
	u32 half = free / 2;

	if (live <= half)
		return 0;
	return min_t(u32, SVLAG_LEVEL_MAX, DIV_ROUND_UP(16 * (live - half), free));
}

/* Not below: only svlag_inflight_control() makes it finer. */
static void raise_level(struct svlag_inflight *t, u32 stream, u32 level)
{
	s64 limit = atomic64_read(&t->limit[stream]);

	if (level <= svlag_draw_level(limit))
		return;
	/* Told before it is done, see observe_unmatched(). (litmus: thinned) */
	atomic_inc(&t->raised);
	atomic64_cmpxchg_release(&t->limit[stream], limit, svlag_draw_limit(level));
}

/* A CPU has placed or lost so many that the others must know. */
void notrace svlag_inflight_tell(struct svlag_inflight *t, u32 stream)
{
	s32 nr = this_cpu_xchg(t->stream_cpu[stream].untold, 0);
	s32 live = atomic_add_return_relaxed(nr, &t->stream[stream].live);
	s32 all = atomic_add_return_relaxed(nr, &t->live) + READ_ONCE(t->untold);

	if (nr > 0 && live > 0)
		raise_level(t, stream, level_for(live, free_room(t, all)));
}
NOKPROBE_SYMBOL(svlag_inflight_tell);

/* An entry that is owned comes to an end other than its release; the place stays BUSY. */
static void end(struct svlag_inflight *t, const struct svlag_inflight_item *item,
		enum svlag_inflight_counter how)
{
	u32 stream = item->id & t->stream_mask;

	this_cpu_inc(t->cpu->count[how]);
	this_cpu_add(t->stream_cpu[stream].left_weight, item->weight);
	if (this_cpu_add_return(t->stream_cpu[stream].untold, -1) + t->batch <= 0)
		svlag_inflight_tell(t, stream);
}

static void end_censored(struct svlag_inflight *t, const struct svlag_inflight_item *item,
			 u64 now_ns, enum svlag_inflight_counter how)
{
	svlag_histogram_add(&t->censored, age_of(item, now_ns), item->weight);
	end(t, item, how);
}

/* Where a key goes when its set is full: any other set, by other bits of the hash. */
static struct svlag_inflight_set *second_set(const struct svlag_inflight *t, unsigned long key)
{
	u64 hash = (u64)key * GOLDEN_RATIO_64;
	u32 other = (u32)(hash >> 16) | 1;

	return &t->sets[(hash >> t->hash_shift) ^ (other & t->set_mask)];
}

/* An entry under key left set, or is about to. */
static void unspill(struct svlag_inflight *t, struct svlag_inflight_set *set, unsigned long key)
{
	struct svlag_inflight_set *first = svlag_inflight_set(t, key);

	if (unlikely(first != set))
		atomic_dec(&first->spilled);
}

/* Of a full set, the place of the oldest entry, if that has leaked. It is owned then. */
static int evict(struct svlag_inflight *t, struct svlag_inflight_set *set, u64 now_ns)
{
	u64 oldest_ns = READ_ONCE(t->leak_age_ns);
	unsigned long oldest_key = SVLAG_KEY_FREE;
	unsigned int way, oldest = 0;

	for (way = 0; way < SVLAG_INFLIGHT_WAYS; way++) {
		/* Before the item, whose time is then at least as new. (litmus: look) */
		unsigned long key = smp_load_acquire(&set->key[way]);
		u64 age_ns = age_of(&set->item[way], now_ns);

		if (!svlag_inflight_is_key(key) || age_ns <= oldest_ns)
			continue;
		oldest_ns = age_ns;
		oldest_key = key;
		oldest = way;
	}
	if (oldest_key == SVLAG_KEY_FREE || !svlag_inflight_own(set, oldest, oldest_key))
		return -1;
	end_censored(t, &set->item[oldest], now_ns, SVLAG_TRACK_EVICTED);
	unspill(t, set, oldest_key);
	return oldest;
}

static int claim_any(struct svlag_inflight_set *set)
{
	unsigned int way;

	for (way = 0; way < SVLAG_INFLIGHT_WAYS; way++)
		if (READ_ONCE(set->key[way]) == SVLAG_KEY_FREE && svlag_inflight_claim(set, way))
			return way;
	return -1;
}

/* Where the set is full, or was just filled by others, or the key is none. */
void notrace svlag_inflight_insert_slowly(struct svlag_inflight *t, unsigned long key, u32 id,
					  u32 weight, u64 now_ns)
{
	struct svlag_inflight_set *first = svlag_inflight_set(t, key), *set = first;
	int way = -1;

	if (svlag_inflight_is_key(key))
		way = claim_any(set);
	if (svlag_inflight_is_key(key) && way < 0)
		way = evict(t, set, now_ns);
	if (svlag_inflight_is_key(key) && way < 0) {
		set = second_set(t, key);
		way = claim_any(set);
	}
	if (way < 0) {
		this_cpu_inc(t->cpu->count[SVLAG_TRACK_REFUSED]);
		return;
	}
	/* Before the key is there to be looked for. (litmus: queued) */
	if (set != first)
		atomic_inc(&first->spilled);
	svlag_inflight_fill(t, set, way, key, id, weight, now_ns);
}
NOKPROBE_SYMBOL(svlag_inflight_insert_slowly);

static void restart_in(struct svlag_inflight *t, struct svlag_inflight_set *set,
		       unsigned long key)
{
	unsigned int way;

	for (way = 0; way < SVLAG_INFLIGHT_WAYS; way++) {
		if (READ_ONCE(set->key[way]) != key || !svlag_inflight_own(set, way, key))
			continue;
		end(t, &set->item[way], SVLAG_TRACK_RESTARTED);
		unspill(t, set, key);
		svlag_inflight_leave(set, way);
	}
}

/*
 * A CPU's word is changed in between by nobody but its own interrupts, and by who
 * is preempted and goes on elsewhere, whose step is then one of the CPU where he is.
 * A few times in a row is as good as never; then the item is left out of the count.
 */
u32 notrace svlag_inflight_draw(struct svlag_inflight *t, u32 stream)
{
	u32 level = svlag_draw_level(atomic64_read(&t->limit[stream])), weight, try;

	if (!level)
		return 1;
	for (try = 0; try < DRAW_TRIES; try++) {
		u64 before = this_cpu_read(t->stream_cpu[stream].draw);
		u64 after = svlag_draw_turn(before, level, &weight);

		if (this_cpu_cmpxchg(t->stream_cpu[stream].draw, before, after) == before)
			return weight;
	}
	return 0;
}
NOKPROBE_SYMBOL(svlag_inflight_draw);

void notrace svlag_inflight_restart(struct svlag_inflight *t, unsigned long key)
{
	if (!svlag_inflight_is_key(key))
		return;
	restart_in(t, svlag_inflight_set(t, key), key);
	restart_in(t, second_set(t, key), key);
}
NOKPROBE_SYMBOL(svlag_inflight_restart);

bool notrace svlag_inflight_miss(struct svlag_inflight *t)
{
	this_cpu_inc(t->cpu->count[SVLAG_TRACK_MISSED]);
	return false;
}
NOKPROBE_SYMBOL(svlag_inflight_miss);

bool notrace svlag_inflight_take_spilled(struct svlag_inflight *t, unsigned long key,
					 struct svlag_inflight_item *item)
{
	struct svlag_inflight_set *set = second_set(t, key);
	unsigned int way = svlag_inflight_find(set, key);

	if (way == SVLAG_INFLIGHT_WAYS)
		return svlag_inflight_miss(t);
	if (!svlag_inflight_take_from(t, set, way, key, item))
		return false;
	unspill(t, set, key);
	return true;
}
NOKPROBE_SYMBOL(svlag_inflight_take_spilled);

static u64 fold(const struct svlag_inflight *t, enum svlag_inflight_counter counter)
{
	unsigned int cpu;
	u64 sum = 0;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu_ptr(t->cpu, cpu)->count[counter]);
	return sum;
}

/* Of all ends, then of all beginnings. */
static u64 fold_live(const struct svlag_inflight *t)
{
	u64 ended = fold(t, SVLAG_TRACK_MATCHED) + fold(t, SVLAG_TRACK_RESTARTED) +
		    fold(t, SVLAG_TRACK_EXPIRED) + fold(t, SVLAG_TRACK_EVICTED) +
		    fold(t, SVLAG_TRACK_PURGED);

	/* Whatever has ended was placed before. (litmus: account) */
	smp_rmb();
	return fold(t, SVLAG_TRACK_PLACED) - ended;
}

/* How many items of the stream are in flight, by the weights: the same at any level. */
static u64 fold_weight(const struct svlag_inflight *t, u32 stream)
{
	unsigned int cpu;
	u64 gone = 0, placed = 0;

	for_each_possible_cpu(cpu) {
		const struct svlag_stream_cpu *of_cpu = &per_cpu_ptr(t->stream_cpu, cpu)[stream];

		gone += READ_ONCE(of_cpu->matched_weight) + READ_ONCE(of_cpu->left_weight);
	}
	/* As in fold_live(). */
	smp_rmb();
	for_each_possible_cpu(cpu)
		placed += READ_ONCE(per_cpu_ptr(t->stream_cpu, cpu)[stream].placed_weight);
	return placed - gone;
}

static u32 fold_held(const struct svlag_inflight *t, u32 stream)
{
	s32 live = atomic_read(&t->stream[stream].live);
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		live += READ_ONCE(per_cpu_ptr(t->stream_cpu, cpu)[stream].untold);
	return max(live, 0);
}

enum leaver { EXPIRED, OF_TRANSPORT, ANY };

static bool must_leave(const struct svlag_inflight *t, const struct svlag_inflight_item *item,
		       enum leaver who, u32 id, u64 gone_ns, u64 now_ns)
{
	switch (who) {
	case EXPIRED:
		return age_of(item, now_ns) > t->leak_age_ns;
	case OF_TRANSPORT:
		return READ_ONCE(item->id) == id && READ_ONCE(item->since_ns) <= gone_ns;
	default:
		return true;
	}
}

static void clear_set(struct svlag_inflight *t, struct svlag_inflight_set *set,
		      enum leaver who, u32 id, u64 gone_ns, u64 now_ns)
{
	unsigned int way;

	for (way = 0; way < SVLAG_INFLIGHT_WAYS; way++) {
		/* Before the item, which is then at least as new. (litmus: look) */
		unsigned long key = smp_load_acquire(&set->key[way]);

		if (!svlag_inflight_is_key(key) ||
		    !must_leave(t, &set->item[way], who, id, gone_ns, now_ns) ||
		    !svlag_inflight_own(set, way, key))
			continue;
		end_censored(t, &set->item[way], now_ns,
			     who == EXPIRED ? SVLAG_TRACK_EXPIRED : SVLAG_TRACK_PURGED);
		unspill(t, set, key);
		svlag_inflight_leave(set, way);
	}
}

void svlag_inflight_purge(struct svlag_inflight *t, u32 id, u64 gone_ns, u64 now_ns)
{
	u32 nth;

	if (!fold_weight(t, id & t->stream_mask))
		return;
	for (nth = 0; nth < t->nr_sets; nth++)
		clear_set(t, &t->sets[nth], OF_TRANSPORT, id, gone_ns, now_ns);
}

void svlag_inflight_purge_all(struct svlag_inflight *t, u64 now_ns)
{
	u32 nth;

	for (nth = 0; nth < t->nr_sets; nth++)
		clear_set(t, &t->sets[nth], ANY, 0, 0, now_ns);
}

void svlag_inflight_sweep(struct svlag_inflight *t, u64 now_ns, u32 sets)
{
	u32 nth = t->next_set;

	for (sets = min(sets, t->nr_sets); sets; sets--) {
		clear_set(t, &t->sets[nth], EXPIRED, 0, 0, now_ns);
		nth = (nth + 1) & t->set_mask;
	}
	t->next_set = nth;
}

/* What a stream will hold, once all its items in flight are of that level. */
static u32 claim_at(const struct svlag_inflight *t, const struct svlag_stream *stream, u32 level)
{
	u64 claim = min_t(u64, stream->weight >> level, t->room);

	return max_t(u32, claim, stream->held);
}

/*
 * A step finer, if the stream then fits in with a third to spare. How many places its
 * items hold has yet to follow from the last step, so it is told from their weights.
 */
static bool step_finer(const struct svlag_inflight *t, struct svlag_stream *stream, s32 *claimed)
{
	u32 now = claim_at(t, stream, stream->finer);
	u32 then = claim_at(t, stream, stream->finer - 1);
	u32 spared = then + then / 2;

	if (level_for(spared, free_room(t, *claimed - now + spared)) >= stream->finer)
		return false;
	*claimed += then - now;
	stream->finer--;
	return true;
}

/* Step by step, each stream in its turn, so that none takes what others need more. */
static void make_finer(struct svlag_inflight *t, s32 claimed)
{
	bool stepped;
	u32 nth;

	do {
		stepped = false;
		for (nth = 0; nth <= t->stream_mask; nth++)
			if (t->stream[nth].finer)
				stepped |= step_finer(t, &t->stream[nth], &claimed);
	} while (stepped);
}

/* Returns whether any stream was thinned. */
static bool adapt_streams(struct svlag_inflight *t)
{
	s32 all = fold_live(t), claimed = 0;
	bool thinned = false;
	u32 nth;

	/* Hooks go on from what was told. */
	WRITE_ONCE(t->untold, all - atomic_read(&t->live));
	for (nth = 0; nth <= t->stream_mask; nth++) {
		struct svlag_stream *stream = &t->stream[nth];
		s32 told = atomic_read(&stream->live);

		stream->level = svlag_draw_level(atomic64_read(&t->limit[nth]));
		stream->finer = stream->level;
		stream->held = stream->level ? fold_held(t, nth) : (u32)max(told, 0);
		stream->weight = stream->level ? fold_weight(t, nth) : 0;
		thinned |= stream->level;
		raise_level(t, nth, level_for(stream->held, free_room(t, all)));
		claimed += claim_at(t, stream, stream->level);
	}
	if (!thinned)
		return false;
	make_finer(t, claimed);
	/* Where a hook has raised one meanwhile, it knows better. */
	for (nth = 0; nth <= t->stream_mask; nth++)
		if (t->stream[nth].finer < t->stream[nth].level)
			atomic64_cmpxchg_relaxed(&t->limit[nth],
						 svlag_draw_limit(t->stream[nth].level),
						 svlag_draw_limit(t->stream[nth].finer));
	return true;
}

/*
 * A release that is not found is one of an item that was never seen queued only if
 * all items have been tracked since before those were queued which are released now.
 */
static void observe_unmatched(struct svlag_inflight *t, u64 now_ns, bool thinned, u64 wait_ns,
			      bool wait_known)
{
	u64 missed = fold(t, SVLAG_TRACK_MISSED), raised, whole_ns;

	/* It was missed after its stream was thinned, or itself refused. (litmus: thinned) */
	smp_rmb();
	raised = (u32)atomic_read(&t->raised) + fold(t, SVLAG_TRACK_REFUSED);
	if (thinned || raised != t->raised_seen)
		t->whole_since_ns = now_ns;
	whole_ns = t->controlled_ns - min(t->controlled_ns, t->whole_since_ns);
	if (wait_known && whole_ns > WHOLE_NS && (whole_ns - WHOLE_NS) / 2 > wait_ns)
		WRITE_ONCE(t->unmatched, t->unmatched + missed - t->missed);
	t->missed = missed;
	t->raised_seen = raised;
	t->controlled_ns = now_ns;
}

static void observe_ceiling(struct svlag_inflight *t, u64 now_ns)
{
	u64 placed, ceiling_ns = t->leak_age_ns;

	if (now_ns - t->placed_ns < RATE_NS)
		return;
	placed = fold(t, SVLAG_TRACK_PLACED);
	if (placed != t->placed)
		ceiling_ns = min(ceiling_ns, div64_u64((now_ns - t->placed_ns) * t->room,
						       placed - t->placed));
	WRITE_ONCE(t->ceiling_ns, ceiling_ns);
	t->placed = placed;
	t->placed_ns = now_ns;
}

void svlag_inflight_control(struct svlag_inflight *t, u64 now_ns, u64 wait_ns, bool wait_known,
			    u64 leak_age_ns)
{
	bool thinned;

	if (!t->nr_sets)
		return;
	WRITE_ONCE(t->leak_age_ns, max(leak_age_ns, LEAK_WAITS * wait_ns));
	thinned = adapt_streams(t);
	observe_unmatched(t, now_ns, thinned, wait_ns, wait_known);
	observe_ceiling(t, now_ns);
}

void svlag_inflight_resume(struct svlag_inflight *t, u64 now_ns)
{
	t->controlled_ns = now_ns;
	t->whole_since_ns = now_ns;
}

void svlag_inflight_counts(const struct svlag_inflight *t, struct svlag_inflight_account *a)
{
	*a = (struct svlag_inflight_account){
		.matched = fold(t, SVLAG_TRACK_MATCHED),
		.negative = fold(t, SVLAG_TRACK_NEGATIVE),
		.refused_full = fold(t, SVLAG_TRACK_REFUSED),
		.restarted_key = fold(t, SVLAG_TRACK_RESTARTED),
		.evicted = fold(t, SVLAG_TRACK_EVICTED),
		.expired = fold(t, SVLAG_TRACK_EXPIRED),
		.purged = fold(t, SVLAG_TRACK_PURGED),
		.missed = fold(t, SVLAG_TRACK_MISSED),
		.unmatched = READ_ONCE(t->unmatched),
		.raised = (u32)atomic_read(&t->raised),
		.leak_age_ns = READ_ONCE(t->leak_age_ns),
		.ceiling_ns = READ_ONCE(t->ceiling_ns),
	};
	a->expired += a->evicted;
	/* Whatever has ended was placed before. (litmus: account) */
	smp_rmb();
	a->inserted = fold(t, SVLAG_TRACK_PLACED) + a->refused_full;
	a->live = a->inserted - a->refused_full - a->matched - a->expired - a->purged -
		  a->restarted_key;
}

void svlag_inflight_account(const struct svlag_inflight *t, struct svlag_inflight_account *a)
{
	unsigned int cpu;
	u32 stream;

	svlag_inflight_counts(t, a);
	for (stream = 0; stream <= t->stream_mask; stream++) {
		u32 level = svlag_draw_level(atomic64_read(&t->limit[stream]));

		if (level && level != SVLAG_LEVEL_OFF) {
			a->streams_thinned++;
			a->level_max = max(a->level_max, level);
		}
		a->weight += fold_weight(t, stream);
		for_each_possible_cpu(cpu)
			a->matched_weight +=
				READ_ONCE(per_cpu_ptr(t->stream_cpu, cpu)[stream].matched_weight);
	}
}

void svlag_inflight_survey(const struct svlag_inflight *t, u64 now_ns,
			   struct svlag_inflight_survey *s, u64 *ages)
{
	u32 place;

	*s = (struct svlag_inflight_survey){ 0 };
	for (place = 0; place < t->nr_sets * SVLAG_INFLIGHT_WAYS; place++) {
		const struct svlag_inflight_set *set = &t->sets[place / SVLAG_INFLIGHT_WAYS];
		unsigned int way = place % SVLAG_INFLIGHT_WAYS;
		/* Before the item, which is then at least as new. (litmus: look) */
		unsigned long key = smp_load_acquire(&set->key[way]);
		u64 age_ns;
		u32 weight;

		s->busy += key == SVLAG_KEY_BUSY;
		if (!svlag_inflight_is_key(key))
			continue;
		age_ns = age_of(&set->item[way], now_ns);
		weight = READ_ONCE(set->item[way].weight);
		s->live++;
		s->weight += weight;
		s->age_sum_us += (age_ns >> 10) * weight;
		s->oldest_age_ns = max(s->oldest_age_ns, age_ns);
		if (ages)
			ages[svlag_hist_bucket(age_ns)] += weight;
	}
}

static void size_up(struct svlag_inflight *t, u32 entries, u32 streams)
{
	t->nr_sets = entries / SVLAG_INFLIGHT_SET;
	t->set_mask = t->nr_sets - 1;
	t->hash_shift = 64 - ilog2(t->nr_sets);
	t->room = entries / ROOM_PART;
	t->stream_mask = min(streams, t->room / ROOM_OF_STREAM) - 1;
	t->room_floor = max_t(s32, t->room / FLOOR_PART, FLOOR_MIN);
	t->batch = clamp_t(s32, t->room / (UNTOLD_PART * num_possible_cpus()), 1, UNTOLD_MAX);
}

static size_t sets_bytes(const struct svlag_inflight *t)
{
	/* A page at least, so that sets are aligned to lines however they are allocated. */
	return max_t(size_t, t->nr_sets * sizeof(*t->sets), PAGE_SIZE);
}

static size_t streams_bytes(const struct svlag_inflight *t)
{
	return (t->stream_mask + 1) * (sizeof(*t->limit) + sizeof(*t->stream));
}

static size_t cpu_bytes(const struct svlag_inflight *t)
{
	return (t->stream_mask + 1) * sizeof(*t->stream_cpu);
}

static void seed(struct svlag_inflight *t)
{
	unsigned int cpu;
	u32 stream;

	for_each_possible_cpu(cpu)
		for (stream = 0; stream <= t->stream_mask; stream++)
			per_cpu_ptr(t->stream_cpu, cpu)[stream].draw =
				svlag_draw_first(cpu * 7919 + stream * 104729);
}

int svlag_inflight_create(struct svlag_inflight *t, u32 entries, u32 streams, u64 now_ns)
{
	u32 i;

	if (entries > SVLAG_INFLIGHT_MAX || !is_power_of_2(streams) ||
	    streams > SVLAG_INFLIGHT_STREAMS_MAX)
		return -EINVAL;
	size_up(t, roundup_pow_of_two(max_t(u32, entries, SVLAG_INFLIGHT_MIN)), streams);
	t->sets = kvzalloc(sets_bytes(t), GFP_KERNEL);
	t->limit = kvcalloc(t->stream_mask + 1, sizeof(*t->limit), GFP_KERNEL);
	t->stream = kvcalloc(t->stream_mask + 1, sizeof(*t->stream), GFP_KERNEL);
	t->cpu = alloc_percpu(struct svlag_inflight_cpu);
	t->stream_cpu = __alloc_percpu(cpu_bytes(t), L1_CACHE_BYTES);
	if (svlag_histogram_create(&t->censored) || !t->sets || !t->limit || !t->stream ||
	    !t->cpu || !t->stream_cpu) {
		svlag_inflight_destroy(t);
		return -ENOMEM;
	}
	seed(t);
	t->leak_age_ns = SVLAG_HIST_NO_BOUND;
	t->ceiling_ns = SVLAG_HIST_NO_BOUND;
	t->controlled_ns = now_ns;
	t->whole_since_ns = now_ns;
	t->placed_ns = now_ns;
	if (entries)
		return 0;

	/* The smallest table there is stays empty, and hooks need not ask. */
	t->nr_sets = 0;
	for (i = 0; i <= t->stream_mask; i++)
		atomic64_set(&t->limit[i], svlag_draw_limit(SVLAG_LEVEL_OFF));
	return 0;
}

void svlag_inflight_destroy(struct svlag_inflight *t)
{
	svlag_histogram_destroy(&t->censored);
	free_percpu(t->stream_cpu);
	free_percpu(t->cpu);
	kvfree(t->stream);
	kvfree(t->limit);
	kvfree(t->sets);
	*t = (struct svlag_inflight){ 0 };
}

size_t svlag_inflight_bytes(const struct svlag_inflight *t)
{
	return sets_bytes(t) + streams_bytes(t) + svlag_histogram_bytes() +
	       (cpu_bytes(t) + sizeof(*t->cpu)) * num_possible_cpus();
}
