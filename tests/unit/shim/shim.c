// SPDX-License-Identifier: GPL-2.0
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

__thread unsigned int shim_cpu;
u64 shim_possible_cpus = 0xf;
unsigned int nr_cpu_ids = SHIM_CPUS;

/* As aligned as a page is in the kernel. */
__attribute__((aligned(4096))) char shim_percpu_area[SHIM_CPUS][SHIM_PERCPU_BYTES];

void shim_percpu_clear(void)
{
	memset(shim_percpu_area, 0, sizeof(shim_percpu_area));
}

/* The section is there even where no room uses it, and never outgrows its copies. */
SHIM_PERCPU static char at_least_one_byte;

__attribute__((constructor)) static void check_room(void)
{
	at_least_one_byte = 0;
	if (__stop_shim_percpu - __start_shim_percpu > SHIM_PERCPU_BYTES)
		__builtin_trap();
}
