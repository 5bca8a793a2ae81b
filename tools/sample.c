// SPDX-License-Identifier: GPL-2.0
#include "sample.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>

/* A file of a sample takes 2 KiB; there is room for what later versions add. */
#define FILE_SIZE	(32 * 1024)

/* But that of wait has a row a bucket, at worst of every histogram. */
#define WAIT_SIZE	(512 * 1024)
#define WAIT_ROWS	4096

__attribute__((format(printf, 2, 3)))
static void say(char why[SVLAG_SENTENCE_SIZE], const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, SVLAG_SENTENCE_SIZE, format, args);
	va_end(args);
}

static bool is_debugfs(const char *root)
{
	struct statfs fs;

	return !statfs(root, &fs) && fs.f_type == DEBUGFS_MAGIC;
}

/* The file is not there: say what it is that is missing. */
static enum svlag_reading explain_absence(const char *root, const char *file,
					  char why[SVLAG_SENTENCE_SIZE])
{
	bool is_system = !strcmp(root, SVLAG_DEFAULT_ROOT);
	char path[PATH_MAX];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%s", root, SVLAG_DIR);
	if (!stat(path, &st)) {
		say(why, "%s has no file %s: svcrdma_lag is being loaded or unloaded", path, file);
		return SVLAG_READ_NOT_LOADED;
	}
	if (is_system && !is_debugfs(root)) {
		say(why, "debugfs is not mounted: mount -t debugfs debugfs %s", root);
		return SVLAG_READ_FAILED;
	}
	if (stat(root, &st)) {
		say(why, "there is no directory %s", root);
		return SVLAG_READ_FAILED;
	}
	say(why, "svcrdma_lag is not loaded: insmod svcrdma_lag.ko, or modprobe svcrdma_lag");
	return SVLAG_READ_NOT_LOADED;
}

static enum svlag_reading explain(const char *root, const char *file, int error,
				  char why[SVLAG_SENTENCE_SIZE])
{
	switch (error) {
	case ENOENT:
	case ENOTDIR:
		return explain_absence(root, file, why);
	case EIO:
		/* What debugfs answers while it removes a file. */
		say(why, "svcrdma_lag was unloaded while its file %s was read", file);
		return SVLAG_READ_NOT_LOADED;
	case EACCES:
	case EPERM:
		say(why, "%s/%s/%s may not be read: run as root", root, SVLAG_DIR, file);
		return SVLAG_READ_FAILED;
	default:
		say(why, "%s/%s/%s cannot be read: %s", root, SVLAG_DIR, file, strerror(error));
		return SVLAG_READ_FAILED;
	}
}

/* 0 or an errno. The file was longer than @size if *len comes back equal to it. */
static int slurp(const char *path, char *text, size_t size, size_t *len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int error = 0;
	ssize_t n = 1;

	*len = 0;
	if (fd < 0)
		return errno;
	while (n && *len < size) {
		n = read(fd, text + *len, size - *len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			error = errno;
			break;
		}
		*len += n;
	}
	close(fd);
	return error;
}

enum svlag_reading svlag_read_file(const char *root, const char *file, char *text, size_t size,
				   size_t *len, char why[SVLAG_SENTENCE_SIZE])
{
	char path[PATH_MAX];
	int error;

	why[0] = '\0';
	if (snprintf(path, sizeof(path), "%s/%s/%s", root, SVLAG_DIR, file) >= (int)sizeof(path))
		return explain(root, file, ENAMETOOLONG, why);
	error = slurp(path, text, size, len);
	if (error)
		return explain(root, file, error, why);
	if (*len < size)
		return SVLAG_READ_OK;
	say(why, "%s is longer than %zu bytes: that is no file of svcrdma_lag", path, size);
	return SVLAG_READ_FAILED;
}

/* What keeps the rows of wait from being believed; empty if nothing does. */
static void find_wait_fault(const struct svlag_parsed *how, char fault[SVLAG_SENTENCE_SIZE])
{
	fault[0] = '\0';
	if (how->refusal[0])
		say(fault, "%s", how->refusal);
	else if (how->cut)
		say(fault, "wait ends in the middle of a line");
	else if (how->damaged)
		say(fault, "wait is damaged in line %u", how->damaged_line);
	else if (how->missing)
		say(fault, "wait does not give %s", how->first_missing);
	else if (how->left_out)
		say(fault, "wait has %u rows more than can be", how->left_out);
}

/* Part of a distribution is none: either all of it is good, or nothing is known. */
static void read_waits(const char *root, struct svlag_sample *sample)
{
	/* Too much for a stack, and there is one reader. */
	static char text[WAIT_SIZE];
	static struct svlag_wait_row rows[WAIT_ROWS];
	char *fault = sample->wait_fault;
	enum svlag_reading reading;
	struct svlag_parsed how;
	unsigned int nr, bad;
	size_t len;

	reading = svlag_read_file(root, "wait", text, sizeof(text), &len, fault);
	if (reading == SVLAG_READ_NOT_LOADED)
		fault[0] = '\0';
	if (reading != SVLAG_READ_OK)
		return;
	nr = svlag_parse(&svlag_wait_layout, text, len, rows, WAIT_ROWS, &how);
	find_wait_fault(&how, fault);
	if (fault[0])
		return;
	bad = svlag_waits_take(&sample->waits, rows, nr);
	if (bad)
		say(fault, "wait is damaged in row %u", bad);
}

enum svlag_reading svlag_read_sample(const char *root, struct svlag_sample *sample,
				     char why[SVLAG_SENTENCE_SIZE])
{
	char text[FILE_SIZE];
	char ignored[SVLAG_SENTENCE_SIZE];
	struct svlag_parsed how;
	enum svlag_reading reading;
	size_t len;

	memset(sample, 0, sizeof(*sample));
	reading = svlag_read_file(root, "stats", text, sizeof(text), &len, why);
	if (reading != SVLAG_READ_OK)
		return reading;
	if (!svlag_parse(&svlag_stats_layout, text, len, &sample->stats, 1, &sample->how)) {
		say(why, "%s", sample->how.refusal);
		return SVLAG_READ_FAILED;
	}
	if (sample->stats.time_ns == SVLAG_UNKNOWN) {
		say(why, "stats is damaged: it does not give its time_ns");
		return SVLAG_READ_FAILED;
	}
	if (svlag_read_file(root, "hooks", text, sizeof(text), &len, ignored) == SVLAG_READ_OK)
		sample->nr_hooks = svlag_parse(&svlag_hooks_layout, text, len, sample->hook,
					       SVLAG_HOOKS_MAX, &how);
	read_waits(root, sample);
	return SVLAG_READ_OK;
}

bool svlag_is_armed(const struct svlag_sample *sample)
{
	return sample->stats.armed_ns != SVLAG_UNKNOWN;
}

static bool differ(__u64 a, __u64 b)
{
	return a != SVLAG_UNKNOWN && b != SVLAG_UNKNOWN && a != b;
}

static __u64 growth(__u64 from, __u64 to)
{
	if (from == SVLAG_UNKNOWN || to == SVLAG_UNKNOWN)
		return SVLAG_UNKNOWN;
	return to > from ? to - from : 0;
}

static bool only_rises(const struct svlag_field *f)
{
	static const char suffix[] = "_total";
	size_t len = strlen(f->name);

	return !strcmp(f->name, "time_ns") ||
	       (len > strlen(suffix) && !strcmp(f->name + len - strlen(suffix), suffix));
}

/* The first number that only rises and yet fell, or NULL. */
static const char *find_fallen(const struct svlag_stats *from, const struct svlag_stats *to)
{
	unsigned int i;

	for (i = 0; i < svlag_stats_layout.nr_fields; i++) {
		const struct svlag_field *f = &svlag_stats_layout.fields[i];
		__u64 before, after;

		if (f->kind != SVLAG_KIND_num || !only_rises(f))
			continue;
		memcpy(&before, (const char *)from + f->offset, sizeof(before));
		memcpy(&after, (const char *)to + f->offset, sizeof(after));
		if (before != SVLAG_UNKNOWN && after != SVLAG_UNKNOWN && after < before)
			return f->name;
	}
	return NULL;
}

/* A sum is not known if a part of it is not. No sum of counters reaches SVLAG_UNKNOWN. */
static __u64 sum(__u64 a, __u64 b)
{
	return a < SVLAG_UNKNOWN - b ? a + b : SVLAG_UNKNOWN;
}

/* Of those brought to the in-flight table, how many are no longer in it. */
static __u64 ended_total(const struct svlag_stats *s)
{
	__u64 ended = sum(s->track_matched_total, s->track_refused_full_total);

	ended = sum(ended, s->track_restarted_key_total);
	ended = sum(ended, s->track_expired_total);
	return sum(ended, s->track_purged_total);
}

static void count_nothing(struct svlag_window *window)
{
	window->get = SVLAG_UNKNOWN;
	window->queued = SVLAG_UNKNOWN;
	window->released = SVLAG_UNKNOWN;
	window->capped = SVLAG_UNKNOWN;
	window->batches = SVLAG_UNKNOWN;
	window->correction = SVLAG_UNKNOWN;
	window->unseen = SVLAG_UNKNOWN;
	window->inserted = SVLAG_UNKNOWN;
	window->ended = SVLAG_UNKNOWN;
}

void svlag_diff(const struct svlag_sample *from, const struct svlag_sample *to,
		struct svlag_window *window)
{
	const struct svlag_stats *a = &from->stats;
	const struct svlag_stats *b = &to->stats;
	__u64 late;

	memset(window, 0, sizeof(*window));
	count_nothing(window);
	window->fell = find_fallen(a, b);
	if (differ(a->load_id, b->load_id))
		window->reset = SVLAG_RESET_LOADED;
	else if (differ(a->arm_generation, b->arm_generation))
		window->reset = SVLAG_RESET_ARMED;
	else if (window->fell)
		window->reset = SVLAG_RESET_FELL;
	if (window->reset != SVLAG_RESET_NONE)
		return;

	window->length_ns = b->time_ns - a->time_ns;
	window->get = growth(a->get_total, b->get_total);
	window->queued = growth(a->wc_send_total, b->wc_send_total);
	window->released = growth(a->released_total, b->released_total);
	window->capped = growth(a->capped_total, b->capped_total);
	window->batches = growth(a->drain_batch_total, b->drain_batch_total);
	window->correction = growth(a->depth_correction, b->depth_correction);
	late = growth(a->depth_correction_late, b->depth_correction_late);
	window->unseen = growth(late, window->correction);
	window->inserted = growth(a->track_inserted_total, b->track_inserted_total);
	window->ended = growth(ended_total(a), ended_total(b));
	svlag_waits_diff(&from->waits, &to->waits, &window->waits);
	window->waits_fell = from->waits.known && to->waits.known && !window->waits.known;
}

void svlag_since_arming(const struct svlag_sample *to, struct svlag_window *window)
{
	const struct svlag_stats *s = &to->stats;

	memset(window, 0, sizeof(*window));
	count_nothing(window);
	if (!svlag_is_armed(to) || s->time_ns < s->armed_ns)
		return;
	window->length_ns = s->time_ns - s->armed_ns;
	if (s->arm_generation != 1)
		return;
	window->get = s->get_total;
	window->queued = s->wc_send_total;
	window->released = s->released_total;
	window->capped = s->capped_total;
	window->batches = s->drain_batch_total;
	window->waits = to->waits;
}

__u64 svlag_per_second(__u64 count, __u64 length_ns)
{
	double rate;

	if (count == SVLAG_UNKNOWN || !length_ns)
		return SVLAG_UNKNOWN;
	rate = (double)count * 1e9 / (double)length_ns + 0.5;
	/* Only a damaged file gets here, and a conversion out of range is undefined. */
	return rate < 1e19 ? (__u64)rate : SVLAG_UNKNOWN;
}
