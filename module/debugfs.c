// SPDX-License-Identifier: GPL-2.0
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "debugfs.h"

#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <svcrdma_lag/abi.h>

#include "hooks.h"
#include "rpcrdma.h"
#include "sampler.h"
#include "summary.h"
#include "text.h"
#include "waits.h"
#include "wq_events.h"

/**
 * struct svlag_file - a file
 * @name: its name
 * @bytes: how large its snapshot is
 * @take: takes the snapshot, at open. What fetches does not print ...
 * @show: prints the snapshot, as often as seq_file wants. ... and what prints
 *	does not fetch: however slowly it is read, a text is of one moment
 */
struct svlag_file {
	const char *name;
	size_t (*bytes)(void);
	void (*take)(void *snapshot);
	int (*show)(struct seq_file *m, void *unused);
};

static void put_head(struct seq_file *m, const char *name)
{
	seq_printf(m, "# svcrdma_lag %s v%d\n", name, SVLAG_ABI_MAJOR);
}

/* Printers of a value, by the kinds of abi.h. In tables numbers stand right, words left. */
static void put_num(struct seq_file *m, u64 value, int width)
{
	if (value == SVLAG_UNKNOWN)
		seq_printf(m, "%*s", width, "-");
	else
		seq_printf(m, "%*llu", width, value);
}

static void put_hex(struct seq_file *m, u64 value, int width)
{
	seq_printf(m, "%016llx", value);
}

static void put_word(struct seq_file *m, const char *word, int width)
{
	seq_printf(m, "%-*s", width, word ?: "-");
}

#define put_sym		put_word
#define put_text	put_word

enum { WIDTH_num = 10, WIDTH_word = 17, WIDTH_sym = 30, WIDTH_text = 0 };

#define WIDTH(kind, name)	max_t(int, WIDTH_##kind, sizeof(#name) - 1)
#define PUT_LINE(kind, name)	\
	seq_puts(m, #name " "); put_##kind(m, s->name, 0); seq_putc(m, '\n');
#define PUT_VALUE(kind, name)	put_##kind(m, row->name, WIDTH(kind, name)); seq_putc(m, ' ');
#define PUT_NAME(kind, name)	PUT_NAME_##kind(m, #name, WIDTH(kind, name)); seq_putc(m, ' ');
#define PUT_NAME_num(m, name, width)	seq_printf(m, "%*s", width, name)
#define PUT_NAME_word			put_word
#define PUT_NAME_sym			put_word
#define PUT_NAME_text			put_word

static size_t stats_bytes(void)
{
	return sizeof(struct svlag_stats);
}

static void stats_take(void *snapshot)
{
	svlag_sampler_stats(snapshot);
}

static int stats_show(struct seq_file *m, void *unused)
{
	const struct svlag_stats *s = m->private;

	put_head(m, "stats");
	SVLAG_STATS(PUT_LINE)
	return 0;
}

struct windows_snapshot {
	unsigned int nr;
	struct svlag_window windows[SVLAG_WINDOWS];
};

static size_t windows_bytes(void)
{
	return sizeof(struct windows_snapshot);
}

static void windows_take(void *snapshot)
{
	struct windows_snapshot *s = snapshot;

	s->nr = svlag_sampler_windows(s->windows);
}

static int windows_show(struct seq_file *m, void *unused)
{
	const struct windows_snapshot *s = m->private;
	const struct svlag_window *row;

	put_head(m, "windows");
	SVLAG_WINDOW_COLUMNS(PUT_NAME)
	seq_putc(m, '\n');
	for (row = s->windows; row < s->windows + s->nr; row++) {
		SVLAG_WINDOW_COLUMNS(PUT_VALUE)
		seq_putc(m, '\n');
	}
	return 0;
}

struct hooks_snapshot {
	unsigned int nr;
	struct svlag_hook_info hooks[SVLAG_RPCRDMA_HOOKS + SVLAG_CANARIES];
};

static size_t hooks_bytes(void)
{
	return sizeof(struct hooks_snapshot);
}

static void hooks_take(void *snapshot)
{
	struct hooks_snapshot *s = snapshot;
	u64 now_ns = ktime_get_ns();

	s->nr = svlag_rpcrdma_hooks(s->hooks, now_ns);
	s->nr += svlag_canary_info(&s->hooks[s->nr], now_ns);
}

struct hooks_row {
	SVLAG_HOOK_COLUMNS(SVLAG_MEMBER)
};

static int hooks_show(struct seq_file *m, void *unused)
{
	const struct hooks_snapshot *s = m->private;
	const struct svlag_hook_info *hook;

	put_head(m, "hooks");
	SVLAG_HOOK_COLUMNS(PUT_NAME)
	seq_putc(m, '\n');
	for (hook = s->hooks; hook < s->hooks + s->nr; hook++) {
		char verdict[16];
		const struct hooks_row the_row = {
			.hook = hook->name,
			.needed = hook->needed ? "yes" : "no",
			.verdict = verdict,
			.mechanism = svlag_mechanism_name(hook->by),
			.hits = hook->hits,
			.missed = hook->missed,
			.age_ns = hook->age_ns,
			.symbol = hook->symbol,
			.lost = hook->lost,
		}, *row = &the_row;

		snprintf(verdict, sizeof(verdict),
			 hook->verdict == SVLAG_HOOK_FAILED ? "%s:%d" : "%s",
			 svlag_verdict_name(hook->verdict), hook->error);
		SVLAG_HOOK_COLUMNS(PUT_VALUE)
		seq_putc(m, '\n');
	}
	return 0;
}

struct percpu_row {
	SVLAG_PERCPU_COLUMNS(SVLAG_MEMBER)
};

static size_t percpu_bytes(void)
{
	return array_size(nr_cpu_ids, sizeof(struct percpu_row));
}

static u64 both_kinds_of(unsigned int cpu, enum svlag_wq_counter counter)
{
	return svlag_counter_of(cpu, counter + SVLAG_SEND_CTXT) +
	       svlag_counter_of(cpu, counter + SVLAG_WRITE_INFO);
}

static void percpu_take(void *snapshot)
{
	struct percpu_row *row = snapshot;
	unsigned int cpu;

	/* Not possible ones in between keep a row of zeros, which is not shown. */
	for_each_possible_cpu(cpu)
		row[cpu] = (struct percpu_row){
			.cpu = cpu,
			.get = svlag_counter_of(cpu, SVLAG_GET),
			.wc_send = svlag_counter_of(cpu, SVLAG_WC_SEND),
			.released = svlag_counter_of(cpu, SVLAG_RELEASED),
			.drain = svlag_counter_of(cpu, SVLAG_DRAIN),
			.capped = svlag_counter_of(cpu, SVLAG_CAPPED),
			.write_info_queued = svlag_counter_of(cpu, SVLAG_WRITE_INFO_QUEUED),
			.write_info_freed = svlag_counter_of(cpu, SVLAG_WRITE_INFO_FREED),
			.wq_queued = both_kinds_of(cpu, SVLAG_WQ_QUEUED),
			.wq_begun = both_kinds_of(cpu, SVLAG_WQ_BEGUN),
		};
}

static int percpu_show(struct seq_file *m, void *unused)
{
	const struct percpu_row *rows = m->private, *row;

	put_head(m, "percpu");
	SVLAG_PERCPU_COLUMNS(PUT_NAME)
	seq_putc(m, '\n');
	for (row = rows; row < rows + nr_cpu_ids; row++) {
		if (!(row->get | row->wc_send | row->released | row->drain | row->capped |
		      row->write_info_queued | row->write_info_freed | row->wq_queued |
		      row->wq_begun))
			continue;
		SVLAG_PERCPU_COLUMNS(PUT_VALUE)
		seq_putc(m, '\n');
	}
	return 0;
}

struct wait_snapshot {
	struct svlag_waits_of of[SVLAG_NR_TIMES];
	u64 open_ended[SVLAG_NR_TIMES][SVLAG_HIST_BUCKETS];	/* lost or waiting */
};

struct wait_row {
	SVLAG_WAIT_COLUMNS(SVLAG_MEMBER)
};

static size_t wait_bytes(void)
{
	return sizeof(struct wait_snapshot);
}

static void wait_take(void *snapshot)
{
	struct wait_snapshot *s = snapshot;
	struct svlag_inflight_survey unused;
	unsigned int what, i;

	for (what = 0; what < SVLAG_NR_TIMES; what++) {
		const struct svlag_waits_of *of = &s->of[what];

		svlag_waits_times(what, &s->of[what], &unused);
		for (i = 0; i < SVLAG_HIST_BUCKETS; i++)
			s->open_ended[what][i] = of->lost[i] + of->waiting[i];
	}
}

static const struct {
	const char *title;
	unsigned int permille;
} percentiles[] = {
	{ "p50", 500 }, { "p90", 900 }, { "p99", 990 }, { "p99.9", 999 }, { "max", 1000 },
};

/* A line for people. */
static void wait_show_percentiles(struct seq_file *m, const struct wait_snapshot *s,
				  enum svlag_times what)
{
	struct svlag_percentile p;
	unsigned int i;
	char cell[40];

	seq_printf(m, "# %-18s", svlag_times_name(what));
	for (i = 0; i < ARRAY_SIZE(percentiles); i++) {
		if (!svlag_hist_percentile(s->of[what].count, s->open_ended[what],
					   percentiles[i].permille, &p))
			snprintf(cell, sizeof(cell), "-");
		else
			snprintf(cell, sizeof(cell), "%s%s", p.is_least ? ">=" : "",
				 svlag_span(p.is_least ? p.lower_ns : p.upper_ns).of);
		seq_printf(m, " %10s", cell);
	}
	seq_putc(m, '\n');
}

static void wait_show_head(struct seq_file *m, const struct wait_snapshot *s)
{
	unsigned int i;

	seq_printf(m, "# %-18s", "since the load");
	for (i = 0; i < ARRAY_SIZE(percentiles); i++)
		seq_printf(m, " %10s", percentiles[i].title);
	seq_putc(m, '\n');
	for (i = 0; i < SVLAG_NR_TIMES; i++)
		wait_show_percentiles(m, s, i);
}

static void wait_show_buckets(struct seq_file *m, enum svlag_times what,
			      const struct svlag_waits_of *times)
{
	unsigned int bucket;

	for (bucket = 0; bucket < SVLAG_HIST_BUCKETS; bucket++) {
		const struct wait_row the_row = {
			.what = svlag_times_name(what),
			.upper_ns = svlag_hist_upper_ns(bucket),
			.count_total = times->count[bucket],
			.lost_total = times->lost[bucket],
			.waiting = times->waiting[bucket],
		}, *row = &the_row;

		if (!(row->count_total | row->lost_total | row->waiting))
			continue;
		SVLAG_WAIT_COLUMNS(PUT_VALUE)
		seq_putc(m, '\n');
	}
}

static int wait_show(struct seq_file *m, void *unused)
{
	const struct wait_snapshot *s = m->private;
	unsigned int what;

	put_head(m, "wait");
	wait_show_head(m, s);
	SVLAG_WAIT_COLUMNS(PUT_NAME)
	seq_putc(m, '\n');
	for (what = 0; what < SVLAG_NR_TIMES; what++)
		wait_show_buckets(m, what, &s->of[what]);
	return 0;
}

static int summary_show(struct seq_file *m, void *unused)
{
	put_head(m, "summary");
	svlag_summary_show(m, m->private);
	return 0;
}

static const struct svlag_file files[] = {
	{ "summary", svlag_summary_bytes, svlag_summary_take, summary_show },
	{ "stats", stats_bytes, stats_take, stats_show },
	{ "percpu", percpu_bytes, percpu_take, percpu_show },
	{ "hooks", hooks_bytes, hooks_take, hooks_show },
	{ "wait", wait_bytes, wait_take, wait_show },
	{ "windows", windows_bytes, windows_take, windows_show },
};

static int file_open(struct inode *inode, struct file *file)
{
	const struct svlag_file *f = inode->i_private;
	void *snapshot = kvzalloc(f->bytes(), GFP_KERNEL);
	int err;

	if (!snapshot)
		return -ENOMEM;
	f->take(snapshot);
	err = single_open(file, f->show, snapshot);
	if (err)
		kvfree(snapshot);
	return err;
}

static int file_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;

	kvfree(m->private);
	return single_release(inode, file);
}

static const struct file_operations file_ops = {
	.owner = THIS_MODULE,
	.open = file_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = file_release,
};

static struct dentry *directory;

/* Under lockdown debugfs opens no file that anybody could write: hence 0444. */
void svlag_debugfs_open(void)
{
	unsigned int i;

	directory = debugfs_create_dir(SVLAG_DIR, NULL);
	if (IS_ERR(directory)) {
		pr_warn("debugfs is not there (%ld): it counts, but nothing can be read\n",
			PTR_ERR(directory));
		return;
	}
	for (i = 0; i < ARRAY_SIZE(files); i++)
		debugfs_create_file(files[i].name, 0444, directory, (void *)&files[i], &file_ops);
}

void svlag_debugfs_close(void)
{
	debugfs_remove(directory);
}
