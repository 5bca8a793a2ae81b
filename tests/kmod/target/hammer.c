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

/* Enough that waking a worker for them is little by comparison. */
#define ITEMS		200

/* A connection and send contexts on which all functions return at once. */
struct anvil {
	struct target_conn *conn;
	struct target_ctxt *ctxt;
	struct target_ctxt *items[ITEMS];
	struct target_ctxt **stuck;	/* so many complete first, and are never released */
	u64 nr_stuck;
	struct ib_wc wc;
};

static void anvil_free(struct anvil *anvil)
{
	unsigned int i;

	for (i = 0; i < ITEMS; i++)
		if (anvil->items[i])
			ctxt_free(anvil->items[i]);
	for (i = 0; i < anvil->nr_stuck; i++)
		ctxt_free(anvil->stuck[i]);
	kvfree(anvil->stuck);
	if (anvil->ctxt)
		ctxt_free(anvil->ctxt);
	if (anvil->conn)
		conn_free(anvil->conn);
	kfree(anvil);
}

static bool anvil_fill(struct anvil *anvil)
{
	unsigned int i;

	anvil->ctxt = ctxt_new_bare(anvil->conn);
	if (!anvil->ctxt)
		return false;
	for (i = 0; i < ITEMS; i++) {
		anvil->items[i] = ctxt_new_bare(anvil->conn);
		if (!anvil->items[i])
			return false;
	}
	anvil->conn->bare = anvil->ctxt;
	anvil->wc.wr_cqe = &anvil->ctxt->sc.sc_cqe;
	return true;
}

/* They are of the transport that is measured, so they thin it where items are tracked. */
static bool anvil_stick(struct anvil *anvil, u64 nr)
{
	anvil->stuck = kvcalloc(nr, sizeof(*anvil->stuck), GFP_KERNEL);
	if (!anvil->stuck)
		return false;
	for (; anvil->nr_stuck < nr; anvil->nr_stuck++) {
		struct target_ctxt *ctxt = ctxt_new_bare(anvil->conn);
		struct ib_wc wc = { };

		if (!ctxt)
			return false;
		anvil->stuck[anvil->nr_stuck] = ctxt;
		wc.wr_cqe = &ctxt->sc.sc_cqe;
		ctxt->sc.sc_cqe.done(&anvil->conn->cq, &wc);
	}
	return true;
}

static struct anvil *anvil_new(struct job *job)
{
	struct anvil *anvil = kzalloc(sizeof(*anvil), GFP_KERNEL);

	if (anvil)
		anvil->conn = conn_new(xprt_at(job->xprt));
	if (anvil && anvil->conn && anvil_fill(anvil) &&
	    (!job->stuck || anvil_stick(anvil, job->stuck)))
		return anvil;
	if (anvil)
		anvil_free(anvil);
	pr_target("no memory for %s\n", job->kind->name);
	return NULL;
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

/* All through the queue: what an item costs from end to end. */
static void call_items(struct anvil *anvil)
{
	unsigned int i;

	for (i = 0; i < ITEMS; i++)
		era_put(anvil->items[i]);
	era_flush(anvil->conn);
}

void hammer_run(struct job *job)
{
	struct anvil *anvil = anvil_new(job);
	u64 n;

	if (!anvil)
		return;
	for (n = 0; n < job->count; n++) {
		call_all(anvil);
		if (n % 1024 == 0)
			cond_resched();
	}
	ledger_hammered(job->count);
	anvil_free(anvil);
}

static struct measure {
	const char *name;
	void (*call)(struct anvil *anvil);
	unsigned int at_once;	/* so many in a call */
	u64 least_ns;
} measures[] = {
	{ "get", call_get, 1 },
	{ "wc_send", call_wc_send, 1 },
	{ "release", call_release, 1 },
	{ "pair", call_pair, 1 },
	{ "all", call_all, 1 },
	{ "item", call_items, ITEMS },
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

/* Where releases are no items of their own there is nothing to be put through. */
static bool is_measured(const struct measure *m)
{
	return m->at_once == 1 || era_is_queued;
}

void measure_run(struct job *job)
{
	u64 rounds = job->count ?: MEASURE_ROUNDS;
	struct anvil *anvil = anvil_new(job);
	struct measure *m;
	unsigned int k;

	if (!anvil)
		return;
	for (m = measures; m < measures + ARRAY_SIZE(measures); m++) {
		m->least_ns = 0;
		for (k = 0; is_measured(m) && k < MEASURE_REPEATS; k++) {
			u64 ns = time_of(m->call, anvil, rounds / m->at_once);

			m->least_ns = k ? min(m->least_ns, ns) : ns;
			cond_resched();
		}
	}
	WRITE_ONCE(measured_rounds, rounds);
	anvil_free(anvil);
}

int measure_print(char *page)
{
	u64 rounds = READ_ONCE(measured_rounds);
	unsigned int i;
	int at = sysfs_emit(page, "rounds %llu\n", rounds);

	for (i = 0; rounds && i < ARRAY_SIZE(measures); i++) {
		u64 calls = rounds / measures[i].at_once * measures[i].at_once;
		u64 ps = calls ? div64_u64(measures[i].least_ns * 1000, calls) : 0;
		u32 rest;
		u64 ns = div_u64_rem(ps, 1000, &rest);

		at += sysfs_emit_at(page, at, "%s_ns %llu.%03u\n", measures[i].name, ns, rest);
	}
	return at;
}
