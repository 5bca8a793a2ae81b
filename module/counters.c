// SPDX-License-Identifier: GPL-2.0
#include "counters.h"

#include <linux/cpumask.h>

DEFINE_PER_CPU(struct svlag_counters, svlag_counters);

u64 svlag_counter_of(unsigned int cpu, unsigned int counter)
{
	return READ_ONCE(per_cpu(svlag_counters, cpu).count[counter]);
}

/* Possible and not online ones: what a CPU counted stays true when it goes away. */
u64 svlag_counter_fold(unsigned int counter)
{
	unsigned int cpu;
	u64 sum = 0;

	for_each_possible_cpu(cpu)
		sum += svlag_counter_of(cpu, counter);
	return sum;
}

size_t svlag_counters_bytes(void)
{
	return sizeof(struct svlag_counters) * num_possible_cpus();
}
