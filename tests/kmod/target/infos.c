// SPDX-License-Identifier: GPL-2.0
/*
 * Write infos.
 */
#include "infos.h"

#if defined(TARGET_INFOS_BY_COMPLETION) || defined(TARGET_INFOS_BY_RELEASE)
#include <linux/list.h>
#include <linux/slab.h>

#include "era.h"
#include "ledger.h"

/* It may outlive its connection, but not its transport. */
struct target_info {
	struct target_xprt *xprt;
	struct list_head node;		/* on ctxt->target_infos */
	struct ib_cqe cqe;
	struct work_struct work;
};

static target_function void svc_rdma_write_info_free_async(struct work_struct *work)
{
	struct target_info *info = container_of(work, struct target_info, work);

	target_entered(svc_rdma_write_info_free_async);
	ledger_count(info->xprt, LEDGER_WRITE_INFO_FREED);
	kfree(info);
}

static void info_queue(struct target_info *info)
{
	list_del(&info->node);
	ledger_count(info->xprt, LEDGER_WRITE_INFO_QUEUED);
	INIT_WORK(&info->work, svc_rdma_write_info_free_async);
	era_queue(&info->work);
}

#ifdef TARGET_INFOS_BY_COMPLETION
static target_function void svc_rdma_write_done(struct ib_cq *cq, struct ib_wc *wc)
{
	info_queue(container_of(wc->wr_cqe, struct target_info, cqe));
}

void infos_complete(struct target_ctxt *ctxt)
{
	struct target_info *info, *next;

	list_for_each_entry_safe(info, next, &ctxt->target_infos, node) {
		struct ib_wc wc = {
			.wr_cqe = &info->cqe,
			.status = IB_WC_SUCCESS,
			.opcode = IB_WC_RDMA_WRITE,
		};

		info->cqe.done(&ctxt->conn->cq, &wc);
	}
}
#else
#define svc_rdma_write_done NULL

target_function void svc_rdma_write_chunk_release(struct svcxprt_rdma *rdma,
						  struct svc_rdma_send_ctxt *sc)
{
	struct target_ctxt *ctxt = target_ctxt_of(sc);
	struct target_info *info, *next;

	target_entered(svc_rdma_write_chunk_release);
	list_for_each_entry_safe(info, next, &ctxt->target_infos, node)
		info_queue(info);
}

void infos_release(struct target_ctxt *ctxt)
{
	svc_rdma_write_chunk_release(&ctxt->conn->rdma, &ctxt->sc);
}
#endif

void infos_hang(struct target_ctxt *ctxt, u64 nr)
{
	while (nr--) {
		struct target_info *info = kzalloc(sizeof(*info), GFP_KERNEL | __GFP_NOWARN);

		if (!info)
			break;
		info->xprt = ctxt->xprt;
		info->cqe.done = svc_rdma_write_done;
		list_add_tail(&info->node, &ctxt->target_infos);
	}
}
#endif
