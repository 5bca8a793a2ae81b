// SPDX-License-Identifier: GPL-2.0
#include "depth.h"

#include <linux/kernel.h>
#include <linux/math64.h>

static const struct svlag_curve_point *point(const struct svlag_curve *c, u32 nth)
{
	return &c->points[(c->first + nth) % SVLAG_CURVE_POINTS];
}

static void curve_add(struct svlag_curve *c, u64 time_ns, u64 queued)
{
	struct svlag_curve_point *p;

	if (!c->points)
		return;
	if (c->used == SVLAG_CURVE_POINTS)
		c->first = (c->first + 1) % SVLAG_CURVE_POINTS;
	else
		c->used++;
	p = &c->points[(c->first + c->used - 1) % SVLAG_CURVE_POINTS];
	p->time_ns = time_ns;
	p->queued = queued;
}

/* The first point at which item had been queued; c->used where no point is. */
static u32 curve_search(const struct svlag_curve *c, u64 item)
{
	u32 low = 0, high = c->used;

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (point(c, middle)->queued < item)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * When was item queued? The curve is taken as straight between two points, and
 * between the last one and now. False where it was before the first point.
 */
static bool curve_time(const struct svlag_curve *c, u64 item, const struct svlag_flow *now,
		       u64 *time_ns)
{
	u32 nth = curve_search(c, item);
	u64 from_ns, from, to_ns, to;

	if (!nth) {
		*time_ns = c->used ? point(c, 0)->time_ns : now->time_ns;
		return false;
	}
	from_ns = point(c, nth - 1)->time_ns;
	from = point(c, nth - 1)->queued;
	to_ns = nth < c->used ? point(c, nth)->time_ns : now->time_ns;
	to = nth < c->used ? point(c, nth)->queued : now->queued;
	*time_ns = from_ns + mul_u64_u64_div_u64(to_ns - from_ns, item - from, to - from);
	return true;
}

/*
 * Items leave in the order in which they came, so the next to be released is
 * the one whose number is one more than what was released of those seen queued.
 */
static void observe_wait(struct svlag_depth *d)
{
	u64 gone = d->last.released_after - min(d->last.released_after, svlag_depth_correction(d));
	u64 queued_ns;

	d->wait_ns = 0;
	d->wait_censored = !d->settled;
	if (gone >= d->last.queued)
		return;
	if (!curve_time(&d->curve, gone + 1, &d->last, &queued_ns))
		d->wait_censored = true;
	d->wait_ns = d->last.time_ns - min(d->last.time_ns, queued_ns);
	d->wait_peak_ns = max(d->wait_peak_ns, d->wait_ns);
}

/* See SVLAG_SETTLE_STILL_NS. Called with the bracket of the new observation. */
static void observe_settling(struct svlag_depth *d, const struct svlag_flow *before)
{
	u64 now_ns = d->last.time_ns;

	if (d->settled || !d->may_settle)
		return;
	if (d->high) {
		d->still_since_ns = 0;
		return;
	}
	/* Where nothing was released yet, a queue that is stuck looks just as empty. */
	if (!d->last.released_after)
		return;
	if (d->last.queued != before->queued || d->last.released_after != before->released_after ||
	    !d->still_since_ns)
		d->still_since_ns = now_ns;
	if (!d->touches || d->last.released != d->touched_released) {
		if (!d->touches++)
			d->touched_ns = now_ns;
		d->touched_released = d->last.released;
		d->slack = max(d->slack, d->last.released_after - d->last.released);
	}
	if (now_ns - d->still_since_ns >= SVLAG_SETTLE_STILL_NS) {
		d->settled = true;
		d->slack = 0;	/* nothing came in meanwhile */
	} else {
		d->settled = d->touches >= SVLAG_SETTLE_TOUCHES &&
			     now_ns - d->touched_ns >= SVLAG_SETTLE_SPAN_NS;
	}
}

void svlag_depth_restart(struct svlag_depth *d, const struct svlag_flow *base, bool empty,
			 bool may_settle)
{
	struct svlag_depth fresh = {
		.curve.points = d->curve.points,
		.base = *base,
		.settled = empty,
		.may_settle = may_settle,
		.wait_peak_ns = d->wait_peak_ns,
	};

	fresh.before = svlag_depth_peak(d, &fresh.before_ns);
	fresh.last.time_ns = base->time_ns;
	*d = fresh;
	curve_add(&d->curve, base->time_ns, 0);
}

void svlag_depth_observe(struct svlag_depth *d, const struct svlag_flow *flow)
{
	struct svlag_flow before = d->last;
	u64 known;

	d->last.time_ns = flow->time_ns;
	d->last.queued = flow->queued - d->base.queued;
	d->last.released = flow->released - d->base.released;
	d->last.released_after = flow->released_after - d->base.released;

	/*
	 * The true depth is never negative, so what was released beyond what was
	 * seen queued had come unseen. This is told from the upper end of the
	 * bracket: at the lower one the skew of a fold would be taken for it.
	 */
	known = d->last.queued + svlag_depth_correction(d);
	if (d->last.released > known) {
		u64 unseen = d->last.released - known;
		u64 early = d->settled ? min(unseen, d->slack) : unseen;

		d->early += early;
		d->late += unseen - early;
		d->slack -= d->settled ? early : d->slack;
		/* The least depth was not the least: what it proved is void. */
		d->touches = 0;
		d->still_since_ns = 0;
		known += unseen;
	}
	d->high = known - d->last.released;
	d->low = known - min(known, d->last.released_after);

	if (d->low > d->early && d->low - d->early > d->peak) {
		d->peak = d->low - d->early;
		d->peak_ns = d->last.time_ns;
	}
	observe_settling(d, &before);
	observe_wait(d);
}

void svlag_depth_mark(struct svlag_depth *d)
{
	curve_add(&d->curve, d->last.time_ns, d->last.queued);
}

u64 svlag_depth_peak(const struct svlag_depth *d, u64 *time_ns)
{
	u64 peak = d->peak + d->early;
	u64 peak_ns = d->peak_ns;

	/* All that was found to be queued before the base was queued at the base. */
	if (!d->peak)
		peak_ns = d->base.time_ns;
	if (peak < d->before) {
		peak = d->before;
		peak_ns = d->before_ns;
	}
	*time_ns = peak_ns;
	return peak;
}
