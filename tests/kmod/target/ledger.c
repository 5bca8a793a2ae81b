// SPDX-License-Identifier: GPL-2.0
/*
 * The ledger: counts, depth and waits, and how they are printed.
 */
#include "ledger.h"

#include <linux/bitops.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/seq_file.h>
#include <linux/sysfs.h>

#include "era.h"
#include "jobs.h"
#include "release.h"
#include "target.h"
#include "xprt.h"

/* Waits below 2^SUB_BITS ns have a bucket each; above, each octave has 2^SUB_BITS. */
#define SUB_BITS	6
#define SUBS		BIT(SUB_BITS)
#define BUCKETS		((64 - SUB_BITS + 1) * SUBS)

/* The most that a row of a transport can take. */
#define ROW_BYTES	(40 + 21 * LEDGER_NR_COUNTS)

static atomic64_t waits[BUCKETS];
static atomic64_t wait_last_ns, wait_max_ns, wait_sum_ns, wait_count;
static atomic64_t depth, depth_peak, drain_batch_max;
static atomic64_t hammered;

static const char * const count_names[LEDGER_NR_COUNTS] = {
	[LEDGER_GET] = "get",
	[LEDGER_GET_FAILED] = "get_failed",
	[LEDGER_WC_SEND] = "wc_send",
	[LEDGER_QUEUED] = "queued",
	[LEDGER_ERROR_PUT] = "error_put",
	[LEDGER_LOST] = "lost",
	[LEDGER_STUCK] = "stuck",
	[LEDGER_RELEASED] = "released",
	[LEDGER_IDLED] = "idled",
	[LEDGER_DRAIN] = "drain",
	[LEDGER_DRAIN_BATCH] = "drain_batch",
	[LEDGER_DESTROY] = "destroy",
	[LEDGER_CAPPED] = "capped",
	[LEDGER_ALLOCATED] = "allocated",
	[LEDGER_FREED] = "freed",
	[LEDGER_WRITE_INFO_QUEUED] = "write_info_queued",
	[LEDGER_WRITE_INFO_FREED] = "write_info_freed",
};

void ledger_count(struct target_xprt *xprt, enum ledger_count what)
{
	atomic64_inc(&xprt->counts.of[what]);
}

void ledger_hammered(u64 n)
{
	atomic64_add(n, &hammered);
}

static void raise_to(atomic64_t *peak, s64 value)
{
	s64 old = atomic64_read(peak);

	while (value > old && !atomic64_try_cmpxchg(peak, &old, value))
		;
}

void ledger_queue(struct target_xprt *xprt, enum ledger_count what)
{
	ledger_count(xprt, what);
	raise_to(&depth_peak, atomic64_inc_return(&depth));
}

void ledger_batch(struct target_xprt *xprt, unsigned int nth)
{
	if (nth == 1)
		ledger_count(xprt, LEDGER_DRAIN_BATCH);
	raise_to(&drain_batch_max, nth);
}

static unsigned int bucket_of(u64 ns)
{
	unsigned int shift = ns < SUBS ? 0 : fls64(ns) - SUB_BITS - 1;

	return shift * SUBS + (ns >> shift);
}

static u64 bucket_upper_ns(unsigned int bucket)
{
	unsigned int shift = bucket < 2 * SUBS ? 0 : bucket / SUBS - 1;

	return ((u64)(bucket - shift * SUBS + 1) << shift) - 1;
}

void ledger_release(struct target_xprt *xprt, u64 queued_ns)
{
	ledger_count(xprt, LEDGER_RELEASED);
	atomic64_dec(&depth);
	if (queued_ns)
		ledger_waited(ktime_get_ns() - queued_ns);
}

void ledger_waited(u64 wait_ns)
{
	atomic64_inc(&waits[bucket_of(wait_ns)]);
	atomic64_set(&wait_last_ns, wait_ns);
	raise_to(&wait_max_ns, wait_ns);
	atomic64_add(wait_ns, &wait_sum_ns);
	atomic64_inc(&wait_count);
}

void ledger_mark(void)
{
	unsigned int i;

	for (i = 0; i < BUCKETS; i++)
		atomic64_set(&waits[i], 0);
	atomic64_set(&wait_last_ns, 0);
	atomic64_set(&wait_max_ns, 0);
	atomic64_set(&wait_sum_ns, 0);
	atomic64_set(&wait_count, 0);
}

static u64 wait_percentile_ns(unsigned int permille)
{
	u64 rank = div_u64(atomic64_read(&wait_count) * permille + 999, 1000), below = 0;
	unsigned int i;

	for (i = 0; rank && i < BUCKETS; i++) {
		below += atomic64_read(&waits[i]);
		if (below >= rank)
			return min_t(u64, bucket_upper_ns(i), atomic64_read(&wait_max_ns));
	}
	return 0;
}

static u64 total(enum ledger_count what)
{
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < xprt_count(); i++)
		sum += atomic64_read(&xprt_at(i)->counts.of[what]);
	return sum;
}

void ledger_print_waits(struct seq_file *file)
{
	unsigned int i;
	u64 nr;

	for (i = 0; i < BUCKETS; i++) {
		nr = atomic64_read(&waits[i]);
		if (nr)
			seq_printf(file, "%llu %llu\n", bucket_upper_ns(i), nr);
	}
}

#define PRINT(name, value) \
	(at += sysfs_emit_at(page, at, "%s %llu\n", (name), (unsigned long long)(value)))

int ledger_print(char *page)
{
	int at = sysfs_emit(page, "era %s\n", era_name);
	unsigned int i;
	u64 freed;

	PRINT("time_ns", ktime_get_ns());
	PRINT("jobs", jobs_running());
	for (i = 0; i < LEDGER_NR_COUNTS; i++)
		PRINT(count_names[i], total(i));
	PRINT("hammered", atomic64_read(&hammered));
	PRINT("depth", atomic64_read(&depth));
	PRINT("depth_peak", atomic64_read(&depth_peak));
	PRINT("live", total(LEDGER_GET) - total(LEDGER_GET_FAILED) - total(LEDGER_RELEASED));
	PRINT("drain_batch_max", atomic64_read(&drain_batch_max));
	freed = total(LEDGER_WRITE_INFO_FREED);
	PRINT("write_info_depth", total(LEDGER_WRITE_INFO_QUEUED) - freed);
	PRINT("in_service", release_in_service());
	PRINT("waits", atomic64_read(&wait_count));
	PRINT("wait_last_ns", atomic64_read(&wait_last_ns));
	PRINT("wait_sum_ns", atomic64_read(&wait_sum_ns));
	PRINT("wait_p50_ns", wait_percentile_ns(500));
	PRINT("wait_p90_ns", wait_percentile_ns(900));
	PRINT("wait_p99_ns", wait_percentile_ns(990));
	PRINT("wait_p999_ns", wait_percentile_ns(999));
	PRINT("wait_max_ns", atomic64_read(&wait_max_ns));
	return at;
}

int ledger_print_xprts(char *page, unsigned int first)
{
	int at = sysfs_emit(page, "xprt peer");
	unsigned int i, k;

	for (k = 0; k < LEDGER_NR_COUNTS; k++)
		at += sysfs_emit_at(page, at, " %s", count_names[k]);
	at += sysfs_emit_at(page, at, "\n");
	for (i = first; i < xprt_count() && at < PAGE_SIZE - ROW_BYTES; i++) {
		struct target_xprt *xprt = xprt_at(i);
		__be32 peer = xprt_peer(xprt);

		at += sysfs_emit_at(page, at, "%u %pI4:%u", i, &peer, XPRT_PORT);
		for (k = 0; k < LEDGER_NR_COUNTS; k++)
			at += sysfs_emit_at(page, at, " %lld",
					    (long long)atomic64_read(&xprt->counts.of[k]));
		at += sysfs_emit_at(page, at, "\n");
	}
	return at;
}
