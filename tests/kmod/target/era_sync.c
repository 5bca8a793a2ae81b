// SPDX-License-Identifier: GPL-2.0
/*
 * The synchronous era: the sender waits for the completion and puts the context
 * itself. Nothing is deferred, there is no queue.
 */
#include "era.h"

#include "release.h"

const char * const era_name = "synchronous";
const bool era_is_deferred;
const bool era_is_queued;

target_function void svc_rdma_send_ctxt_put(struct svcxprt_rdma *rdma,
					    struct svc_rdma_send_ctxt *sc)
{
	struct target_ctxt *ctxt = target_ctxt_of(sc);

	if (ctxt->bare)
		return;
	release_ctxt(ctxt);
}

void era_connect(struct target_conn *conn)
{
}

void era_prepare(struct target_ctxt *ctxt)
{
}

void era_put(struct target_ctxt *ctxt)
{
	svc_rdma_send_ctxt_put(&ctxt->conn->rdma, &ctxt->sc);
}

/* What is never put is stuck. */
void era_stick(struct target_ctxt *ctxt)
{
}

void era_unstick(struct target_ctxt *ctxt)
{
}

/* Who puts holds the transport alive until it is done. */
void era_flush(struct target_conn *conn)
{
}

void era_call_release(struct target_ctxt *ctxt)
{
	svc_rdma_send_ctxt_put(&ctxt->conn->rdma, &ctxt->sc);
}

int era_init(void)
{
	return 0;
}

void era_exit(void)
{
}
