/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A vendor's kernel that caps its cache of send contexts: beyond the cap a
 * context is freed by its release, and a tracepoint tells. Only in stand-ins
 * with TARGET_CAPPED.
 */
#ifndef TARGET_CAPPED_H
#define TARGET_CAPPED_H

#include <linux/types.h>

#include "target.h"

#ifdef TARGET_CAPPED
/* Is the cache full, so that @ctxt has to be freed? Then the tracepoint was hit. */
bool capped_frees(struct target_ctxt *ctxt);

/* Hits the tracepoint alone. */
bool capped_hit(struct target_conn *conn);
#else
static inline bool capped_frees(struct target_ctxt *ctxt)
{
	return false;
}

static inline bool capped_hit(struct target_conn *conn)
{
	return false;
}
#endif

#endif
