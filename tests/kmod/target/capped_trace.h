/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tracepoint of vendors' kernels, with their name, system and prototype.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM rpcrdma

#if !defined(TARGET_CAPPED_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define TARGET_CAPPED_TRACE_H

#include <linux/tracepoint.h>
#include <linux/sunrpc/rpc_rdma_cid.h>

TRACE_EVENT(svcrdma_send_ctxt_capped,
	    TP_PROTO(const struct rpc_rdma_cid *cid),

	    TP_ARGS(cid),

	    TP_STRUCT__entry(__field(u32, cq_id)
			     __field(int, completion_id)
	    ),

	    TP_fast_assign(__entry->cq_id = cid->ci_queue_id;
			   __entry->completion_id = cid->ci_completion_id;
	    ),

	    TP_printk("cq.id=%u cid=%d", __entry->cq_id, __entry->completion_id)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE capped_trace
#include <trace/define_trace.h>
