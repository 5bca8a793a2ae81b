/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_LINUX_SLAB_H
#define SHIM_LINUX_SLAB_H

#include <stddef.h>

#define GFP_KERNEL	0

/*
 * As aligned as its size, as the kernel's are. shim_alloc_fails tells the number of
 * the allocation, of these and those of <linux/percpu.h>, that is to fail; 0 none.
 */
extern unsigned int shim_alloc_fails;
void *shim_alloc(size_t size);
void kvfree(void *memory);

#define kvzalloc(size, flags)		shim_alloc(size)
#define kvcalloc(nr, size, flags)	shim_alloc((nr) * (size))

#endif
