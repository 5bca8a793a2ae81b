/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers for people. Locale plays no part: what is pasted into a report looks
 * the same everywhere.
 */
#ifndef SVLAG_TOOLS_HUMAN_H
#define SVLAG_TOOLS_HUMAN_H

#include <svcrdma_lag/abi.h>

/* Takes any of the texts below. */
#define SVLAG_HUMAN_SIZE	32

/* Each fills @text, returns it, and gives "-" for SVLAG_UNKNOWN. */

/* 4320000 is "4,320,000". */
const char *svlag_human_count(__u64 count, char text[SVLAG_HUMAN_SIZE]);

/* A delay, to two or three digits: "310us", "45ms", "1.2s", "14min". */
const char *svlag_human_delay(__u64 ns, char text[SVLAG_HUMAN_SIZE]);

/* The same to three digits: "310us", "45.1ms", "1.20s". */
const char *svlag_human_fine(__u64 ns, char text[SVLAG_HUMAN_SIZE]);

/* An age, in its two largest units: "41 s", "2 h 14 min", "3 d 0 h". */
const char *svlag_human_age(__u64 ns, char text[SVLAG_HUMAN_SIZE]);

/* The time of day of CLOCK_REALTIME in the time zone of the environment, "18:13:26". */
const char *svlag_human_clock(__u64 realtime_ns, char text[SVLAG_HUMAN_SIZE]);

/* A quotient with two decimals, "1.24"; "-" where @divisor is 0. */
const char *svlag_human_ratio(__u64 dividend, __u64 divisor, char text[SVLAG_HUMAN_SIZE]);

#endif
