// SPDX-License-Identifier: GPL-2.0
/*
 * svlag_target - the stand-in of the workqueue era (rpcrdma of 6.12 to 6.18).
 *
 * target/main.c says what it plays, its parameters, and how to read its ledger.
 */
#include "target/era_workqueue.c"
#include "target/engine.c"
