/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How a release is slowed down, the same in every era.
 */
#ifndef TARGET_RELEASE_H
#define TARGET_RELEASE_H

#include <linux/types.h>

struct target_ctxt;

void release_init(void);

/* From here on every release passes, so that a flush ends. */
void release_open(void);

/* A release from its begin, which is counted, to its end; may sleep. */
void release_ctxt(struct target_ctxt *ctxt);

/* Returns while the parameter hold is set. */
bool release_is_held(void);

unsigned int release_in_service(void);

#endif
