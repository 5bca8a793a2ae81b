/* SPDX-License-Identifier: GPL-2.0 */
/*
 * struct svc_rdma_send_ctxt: that of the headers, or with TARGET_OWN_LAYOUT that
 * of a vendor who has changed it, members of the same names in other places.
 */
#ifndef TARGET_LAYOUT_H
#define TARGET_LAYOUT_H

#include <linux/types.h>

#ifdef TARGET_OWN_LAYOUT
/* What the headers call so gets another name, and so do the functions that take it. */
#define svc_rdma_send_ctxt		svc_rdma_send_ctxt_of_headers
#define svc_rdma_send_ctxt_get		svc_rdma_send_ctxt_get_of_headers
#define svc_rdma_send_ctxt_put		svc_rdma_send_ctxt_put_of_headers
#define svc_rdma_reply_chunk_release	svc_rdma_reply_chunk_release_of_headers
#define svc_rdma_write_chunk_release	svc_rdma_write_chunk_release_of_headers
#endif
#include <linux/sunrpc/svc_rdma.h>

#ifdef TARGET_OWN_LAYOUT
#undef svc_rdma_send_ctxt
#undef svc_rdma_send_ctxt_get
#undef svc_rdma_send_ctxt_put
#undef svc_rdma_reply_chunk_release
#undef svc_rdma_write_chunk_release

#undef TARGET_HAS_sc_work
#undef TARGET_HAS_sc_rdma
#undef TARGET_HAS_sc_write_info_list
#undef TARGET_HAS_sc_pages
#define TARGET_HAS_sc_work
#define TARGET_HAS_sc_rdma
#define TARGET_HAS_sc_write_info_list

/*
 * All that the stand-in does not set is LAYOUT_POISON, which no access survives
 * that is not made for it. sc_vendor_list is always empty.
 */
#define LAYOUT_POISON 0xa5

struct svc_rdma_send_ctxt {
	u64			sc_vendor_head[5];
	struct list_head	sc_write_info_list;
	struct ib_cqe		sc_cqe;
	u64			sc_vendor_middle[9];
	struct list_head	sc_vendor_list;
	struct llist_node	sc_node;
	struct rpc_rdma_cid	sc_cid;
	struct svcxprt_rdma	*sc_rdma;
	struct ib_send_wr	sc_send_wr;
	u64			sc_vendor_more[20];
	struct work_struct	sc_work;
	u64			sc_vendor_tail[11];
};

struct svc_rdma_send_ctxt *svc_rdma_send_ctxt_get(struct svcxprt_rdma *rdma);

static inline void layout_poison(struct svc_rdma_send_ctxt *sc)
{
	memset(sc, LAYOUT_POISON, sizeof(*sc));
	INIT_LIST_HEAD(&sc->sc_vendor_list);
}
#else
static inline void layout_poison(struct svc_rdma_send_ctxt *sc)
{
}
#endif

/* Prints the offsets as svcrdma_lag's parameter layout= takes them, and returns the length. */
int layout_print(char *page);

#endif
