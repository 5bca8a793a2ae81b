/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What hooks do with the in-flight table, inline: an item is queued, an item is
 * released.
 *
 * Who may do what: a key's place is changed by compare and exchange from FREE or
 * from a key to BUSY, and whoever did that alone reads and writes the item beside
 * it, until he stores a key or FREE. Nobody waits for a place that is BUSY: it is
 * just not to be had. So no step depends on another CPU, or on who was interrupted
 * in the middle of one.
 *
 * - The store is a release and the exchange at least an acquire, so that an owner
 *   sees the item as the owner before him left it, and what he writes is not seen by
 *   that one. (litmus: publish, reuse, owner)
 * - An item is queued in the kernel after svlag_inflight_insert() and released
 *   before svlag_inflight_seek(); the workqueue, or the list, orders the two, so the
 *   plain reading of the keys finds what was put there. (litmus: queued)
 * - An entry is counted as placed before its key is stored, and its end is counted
 *   after the exchange, which orders the two for third parties too: so a fold which
 *   reads ends before beginnings never sees more of the former. (litmus: account)
 *
 * Instructions on x86-64, about: 27 for a release that is not found, 44 for an item
 * that is passed over; 100 to enter an item, and 90 to take it out and count its wait,
 * without the clock.
 */
#ifndef SVLAG_INFLIGHT_HOT_H
#define SVLAG_INFLIGHT_HOT_H

#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/hash.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include "draw.h"
#include "inflight.h"

/* What svlag_inflight_seek() says of a key that is not there. */
#define SVLAG_INFLIGHT_NOWHERE	(~0U)

/* What is done in the less frequent cases. */
void svlag_inflight_insert_slowly(struct svlag_inflight *t, unsigned long key, u32 id,
				  u32 weight, u64 now_ns);
bool svlag_inflight_take_spilled(struct svlag_inflight *t, unsigned long key,
				 struct svlag_inflight_item *item);
void svlag_inflight_restart(struct svlag_inflight *t, unsigned long key);
u32 svlag_inflight_draw(struct svlag_inflight *t, u32 stream);
void svlag_inflight_tell(struct svlag_inflight *t, u32 stream);
bool svlag_inflight_miss(struct svlag_inflight *t);

static __always_inline struct svlag_inflight_set *
svlag_inflight_set(const struct svlag_inflight *t, unsigned long key)
{
	return &t->sets[(u64)key * GOLDEN_RATIO_64 >> t->hash_shift];
}

/*
 * Where in the set is key, or SVLAG_INFLIGHT_WAYS? Reads the line of the keys, each
 * once. That a plain reading may be as good as any is no matter: what comes of it is
 * compared and exchanged. It saves an instruction a key, and the unrolling two.
 */
static __always_inline unsigned int svlag_inflight_find(const struct svlag_inflight_set *set,
							unsigned long key)
{
	unsigned int way;

#pragma GCC unroll 8
	for (way = 0; way < SVLAG_INFLIGHT_WAYS; way++)
		/* See above. */
		if (data_race(set->key[way]) == key)
			break;
	return way;
}

static __always_inline bool svlag_inflight_is_key(unsigned long key)
{
	return key > SVLAG_KEY_BUSY;
}

/* Fully ordered, for the sake of the counts that follow. (litmus: account) */
static __always_inline bool svlag_inflight_own(struct svlag_inflight_set *set, unsigned int way,
					       unsigned long key)
{
	return cmpxchg(&set->key[way], key, SVLAG_KEY_BUSY) == key;
}

static __always_inline bool svlag_inflight_claim(struct svlag_inflight_set *set, unsigned int way)
{
	return cmpxchg_acquire(&set->key[way], SVLAG_KEY_FREE, SVLAG_KEY_BUSY) == SVLAG_KEY_FREE;
}

static __always_inline void svlag_inflight_leave(struct svlag_inflight_set *set, unsigned int way)
{
	/* After the last look at the item. (litmus: reuse, owner) */
	smp_store_release(&set->key[way], SVLAG_KEY_FREE);
}

/* Into a place that is owned. */
static __always_inline void svlag_inflight_fill(struct svlag_inflight *t,
						struct svlag_inflight_set *set, unsigned int way,
						unsigned long key, u32 id, u32 weight, u64 now_ns)
{
	u32 stream = id & t->stream_mask;
	struct svlag_stream_cpu __percpu *of_cpu = &t->stream_cpu[stream];

	WRITE_ONCE(set->item[way].since_ns, now_ns);
	WRITE_ONCE(set->item[way].id, id);
	WRITE_ONCE(set->item[way].weight, weight);
	this_cpu_inc(t->cpu->count[SVLAG_TRACK_PLACED]);
	this_cpu_add(of_cpu->placed_weight, weight);
	/* After the item and its count. (litmus: publish, account) */
	smp_store_release(&set->key[way], key);
	if (unlikely(this_cpu_add_return(of_cpu->untold, 1) >= t->batch))
		svlag_inflight_tell(t, stream);
}

/* What is owned comes to the end that it should. */
static __always_inline bool svlag_inflight_take_from(struct svlag_inflight *t,
						     struct svlag_inflight_set *set,
						     unsigned int way, unsigned long key,
						     struct svlag_inflight_item *item)
{
	struct svlag_stream_cpu __percpu *of_cpu;

	/* Whoever was quicker with the same key has it. */
	if (unlikely(!svlag_inflight_is_key(key) || !svlag_inflight_own(set, way, key)))
		return svlag_inflight_miss(t);
	*item = set->item[way];
	of_cpu = &t->stream_cpu[item->id & t->stream_mask];
	this_cpu_inc(t->cpu->count[SVLAG_TRACK_MATCHED]);
	this_cpu_add(of_cpu->matched_weight, item->weight);
	svlag_inflight_leave(set, way);
	if (unlikely(this_cpu_add_return(of_cpu->untold, -1) + t->batch <= 0))
		svlag_inflight_tell(t, item->id & t->stream_mask);
	return true;
}

/**
 * svlag_inflight_id - an id for a transport of which nothing but its address is known
 * @transport: the address
 *
 * Context: any.
 */
static __always_inline u32 svlag_inflight_id(unsigned long transport)
{
	u32 hash = (u64)transport * GOLDEN_RATIO_64 >> 32;

	/* Addresses at even distances would share streams; the lower bits are the stream. */
	hash = (hash ^ hash >> 15) * 0x85ebca6bU;
	return rol32(hash, 16);
}

/**
 * enum svlag_inflight_met - what svlag_inflight_meet() says of an item
 * @SVLAG_MET_PASSED: it is not drawn, and there is nothing more to do
 * @SVLAG_MET_ALL: it is drawn, as all are
 * @SVLAG_MET_TURN: it may be drawn
 * @SVLAG_MET_HELD: the same, and its key may be in the table still
 */
enum svlag_inflight_met {
	SVLAG_MET_PASSED,
	SVLAG_MET_ALL,
	SVLAG_MET_TURN,
	SVLAG_MET_HELD,
};

/**
 * svlag_inflight_meet - an item is queued: is it passed over, and that is all?
 * @t: the table
 * @set: svlag_inflight_set() of @key
 * @key: the item's address
 * @id: of its transport; the lower bits tell the stream
 *
 * The first half of svlag_inflight_begin(). It is all that most items of a thinned
 * stream meet, with no call, and no writing but to the own CPU's memory.
 *
 * Context: any, interrupts and hooks included; preemptible. Reads one line of the
 * table.
 */
static __always_inline enum svlag_inflight_met
svlag_inflight_meet(struct svlag_inflight *t, const struct svlag_inflight_set *set,
		    unsigned long key, u32 id)
{
	u32 stream = id & t->stream_mask;
	u64 limit, word;

	if (unlikely(svlag_inflight_find(set, key) < SVLAG_INFLIGHT_WAYS ||
		     atomic_read(&set->spilled)))
		return SVLAG_MET_HELD;
	limit = atomic64_read(&t->limit[stream]);
	if (!limit)
		return SVLAG_MET_ALL;
	word = this_cpu_read(t->stream_cpu[stream].draw);
	if (svlag_draw_passes(word, limit) &&
	    this_cpu_cmpxchg(t->stream_cpu[stream].draw, word, word - 1) == word)
		return SVLAG_MET_PASSED;
	return SVLAG_MET_TURN;
}

/**
 * svlag_inflight_begin_met - is an item to be tracked that svlag_inflight_meet() met?
 * @t: the table
 * @key: the item's address
 * @id: of its transport
 * @met: what that said
 *
 * If the key is in the table still, its release was missed: it is taken out, and
 * counted as restarted, whether this item is drawn or not; or the release of this item
 * would be taken for that of the other.
 *
 * Context: any, interrupts and hooks included; preemptible. Writes no line of the table
 * but to restart.
 *
 * Return: 0, if it is not drawn; else how many items it stands for, and then it is to
 * be entered.
 */
static inline u32 svlag_inflight_begin_met(struct svlag_inflight *t, unsigned long key, u32 id,
					   enum svlag_inflight_met met)
{
	switch (met) {
	case SVLAG_MET_PASSED:
		return 0;
	case SVLAG_MET_ALL:
		return 1;
	case SVLAG_MET_HELD:
		svlag_inflight_restart(t, key);
		break;
	default:
		break;
	}
	return svlag_inflight_draw(t, id & t->stream_mask);
}

/**
 * svlag_inflight_begin - an item is queued: is it to be tracked?
 * @t: the table
 * @key: the item's address
 * @id: of its transport; the lower bits tell the stream
 *
 * Context and Return: as those of svlag_inflight_meet() and svlag_inflight_begin_met().
 */
static inline u32 svlag_inflight_begin(struct svlag_inflight *t, unsigned long key, u32 id)
{
	const struct svlag_inflight_set *set = svlag_inflight_set(t, key);

	return svlag_inflight_begin_met(t, key, id, svlag_inflight_meet(t, set, key, id));
}

/**
 * svlag_inflight_enter - enter an item that was drawn
 * @t: the table
 * @set: svlag_inflight_set() of @key
 * @key: the item's address; it must not be released before this returns
 * @id: of its transport
 * @weight: what svlag_inflight_begin() returned
 * @now_ns: the time
 *
 * Context: any, interrupts and hooks included; preemptible. Writes the set, waits
 * for nobody.
 */
static __always_inline void svlag_inflight_enter(struct svlag_inflight *t,
						 struct svlag_inflight_set *set,
						 unsigned long key, u32 id, u32 weight,
						 u64 now_ns)
{
	unsigned int way = svlag_inflight_find(set, SVLAG_KEY_FREE);

	if (likely(svlag_inflight_is_key(key) && way < SVLAG_INFLIGHT_WAYS &&
		   svlag_inflight_claim(set, way)))
		svlag_inflight_fill(t, set, way, key, id, weight, now_ns);
	else
		svlag_inflight_insert_slowly(t, key, id, weight, now_ns);
}

/**
 * svlag_inflight_insert - enter an item that svlag_inflight_begin() drew
 *
 * As svlag_inflight_enter(), which finds the set by itself.
 */
static inline void svlag_inflight_insert(struct svlag_inflight *t, unsigned long key, u32 id,
					 u32 weight, u64 now_ns)
{
	svlag_inflight_enter(t, svlag_inflight_set(t, key), key, id, weight, now_ns);
}

/**
 * svlag_inflight_seek - an item is released: is it in the table?
 * @t: the table
 * @set: svlag_inflight_set() of @key
 * @key: the item's address
 *
 * The first half of svlag_inflight_take(), for hooks that have nothing to do where the
 * item was not drawn and want to be quick about it.
 *
 * Context: any, interrupts and hooks included; preemptible. Reads one line of the
 * table.
 *
 * Return: the place where it is, for svlag_inflight_take_from(); SVLAG_INFLIGHT_WAYS, if
 * svlag_inflight_take_spilled() has to look further; or SVLAG_INFLIGHT_NOWHERE, and
 * that is counted.
 */
static __always_inline unsigned int svlag_inflight_seek(struct svlag_inflight *t,
							const struct svlag_inflight_set *set,
							unsigned long key)
{
	unsigned int way = svlag_inflight_find(set, key);

	if (way < SVLAG_INFLIGHT_WAYS || unlikely(atomic_read(&set->spilled)))
		return way;
	this_cpu_inc(t->cpu->count[SVLAG_TRACK_MISSED]);
	return SVLAG_INFLIGHT_NOWHERE;
}

/**
 * svlag_inflight_take - an item is released: take it out
 * @t: the table
 * @key: the item's address
 * @item: filled in if it is found
 *
 * Context: as svlag_inflight_seek(); writes the set, waits for nobody. Return: false if
 * it is not in the table.
 */
static inline bool svlag_inflight_take(struct svlag_inflight *t, unsigned long key,
				       struct svlag_inflight_item *item)
{
	struct svlag_inflight_set *set = svlag_inflight_set(t, key);
	unsigned int where = svlag_inflight_seek(t, set, key);

	if (where == SVLAG_INFLIGHT_NOWHERE)
		return false;
	if (where == SVLAG_INFLIGHT_WAYS)
		return svlag_inflight_take_spilled(t, key, item);
	return svlag_inflight_take_from(t, set, where, key, item);
}

/**
 * svlag_inflight_wait - how long an item that was taken has waited
 * @t: the table
 * @item: as svlag_inflight_take() filled it in
 * @now_ns: when it was released
 * @wait_ns: set to the wait
 *
 * Context: any. Return: false, and it is counted as negative, where the clock says
 * that it was released before it was queued.
 */
static __always_inline bool svlag_inflight_wait(struct svlag_inflight *t,
						const struct svlag_inflight_item *item,
						u64 now_ns, u64 *wait_ns)
{
	if (unlikely(now_ns < item->since_ns)) {
		this_cpu_inc(t->cpu->count[SVLAG_TRACK_NEGATIVE]);
		return false;
	}
	*wait_ns = now_ns - item->since_ns;
	return true;
}

#endif
