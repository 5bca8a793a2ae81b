/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which items are drawn, where only one of 2^level is to be tracked.
 *
 * The items of a CPU's stream are cut into runs of 2^level. One item of each
 * run is drawn, at a place that changes from run to run, and stands for the
 * whole run: so the weights of what is drawn add up to the number of items, but
 * for the run that is going on. An item's own address has no say: free contexts
 * are a LIFO, and few addresses recur.
 *
 * A coarser level begins with a run to come. A finer one ends the run at once,
 * drawn or not; whoever asks for a finer level must therefore not do so because
 * of what was drawn on this CPU just now, or the count would be off by half a
 * run in the mean. At level 0 all are drawn, without any of this, and the run
 * stays as it is until a coarser level is asked for again.
 *
 * All that is known of a stream on a CPU is one word, so that one compare and
 * exchange makes a step whole:
 *
 *	bits 0 to 21	how many items it still takes to the next one that is drawn,
 *			that one included; 0 before the first
 *	bits 22 to 58	the number of the run that this one is in; from it follows
 *			its place
 *	bits 59 to 63	the level of that run
 *
 * Pure arithmetic.
 */
#ifndef SVLAG_DRAW_H
#define SVLAG_DRAW_H

#include <linux/compiler.h>
#include <linux/types.h>

/* One of a million. */
#define SVLAG_LEVEL_MAX		20

/* Nothing is drawn. */
#define SVLAG_LEVEL_OFF		30

#define SVLAG_DRAW_RUN_SHIFT	22
#define SVLAG_DRAW_TO_GO	((1ULL << SVLAG_DRAW_RUN_SHIFT) - 1)
#define SVLAG_DRAW_LEVEL_SHIFT	59

/**
 * svlag_draw_first - a word to begin with
 * @seed: another for each CPU and each stream
 */
static inline u64 svlag_draw_first(u32 seed)
{
	return (u64)seed << SVLAG_DRAW_RUN_SHIFT;
}

/**
 * svlag_draw_limit - a level as hooks read it
 * @level: 0 to SVLAG_LEVEL_MAX, or SVLAG_LEVEL_OFF
 *
 * Return: 0 for level 0; else a word of this level is less, and a word of a coarser
 * one is not.
 */
static inline u64 svlag_draw_limit(u32 level)
{
	return level ? (u64)(level + 1) << SVLAG_DRAW_LEVEL_SHIFT : 0;
}

/**
 * svlag_draw_level - the level that a limit stands for
 */
static inline u32 svlag_draw_level(u64 limit)
{
	return limit ? (u32)(limit >> SVLAG_DRAW_LEVEL_SHIFT) - 1 : 0;
}

/**
 * svlag_draw_passes - is the next item one that is passed over within a run?
 * @word: the word
 * @limit: of the level asked for now, which is not 0
 *
 * Return: true if so, and then @word - 1 is the word after it; else svlag_draw_turn()
 * tells.
 */
static __always_inline bool svlag_draw_passes(u64 word, u64 limit)
{
	/* 0 and 1 differ in the one bit that is left out. */
	return likely(word < limit && (word & (SVLAG_DRAW_TO_GO & ~1ULL)));
}

/**
 * svlag_draw_turn - the next item, if svlag_draw_passes() says no
 * @word: the word
 * @level: the level asked for now, 1 to SVLAG_LEVEL_MAX, or SVLAG_LEVEL_OFF
 * @weight: set to how many items it stands for, or to 0 if it is not drawn
 *
 * Return: the word after it.
 */
u64 svlag_draw_turn(u64 word, u32 level, u32 *weight);

#endif
