// SPDX-License-Identifier: GPL-2.0
#include "residence.h"

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <svcrdma_lag/abi.h>

#include "waits.h"

/* What is known at one moment. */
struct moment {
	struct svlag_waits_of times;
	struct svlag_inflight_survey survey;
	u64 drawn;
	u64 gone;	/* left the table, or never came in, without a wait */
};

/* When the window began, and now; allocated as one. */
static struct moment *then, *now, *moments;
static struct svlag_agree_samples samples;
static struct svlag_agree_point sampled;	/* by the last of them */

int svlag_residence_start(void)
{
	moments = kvcalloc(2, sizeof(*moments), GFP_KERNEL);
	if (!moments)
		return -ENOMEM;
	then = &moments[0];
	now = &moments[1];
	return 0;
}

void svlag_residence_stop(void)
{
	kvfree(moments);
	moments = NULL;
}

size_t svlag_residence_bytes(void)
{
	return 2 * sizeof(*moments);
}

static void look(struct moment *m)
{
	struct svlag_inflight_account account;

	svlag_waits_times(SVLAG_TIMES_WAIT, &m->times, &m->survey);
	svlag_inflight_counts(&svlag_inflight[SVLAG_SEND_CTXT], &account);
	m->drawn = account.matched;
	m->gone = account.refused_full + account.restarted_key + account.expired + account.purged;
}

void svlag_residence_open(void)
{
	look(then);
	sampled = (struct svlag_agree_point){ 0 };
	samples = (struct svlag_agree_samples){ 0 };
}

void svlag_residence_sample(const struct svlag_agree_point *point, u64 released)
{
	svlag_agree_sample(&samples, &sampled, point, released);
	sampled = *point;
}

void svlag_residence_none(struct svlag_residence *r)
{
	*r = (struct svlag_residence){
		.p50_ns = SVLAG_UNKNOWN,
		.p99_ns = SVLAG_UNKNOWN,
		.max_ns = SVLAG_UNKNOWN,
		.lost = SVLAG_UNKNOWN,
		.oldest_age_ns = SVLAG_UNKNOWN,
		.agree = {
			.depth = SVLAG_UNKNOWN,
			.depth_by_waits = SVLAG_UNKNOWN,
			.wait_ns = SVLAG_UNKNOWN,
			.curve_ns = SVLAG_UNKNOWN,
		},
	};
}

/* What was counted since the window began stays where it was counted until then. */
static void difference(u64 *then_counts, const u64 *now_counts)
{
	unsigned int bucket;

	for (bucket = 0; bucket < SVLAG_HIST_BUCKETS; bucket++)
		then_counts[bucket] = now_counts[bucket] - then_counts[bucket];
}

/* Returns whether it is but a lower bound. */
static bool percentile(const struct svlag_waits_of *window, unsigned int permille, u64 *ns)
{
	struct svlag_percentile p;

	*ns = SVLAG_UNKNOWN;
	if (!svlag_hist_percentile(window->count, window->lost, permille, &p))
		return false;
	*ns = p.is_least ? p.lower_ns : p.upper_ns;
	return p.is_least;
}

static void tell_percentiles(const struct svlag_waits_of *window, struct svlag_residence *r)
{
	bool p50 = percentile(window, 500, &r->p50_ns);
	bool p99 = percentile(window, 990, &r->p99_ns);
	bool max = percentile(window, 1000, &r->max_ns);

	if (r->oldest_age_ns && (r->max_ns == SVLAG_UNKNOWN || r->oldest_age_ns > r->max_ns)) {
		r->max_ns = r->oldest_age_ns;
		max = true;
	}
	if (r->max_ns != SVLAG_UNKNOWN)
		r->is_least = p50 ? "p50" : p99 ? "p99" : max ? "max" : "no";
}

void svlag_residence_close(u64 length_ns, u64 sample_ns, struct svlag_residence *r)
{
	struct svlag_agree_waits waits = {
		.length_ns = length_ns,
		.sample_ns = sample_ns,
		.waits = then->times.count,
	};

	svlag_residence_none(r);
	look(now);
	difference(then->times.count, now->times.count);
	difference(then->times.lost, now->times.lost);
	waits.drawn = now->drawn - then->drawn;
	waits.lost = now->gone - then->gone;
	waits.age_begin_us = then->survey.age_sum_us;
	waits.age_end_us = now->survey.age_sum_us;
	if (svlag_waits_tracked(SVLAG_SEND_CTXT)) {
		r->oldest_age_ns = now->survey.oldest_age_ns;
		r->lost = svlag_hist_total(then->times.lost);
		tell_percentiles(&then->times, r);
		svlag_agree_window(&samples, &waits, &r->agree);
	}
	swap(then, now);
	samples = (struct svlag_agree_samples){ 0 };
}
