/* SPDX-License-Identifier: GPL-2.0 */
#include <linux/types.h>

static inline u32 rol32(u32 word, unsigned int shift)
{
	return word << (shift & 31) | word >> (-shift & 31);
}
