// SPDX-License-Identifier: GPL-2.0
/*
 * What others would tell of the same items: start times in a hash that refuses when it
 * is full, of as many entries as osdtrace has, and in one that evicts the entry used
 * least recently. Both are the kernel's own maps.
 */
#include <linux/bpf.h>
#include <linux/types.h>
#include <bpf/bpf_helpers.h>

/* Waits below 2^SUB_BITS ns have a bucket each; above, each octave has 2^SUB_BITS. */
#define SUB_BITS	4
#define SUBS		(1 << SUB_BITS)
#define BUCKETS		((64 - SUB_BITS + 1) * SUBS)

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 8192);
	__type(key, __u64);
	__type(value, __u64);
} hash SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 65536);
	__type(key, __u64);
	__type(value, __u64);
} lru SEC(".maps");

/* From sc_work to sc_cqe: what both functions know of an item is then one address. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __s64);
} delta SEC(".maps");

/* How many waits are in each bucket. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, BUCKETS);
	__type(key, __u32);
	__type(value, __u64);
} hash_waits SEC(".maps"), lru_waits SEC(".maps");

/* The number of the highest bit that is set, of a value that is not 0. */
static __always_inline __u32 top_bit(__u64 value)
{
	__u32 bit = 0, step;

#pragma GCC unroll 6
	for (step = 32; step; step /= 2)
		if (value >> step) {
			value >>= step;
			bit += step;
		}
	return bit;
}

static __always_inline __u32 bucket_of(__u64 ns)
{
	__u32 shift = ns < SUBS ? 0 : top_bit(ns) - SUB_BITS;

	return shift * SUBS + (__u32)(ns >> shift);
}

static __always_inline void end(void *map, void *waits, __u64 key, __u64 now_ns)
{
	__u64 *since_ns = bpf_map_lookup_elem(map, &key), *count;
	__u32 bucket;

	if (!since_ns)
		return;
	bucket = bucket_of(now_ns - *since_ns);
	count = bpf_map_lookup_elem(waits, &bucket);
	if (count)
		__sync_fetch_and_add(count, 1);
	bpf_map_delete_elem(map, &key);
}

SEC("fentry/svc_rdma_wc_send")
int wc_send(unsigned long long *args)
{
	__u64 now_ns = bpf_ktime_get_ns(), key;

	/* The first of struct ib_wc is wr_cqe. */
	if (bpf_probe_read_kernel(&key, sizeof(key), (void *)args[1]))
		return 0;
	bpf_map_update_elem(&hash, &key, &now_ns, BPF_ANY);
	bpf_map_update_elem(&lru, &key, &now_ns, BPF_ANY);
	return 0;
}

SEC("fentry/svc_rdma_send_ctxt_put_async")
int put_async(unsigned long long *args)
{
	__u64 now_ns = bpf_ktime_get_ns();
	__u32 first = 0;
	__s64 *to_cqe = bpf_map_lookup_elem(&delta, &first);
	__u64 work;

	/* As a number: it is a key, and nothing is read through it. */
	if (!to_cqe || bpf_get_func_arg(args, 0, &work))
		return 0;
	end(&hash, &hash_waits, work + *to_cqe, now_ns);
	end(&lru, &lru_waits, work + *to_cqe, now_ns);
	return 0;
}

char is_free[] SEC("license") = "GPL";
