// SPDX-License-Identifier: GPL-2.0
#include "agree.h"

#include <linux/kernel.h>
#include <linux/math.h>
#include <linux/math64.h>
#include <svcrdma_lag/abi.h>

/* One in so many may two of them be off for no reason, */
#define TOLERANCE_PART	10

/* and so many standard errors by chance. */
#define ERRORS		3

/* Depth is compared if there is so much of it, and waits if there are so many. */
#define DEPTH_MIN	16
#define WAITS_MIN	64

/* The curve is as fine as the samples; so long must waits be for that not to matter. */
#define CURVE_SAMPLES	4

/* In a queue that is first in, first out, waits and the curve differ by less than this. */
#define ORDER_PART	2

void svlag_agree_sample(struct svlag_agree_samples *s, const struct svlag_agree_point *from,
			const struct svlag_agree_point *to, u64 released)
{
	u64 depth = (from->depth + to->depth) / 2;
	u64 curve_ns = (from->curve_ns + to->curve_ns) / 2;

	s->nr++;
	s->depth += depth;
	s->depth_square += depth * depth;
	s->released += released;
	s->curve_us += released * (curve_ns >> 10);
	s->curve_max_ns = max(s->curve_max_ns, max(from->curve_ns, to->curve_ns));
	s->uncertain |= !from->certain || !to->certain;
}

/* The waits of a window, in 1,024 ns, each taken as the middle of its bucket. */
static u64 sum_us(const u64 *waits)
{
	unsigned int bucket;
	u64 sum = 0;

	for (bucket = 0; bucket < SVLAG_HIST_BUCKETS; bucket++)
		if (waits[bucket])
			sum += waits[bucket] * ((svlag_hist_lower_ns(bucket) +
				min(svlag_hist_upper_ns(bucket), SVLAG_HIST_TO_NS)) >> 11);
	return sum;
}

static u64 difference(u64 a, u64 b)
{
	return a > b ? a - b : b - a;
}

/* The standard error of a mean over nr samples whose mean and mean square are known. */
static u64 error_of_mean(u64 nr, u64 mean, u64 mean_square)
{
	u64 variance = mean_square - min(mean_square, mean * mean);

	return int_sqrt64(div64_u64(variance, nr));
}

/* The standard error of what was drawn, one in so many: relative to a mean of this. */
static u64 error_of_draw(u64 mean, u64 weight, u64 drawn)
{
	u64 others = weight - min(weight, drawn);

	/* The root of (2^k - 1) / n, with 2^k = weight / n. */
	return drawn ? div64_u64(mean * int_sqrt64(others), drawn) : mean;
}

static bool agree(u64 a, u64 b, u64 error)
{
	return difference(a, b) <= max(a, b) / TOLERANCE_PART + ERRORS * error;
}

static enum svlag_agreement judge(const struct svlag_agree_samples *s,
				  const struct svlag_agree_waits *w, const struct svlag_agree *a,
				  u64 weight)
{
	u64 curve_min_ns = CURVE_SAMPLES * w->sample_ns;
	bool is_deep = a->depth != SVLAG_UNKNOWN && a->depth_by_waits != SVLAG_UNKNOWN &&
		       max(a->depth, a->depth_by_waits) >= DEPTH_MIN;
	bool is_long = a->wait_ns != SVLAG_UNKNOWN && a->curve_ns != SVLAG_UNKNOWN &&
		       max(a->wait_ns, a->curve_ns) >= curve_min_ns;
	struct svlag_percentile p99;

	if (s->uncertain || weight < WAITS_MIN)
		return SVLAG_AGREE_UNKNOWN;
	if (is_deep && !agree(a->depth, a->depth_by_waits,
			      error_of_mean(s->nr, a->depth, div64_u64(s->depth_square, s->nr)) +
			      error_of_draw(a->depth_by_waits, weight, w->drawn)))
		return SVLAG_AGREE_NOT_DEPTH;
	if (is_long && !agree(a->wait_ns, a->curve_ns,
			      w->sample_ns / ERRORS + error_of_draw(a->wait_ns, weight, w->drawn)))
		return SVLAG_AGREE_NOT_CURVE;
	if (is_long && svlag_hist_percentile(w->waits, NULL, 990, &p99) &&
	    p99.lower_ns > s->curve_max_ns + s->curve_max_ns / ORDER_PART + curve_min_ns)
		return SVLAG_AGREE_NOT_ORDER;
	return is_deep || is_long ? SVLAG_AGREE_YES : SVLAG_AGREE_UNKNOWN;
}

void svlag_agree_window(const struct svlag_agree_samples *s, const struct svlag_agree_waits *w,
			struct svlag_agree *a)
{
	u64 weight = svlag_hist_total(w->waits);
	u64 waited_us = sum_us(w->waits);
	u64 spent_us = waited_us + w->age_end_us - min(waited_us + w->age_end_us, w->age_begin_us);

	*a = (struct svlag_agree){
		.depth = s->nr ? div64_u64(s->depth, s->nr) : SVLAG_UNKNOWN,
		.depth_by_waits = w->length_ns >> 10 && !w->lost ?
				  div64_u64(spent_us, w->length_ns >> 10) : SVLAG_UNKNOWN,
		.wait_ns = weight ? div64_u64(waited_us, weight) << 10 : SVLAG_UNKNOWN,
		.curve_ns = s->released ? div64_u64(s->curve_us, s->released) << 10 :
					  SVLAG_UNKNOWN,
	};
	a->verdict = judge(s, w, a, weight);
}

const char *svlag_agree_word(enum svlag_agreement verdict)
{
	switch (verdict) {
	case SVLAG_AGREE_YES:
		return "yes";
	case SVLAG_AGREE_NOT_DEPTH:
		return "no:depth";
	case SVLAG_AGREE_NOT_CURVE:
		return "no:curve";
	case SVLAG_AGREE_NOT_ORDER:
		return "no:order";
	default:
		return NULL;
	}
}
