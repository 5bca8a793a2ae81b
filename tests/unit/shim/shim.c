// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/uaccess.h>

char shim_log[512];
void (*shim_interrupts)(void);

/* A test that maps something has its own. */
__attribute__((weak)) long copy_from_kernel_nofault(void *to, const void *from, size_t size)
{
	return -EFAULT;
}
#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/percpu.h>
#include <linux/slab.h>

__thread unsigned int shim_cpu;
u64 shim_possible_cpus = 0xf;
unsigned int nr_cpu_ids = SHIM_CPUS;
u64 shim_fence;

/* As aligned as a page is in the kernel. */
__attribute__((aligned(4096))) char shim_percpu_area[SHIM_CPUS][SHIM_PERCPU_BYTES];

unsigned int shim_allocations, shim_alloc_fails;

static bool alloc_fails(void)
{
	if (shim_alloc_fails && !--shim_alloc_fails)
		return true;
	shim_allocations++;
	return false;
}

void *shim_alloc(size_t size)
{
	size_t align = L1_CACHE_BYTES;

	if (alloc_fails())
		return NULL;
	/* The size is a multiple of the alignment, as C wants it. */
	size = (size + align - 1) / align * align;
	return memset(aligned_alloc(align, size), 0, size);
}

void kvfree(void *memory)
{
	if (!memory)
		return;
	shim_allocations--;
	free(memory);
}

static size_t percpu_used;
static unsigned int percpu_allocations;

void *__alloc_percpu(size_t size, size_t align)
{
	size_t from = __stop_shim_percpu - __start_shim_percpu + percpu_used;
	unsigned int cpu;

	if (alloc_fails())
		return NULL;
	from = (from + align - 1) / align * align;
	if (from + size > SHIM_PERCPU_BYTES)
		__builtin_trap();
	for (cpu = 0; cpu < SHIM_CPUS; cpu++)
		memset(shim_percpu_area[cpu] + from, 0, size);
	percpu_used = from + size - (__stop_shim_percpu - __start_shim_percpu);
	percpu_allocations++;
	return __start_shim_percpu + from;
}

void free_percpu(void *pointer)
{
	if (!pointer)
		return;
	shim_allocations--;
	if (!--percpu_allocations)
		percpu_used = 0;
}

void shim_percpu_clear(void)
{
	memset(shim_percpu_area, 0, sizeof(shim_percpu_area));
}

/* The section is there even where no room uses it, and never outgrows its copies. */
SHIM_PERCPU static volatile char at_least_one_byte;

__attribute__((constructor)) static void check_room(void)
{
	at_least_one_byte = 0;
	if (__stop_shim_percpu - __start_shim_percpu > SHIM_PERCPU_BYTES)
		__builtin_trap();
}
