// SPDX-License-Identifier: GPL-2.0
/*
 * svlag_target_capped - as svlag_target, but a vendor's kernel that caps its
 * cache of send contexts.
 *
 *	cache_cap	idle send contexts that a transport keeps; beyond, a release
 *			frees its context and hits rpcrdma:svcrdma_send_ctxt_capped
 *	run		also takes the kind "capped": a hit and nothing else
 */
#define TARGET_CAPPED
#include "target/era_workqueue.c"
#include "target/engine.c"
