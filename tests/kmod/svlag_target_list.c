// SPDX-License-Identifier: GPL-2.0
/*
 * svlag_target_list - the stand-in of the era of the release list (7.2, 7.3).
 *
 * As svlag_target, but completions go on a list of their transport, which is
 * drained last in first out. hold lets drains return at once; the first drain
 * after it, that is the next completion on that transport, takes all.
 */
#include "target/era_list.c"
#include "target/engine.c"
