// SPDX-License-Identifier: GPL-2.0
/*
 * svlag_target_infos - as svlag_target, with write infos that are queued from
 * inside of the release of their send context (6.12.117).
 *
 *	run		pairs also takes infos=N: so many on each send context
 */
#define TARGET_INFOS_BY_RELEASE
#include "target/era_workqueue.c"
#include "target/engine.c"
