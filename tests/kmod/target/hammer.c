// SPDX-License-Identifier: GPL-2.0
/*
 * Direct calls of the hooked functions.
 */
#include "hammer.h"

#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "ctxt.h"
#include "era.h"
#include "jobs.h"
#include "ledger.h"
#include "xprt.h"

#define MEASURE_ROUNDS	20000
#define MEASURE_REPEATS	5

/* A connection and a send context on which all functions return at once. */
struct anvil {
	struct target_conn *conn;
	struct target_ctxt *ctxt;
	struct ib_wc wc;
};

static void anvil_free(struct anvil *anvil)
{
	if (anvil->ctxt)
		ctxt_free(anvil->ctxt);
	if (anvil->conn)
		conn_free(anvil->conn);
}

static bool anvil_init(struct anvil *anvil, struct job *job)
{
	*anvil = (struct anvil){ .conn = conn_new(xprt_at(job->xprt)) };
	if (anvil->conn)
		anvil->ctxt = ctxt_new_bare(anvil->conn);
	if (!anvil->ctxt) {
		anvil_free(anvil);
		pr_target("no memory for %s\n", job->kind->name);
		return false;
	}
	anvil->conn->bare = anvil->ctxt;
	anvil->wc.wr_cqe = &anvil->ctxt->sc.sc_cqe;
	return true;
}

static void call_get(struct anvil *anvil)
{
	svc_rdma_send_ctxt_get(&anvil->conn->rdma);
}

static void call_wc_send(struct anvil *anvil)
{
	anvil->ctxt->sc.sc_cqe.done(&anvil->conn->cq, &anvil->wc);
}

static void call_release(struct anvil *anvil)
{
	era_call_release(anvil->ctxt);
}

static void call_pair(struct anvil *anvil)
{
	call_wc_send(anvil);
	call_release(anvil);
}

static void call_all(struct anvil *anvil)
{
	call_get(anvil);
	call_pair(anvil);
}

void hammer_run(struct job *job)
{
	struct anvil anvil;
	u64 n;

	if (!anvil_init(&anvil, job))
		return;
	for (n = 0; n < job->count; n++) {
		call_all(&anvil);
		if (n % 1024 == 0)
			cond_resched();
	}
	ledger_hammered(job->count);
	anvil_free(&anvil);
}

static struct measure {
	const char *name;
	void (*call)(struct anvil *anvil);
	u64 least_ns;
} measures[] = {
	{ "get", call_get },
	{ "wc_send", call_wc_send },
	{ "release", call_release },
	{ "pair", call_pair },
	{ "all", call_all },
};

static u64 measured_rounds;

/* noipa, so that each call is a call and not a loop of its own. */
static target_function u64 time_of(void (*call)(struct anvil *anvil), struct anvil *anvil,
				   u64 rounds)
{
	u64 begin_ns = ktime_get_raw_ns();

	while (rounds--)
		call(anvil);
	return ktime_get_raw_ns() - begin_ns;
}

void measure_run(struct job *job)
{
	u64 rounds = job->count ?: MEASURE_ROUNDS;
	struct anvil anvil;
	unsigned int i, k;

	if (!anvil_init(&anvil, job))
		return;
	for (i = 0; i < ARRAY_SIZE(measures); i++) {
		u64 least_ns = U64_MAX;

		for (k = 0; k < MEASURE_REPEATS; k++) {
			least_ns = min(least_ns, time_of(measures[i].call, &anvil, rounds));
			cond_resched();
		}
		measures[i].least_ns = least_ns;
	}
	WRITE_ONCE(measured_rounds, rounds);
	anvil_free(&anvil);
}

int measure_print(char *page)
{
	u64 rounds = READ_ONCE(measured_rounds);
	unsigned int i;
	int at = sysfs_emit(page, "rounds %llu\n", rounds);

	for (i = 0; rounds && i < ARRAY_SIZE(measures); i++) {
		u64 ps = div64_u64(measures[i].least_ns * 1000, rounds);
		u32 rest;
		u64 ns = div_u64_rem(ps, 1000, &rest);

		at += sysfs_emit_at(page, at, "%s_ns %llu.%03u\n", measures[i].name, ns, rest);
	}
	return at;
}
