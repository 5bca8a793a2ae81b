/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many releases does a drain do?
 *
 * A drain is a call in some thread, and what it finds it releases there, one after
 * the other: so what a thread releases after it has begun a drain belongs to that
 * drain, wherever it runs, and whoever drains beside it. Each thread counts in the
 * slot that its number leads to, a cache line that no other thread writes. Where
 * two threads share one, it is the latest drain's; what the other one then releases
 * is not counted in any batch, and the caller is told. No batch is ever taken for
 * larger than it is.
 */
#ifndef SVLAG_BATCH_H
#define SVLAG_BATCH_H

#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/types.h>

/* Threads of one service are numbered nearly in a row: so many do not meet. */
#define SVLAG_BATCH_SLOTS	512

/* The thread above, how many it has released below: written as one. */
struct svlag_batch {
	u64 of;
} ____cacheline_aligned;

extern struct svlag_batch svlag_batches[SVLAG_BATCH_SLOTS];

/* The largest batch that ended up on this CPU; never cleared. */
DECLARE_PER_CPU(u64, svlag_batch_most);

/* Another thread may come in between on the same CPU: hence not in two steps. */
static __always_inline void svlag_batch_raise(u64 size)
{
	u64 most = this_cpu_read(svlag_batch_most);

	while (size > most) {
		u64 was = this_cpu_cmpxchg(svlag_batch_most, most, size);

		if (was == most)
			break;
		most = was;
	}
}

/**
 * svlag_batch_begin - a drain begins
 * @thread: the number of the thread; not 0
 *
 * Context: of that thread; hooks included.
 */
static __always_inline void svlag_batch_begin(u32 thread)
{
	WRITE_ONCE(svlag_batches[thread % SVLAG_BATCH_SLOTS].of, (u64)thread << 32);
}

/**
 * svlag_batch_add - it releases one
 * @thread: as above
 *
 * Return: how many it has released by now; 0 where that is not known, because its
 * begin was not seen or its slot is another's.
 */
static __always_inline u32 svlag_batch_add(u32 thread)
{
	u64 *slot = &svlag_batches[thread % SVLAG_BATCH_SLOTS].of;
	u64 next = READ_ONCE(*slot) + 1;

	if (next >> 32 != thread)
		return 0;
	WRITE_ONCE(*slot, next);
	svlag_batch_raise((u32)next);
	return next;
}

/**
 * svlag_batch_max - the largest batch so far
 *
 * Context: any. Reads a cache line of each possible CPU.
 */
u64 svlag_batch_max(void);

/**
 * svlag_batch_bytes - the memory that this takes
 */
size_t svlag_batch_bytes(void);

#endif
