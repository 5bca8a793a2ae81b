// SPDX-License-Identifier: GPL-2.0
/*
 * The era of the release list: a Send completion puts the context on a list of
 * its transport, and the next reply drains it, last in first out.
 */
#include "era.h"

#include <linux/delay.h>

#include "release.h"

const char * const era_name = "release_list";
const bool era_is_deferred = true;
const bool era_is_queued;

/* Plays the threads that send replies. */
static struct workqueue_struct *reply_wq;

target_function void svc_rdma_reply_chunk_release(struct svcxprt_rdma *rdma,
						  struct svc_rdma_send_ctxt *sc)
{
}

target_function void svc_rdma_send_ctxts_drain(struct svcxprt_rdma *rdma)
{
	struct target_conn *conn = target_conn_of(rdma);
	struct svc_rdma_send_ctxt *sc, *next;
	unsigned int nr = 0;

	ledger_count(conn->xprt, LEDGER_DRAIN);
	if (release_is_held())
		return;
	llist_for_each_entry_safe(sc, next, llist_del_all(&conn->done), sc_node) {
		ledger_batch(conn->xprt, ++nr);
		svc_rdma_reply_chunk_release(rdma, sc);
		release_ctxt(target_ctxt_of(sc));
	}
}

static void drain_work(struct work_struct *work)
{
	struct target_conn *conn = container_of(work, struct target_conn, drain);

	svc_rdma_send_ctxts_drain(&conn->rdma);
}

void era_connect(struct target_conn *conn)
{
	init_llist_head(&conn->done);
	INIT_WORK(&conn->drain, drain_work);
}

void era_prepare(struct target_ctxt *ctxt)
{
}

void era_put(struct target_ctxt *ctxt)
{
	struct target_conn *conn = ctxt->conn;

	llist_add(&ctxt->sc.sc_node, &conn->done);
	queue_work(reply_wq, &conn->drain);
}

/* On no list at all is as good as on one that nobody drains. */
void era_stick(struct target_ctxt *ctxt)
{
}

void era_unstick(struct target_ctxt *ctxt)
{
}

void era_flush(struct target_conn *conn)
{
	flush_work(&conn->drain);
	while (!llist_empty(&conn->done)) {
		svc_rdma_send_ctxts_drain(&conn->rdma);
		if (release_is_held())
			msleep(20);
	}
}

void era_call_release(struct target_ctxt *ctxt)
{
	svc_rdma_reply_chunk_release(&ctxt->conn->rdma, &ctxt->sc);
}

int era_init(void)
{
	reply_wq = alloc_workqueue(KBUILD_MODNAME, WQ_UNBOUND, 0);
	return reply_wq ? 0 : -ENOMEM;
}

void era_exit(void)
{
	destroy_workqueue(reply_wq);
}
