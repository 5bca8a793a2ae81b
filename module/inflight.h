/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The in-flight table: when each item that is tracked was queued, until it is
 * released. A leak cannot stop it and a backlog cannot blind it:
 *
 * - It is as large as it was made. A key has seven places, its set, and is found
 *   by reading one cache line, or two if it spilled into another set; nothing waits,
 *   and nothing is tried twice.
 * - Items are drawn (draw.h). What is drawn stands for a whole run, and carries
 *   that weight. All are drawn while they fit; the more places a stream holds, the
 *   fewer of its items are. A stream is what one transport queues, or a few whose
 *   ids fall together: each is thinned for itself, so a flood on one costs the
 *   others no precision.
 * - How many places a stream may hold depends on how many are free: half as many
 *   without being thinned, and the thinner the more it exceeds that, up to almost
 *   twice as many. So however many streams flood, some places stay free, and a
 *   stream that comes new finds them. A quarter of the table is used so. As sets fill
 *   by chance, one in two hundred may be full then, and hardly ever the second set of
 *   one of its keys too: for a key that recurs must not be shut out for as long as a
 *   leak takes to age.
 * - A newcomer to a full set takes the place of an entry that is older than the
 *   leak age, or one in its second set, or is refused; never the place of a younger
 *   entry, which may be just the one that waits longest.
 * - What leaves the table without a release is censored: it took at least its age.
 *
 * Every item that was drawn is accounted for, see struct svlag_inflight_account.
 *
 * A hit whose item was not drawn writes nothing but its own CPU's memory, and
 * reads one line of the set and one of the levels. One that was drawn writes its
 * set, as the other CPU that releases the item does, and once in up to 32 times a
 * count that all share.
 *
 * The clock is the caller's, in ns; it may go backwards between CPUs. What hooks do
 * is in inflight_hot.h.
 */
#ifndef SVLAG_INFLIGHT_H
#define SVLAG_INFLIGHT_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include "draw.h"
#include "histogram.h"

/* With the count of what spilled, their keys fill one line. */
#define SVLAG_INFLIGHT_WAYS	7

/* So many are counted as a set, in sizes: the line's eighth word is no place. */
#define SVLAG_INFLIGHT_SET	8

/* Sizes of a table that is there at all. */
#define SVLAG_INFLIGHT_MIN	64
#define SVLAG_INFLIGHT_MAX	4194304

/* One allocation for each CPU is at most 32 KiB. */
#define SVLAG_INFLIGHT_STREAMS_MAX	512

/* Not an address: nobody is in that place, or somebody comes or goes. */
#define SVLAG_KEY_FREE		0UL
#define SVLAG_KEY_BUSY		1UL

/**
 * struct svlag_inflight_item - what is known of an item
 * @since_ns: when it was queued
 * @id: of its transport
 * @weight: how many items it stands for
 */
struct svlag_inflight_item {
	u64 since_ns;
	u32 id;
	u32 weight;
};

/*
 * The keys say whose the places are. An item may be read or written only by who has
 * put SVLAG_KEY_BUSY in its key's place. Where all places were taken, keys of this set
 * went to another, their second; spilled is how many are there now.
 */
struct svlag_inflight_set {
	unsigned long key[SVLAG_INFLIGHT_WAYS];
	atomic_t spilled;
	struct svlag_inflight_item item[SVLAG_INFLIGHT_WAYS];
} ____cacheline_aligned;

/* What is counted of the table, on each CPU. */
enum svlag_inflight_counter {
	SVLAG_TRACK_PLACED,
	SVLAG_TRACK_REFUSED,
	SVLAG_TRACK_MATCHED,
	SVLAG_TRACK_RESTARTED,
	SVLAG_TRACK_EXPIRED,
	SVLAG_TRACK_EVICTED,
	SVLAG_TRACK_PURGED,
	SVLAG_TRACK_MISSED,
	SVLAG_TRACK_NEGATIVE,
	SVLAG_TRACK_COUNTERS
};

struct svlag_inflight_cpu {
	u64 count[SVLAG_TRACK_COUNTERS];
};

/*
 * A stream on one CPU; the weights only rise: of what was placed, of what was matched,
 * and of what left in another way. What the CPU added to the stream's places and has
 * not told yet is in untold: the sum of it and of what all have told is exact.
 */
struct svlag_stream_cpu {
	u64 draw;
	u64 placed_weight;
	u64 matched_weight;
	u64 left_weight;
	s32 untold;
} ____cacheline_aligned;

/*
 * A stream. live are the places that it holds, as far as they were told; the others
 * are what svlag_inflight_control() sees and decides.
 */
struct svlag_stream {
	atomic_t live;
	u32 level;
	u32 finer;
	u32 held;
	u64 weight;
} ____cacheline_aligned;

/**
 * struct svlag_inflight - a table
 *
 * All members are inflight.c's own, but for @censored.
 *
 * @sets: the places
 * @hash_shift: of a hashed key, what is not the number of its set
 * @stream_mask: of an id, what is the number of its stream
 * @limit: of each stream, how thin: a level as svlag_draw_limit() gives it
 * @cpu: counters
 * @stream_cpu: the streams on each CPU
 * @stream: the streams
 * @nr_sets: 0 if there is no table
 * @set_mask: of a number, what is the number of a set
 * @room: places that the streams share in
 * @room_floor: what is taken as free for a stream however full the table is
 * @batch: so many places a CPU takes or leaves before it tells
 * @censored: ages of what left without a release (public, to be folded)
 * @leak_age_ns: written by svlag_inflight_control() alone, as all below but @live
 *	and @raised
 * @untold: places not told as yet when that was called last
 * @controlled_ns: when that was called last
 * @next_set: where the next sweep begins
 * @whole_since_ns: no level was above 0 since, nor was any item refused
 * @missed: releases not found, when that was looked at last
 * @raised_seen: levels raised and items refused by then
 * @unmatched: see struct svlag_inflight_account
 * @placed: @placed_ns ago, so many had found a place
 * @placed_ns: see @placed
 * @ceiling_ns: see struct svlag_inflight_account
 * @live: places that all streams hold, as far as they were told
 * @raised: how often a stream's level was raised, or found raised by another CPU
 */
struct svlag_inflight {
	struct svlag_inflight_set *sets;
	unsigned int hash_shift;
	u32 stream_mask;
	atomic64_t *limit;
	struct svlag_inflight_cpu __percpu *cpu;
	struct svlag_stream_cpu __percpu *stream_cpu;
	struct svlag_stream *stream;
	u32 nr_sets;
	u32 set_mask;
	u32 room;
	s32 room_floor;
	s32 batch;
	struct svlag_histogram censored;
	u64 leak_age_ns;
	s32 untold;

	/* Of no concern to hooks. */
	u64 controlled_ns ____cacheline_aligned;
	u32 next_set;
	u64 whole_since_ns;
	u64 missed;
	u64 raised_seen;
	u64 unmatched;
	u64 placed;
	u64 placed_ns;
	u64 ceiling_ns;

	/* Written by all CPUs, now and then. */
	atomic_t live ____cacheline_aligned;
	atomic_t raised;
};

/**
 * struct svlag_inflight_account - what became of the items that were drawn
 *
 * When no hook and no call below runs,
 *
 *	inserted = matched + refused_full + expired + purged + restarted_key + live
 *
 * exactly; and at any moment inserted is at least the sum of the others without
 * live.
 *
 * @inserted: items that were drawn and brought to the table
 * @matched: of them, those whose release was seen
 * @negative: of the matched, those released before they were queued, by the clock:
 *	they have no wait
 * @refused_full: those that found all places of both their sets held by entries
 *	younger than the leak age. Their release is not found
 * @restarted_key: entries whose key was queued again before it was released: the
 *	release was missed, so the wait is at most the age, and is not counted
 * @expired: entries that grew older than the leak age. Their release, if it still
 *	comes, is not found
 * @evicted: of the expired, those that left because a newcomer needed the place
 * @purged: entries whose transport, or the target, went away
 * @live: what was inserted and has not met one of these ends, by these counters
 * @unmatched: releases of what was never seen queued, error puts say. Counted only
 *	where that can be told: while no stream was thinned and nothing was refused,
 *	and all from before is through. The release of an expired entry is one too
 * @missed: all releases not found in the table: of what was not drawn, of what was
 *	refused, expired or purged, and the unmatched
 * @weight: how many items the live ones stand for
 * @matched_weight: how many items the matched ones stood for
 * @raised: how often a stream's level was raised
 * @level_max: the level of the stream that is thinned most
 * @streams_thinned: how many are thinned
 * @leak_age_ns: what is older is taken for leaked
 * @ceiling_ns: the longest wait that could be shown now: nothing older than the leak
 *	age, nor more items than find room, at the rate at which they were drawn during
 *	the last second. SVLAG_HIST_NO_BOUND while that is not known
 */
struct svlag_inflight_account {
	u64 inserted;
	u64 matched;
	u64 negative;
	u64 refused_full;
	u64 restarted_key;
	u64 expired;
	u64 evicted;
	u64 purged;
	u64 live;
	u64 unmatched;
	u64 missed;
	u64 weight;
	u64 matched_weight;
	u64 raised;
	u32 level_max;
	u32 streams_thinned;
	u64 leak_age_ns;
	u64 ceiling_ns;
};

/**
 * struct svlag_inflight_survey - what is in the table
 * @live: entries
 * @busy: places that were just being taken or left, and are not in @live
 * @weight: how many items the live ones stand for
 * @age_sum_us: their ages, each by its weight, in 1,024 ns
 * @oldest_age_ns: the age of the oldest; 0 if there is none
 */
struct svlag_inflight_survey {
	u64 live;
	u64 busy;
	u64 weight;
	u64 age_sum_us;
	u64 oldest_age_ns;
};

/**
 * svlag_inflight_create - make an empty table
 * @t: all zero
 * @entries: its size, up to SVLAG_INFLIGHT_MAX; rounded up to a power of two, and to
 *	SVLAG_INFLIGHT_MIN. Seven eighths of it are places, 24 bytes of memory each is
 *	what it takes. 0 for a table that never draws
 * @streams: how many streams are told apart, a power of two up to
 *	SVLAG_INFLIGHT_STREAMS_MAX; fewer in a table with less than 64 entries for each
 * @now_ns: the time
 *
 * Context: may sleep. Return: 0; -EINVAL for sizes that cannot be; -ENOMEM.
 */
int svlag_inflight_create(struct svlag_inflight *t, u32 entries, u32 streams, u64 now_ns);

/**
 * svlag_inflight_destroy - free it
 * @t: one that was created, or all zero
 *
 * Context: may sleep; nobody else uses it any more.
 */
void svlag_inflight_destroy(struct svlag_inflight *t);

/**
 * svlag_inflight_resume - tracking begins, maybe anew
 * @t: the table
 * @now_ns: the time
 *
 * What is released now and was queued before cannot be found, and is not taken for
 * unmatched.
 *
 * Context: as svlag_inflight_control().
 */
void svlag_inflight_resume(struct svlag_inflight *t, u64 now_ns);

/**
 * svlag_inflight_bytes - the memory it takes, on all possible CPUs
 */
size_t svlag_inflight_bytes(const struct svlag_inflight *t);

/**
 * svlag_inflight_purge - a transport went away: take out what is left of it
 * @t: the table
 * @id: its id
 * @gone_ns: when it went; what was queued later is of another that has its id now
 * @now_ns: the time
 *
 * Context: any. If the stream holds a place at all, reads one line in three of the
 * table, 0.5 MB at 65,536 places.
 */
void svlag_inflight_purge(struct svlag_inflight *t, u32 id, u64 gone_ns, u64 now_ns);

/**
 * svlag_inflight_purge_all - the target goes away
 * @t: the table
 * @now_ns: the time
 *
 * Context: as svlag_inflight_purge().
 */
void svlag_inflight_purge_all(struct svlag_inflight *t, u64 now_ns);

/**
 * svlag_inflight_sweep - expire what is older than the leak age
 * @t: the table
 * @now_ns: the time
 * @sets: how many sets to look at, from where the last call stopped on; all are
 *	looked at with @t->nr_sets
 *
 * Context: any; one caller at a time, that of svlag_inflight_control().
 */
void svlag_inflight_sweep(struct svlag_inflight *t, u64 now_ns, u32 sets);

/**
 * svlag_inflight_control - adapt to what is going on
 * @t: the table
 * @now_ns: the time
 * @wait_ns: how long an item that is released now has waited, by other knowledge
 * @wait_known: false if it may have waited longer
 * @leak_age_ns: what is older is taken for leaked, but never before several times
 *	@wait_ns
 *
 * Levels rise by themselves, within a few hundred insertions; here alone they
 * fall, when the streams would fit in with a third to spare.
 *
 * Context: any; one caller at a time, at a steady pace of about 100 ms. Reads a few
 * lines of each possible CPU, and one more for each stream that is thinned.
 */
void svlag_inflight_control(struct svlag_inflight *t, u64 now_ns, u64 wait_ns, bool wait_known,
			    u64 leak_age_ns);

/**
 * svlag_inflight_counts - the accounting, without weights and streams
 * @t: the table
 * @a: filled in, but for @a->weight, @a->matched_weight, @a->level_max and
 *	@a->streams_thinned
 *
 * Context: any. Reads two lines of each possible CPU.
 */
void svlag_inflight_counts(const struct svlag_inflight *t, struct svlag_inflight_account *a);

/**
 * svlag_inflight_account - the accounting
 * @t: the table
 * @a: filled in
 *
 * Context: any. Reads a line for each stream of each possible CPU, twice.
 */
void svlag_inflight_account(const struct svlag_inflight *t, struct svlag_inflight_account *a);

/**
 * svlag_inflight_survey - see what is in the table
 * @t: the table
 * @now_ns: the time
 * @s: filled in
 * @ages: SVLAG_HIST_BUCKETS counts; to what age the live ones have come, each by its
 *	weight, is added. Or NULL
 *
 * Context: any. Reads the whole table.
 */
void svlag_inflight_survey(const struct svlag_inflight *t, u64 now_ns,
			   struct svlag_inflight_survey *s, u64 *ages);

#endif
