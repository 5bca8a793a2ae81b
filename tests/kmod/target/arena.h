/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Arenas: send contexts at millions of addresses, for floods, in the memory of a few:
 * one page, mapped again and again. So all of them are the same to look at, and bare:
 * the functions that they are given to return at once.
 */
#ifndef TARGET_ARENA_H
#define TARGET_ARENA_H

#include <linux/log2.h>
#include <linux/types.h>

#include "target.h"

#define ARENA_STRIDE	roundup_pow_of_two(TARGET_CTXT_BYTES)

struct arena {
	struct page *page;
	void *at;
};

/* @nr contexts of @conn; not more of them than memory has pages for. May sleep. */
int arena_open(struct arena *arena, struct target_conn *conn, u64 nr);
void arena_close(struct arena *arena);

static inline struct target_ctxt *arena_ctxt(const struct arena *arena, u64 nth)
{
	return arena->at + nth * ARENA_STRIDE;
}

#endif
