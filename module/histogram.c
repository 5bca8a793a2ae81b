// SPDX-License-Identifier: GPL-2.0
#include "histogram.h"

#include <linux/cache.h>
#include <linux/cpumask.h>
#include <linux/errno.h>

/* More than the reserve that static per-CPU data of modules comes from has to give. */
#define HISTOGRAM_BYTES	(SVLAG_HIST_BUCKETS * sizeof(u64))

int svlag_histogram_create(struct svlag_histogram *h)
{
	h->count = __alloc_percpu(HISTOGRAM_BYTES, L1_CACHE_BYTES);
	return h->count ? 0 : -ENOMEM;
}

void svlag_histogram_destroy(struct svlag_histogram *h)
{
	free_percpu(h->count);
	h->count = NULL;
}

void svlag_histogram_fold(const struct svlag_histogram *h, u64 *count)
{
	unsigned int cpu, bucket;

	for_each_possible_cpu(cpu) {
		const u64 *of_cpu = per_cpu_ptr(h->count, cpu);

		for (bucket = 0; bucket < SVLAG_HIST_BUCKETS; bucket++)
			count[bucket] += READ_ONCE(of_cpu[bucket]);
	}
}

size_t svlag_histogram_bytes(void)
{
	return HISTOGRAM_BYTES * num_possible_cpus();
}
