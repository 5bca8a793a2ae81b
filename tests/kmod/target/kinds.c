// SPDX-License-Identifier: GPL-2.0
/*
 * What jobs can do, a row a kind.
 */
#include "jobs.h"

#include "capped.h"
#include "ctxt.h"
#include "era.h"
#include "flood.h"
#include "hammer.h"
#include "infos.h"
#include "xprt.h"

static struct target_ctxt *get(struct target_xprt *xprt)
{
	struct svc_rdma_send_ctxt *sc = svc_rdma_send_ctxt_get(&xprt->conn->rdma);

	return sc ? target_ctxt_of(sc) : NULL;
}

static bool pair_one(struct job *job, struct target_xprt *xprt)
{
	struct target_ctxt *ctxt;

	down_read(&xprt->alive);
	ctxt = get(xprt);
	if (ctxt) {
		infos_hang(ctxt, job->infos);
		ctxt_complete(ctxt);
	}
	up_read(&xprt->alive);
	return ctxt;
}

static bool error_put_one(struct job *job, struct target_xprt *xprt)
{
	struct target_ctxt *ctxt;

	down_read(&xprt->alive);
	ctxt = get(xprt);
	if (ctxt) {
		ledger_queue(xprt, LEDGER_ERROR_PUT);
		era_put(ctxt);
	}
	up_read(&xprt->alive);
	return ctxt;
}

/*
 * Completes one that is not released, and keeps it until the ring comes round:
 * so many others are completed before its address is seen again.
 */
static bool leak_one(struct job *job, struct target_xprt *xprt, enum target_fate fate)
{
	struct target_ctxt **kept = &job->ring[job->n % job->keys];
	struct target_ctxt *ctxt;

	if (*kept)
		ctxt_recycle(*kept);
	*kept = NULL;
	down_read(&xprt->alive);
	ctxt = get(xprt);
	if (ctxt) {
		ctxt->fate = fate;
		ctxt_complete(ctxt);
	}
	up_read(&xprt->alive);
	*kept = ctxt;
	return ctxt;
}

static bool lose_one(struct job *job, struct target_xprt *xprt)
{
	return leak_one(job, xprt, FATE_LOST);
}

static bool stick_one(struct job *job, struct target_xprt *xprt)
{
	return leak_one(job, xprt, FATE_STUCK);
}

static bool reconnect_one(struct job *job, struct target_xprt *xprt)
{
	return !xprt_reconnect(xprt);
}

#ifdef TARGET_CAPPED
static bool capped_one(struct job *job, struct target_xprt *xprt)
{
	bool hit;

	down_read(&xprt->alive);
	hit = capped_hit(xprt->conn);
	up_read(&xprt->alive);
	return hit;
}
#endif

const struct job_kind job_kinds[] = {
	{ .name = "pairs", .one = pair_one },
	{ .name = "error_put", .one = error_put_one },
	{ .name = "lose", .one = lose_one, .keeps = true },
	{ .name = "stick", .one = stick_one, .keeps = true, .once_round = true },
	{ .name = "reconnect", .one = reconnect_one },
#ifdef TARGET_CAPPED
	{ .name = "capped", .one = capped_one },
#endif
	{ .name = "canary", .run = canary_run },
	{ .name = "leak", .run = leak_run },
	{ .name = "backlog", .run = backlog_run },
	{ .name = "mixed", .run = mixed_run },
	{ .name = "hammer", .run = hammer_run, .bound = true },
	{ .name = "measure", .run = measure_run, .bound = true },
	{ }
};
