/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Write infos, the other kind of item on svcrdma_wq: one for each Write chunk of
 * a reply. Kernels queue them from the completion of the Write, or from inside
 * of the release of the send context that they hang on. Only in stand-ins with
 * TARGET_INFOS_BY_COMPLETION or TARGET_INFOS_BY_RELEASE.
 */
#ifndef TARGET_INFOS_H
#define TARGET_INFOS_H

#include <linux/types.h>

#include "target.h"

/* Hangs @nr of them on @ctxt, or as many as there is memory for; may sleep. */
#if defined(TARGET_INFOS_BY_COMPLETION) || defined(TARGET_INFOS_BY_RELEASE)
void infos_hang(struct target_ctxt *ctxt, u64 nr);
#else
static inline void infos_hang(struct target_ctxt *ctxt, u64 nr)
{
}
#endif

/* The Writes of @ctxt are complete; its Send will be. */
#ifdef TARGET_INFOS_BY_COMPLETION
void infos_complete(struct target_ctxt *ctxt);
#else
static inline void infos_complete(struct target_ctxt *ctxt)
{
}
#endif

/* @ctxt is being released. */
#ifdef TARGET_INFOS_BY_RELEASE
void infos_release(struct target_ctxt *ctxt);
#else
static inline void infos_release(struct target_ctxt *ctxt)
{
}
#endif

#endif
