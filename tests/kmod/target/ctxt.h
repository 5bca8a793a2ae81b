/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Send contexts: where they come from, their completion, and where they go.
 */
#ifndef TARGET_CTXT_H
#define TARGET_CTXT_H

#include <linux/types.h>

#include "target.h"

int ctxts_init(void);
void ctxts_exit(void);

/* For the hammer: a send context that no list knows; all functions return at once on it. */
struct target_ctxt *ctxt_new_bare(struct target_conn *conn);

/* For arenas: makes such a one of memory that is all zero. */
void ctxt_fill_bare(struct target_ctxt *ctxt, struct target_conn *conn);
void ctxt_free(struct target_ctxt *ctxt);

/* The call of svc_rdma_wc_send alone. */
void ctxt_wc_send(struct target_ctxt *ctxt);

/* Its completion, as the RDMA core reports it; @ctxt is not ours any more afterwards. */
void ctxt_complete(struct target_ctxt *ctxt);

/* The end of a release: it can be had again. */
void ctxt_idle(struct target_ctxt *ctxt);

/* As ctxt_idle(), for one that was lost, maybe with its connection; may sleep. */
void ctxt_recycle(struct target_ctxt *ctxt);

/* It stays as it is until the stand-in is unloaded. */
void ctxt_leak(struct target_ctxt *ctxt);

#endif
