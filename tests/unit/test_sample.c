// SPDX-License-Identifier: GPL-2.0
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "moment.h"

static struct svlag_window w;

static void a_window_is_the_difference(void **state)
{
	struct svlag_sample from = moment(10), to = moment(15);

	(void)state;
	to.stats.capped_total = 7;
	from.stats.capped_total = 4;
	to.stats.drain_batch_total = 25;
	from.stats.drain_batch_total = 20;
	to.stats.depth_correction = 30;
	to.stats.depth_correction_late = 10;
	from.waits.of[SVLAG_TIMES_WAIT].complete[7] = 4;
	to.waits.of[SVLAG_TIMES_WAIT].complete[7] = 6;
	svlag_diff(&from, &to, &w);
	assert_true(w.waits.known);
	assert_int_equal(w.waits.of[SVLAG_TIMES_WAIT].complete[7], 2);
	assert_false(w.waits_fell);
	from.waits.of[SVLAG_TIMES_WAIT].complete[7] = 7;
	svlag_diff(&from, &to, &w);
	assert_true(w.waits_fell);
	assert_false(w.waits.known);
	assert_int_equal(w.queued, 5000);
	from.waits.known = false;
	svlag_diff(&from, &to, &w);
	assert_false(w.waits_fell);
	assert_int_equal(w.reset, SVLAG_RESET_NONE);
	assert_int_equal(w.length_ns, 5 * SECOND_NS);
	assert_int_equal(w.get, 5000);
	assert_int_equal(w.queued, 5000);
	assert_int_equal(w.released, 5000);
	assert_int_equal(w.capped, 3);
	assert_int_equal(w.batches, 5);
	assert_int_equal(w.correction, 30);
	assert_int_equal(w.unseen, 20);
	assert_null(w.fell);
}

/* Each of those that end a stay in the table counts; those that tell of a part do not. */
static void what_left_the_table(void **state)
{
	struct svlag_sample from = moment(10), to = moment(10);

	(void)state;
	to.stats.track_inserted_total += 7;
	to.stats.track_matched_total += 1;
	to.stats.track_refused_full_total += 10;
	to.stats.track_restarted_key_total += 100;
	to.stats.track_expired_total += 1000;
	to.stats.track_purged_total += 10000;
	to.stats.track_negative_total += 100000;
	to.stats.track_evicted_total += 100000;
	to.stats.track_missed_total += 100000;
	svlag_diff(&from, &to, &w);
	assert_int_equal(w.inserted, 7);
	assert_int_equal(w.ended, 11111);
	to.stats.track_purged_total = SVLAG_UNKNOWN;
	svlag_diff(&from, &to, &w);
	assert_int_equal(w.inserted, 7);
	assert_int_equal(w.ended, SVLAG_UNKNOWN);
	to.stats.track_purged_total = SVLAG_UNKNOWN - 1;
	svlag_diff(&from, &to, &w);
	assert_int_equal(w.ended, SVLAG_UNKNOWN);
}

static void what_one_end_does_not_know_is_unknown(void **state)
{
	struct svlag_sample from = moment(10), to = moment(15);

	(void)state;
	from.stats.get_total = SVLAG_UNKNOWN;
	to.stats.released_total = SVLAG_UNKNOWN;
	svlag_diff(&from, &to, &w);
	assert_int_equal(w.reset, SVLAG_RESET_NONE);
	assert_int_equal(w.get, SVLAG_UNKNOWN);
	assert_int_equal(w.released, SVLAG_UNKNOWN);
	assert_int_equal(w.capped, SVLAG_UNKNOWN);
	assert_int_equal(w.batches, SVLAG_UNKNOWN);
	assert_int_equal(w.queued, 5000);
}

static void assert_nothing_counted(void)
{
	assert_int_equal(w.length_ns, 0);
	assert_int_equal(w.get, SVLAG_UNKNOWN);
	assert_int_equal(w.queued, SVLAG_UNKNOWN);
	assert_int_equal(w.released, SVLAG_UNKNOWN);
	assert_int_equal(w.capped, SVLAG_UNKNOWN);
	assert_int_equal(w.batches, SVLAG_UNKNOWN);
	assert_int_equal(w.unseen, SVLAG_UNKNOWN);
	assert_int_equal(w.inserted, SVLAG_UNKNOWN);
	assert_int_equal(w.ended, SVLAG_UNKNOWN);
	assert_false(w.waits.known);
	assert_false(w.waits_fell);
}

static void another_load_is_a_reset(void **state)
{
	struct svlag_sample from = moment(10), to = moment(15);

	(void)state;
	to.stats.load_id++;
	svlag_diff(&from, &to, &w);
	assert_int_equal(w.reset, SVLAG_RESET_LOADED);
	assert_nothing_counted();
	to.stats.load_id = SVLAG_UNKNOWN;
	svlag_diff(&from, &to, &w);
	assert_int_equal(w.reset, SVLAG_RESET_NONE);
}

static void another_arming_is_a_reset(void **state)
{
	struct svlag_sample from = moment(10), to = moment(15);

	(void)state;
	to.stats.arm_generation++;
	svlag_diff(&from, &to, &w);
	assert_int_equal(w.reset, SVLAG_RESET_ARMED);
	assert_nothing_counted();
}

static void fall(const char *name, size_t offset)
{
	static const __u64 before = 1000000000000, after = 999999999999;
	struct svlag_sample from = moment(10), to = moment(15);

	memcpy((char *)&from.stats + offset, &before, sizeof(before));
	memcpy((char *)&to.stats + offset, &after, sizeof(after));
	svlag_diff(&from, &to, &w);
	assert_int_equal(w.reset, SVLAG_RESET_FELL);
	assert_string_equal(w.fell, name);
	assert_nothing_counted();
}

static void a_counter_that_fell_is_a_reset(void **state)
{
	(void)state;
#define num	1
#define hex	0
#define word	0
#define FALL(kind, name)							\
	if (kind && (strstr(#name, "_total") || !strcmp(#name, "time_ns")))	\
		fall(#name, offsetof(struct svlag_stats, name));
	SVLAG_STATS(FALL)
#undef num
#undef hex
#undef word
}

static void gauges_may_fall(void **state)
{
	struct svlag_sample from = moment(10), to = moment(15);

	(void)state;
	from.stats.depth = from.stats.depth_peak = from.stats.curve_wait_ns = 1000;
	from.stats.realtime_ns = to.stats.realtime_ns + 1;
	svlag_diff(&from, &to, &w);
	assert_int_equal(w.reset, SVLAG_RESET_NONE);
}

static void no_time_is_no_reset(void **state)
{
	struct svlag_sample from = moment(10), to = moment(10);

	(void)state;
	svlag_diff(&from, &to, &w);
	assert_int_equal(w.reset, SVLAG_RESET_NONE);
	assert_int_equal(w.length_ns, 0);
	assert_int_equal(w.queued, 0);
}

static void since_arming(void **state)
{
	struct svlag_sample to = moment(10);

	(void)state;
	svlag_since_arming(&to, &w);
	assert_int_equal(w.length_ns, 10 * SECOND_NS);
	assert_int_equal(w.queued, 10000);
	assert_int_equal(w.get, 10008);
	assert_true(w.waits.known);

	to.stats.arm_generation = 2;
	svlag_since_arming(&to, &w);
	assert_int_equal(w.queued, SVLAG_UNKNOWN);
	assert_false(w.waits.known);

	to = moment(10);
	to.stats.armed_ns = SVLAG_UNKNOWN;
	assert_false(svlag_is_armed(&to));
	svlag_since_arming(&to, &w);
	assert_nothing_counted();

	to.stats.armed_ns = to.stats.time_ns + 1;
	svlag_since_arming(&to, &w);
	assert_nothing_counted();
}

static void rates(void **state)
{
	(void)state;
	assert_int_equal(svlag_per_second(5000, 5 * SECOND_NS), 1000);
	assert_int_equal(svlag_per_second(0, SECOND_NS), 0);
	assert_int_equal(svlag_per_second(1, 2 * SECOND_NS), 1);
	assert_int_equal(svlag_per_second(1, 2 * SECOND_NS + 10), 0);
	assert_int_equal(svlag_per_second(425098, 1000000312), 425098);
	assert_int_equal(svlag_per_second(7, 0), SVLAG_UNKNOWN);
	assert_int_equal(svlag_per_second(SVLAG_UNKNOWN, SECOND_NS), SVLAG_UNKNOWN);
	assert_int_equal(svlag_per_second(SVLAG_UNKNOWN - 1, 1), SVLAG_UNKNOWN);
}

static char root[64];

static void put_file(const char *file, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/" SVLAG_DIR "/%s", root, file);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void put_dir(const char *dir)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", root, dir);
	assert_int_equal(mkdir(path, 0755), 0);
}

static int make_root(void **state)
{
	(void)state;
	strcpy(root, "/tmp/svlag-unit-XXXXXX");
	return !mkdtemp(root);
}

static int remove_root(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", root);
	return system(command);
}

static struct svlag_sample sample;
static char why[SVLAG_SENTENCE_SIZE];

static enum svlag_reading read_sample(void)
{
	memset(why, 'x', sizeof(why));
	return svlag_read_sample(root, &sample, why);
}

static void nothing_there(void **state)
{
	(void)state;
	assert_int_equal(read_sample(), SVLAG_READ_NOT_LOADED);
	assert_string_equal(why, "svcrdma_lag is not loaded: insmod svcrdma_lag.ko, "
				 "or modprobe svcrdma_lag");
	put_dir(SVLAG_DIR);
	assert_int_equal(read_sample(), SVLAG_READ_NOT_LOADED);
	assert_non_null(strstr(why, "has no file stats"));
}

static void no_root(void **state)
{
	(void)state;
	assert_int_equal(svlag_read_sample("/nowhere/at/all", &sample, why), SVLAG_READ_FAILED);
	assert_string_equal(why, "there is no directory /nowhere/at/all");
}

static void a_path_too_long(void **state)
{
	char path[8192];

	(void)state;
	memset(path, '/', sizeof(path));
	path[sizeof(path) - 1] = '\0';
	assert_int_equal(svlag_read_sample(path, &sample, why), SVLAG_READ_FAILED);
	assert_non_null(memchr(why, '\0', sizeof(why)));
}

static void stats_alone_will_do(void **state)
{
	(void)state;
	put_dir(SVLAG_DIR);
	put_file("stats", "# svcrdma_lag stats v1\ntime_ns 5\ndepth 6\n");
	assert_int_equal(read_sample(), SVLAG_READ_OK);
	assert_string_equal(why, "");
	assert_int_equal(sample.stats.time_ns, 5);
	assert_int_equal(sample.stats.depth, 6);
	assert_int_equal(sample.nr_hooks, 0);
	assert_true(sample.how.missing > 0);
}

static void hooks_are_read(void **state)
{
	(void)state;
	put_dir(SVLAG_DIR);
	put_file("stats", "# svcrdma_lag stats v1\ntime_ns 5\n");
	put_file("hooks", "# svcrdma_lag hooks v1\nhook needed\nget no\nwc_send yes\n");
	assert_int_equal(read_sample(), SVLAG_READ_OK);
	assert_int_equal(sample.nr_hooks, 2);
	assert_string_equal(sample.hook[1].hook, "wc_send");

	put_file("hooks", "# svcrdma_lag hooks v2\nhook needed\nget no\n");
	assert_int_equal(read_sample(), SVLAG_READ_OK);
	assert_int_equal(sample.nr_hooks, 0);
}

#define WAIT_HEAD	"# svcrdma_lag wait v1\nwhat upper_ns count_total lost_total waiting\n"

static void waits_are_read(void **state)
{
	const struct svlag_distribution *d = sample.waits.of;

	(void)state;
	put_dir(SVLAG_DIR);
	put_file("stats", "# svcrdma_lag stats v1\ntime_ns 5\n");
	assert_int_equal(read_sample(), SVLAG_READ_OK);
	assert_false(sample.waits.known);
	assert_string_equal(sample.wait_fault, "");

	put_file("wait", WAIT_HEAD);
	assert_int_equal(read_sample(), SVLAG_READ_OK);
	assert_true(sample.waits.known);

	put_file("wait", WAIT_HEAD "wait 991 5 0 0\n# p50 1\nservice - 7 - -\n");
	assert_int_equal(read_sample(), SVLAG_READ_OK);
	assert_true(sample.waits.known);
	assert_int_equal(d[SVLAG_TIMES_WAIT].complete[0], 5);
	assert_int_equal(d[SVLAG_TIMES_SERVICE].complete[SVLAG_HIST_BUCKETS - 1], 7);
	assert_string_equal(sample.wait_fault, "");
}

static void waits_of_which_not_all_is_good(void **state)
{
	static const struct {
		const char *text, *fault;
	} bad[] = {
		{ "", "wait is empty" },
		{ "# svcrdma_lag wait v2\n", "wait is of version 2, " },
		{ WAIT_HEAD "wait 991 5 0 0\nwait 1023 1", "wait ends in the middle of a line" },
		{ WAIT_HEAD "wait 991 5 0 0\nwait x 1 0 0\n", "wait is damaged in line 4" },
		{ WAIT_HEAD "wait 991 5 0 0\nwait 1024 1 0 0\n", "wait is damaged in row 2" },
		{ "# svcrdma_lag wait v1\nwhat upper_ns count_total waiting\nwait 991 5 0\n",
		  "wait does not give lost_total" },
	};
	size_t i;

	(void)state;
	put_dir(SVLAG_DIR);
	put_file("stats", "# svcrdma_lag stats v1\ntime_ns 5\n");
	for (i = 0; i < ARRAY_LEN(bad); i++) {
		put_file("wait", bad[i].text);
		assert_int_equal(read_sample(), SVLAG_READ_OK);
		assert_false(sample.waits.known);
		assert_int_equal(sample.waits.of[SVLAG_TIMES_WAIT].complete[0], 0);
		assert_ptr_equal(strstr(sample.wait_fault, bad[i].fault), sample.wait_fault);
	}
}

static void waits_of_too_many_rows(void **state)
{
	static char text[200000];
	size_t used = strlen(strcpy(text, WAIT_HEAD));
	int i;

	(void)state;
	put_dir(SVLAG_DIR);
	put_file("stats", "# svcrdma_lag stats v1\ntime_ns 5\n");
	for (i = 0; i < 4097; i++)
		used += sprintf(text + used, "not_known_here %d 1 1 1\n", i);
	put_file("wait", text);
	assert_int_equal(read_sample(), SVLAG_READ_OK);
	assert_false(sample.waits.known);
	assert_string_equal(sample.wait_fault, "wait has 1 rows more than can be");
	/* A row fewer fits, and of histograms that are not known here nothing is taken. */
	text[used - strlen("not_known_here 4096 1 1 1\n")] = '\0';
	put_file("wait", text);
	assert_int_equal(read_sample(), SVLAG_READ_OK);
	assert_true(sample.waits.known);
}

static void a_wait_that_is_no_file(void **state)
{
	(void)state;
	put_dir(SVLAG_DIR);
	put_file("stats", "# svcrdma_lag stats v1\ntime_ns 5\n");
	put_dir(SVLAG_DIR "/wait");
	assert_int_equal(read_sample(), SVLAG_READ_OK);
	assert_false(sample.waits.known);
	assert_non_null(strstr(sample.wait_fault, "Is a directory"));
}

static void stats_without_its_time(void **state)
{
	(void)state;
	put_dir(SVLAG_DIR);
	put_file("stats", "# svcrdma_lag stats v1\ndepth 6\n");
	assert_int_equal(read_sample(), SVLAG_READ_FAILED);
	assert_non_null(strstr(why, "time_ns"));
	put_file("stats", "# svcrdma_lag stats v3\ntime_ns 5\n");
	assert_int_equal(read_sample(), SVLAG_READ_FAILED);
	assert_non_null(strstr(why, "version 3"));
}

static void a_directory_for_a_file(void **state)
{
	(void)state;
	put_dir(SVLAG_DIR);
	put_dir(SVLAG_DIR "/stats");
	assert_int_equal(read_sample(), SVLAG_READ_FAILED);
	assert_non_null(strstr(why, "Is a directory"));
}

static void a_file_just_too_long(void **state)
{
	char text[8];
	size_t len;

	(void)state;
	put_dir(SVLAG_DIR);
	put_file("stats", "1234567");
	assert_int_equal(svlag_read_file(root, "stats", text, 8, &len, why), SVLAG_READ_OK);
	assert_int_equal(len, 7);
	assert_memory_equal(text, "1234567", 7);
	assert_int_equal(svlag_read_file(root, "stats", text, 7, &len, why), SVLAG_READ_FAILED);
	assert_non_null(strstr(why, "is longer than 7 bytes"));
}

#define IN_ROOT(test)	cmocka_unit_test_setup_teardown(test, make_root, remove_root)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_window_is_the_difference),
		cmocka_unit_test(what_left_the_table),
		cmocka_unit_test(what_one_end_does_not_know_is_unknown),
		cmocka_unit_test(another_load_is_a_reset),
		cmocka_unit_test(another_arming_is_a_reset),
		cmocka_unit_test(a_counter_that_fell_is_a_reset),
		cmocka_unit_test(gauges_may_fall),
		cmocka_unit_test(no_time_is_no_reset),
		cmocka_unit_test(since_arming),
		cmocka_unit_test(rates),
		IN_ROOT(nothing_there),
		cmocka_unit_test(no_root),
		cmocka_unit_test(a_path_too_long),
		IN_ROOT(stats_alone_will_do),
		IN_ROOT(hooks_are_read),
		IN_ROOT(waits_are_read),
		IN_ROOT(waits_of_which_not_all_is_good),
		IN_ROOT(waits_of_too_many_rows),
		IN_ROOT(a_wait_that_is_no_file),
		IN_ROOT(stats_without_its_time),
		IN_ROOT(a_directory_for_a_file),
		IN_ROOT(a_file_just_too_long),
	};

	return RUN(tests);
}
