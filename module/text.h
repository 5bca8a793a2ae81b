/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers and spans of time as people read them. Any context. */
#ifndef SVLAG_TEXT_H
#define SVLAG_TEXT_H

#include <linux/types.h>

/* Room for either: 2^64 grouped by thousands is 26 characters. */
struct svlag_text {
	char of[32];
};

/**
 * svlag_grouped - 1234567 as "1,234,567", SVLAG_UNKNOWN as "-"
 */
struct svlag_text svlag_grouped(u64 number);

/**
 * svlag_span - 1234567 ns as "1.2 ms", SVLAG_UNKNOWN as "-"
 */
struct svlag_text svlag_span(u64 ns);

/**
 * svlag_rate - so many in so much time, a second, rounded and grouped
 * @number: how many, or SVLAG_UNKNOWN
 * @length_ns: in how long; not 0
 */
struct svlag_text svlag_rate(u64 number, u64 length_ns);

/**
 * svlag_ratio - the quotient rounded to two decimals, or "-" where it has none
 */
struct svlag_text svlag_ratio(u64 over, u64 under);

#endif
