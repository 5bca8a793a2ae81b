// SPDX-License-Identifier: GPL-2.0
/*
 * svlag_target_renamed - as svlag_target_infos, but built by a compiler that has
 * changed the functions' arguments, and renamed them for it.
 */
#define TARGET_RENAMED
#define TARGET_INFOS_BY_RELEASE
#include "target/era_workqueue.c"
#include "target/engine.c"
