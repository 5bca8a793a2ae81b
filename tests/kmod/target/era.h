/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between the eras: how a send context comes to be released. One
 * of era_*.c is in each stand-in.
 */
#ifndef TARGET_ERA_H
#define TARGET_ERA_H

#include <linux/types.h>

#include "target.h"

extern const char * const era_name;

/* Does svc_rdma_wc_send put the send context, or its sender afterwards? */
extern const bool era_is_deferred;

/* Is each release a work item of its own? */
extern const bool era_is_queued;

int era_init(void);
void era_exit(void);

void era_connect(struct target_conn *conn);
void era_prepare(struct target_ctxt *ctxt);

/* Hands @ctxt over for release: by the completion, or by an error path without one. */
void era_put(struct target_ctxt *ctxt);

/* Queues it where no worker comes; afterwards era_unstick() takes it back. */
void era_stick(struct target_ctxt *ctxt);
void era_unstick(struct target_ctxt *ctxt);

/* Any other item on the same queue, in the workqueue era. */
void era_queue(struct work_struct *work);

/* Waits until all that was put on @conn is released; nothing more is put meanwhile. */
void era_flush(struct target_conn *conn);

/* A direct call of the function in which a release is counted. */
void era_call_release(struct target_ctxt *ctxt);

#endif
