// SPDX-License-Identifier: GPL-2.0
/*
 * svlag_target_split - as svlag_target_renamed, but the compiler has left of some
 * functions a part alone, and made copies of others.
 */
#define TARGET_RENAMED
#define TARGET_SPLIT
#define TARGET_INFOS_BY_RELEASE
#include "target/era_workqueue.c"
#include "target/engine.c"
