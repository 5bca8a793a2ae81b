// SPDX-License-Identifier: GPL-2.0
/*
 * The capped cache.
 */
#include "capped.h"

#ifdef TARGET_CAPPED
#include <linux/moduleparam.h>

#define CREATE_TRACE_POINTS
#include "capped_trace.h"

static unsigned int cache_cap = UINT_MAX;
module_param(cache_cap, uint, 0644);
MODULE_PARM_DESC(cache_cap, "idle send contexts that a transport keeps");

static void hit(struct target_xprt *xprt, const struct rpc_rdma_cid *cid)
{
	ledger_count(xprt, LEDGER_CAPPED);
	trace_svcrdma_send_ctxt_capped(cid);
}

bool capped_frees(struct target_ctxt *ctxt)
{
	if (atomic_read(&ctxt->conn->idle) < READ_ONCE(cache_cap))
		return false;
	hit(ctxt->xprt, &ctxt->sc.sc_cid);
	return true;
}

bool capped_hit(struct target_conn *conn)
{
	struct rpc_rdma_cid cid = { .ci_queue_id = conn->cq.res.id };

	hit(conn->xprt, &cid);
	return true;
}
#endif
