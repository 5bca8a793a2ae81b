// SPDX-License-Identifier: GPL-2.0
#include "batch.h"

#include <linux/cpumask.h>
#include <linux/minmax.h>

struct svlag_batch svlag_batches[SVLAG_BATCH_SLOTS];
DEFINE_PER_CPU(u64, svlag_batch_most);

u64 svlag_batch_max(void)
{
	unsigned int cpu;
	u64 most = 0;

	for_each_possible_cpu(cpu)
		most = max(most, READ_ONCE(per_cpu(svlag_batch_most, cpu)));
	return most;
}

size_t svlag_batch_bytes(void)
{
	return sizeof(svlag_batches) + sizeof(svlag_batch_most) * num_possible_cpus();
}
