// SPDX-License-Identifier: GPL-2.0
#include "rows.h"

#include <string.h>

/*
 * The number of the row that a bucket is in. The finest rows are quarters of a power of
 * two, each next coarseness makes one of two. On a logarithmic scale all are equally
 * wide, as near as the steps of hist.h allow; for others would give the distribution a
 * shape that it does not have. So finer ones are not to be had of these steps.
 */
static unsigned int row_of(unsigned int bucket, unsigned int coarseness)
{
	unsigned int step = bucket + SVLAG_HIST_FROM_STEP;
	unsigned int part = step & ((1 << SVLAG_HIST_STEPS_LOG2) - 1);
	unsigned int quarter = (part >= 3) + (part >= 7) + (part >= 11);

	return ((step >> SVLAG_HIST_STEPS_LOG2) * 4 + quarter) >> coarseness;
}

_Static_assert(SVLAG_HIST_STEPS_LOG2 == 4, "the quarters are cut for sixteen steps");

/* One of two powers of two: so coarse the rows always are few enough. */
#define COARSENESS_MAX	3
_Static_assert(((SVLAG_HIST_FROM_STEP + SVLAG_HIST_BUCKETS) >> SVLAG_HIST_STEPS_LOG2) / 2 <
	       SVLAG_ROWS_MAX, "too few rows for all that there can be");

static void set_row(struct svlag_row *row, unsigned int first, unsigned int coarseness)
{
	row->first = first;
	row->last = first;
	while (row->last + 1 < SVLAG_HIST_BUCKETS &&
	       row_of(row->last + 1, coarseness) == row_of(first, coarseness))
		row->last++;
}

static void count_row(const struct svlag_distribution *d, struct svlag_row *row)
{
	unsigned int bucket;

	memset(row->count, 0, sizeof(row->count));
	for (bucket = row->first; bucket <= row->last; bucket++) {
		row->count[SVLAG_COMPLETE] += d->complete[bucket];
		row->count[SVLAG_LOST] += d->lost[bucket];
		row->count[SVLAG_WAITING] += d->waiting[bucket];
	}
}

/* False if that makes too many rows. */
static bool cut(const struct svlag_distribution *d, unsigned int coarseness,
		struct svlag_row rows[SVLAG_ROWS_MAX], unsigned int *nr)
{
	struct svlag_row row = { .last = 0 };
	unsigned int bucket;

	*nr = 0;
	for (bucket = 0; bucket < SVLAG_HIST_BUCKETS; bucket = row.last + 1) {
		unsigned int end = *nr ? rows[*nr - 1].last + 1 : bucket;
		bool gap = end < bucket;

		set_row(&row, bucket, coarseness);
		count_row(d, &row);
		if (!svlag_row_items(&row))
			continue;
		if (*nr + gap >= SVLAG_ROWS_MAX)
			return false;
		/* What the rows before leave out. */
		if (gap)
			rows[(*nr)++] = (struct svlag_row){ .first = end, .last = bucket - 1 };
		rows[(*nr)++] = row;
	}
	return true;
}

unsigned int svlag_rows_cut(const struct svlag_distribution *d,
			    struct svlag_row rows[SVLAG_ROWS_MAX])
{
	unsigned int coarseness = 0;
	unsigned int nr;

	while (!cut(d, coarseness, rows, &nr) && coarseness < COARSENESS_MAX)
		coarseness++;
	return nr;
}
