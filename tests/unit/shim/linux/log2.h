/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_LINUX_LOG2_H
#define SHIM_LINUX_LOG2_H

#define ilog2(n)		(63 - __builtin_clzll(n))
#define is_power_of_2(n)	((n) && !((n) & ((n) - 1)))
#define roundup_pow_of_two(n)	((n) < 2 ? 1U : 1U << (ilog2((n) - 1) + 1))

#endif
