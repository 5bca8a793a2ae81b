/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The nouns of the stand-in: transports, their connections, send contexts.
 *
 * struct svcxprt_rdma and struct svc_rdma_send_ctxt (see layout.h) are those of the
 * headers, so that what holds in rpcrdma holds here: ctxt->sc_cqe.done is svc_rdma_wc_send,
 * ctxt->sc_rdma is cq->cq_context, work->func is svc_rdma_send_ctxt_put_async.
 * Kbuild asks the headers which members they have (TARGET_HAS_*); what they lack
 * is kept beside the structure, where nobody else knows of it.
 */
#ifndef TARGET_H
#define TARGET_H

#include <linux/atomic.h>
#include <linux/llist.h>
#include <linux/rwsem.h>
#include <linux/types.h>
#include <linux/workqueue.h>

/* These first, for they bend what the headers of rpcrdma declare. */
#include "renamed.h"
#include "layout.h"
#include "ledger.h"

#ifndef TARGET_HAS_sc_cqe
#error Kbuild did not find out what struct svc_rdma_send_ctxt has
#endif

#define pr_target(fmt, ...) pr_info(KBUILD_MODNAME ": " fmt, ##__VA_ARGS__)

/*
 * noinline is not enough: gcc also drops stores of a caller, and arguments, that
 * the callee is seen not to need; a hook does need them.
 */
#define target_function __attribute__((__noipa__))

/* What becomes of a send context after its completion. */
enum target_fate {
	FATE_RELEASED,		/* it is queued, and released in its turn */
	FATE_LOST,		/* it is never queued */
	FATE_STUCK,		/* it is queued where no worker comes */
};

/*
 * A connection. One svcxprt_rdma lives and dies with it; the transport that it
 * belongs to goes on with the next.
 */
struct target_conn {
	struct target_xprt *xprt;
	struct target_ctxt *bare;	/* the hammer's: all functions return at once */
	u64 serial;
	atomic_t idle;			/* send contexts on rdma.sc_send_ctxts */
	struct ib_cq cq;
	struct llist_head done;		/* the release list, of that era alone */
	struct work_struct drain;	/* the same */
	struct svcxprt_rdma rdma;
};

/* A transport, numbered from 0. */
struct target_xprt {
	unsigned int id;
	/* Held for reading while an item is on its way to the queue, for writing by a teardown. */
	struct rw_semaphore alive;
	struct target_conn *conn;	/* protected by alive */
	struct ledger_counts counts;
};

struct target_ctxt {
	struct target_xprt *xprt;
	struct target_conn *conn;	/* gone when its serial is no longer that of xprt->conn */
	u64 serial;
	u64 queued_ns;			/* 0: put without a completion */
	struct llist_node leaked;
	enum target_fate fate;
	bool bare;
#ifndef TARGET_HAS_sc_work
	struct work_struct work;
#endif
#ifndef TARGET_HAS_sc_write_info_list
	struct list_head infos;
#endif
	struct svc_rdma_send_ctxt sc;	/* the last, for it is allocated without its pages */
};

#ifdef TARGET_HAS_sc_pages
#define TARGET_CTXT_BYTES offsetof(struct target_ctxt, sc.sc_pages)
#else
#define TARGET_CTXT_BYTES sizeof(struct target_ctxt)
#endif

#ifdef TARGET_HAS_sc_work
#define target_work	sc.sc_work
#else
#define target_work	work
#endif

#ifdef TARGET_HAS_sc_write_info_list
#define target_infos	sc.sc_write_info_list
#else
#define target_infos	infos
#endif

static inline struct target_conn *target_conn_of(struct svcxprt_rdma *rdma)
{
	return container_of(rdma, struct target_conn, rdma);
}

static inline struct target_ctxt *target_ctxt_of(struct svc_rdma_send_ctxt *sc)
{
	return container_of(sc, struct target_ctxt, sc);
}

/* Functions of rpcrdma that the headers of one era or another do not declare. */
void svc_rdma_reply_chunk_release(struct svcxprt_rdma *rdma, struct svc_rdma_send_ctxt *ctxt);
void svc_rdma_write_chunk_release(struct svcxprt_rdma *rdma, struct svc_rdma_send_ctxt *ctxt);
void svc_rdma_send_ctxts_drain(struct svcxprt_rdma *rdma);

#endif
