// SPDX-License-Identifier: GPL-2.0
#include "trust.h"

#include <linux/kernel.h>
#include <linux/string.h>
#include <svcrdma_lag/abi.h>

#include "text.h"

static bool has(u64 number)
{
	return number && number != SVLAG_UNKNOWN;
}

static bool is(const char *word, const char *other)
{
	return word && !strcmp(word, other);
}

static void show_hooks(struct seq_file *m, const struct svlag_stats *s,
		       const struct svlag_hook_info *hooks, unsigned int nr_hooks)
{
	unsigned int i;

	seq_printf(m, "\ntrust: %llu of %llu needed hooks ok", s->hooks_ok, s->hooks_needed);
	for (i = 0; i < nr_hooks; i++)
		if (hooks[i].verdict == SVLAG_HOOK_OK && hooks[i].needed)
			seq_printf(m, ", %s by %s", hooks[i].name,
				   svlag_mechanism_name(hooks[i].by));
	seq_puts(m, ".\n");
	if (has(s->missed_total))
		seq_printf(m, "The kernel kept %s hits from the hooks: the counts are too low by as many.\n",
			   svlag_grouped(s->missed_total).of);
	if (s->layout && !strncmp(s->layout, "wrong", 5))
		seq_printf(m, "This kernel's struct svc_rdma_send_ctxt is not that of the headers (%s): what needs it\nis not known. svcrdma-lag layout finds the offsets for the parameter layout=.\n",
			   s->layout);
	if (s->samples_late_total)
		seq_printf(m, "%s of %s samples came late: peaks in between may have been missed.\n",
			   svlag_grouped(s->samples_late_total).of,
			   svlag_grouped(s->samples_total).of);
}

static void show_depth(struct seq_file *m, const struct svlag_stats *s)
{
	bool is_list = is(s->era, svlag_era_name(SVLAG_ERA_RELEASE_LIST));

	if (s->depth == SVLAG_UNKNOWN)
		return;
	if (!is(s->depth_settled, "yes") && is_list)
		seq_puts(m, "The depth is a lower bound: a connection that is idle since may hold what it had before the hooks\nwere armed, which nothing shows.\n");
	else if (!is(s->depth_settled, "yes"))
		seq_puts(m, "The depth is a lower bound: the queue has not been seen empty since the hooks were armed.\n");
	else if (is_list)
		seq_puts(m, "The depth is exact: the hooks were armed before the first connection was there.\n");
	else
		seq_puts(m, "The depth is exact: the queue has been seen empty since the hooks were armed, or was armed empty.\n");
	if (s->depth_correction)
		seq_printf(m, "%s releases came whose completion was not seen (queued before the hooks were armed, or\nreleased after an error without a completion); %s of them once the depth was exact.\n",
			   svlag_grouped(s->depth_correction).of,
			   svlag_grouped(s->depth_correction_late).of);
}

static void show_agreement(struct seq_file *m, const struct svlag_stats *s)
{
	struct svlag_text depth = svlag_grouped(s->mean_depth);
	struct svlag_text by_waits = svlag_grouped(s->mean_depth_by_waits);
	struct svlag_text wait = svlag_span(s->mean_wait_ns);
	struct svlag_text curve = svlag_span(s->mean_curve_wait_ns);

	if (is(s->agree, "yes"))
		seq_printf(m, "Three estimates agree: %s waited in the mean by the counts, %s by the measured waits; for %s as\nmeasured, %s by the counts.\n",
			   depth.of, by_waits.of, wait.of, curve.of);
	else if (is(s->agree, "no:depth"))
		seq_printf(m, "The depth and the measured waits do not agree: %s waited in the mean by the counts, %s by the waits.\nContexts have leaked, or not all completions and releases are seen.\n",
			   depth.of, by_waits.of);
	else if (is(s->agree, "no:curve"))
		seq_printf(m, "The measured waits and those by the counts do not agree: %s in the mean, and %s.\n",
			   wait.of, curve.of);
	else if (is(s->agree, "no:order"))
		seq_puts(m, "Some items wait much longer than the queue's length explains: it is not first in, first out.\n");
}

/* What became of what was tracked, where it is other than it should be. */
static void show_tracking(struct seq_file *m, const struct svlag_stats *s)
{
	if (has(s->track_streams_thinned))
		seq_printf(m, "Of the items of %llu transports a part is measured, of the busiest one of %s: the waits are sampled.\n",
			   s->track_streams_thinned,
			   svlag_grouped(1ULL << min(s->track_level_max, 63ULL)).of);
	if (has(s->track_expired_total))
		seq_printf(m, "%s tracked items waited longer than the leak age and are taken for leaked.\n",
			   svlag_grouped(s->track_expired_total).of);
	if (has(s->track_refused_full_total))
		seq_printf(m, "%s items found no place in the table: their waits are not known.\n",
			   svlag_grouped(s->track_refused_full_total).of);
	if (has(s->track_restarted_key_total))
		seq_printf(m, "%s items were queued anew before their release was seen: those waits are not known.\n",
			   svlag_grouped(s->track_restarted_key_total).of);
	if (has(s->track_unmatched_total))
		seq_printf(m, "%s releases were of items never seen to complete: after an error, it seems.\n",
			   svlag_grouped(s->track_unmatched_total).of);
}

void svlag_trust_show(struct seq_file *m, const struct svlag_stats *stats,
		      const struct svlag_hook_info *hooks, unsigned int nr_hooks)
{
	show_hooks(m, stats, hooks, nr_hooks);
	show_depth(m, stats);
	show_agreement(m, stats);
	show_tracking(m, stats);
}
