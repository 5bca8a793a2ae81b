/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_LINUX_MATH_H
#define SHIM_LINUX_MATH_H

#include <linux/types.h>

static inline u32 int_sqrt64(u64 square)
{
	u64 root = 0, bit = 1ULL << 31;

	for (; bit; bit >>= 1)
		if ((root | bit) * (root | bit) <= square)
			root |= bit;
	return root;
}

#endif
