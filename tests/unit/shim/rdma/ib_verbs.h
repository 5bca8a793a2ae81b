/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_RDMA_IB_VERBS_H
#define SHIM_RDMA_IB_VERBS_H

struct ib_wc;

struct ib_cq {
	void *device;
	void *cq_context;
};

struct ib_cqe {
	void (*done)(struct ib_cq *cq, struct ib_wc *wc);
};

struct ib_wc {
	struct ib_cqe *wr_cqe;
	int status;
};

#endif
