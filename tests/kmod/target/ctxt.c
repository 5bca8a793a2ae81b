// SPDX-License-Identifier: GPL-2.0
/*
 * Send contexts: the three functions of rpcrdma that every era has.
 */
#include "ctxt.h"

#include <linux/ktime.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>

#include "capped.h"
#include "era.h"
#include "infos.h"

/* A cache of our own: with slab_nomerge, an object that was forgotten is told at rmmod. */
static struct kmem_cache *ctxt_cache;
static LLIST_HEAD(leaked);
static atomic_t live;

static unsigned int max_ctxts = 1 << 20;
module_param(max_ctxts, uint, 0644);
MODULE_PARM_DESC(max_ctxts, "send contexts at once; beyond, svc_rdma_send_ctxt_get() gives NULL");

static void svc_rdma_wc_send(struct ib_cq *cq, struct ib_wc *wc);

static void ctxt_fill(struct target_ctxt *ctxt, struct target_conn *conn)
{
	layout_poison(&ctxt->sc);
	ctxt->xprt = conn->xprt;
	ctxt->conn = conn;
	ctxt->serial = conn->serial;
	ctxt->sc.sc_cqe.done = svc_rdma_wc_send;
	ctxt->sc.sc_send_wr.wr_cqe = &ctxt->sc.sc_cqe;
	ctxt->sc.sc_cid.ci_queue_id = conn->cq.res.id;
	ctxt->sc.sc_cid.ci_completion_id = atomic_inc_return(&conn->rdma.sc_completion_ids);
#ifdef TARGET_HAS_sc_rdma
	ctxt->sc.sc_rdma = &conn->rdma;
#endif
	INIT_LIST_HEAD(&ctxt->target_infos);
	era_prepare(ctxt);
}

static struct target_ctxt *ctxt_new(struct target_conn *conn)
{
	struct target_ctxt *ctxt;

	if (atomic_inc_return(&live) > READ_ONCE(max_ctxts))
		goto none;
	ctxt = kmem_cache_zalloc(ctxt_cache, GFP_KERNEL | __GFP_NOWARN);
	if (!ctxt)
		goto none;
	ctxt_fill(ctxt, conn);
	return ctxt;
none:
	atomic_dec(&live);
	return NULL;
}

struct target_ctxt *ctxt_new_bare(struct target_conn *conn)
{
	struct target_ctxt *ctxt = ctxt_new(conn);

	if (ctxt)
		ctxt->bare = true;
	return ctxt;
}

void ctxt_fill_bare(struct target_ctxt *ctxt, struct target_conn *conn)
{
	ctxt_fill(ctxt, conn);
	ctxt->bare = true;
}

void ctxt_free(struct target_ctxt *ctxt)
{
	kmem_cache_free(ctxt_cache, ctxt);
	atomic_dec(&live);
}

target_function struct svc_rdma_send_ctxt *svc_rdma_send_ctxt_get(struct svcxprt_rdma *rdma)
{
	struct target_conn *conn = target_conn_of(rdma);
	struct target_ctxt *ctxt;
	struct llist_node *node;

	target_entered(svc_rdma_send_ctxt_get);
	if (conn->bare)
		return &conn->bare->sc;
	ledger_count(conn->xprt, LEDGER_GET);
	spin_lock(&rdma->sc_send_lock);
	node = llist_del_first(&rdma->sc_send_ctxts);
	spin_unlock(&rdma->sc_send_lock);
	if (node) {
		ctxt = target_ctxt_of(llist_entry(node, struct svc_rdma_send_ctxt, sc_node));
		atomic_dec(&conn->idle);
	} else {
		ctxt = ctxt_new(conn);
		if (!ctxt) {
			ledger_count(conn->xprt, LEDGER_GET_FAILED);
			return NULL;
		}
		ledger_count(conn->xprt, LEDGER_ALLOCATED);
	}
	ctxt->fate = FATE_RELEASED;
	ctxt->queued_ns = 0;
	return &ctxt->sc;
}

static target_function void svc_rdma_wc_send(struct ib_cq *cq, struct ib_wc *wc)
{
	struct svc_rdma_send_ctxt *sc = container_of(wc->wr_cqe, struct svc_rdma_send_ctxt, sc_cqe);
	struct target_ctxt *ctxt = target_ctxt_of(sc);

	target_entered(svc_rdma_wc_send);
	if (ctxt->bare)
		return;
	ledger_count(ctxt->xprt, LEDGER_WC_SEND);
	if (ctxt->fate == FATE_LOST) {
		ledger_count(ctxt->xprt, LEDGER_LOST);
		return;
	}
	ctxt->queued_ns = ktime_get_ns();
	ledger_queue(ctxt->xprt, LEDGER_QUEUED);
	if (ctxt->fate == FATE_STUCK) {
		ledger_count(ctxt->xprt, LEDGER_STUCK);
		era_stick(ctxt);
	} else if (era_is_deferred) {
		era_put(ctxt);
	}
}

target_function void svc_rdma_send_ctxts_destroy(struct svcxprt_rdma *rdma)
{
	struct target_conn *conn = target_conn_of(rdma);
	struct llist_node *node;

	ledger_count(conn->xprt, LEDGER_DESTROY);
	while ((node = llist_del_first(&rdma->sc_send_ctxts))) {
		ctxt_free(target_ctxt_of(llist_entry(node, struct svc_rdma_send_ctxt, sc_node)));
		ledger_count(conn->xprt, LEDGER_FREED);
	}
}

void ctxt_wc_send(struct target_ctxt *ctxt)
{
	struct ib_wc wc = {
		.wr_cqe = &ctxt->sc.sc_cqe,
		.status = IB_WC_SUCCESS,
		.opcode = IB_WC_SEND,
	};

	ctxt->sc.sc_cqe.done(&ctxt->conn->cq, &wc);
}

void ctxt_complete(struct target_ctxt *ctxt)
{
	bool by_sender = !era_is_deferred && ctxt->fate == FATE_RELEASED;

	infos_complete(ctxt);
	ctxt_wc_send(ctxt);
	if (by_sender)
		era_put(ctxt);
}

void ctxt_idle(struct target_ctxt *ctxt)
{
	struct target_conn *conn = ctxt->conn;

	ledger_count(ctxt->xprt, LEDGER_IDLED);
	if (capped_frees(ctxt)) {
		ledger_count(ctxt->xprt, LEDGER_FREED);
		ctxt_free(ctxt);
		return;
	}
	atomic_inc(&conn->idle);
	llist_add(&ctxt->sc.sc_node, &conn->rdma.sc_send_ctxts);
}

void ctxt_recycle(struct target_ctxt *ctxt)
{
	struct target_xprt *xprt = ctxt->xprt;

	down_read(&xprt->alive);
	if (ctxt->serial == xprt->conn->serial) {
		atomic_inc(&ctxt->conn->idle);
		llist_add(&ctxt->sc.sc_node, &ctxt->conn->rdma.sc_send_ctxts);
	} else {
		ledger_count(xprt, LEDGER_FREED);
		ctxt_free(ctxt);
	}
	up_read(&xprt->alive);
}

void ctxt_leak(struct target_ctxt *ctxt)
{
	llist_add(&ctxt->leaked, &leaked);
}

int ctxts_init(void)
{
	ctxt_cache = kmem_cache_create(KBUILD_MODNAME "_ctxt", TARGET_CTXT_BYTES, 0, 0, NULL);
	return ctxt_cache ? 0 : -ENOMEM;
}

void ctxts_exit(void)
{
	struct target_ctxt *ctxt, *next;

	llist_for_each_entry_safe(ctxt, next, llist_del_all(&leaked), leaked) {
		if (ctxt->fate == FATE_STUCK)
			era_unstick(ctxt);
		ctxt_free(ctxt);
	}
	kmem_cache_destroy(ctxt_cache);
}
