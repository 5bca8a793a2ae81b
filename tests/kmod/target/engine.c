// SPDX-License-Identifier: GPL-2.0
/*
 * All of a stand-in but its era, in one translation unit: so a variant is one
 * small file, and takes one compilation.
 */
#include "arena.c"
#include "capped.c"
#include "ctxt.c"
#include "flood.c"
#include "hammer.c"
#include "infos.c"
#include "jobs.c"
#include "kinds.c"
#include "layout.c"
#include "ledger.c"
#include "main.c"
#include "pace.c"
#include "release.c"
#include "xprt.c"
