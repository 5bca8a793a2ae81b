/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_LINUX_SUNRPC_SVC_RDMA_H
#define SHIM_LINUX_SUNRPC_SVC_RDMA_H

#include <linux/list.h>
#include <linux/workqueue.h>
#include <rdma/ib_verbs.h>

struct svc_rdma_send_ctxt {
	void *sc_node;
	struct work_struct sc_work;
	void *sc_rdma;
	struct ib_cqe sc_cqe;
	struct list_head sc_write_info_list;
	void *sc_pages[8];
};

#endif
