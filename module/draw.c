// SPDX-License-Identifier: GPL-2.0
#include "draw.h"

#include <linux/kprobes.h>

/* Which item of the run is drawn: 0 to 2^level - 1. */
static u32 place(u64 word)
{
	u32 hash = (u32)(word >> SVLAG_DRAW_RUN_SHIFT) * 0x9e3779b1U;
	u32 level = word >> SVLAG_DRAW_LEVEL_SHIFT;

	/* One multiplication alone would make a pattern of few different gaps. */
	hash = (hash ^ hash >> 15) * 0x85ebca6bU;
	return (u64)hash >> (32 - level);
}

/* The run after that of word; no item of it has come. */
static u64 next_run(u64 word, u32 level)
{
	u64 run = (word & ((1ULL << SVLAG_DRAW_LEVEL_SHIFT) - 1)) >> SVLAG_DRAW_RUN_SHIFT;

	/* A carry is lost with the level. */
	word = (run + 1) << (SVLAG_DRAW_RUN_SHIFT + 64 - SVLAG_DRAW_LEVEL_SHIFT) >>
	       (64 - SVLAG_DRAW_LEVEL_SHIFT);
	word |= (u64)level << SVLAG_DRAW_LEVEL_SHIFT;
	return word + place(word) + 1;
}

u64 notrace svlag_draw_turn(u64 word, u32 level, u32 *weight)
{
	u32 size, rest;

	*weight = 0;
	if (level > SVLAG_LEVEL_MAX)
		return word;
	if (!(word & SVLAG_DRAW_TO_GO) || word >> SVLAG_DRAW_LEVEL_SHIFT > level)
		word = next_run(word, level);
	if ((word & SVLAG_DRAW_TO_GO) != 1)
		return word - 1;

	/* This one is drawn. The next one is in the next run, behind what is left of this. */
	size = 1U << (word >> SVLAG_DRAW_LEVEL_SHIFT);
	rest = size - 1 - place(word);
	*weight = size;
	return next_run(word, level) + rest;
}
NOKPROBE_SYMBOL(svlag_draw_turn);
