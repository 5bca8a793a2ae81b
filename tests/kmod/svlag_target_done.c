// SPDX-License-Identifier: GPL-2.0
/*
 * svlag_target_done - as svlag_target_infos, but write infos are queued from the
 * completions of their Writes (6.12.95 to 6.18).
 */
#define TARGET_INFOS_BY_COMPLETION
#include "target/era_workqueue.c"
#include "target/engine.c"
