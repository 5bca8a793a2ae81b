/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_LINUX_MINMAX_H
#define SHIM_LINUX_MINMAX_H

/* As strict as the kernel's: both sides are of one type. */
#define SHIM_CHOOSE(x, op, y) ({					\
	__typeof__(x) shim_x = (x);					\
	__typeof__(y) shim_y = (y);					\
									\
	(void)(&shim_x == &shim_y);					\
	shim_x op shim_y ? shim_x : shim_y;				\
})

#define min(x, y)		SHIM_CHOOSE(x, <, y)
#define max(x, y)		SHIM_CHOOSE(x, >, y)
#define min_t(type, x, y)	min((type)(x), (type)(y))
#define max_t(type, x, y)	max((type)(x), (type)(y))
#define clamp(x, low, high)	min(max(x, low), high)
#define clamp_t(type, x, low, high)	clamp((type)(x), (type)(low), (type)(high))

#endif
