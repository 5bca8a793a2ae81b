// SPDX-License-Identifier: GPL-2.0
#include "summary.h"

#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/utsname.h>
#include <svcrdma_lag/abi.h>

#include "hooks.h"
#include "rpcrdma.h"
#include "sampler.h"
#include "text.h"
#include "trust.h"

/* Of the windows ring, so many fit on a screen with the words around them. */
#define LINES 10

struct summary {
	struct svlag_stats stats;
	unsigned int nr_hooks;
	struct svlag_hook_info hooks[SVLAG_RPCRDMA_HOOKS + SVLAG_CANARIES];
	unsigned int nr_windows;
	struct svlag_window windows[SVLAG_WINDOWS];
};

size_t svlag_summary_bytes(void)
{
	return sizeof(struct summary);
}

void svlag_summary_take(void *snapshot)
{
	struct summary *s = snapshot;

	svlag_sampler_stats(&s->stats);
	s->nr_hooks = svlag_rpcrdma_hooks(s->hooks, s->stats.time_ns);
	s->nr_hooks += svlag_canary_info(&s->hooks[s->nr_hooks], s->stats.time_ns);
	s->nr_windows = svlag_sampler_windows(s->windows);
}

static bool era_is(const struct summary *s, enum svlag_era era)
{
	return !strcmp(s->stats.era, svlag_era_name(era));
}

static bool state_is(const struct summary *s, enum svlag_state state)
{
	return !strcmp(s->stats.state, svlag_state_name(state));
}

static bool is_armed(const struct summary *s)
{
	return s->stats.armed_ns != SVLAG_UNKNOWN;
}

static bool is_settled(const char *settled)
{
	return settled && !strcmp(settled, "yes");
}

static struct svlag_text ago(const struct summary *s, u64 then_ns)
{
	return svlag_span(s->stats.time_ns - min(s->stats.time_ns, then_ns));
}

static const struct svlag_window *last_window(const struct summary *s)
{
	return s->nr_windows ? &s->windows[s->nr_windows - 1] : NULL;
}

static const char *queue_name(const struct summary *s)
{
	return era_is(s, SVLAG_ERA_RELEASE_LIST) ? "The release lists" : "svcrdma_wq";
}

static void show_head(struct seq_file *m, const struct summary *s)
{
	seq_printf(m, "svcrdma_lag %s, kernel %s, %s: ", SVLAG_VERSION, utsname()->release,
		   s->stats.target);
	if (is_armed(s))
		seq_printf(m, "%s era, armed since %s\n\n", s->stats.era,
			   ago(s, s->stats.armed_ns).of);
	else
		seq_puts(m, "not armed\n\n");
}

static void show_rates(struct seq_file *m, const struct svlag_window *w)
{
	if (w)
		seq_printf(m, "%s/s completed, %s/s released",
			   svlag_rate(w->wc_send, w->length_ns).of,
			   svlag_rate(w->released, w->length_ns).of);
	else
		seq_puts(m, "no window is over yet");
}

static void show_unknown(struct seq_file *m, const struct summary *s)
{
	unsigned int i;

	if (!is_armed(s)) {
		seq_printf(m, "%s is not loaded, or has none of the functions known here. Nothing is counted;\nthe hooks are armed when it comes.\n",
			   s->stats.target);
		return;
	}
	if (s->stats.hooks_ok == s->stats.hooks_needed) {
		seq_puts(m, "Not known yet: the first window is not over.\n");
		return;
	}
	seq_puts(m, "NOT KNOWN whether release keeps up:\n");
	for (i = 0; i < s->nr_hooks; i++) {
		const struct svlag_hook_info *hook = &s->hooks[i];

		if (hook->needed && hook->verdict != SVLAG_HOOK_OK)
			seq_printf(m, "the hook %s (%s) is %s. Without it are lost: %s.\n",
				   hook->name, hook->symbol, svlag_verdict_name(hook->verdict),
				   hook->lost);
	}
}

static void show_verdict(struct seq_file *m, const struct summary *s)
{
	const struct svlag_window *w = last_window(s);
	struct svlag_text since = ago(s, s->stats.state_since_ns);

	if (state_is(s, SVLAG_STATE_UNKNOWN)) {
		show_unknown(m, s);
		return;
	}
	if (era_is(s, SVLAG_ERA_SYNCHRONOUS)) {
		seq_puts(m, "Release is not deferred on this kernel: who sends releases. ");
		show_rates(m, w);
		seq_puts(m, ".\n");
		return;
	}
	if (state_is(s, SVLAG_STATE_IDLE)) {
		seq_printf(m, "%s idle since %s: nothing completes and nothing%s waits.\n",
			   era_is(s, SVLAG_ERA_RELEASE_LIST) ? "The release lists are" :
							       "svcrdma_wq is", since.of,
			   is_settled(s->stats.depth_settled) ? "" : " that is known of");
		return;
	}
	if (state_is(s, SVLAG_STATE_KEEPING_UP))
		seq_printf(m, "Release KEEPS UP since %s: ", since.of);
	else if (state_is(s, SVLAG_STATE_BEHIND))
		seq_printf(m, "Release is BEHIND since %s: ", since.of);
	else if (state_is(s, SVLAG_STATE_DRAINING))
		seq_printf(m, "A backlog is DRAINING since %s: ", since.of);
	else
		seq_printf(m, "Release is STALLED since %s: items wait and none is released; ",
			   since.of);
	show_rates(m, w);
	seq_puts(m, ".\n");
	if (state_is(s, SVLAG_STATE_STALLED) && era_is(s, SVLAG_ERA_RELEASE_LIST))
		seq_puts(m, "A release list is drained by its connection's next reply: an idle connection keeps what it has.\n");
}

static u64 share(u64 part, u64 all)
{
	return all ? div64_u64(part * 100, all) : 0;
}

/* So many at least; that there are at least none is better said in other words. */
static void show_least(struct seq_file *m, u64 number, const char *settled, const char *do_what)
{
	if (is_settled(settled))
		seq_printf(m, "%s send contexts %s", svlag_grouped(number).of, do_what);
	else if (number)
		seq_printf(m, "at least %s send contexts %s", svlag_grouped(number).of, do_what);
	else
		seq_printf(m, "what was there before the hooks were armed is not known, no other send contexts %s",
			   do_what);
}

static void show_backlog(struct seq_file *m, const struct summary *s)
{
	const struct svlag_stats *st = &s->stats;

	if (st->depth == SVLAG_UNKNOWN)
		return;
	seq_printf(m, "%s: ", queue_name(s));
	show_least(m, st->depth, st->depth_settled, "wait");
	if (st->depth) {
		seq_printf(m, "; the one released next has waited %s%s",
			   !strcmp(st->curve_wait_censored, "yes") ? "at least " : "",
			   svlag_span(st->curve_wait_ns).of);
		if (st->next_wait_ns != SVLAG_UNKNOWN)
			seq_printf(m, ", one queued now will wait about %s",
				   svlag_span(st->next_wait_ns).of);
	}
	if (st->queue_depth != SVLAG_UNKNOWN && st->queue_depth)
		seq_printf(m, ".\nWith them %s write infos wait, %llu %% of all that does",
			   svlag_grouped(st->write_info_depth).of,
			   share(st->write_info_depth, st->queue_depth));
	seq_printf(m, ".\nSince the load at most %s waited (%s ago).\n",
		   svlag_grouped(st->depth_peak).of, ago(s, st->depth_peak_ns).of);
	if (era_is(s, SVLAG_ERA_RELEASE_LIST))
		seq_puts(m, "A release list is last in, first out: what the next one has waited is that of the batch.\n");
}

/* From "p50" on, say, the numbers are but lower bounds. */
static const char *at_least_from(const struct svlag_window *w, const char *first, bool *least)
{
	*least |= w->wait_at_least && !strcmp(w->wait_at_least, first);
	return *least ? "at least" : "at most";
}

/* Item by item, as measured, which the curve cannot tell. */
static void show_waits(struct seq_file *m, const struct summary *s)
{
	const struct svlag_window *w = last_window(s);
	const struct svlag_stats *st = &s->stats;
	bool least = false;

	if (!w || (w->wait_max_ns == SVLAG_UNKNOWN && !st->oldest_age_ns) ||
	    st->oldest_age_ns == SVLAG_UNKNOWN)
		return;
	seq_puts(m, "As measured: ");
	if (w->wait_p50_ns != SVLAG_UNKNOWN) {
		seq_printf(m, "half of the last window's had waited %s %s, ",
			   at_least_from(w, "p50", &least), svlag_span(w->wait_p50_ns).of);
		seq_printf(m, "99 %% %s %s, ", at_least_from(w, "p99", &least),
			   svlag_span(w->wait_p99_ns).of);
		seq_printf(m, "all %s %s; ", at_least_from(w, "max", &least),
			   svlag_span(w->wait_max_ns).of);
	}
	if (st->oldest_age_ns)
		seq_printf(m, "the oldest that waits now has waited %s.\n",
			   svlag_span(st->oldest_age_ns).of);
	else
		seq_puts(m, "none waits now.\n");
}

static void show_service(struct seq_file *m, const char *what, u64 service_ns)
{
	if (service_ns != SVLAG_UNKNOWN)
		seq_printf(m, "; %s takes %s", what, svlag_span(service_ns).of);
}

/* What the workqueue says of its workers. */
static void show_workers(struct seq_file *m, const struct summary *s)
{
	const struct svlag_window *w = last_window(s);
	const struct svlag_stats *st = &s->stats;
	u64 begun;

	if (st->workers == SVLAG_UNKNOWN || !w)
		return;
	seq_printf(m, "Workers at once: %llu, at most %llu since the load", w->workers_max,
		   st->workers_peak);
	show_service(m, "a send context", w->service_ns);
	show_service(m, "a write info", w->write_info_service_ns);
	seq_puts(m, ".\n");
	begun = st->wq_begun_total + st->wq_write_info_begun_total;
	if (begun)
		seq_printf(m, "Begun on the CPU that queued them: %llu %%, on another of the node: %llu %%, on another node: %llu %%.\n",
			   share(st->wq_same_cpu_total, begun),
			   share(st->wq_same_node_total, begun),
			   share(st->wq_other_node_total, begun));
}

static void show_live(struct seq_file *m, const struct summary *s)
{
	const struct svlag_stats *st = &s->stats;

	if (st->live_ctxts == SVLAG_UNKNOWN)
		return;
	seq_puts(m, "From get to release: ");
	show_least(m, st->live_ctxts, st->live_settled, "are live");
	seq_puts(m, ".\n");
}

static void show_drains(struct seq_file *m, const struct summary *s)
{
	const struct svlag_window *w = last_window(s);
	const struct svlag_stats *st = &s->stats;

	if (st->drain_batch_total == SVLAG_UNKNOWN || !st->drain_batch_total)
		return;
	seq_puts(m, "Drains: ");
	if (w && w->drain_batch)
		seq_printf(m, "%s/s, of which %s/s released something, %s each; ",
			   svlag_rate(w->drain, w->length_ns).of,
			   svlag_rate(w->drain_batch, w->length_ns).of,
			   svlag_ratio(w->released, w->drain_batch).of);
	seq_printf(m, "since the load the largest released %s%s.\n",
		   st->drain_batch_lost_total ? "at least " : "",
		   svlag_grouped(st->drain_batch_max).of);
}

static void show_windows(struct seq_file *m, const struct summary *s)
{
	unsigned int i;

	if (!s->nr_windows)
		return;
	seq_printf(m, "\n%10s %12s %12s %12s %7s %13s %10s  %s\n", "ago", "completed/s",
		   "released/s", "get/s", "ratio", "depth", "wait", "state");
	i = s->nr_windows - min_t(unsigned int, s->nr_windows, LINES);
	for (; i < s->nr_windows; i++) {
		const struct svlag_window *w = &s->windows[i];

		seq_printf(m, "%10s %12s %12s %12s %7s %13s %10s  %s\n", ago(s, w->end_ns).of,
			   svlag_rate(w->wc_send, w->length_ns).of,
			   svlag_rate(w->released, w->length_ns).of,
			   svlag_rate(w->get, w->length_ns).of,
			   svlag_ratio(w->wc_send, w->released).of,
			   svlag_grouped(w->depth).of, svlag_span(w->wait_ns).of, w->state);
	}
}

void svlag_summary_show(struct seq_file *m, const void *snapshot)
{
	const struct summary *s = snapshot;

	show_head(m, s);
	show_verdict(m, s);
	show_backlog(m, s);
	show_waits(m, s);
	show_workers(m, s);
	show_live(m, s);
	show_drains(m, s);
	show_windows(m, s);
	svlag_trust_show(m, &s->stats, s->hooks, s->nr_hooks);
}
