// SPDX-License-Identifier: GPL-2.0
/*
 * svlag_target_sync - the stand-in of the synchronous era (6.1).
 *
 * As svlag_target, but who sends releases: a job does not go on before it has.
 */
#include "target/era_sync.c"
#include "target/engine.c"
