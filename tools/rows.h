/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A distribution as few enough rows to be looked at. Pure arithmetic.
 */
#ifndef SVLAG_TOOLS_ROWS_H
#define SVLAG_TOOLS_ROWS_H

#include "waits.h"

/* The most rows that there can be. */
#define SVLAG_ROWS_MAX	24

/* The sorts of item: they took so long, at least so long, or so long till now. */
enum svlag_sort { SVLAG_COMPLETE, SVLAG_LOST, SVLAG_WAITING, SVLAG_NR_SORTS };

/**
 * struct svlag_row - a stretch of buckets that are shown as one
 * @first: the first bucket
 * @last: the last one
 * @count: the items in it, by their sort
 */
struct svlag_row {
	unsigned int first;
	unsigned int last;
	__u64 count[SVLAG_NR_SORTS];
};

/**
 * svlag_rows_cut - cut a distribution into rows, from the first item to the last
 * @d: the distribution
 * @rows: filled in
 *
 * They are as fine as SVLAG_ROWS_MAX of them allow, from a quarter of a power of two to
 * two of them; a stretch in which there is nothing is one row, however long.
 *
 * Return: how many rows; 0 if there is no item.
 */
unsigned int svlag_rows_cut(const struct svlag_distribution *d,
			    struct svlag_row rows[SVLAG_ROWS_MAX]);

/* All items of a row. */
static inline __u64 svlag_row_items(const struct svlag_row *row)
{
	return row->count[SVLAG_COMPLETE] + row->count[SVLAG_LOST] + row->count[SVLAG_WAITING];
}

#endif
