// SPDX-License-Identifier: GPL-2.0
#include "waits.h"

#include <string.h>

/* The time of that name; SVLAG_NR_TIMES for one that is not known here. */
static unsigned int times_of(const char *what)
{
	unsigned int nth;

	for (nth = 0; nth < SVLAG_NR_TIMES; nth++)
		if (!strcmp(what, svlag_times_name(nth)))
			break;
	return nth;
}

/* The numbers that a bucket's upper bound has as text and in memory are the same. */
_Static_assert(SVLAG_HIST_NO_BOUND == SVLAG_UNKNOWN, "the last bucket's bound is printed as -");

/* What is not known of a row that is there is not there: services are never lost. */
static bool add(__u64 *total, __u64 count)
{
	if (count > SVLAG_ITEMS_MAX - *total)
		return false;
	*total += count;
	return true;
}

static __u64 or_none(__u64 count)
{
	return count == SVLAG_UNKNOWN ? 0 : count;
}

/**
 * struct sums - of a distribution while it is being read
 * @left: those that left
 * @waiting: those that wait
 * @seen: the buckets that had their row
 */
struct sums {
	__u64 left;
	__u64 waiting;
	bool seen[SVLAG_HIST_BUCKETS];
};

static bool take_row(struct svlag_distribution *d, struct sums *sums,
		     const struct svlag_wait_row *row)
{
	unsigned int bucket = svlag_hist_bucket(row->upper_ns);

	if (svlag_hist_upper_ns(bucket) != row->upper_ns || sums->seen[bucket])
		return false;
	sums->seen[bucket] = true;
	d->complete[bucket] = row->count_total;
	d->lost[bucket] = or_none(row->lost_total);
	d->waiting[bucket] = or_none(row->waiting);
	return add(&sums->left, d->complete[bucket]) && add(&sums->left, d->lost[bucket]) &&
	       add(&sums->waiting, d->waiting[bucket]);
}

unsigned int svlag_waits_take(struct svlag_waits *waits, const struct svlag_wait_row *rows,
			      unsigned int nr_rows)
{
	struct sums sums[SVLAG_NR_TIMES];
	unsigned int i, what;

	memset(waits, 0, sizeof(*waits));
	memset(sums, 0, sizeof(sums));
	for (i = 0; i < nr_rows; i++) {
		what = times_of(rows[i].what);
		if (what == SVLAG_NR_TIMES)
			continue;
		if (!take_row(&waits->of[what], &sums[what], &rows[i])) {
			memset(waits, 0, sizeof(*waits));
			return i + 1;
		}
	}
	waits->known = true;
	return 0;
}

/* False if a count fell. */
static bool subtract(const __u64 *from, const __u64 *to, __u64 *difference)
{
	unsigned int bucket;

	for (bucket = 0; bucket < SVLAG_HIST_BUCKETS; bucket++) {
		if (to[bucket] < from[bucket])
			return false;
		difference[bucket] = to[bucket] - from[bucket];
	}
	return true;
}

void svlag_waits_diff(const struct svlag_waits *from, const struct svlag_waits *to,
		      struct svlag_waits *window)
{
	unsigned int what;

	memset(window, 0, sizeof(*window));
	window->known = from->known && to->known;
	for (what = 0; window->known && what < SVLAG_NR_TIMES; what++) {
		const struct svlag_distribution *a = &from->of[what], *b = &to->of[what];
		struct svlag_distribution *d = &window->of[what];

		window->known = subtract(a->complete, b->complete, d->complete) &&
				subtract(a->lost, b->lost, d->lost);
		memcpy(d->waiting, b->waiting, sizeof(d->waiting));
	}
	if (!window->known)
		memset(window, 0, sizeof(*window));
}

bool svlag_waits_percentile(const struct svlag_distribution *d, unsigned int permille,
			    struct svlag_percentile *percentile)
{
	return svlag_hist_percentile(d->complete, d->lost, permille, percentile);
}

bool svlag_waits_longest(const struct svlag_distribution *d, __u64 oldest_ns,
			 struct svlag_percentile *percentile)
{
	struct svlag_percentile longest = { 0, 0, false };
	bool left = svlag_waits_percentile(d, 1000, &longest);
	bool waits = oldest_ns && oldest_ns != SVLAG_UNKNOWN;

	if (!left && !waits)
		return false;
	if (waits && oldest_ns > (longest.is_least ? longest.lower_ns : longest.upper_ns)) {
		longest.lower_ns = oldest_ns;
		longest.upper_ns = SVLAG_HIST_NO_BOUND;
		longest.is_least = true;
	}
	*percentile = longest;
	return true;
}
