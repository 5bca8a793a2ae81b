/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_LINUX_CPUMASK_H
#define SHIM_LINUX_CPUMASK_H

#include <linux/types.h>

#define SHIM_CPUS	64

/* The possible CPUs, a bit each; a test may leave gaps. */
extern u64 shim_possible_cpus;
extern unsigned int nr_cpu_ids;

static inline bool cpu_possible(unsigned int cpu)
{
	return shim_possible_cpus >> cpu & 1;
}

static inline unsigned int num_possible_cpus(void)
{
	return __builtin_popcountll(shim_possible_cpus);
}

#define for_each_possible_cpu(cpu)						\
	for ((cpu) = 0; (cpu) < nr_cpu_ids; (cpu)++)				\
		if (cpu_possible(cpu))

#endif
