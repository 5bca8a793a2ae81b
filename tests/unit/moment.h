/* SPDX-License-Identifier: GPL-2.0 */
/* A sample in which all is known and well, for tests to change as they need. */
#ifndef SVLAG_TESTS_UNIT_MOMENT_H
#define SVLAG_TESTS_UNIT_MOMENT_H

#include <string.h>

#include "sample.h"

#define SECOND_NS	1000000000ULL

static inline void add_hook(struct svlag_sample *s, const char *hook, const char *symbol,
			    const char *needed, const char *verdict, const char *mechanism)
{
	struct svlag_hook_row *row = &s->hook[s->nr_hooks++];

	memset(row, 0, sizeof(*row));
	strcpy(row->hook, hook);
	strcpy(row->symbol, symbol);
	strcpy(row->needed, needed);
	strcpy(row->verdict, verdict);
	strcpy(row->mechanism, mechanism);
	strcpy(row->lost, "something");
	row->missed = SVLAG_UNKNOWN;
}

/* @seconds after the arming: 1,000 completions each second, all of them released. */
static inline struct svlag_sample moment(unsigned int seconds)
{
	struct svlag_sample s;
	struct svlag_stats *st = &s.stats;

	memset(&s, 0, sizeof(s));
	st->time_ns = (100 + seconds) * SECOND_NS;
	st->realtime_ns = st->time_ns;
	st->load_id = 0x1234;
	st->arm_generation = 1;
	st->armed_ns = 100 * SECOND_NS;
	strcpy(st->target, "rpcrdma");
	strcpy(st->era, "workqueue");
	strcpy(st->state, "keeping-up");
	st->get_total = 1000ULL * seconds + 8;
	st->wc_send_total = 1000ULL * seconds;
	st->released_total = 1000ULL * seconds;
	st->drain_total = SVLAG_UNKNOWN;
	st->drain_batch_total = SVLAG_UNKNOWN;
	st->drain_batch_max = SVLAG_UNKNOWN;
	st->drain_batch_lost_total = SVLAG_UNKNOWN;
	st->capped_total = SVLAG_UNKNOWN;
	strcpy(st->depth_settled, "yes");
	strcpy(st->curve_wait_censored, "no");
	st->live_ctxts = 8;
	strcpy(st->live_settled, "yes");
	st->hooks_needed = 2;
	st->hooks_ok = 2;
	s.waits.known = true;
	st->track_inserted_total = 1000ULL * seconds;
	st->track_matched_total = 1000ULL * seconds;
	st->track_entries = 65536;
	st->leak_age_ns = 10 * SECOND_NS;
	strcpy(st->agree, "yes");
	st->sample_ms = 100;
	st->window_ms = 1000;
	add_hook(&s, "released", "svc_rdma_send_ctxt_put_async", "yes", "ok", "ftrace");
	add_hook(&s, "wc_send", "svc_rdma_wc_send", "yes", "ok", "ftrace");
	add_hook(&s, "get", "svc_rdma_send_ctxt_get", "no", "ok", "ftrace");
	add_hook(&s, "capped", "svcrdma_send_ctxt_capped", "no", "absent", "-");
	return s;
}

#endif
