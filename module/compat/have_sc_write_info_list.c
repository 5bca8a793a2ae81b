// SPDX-License-Identifier: GPL-2.0
/* Has struct svc_rdma_send_ctxt of these headers the member sc_write_info_list? */
#include <linux/stddef.h>
#include <linux/sunrpc/svc_rdma.h>

unsigned long svlag_probe(void);
unsigned long svlag_probe(void)
{
	return offsetof(struct svc_rdma_send_ctxt, sc_write_info_list);
}
