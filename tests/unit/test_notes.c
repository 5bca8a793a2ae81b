// SPDX-License-Identifier: GPL-2.0
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "moment.h"
#include "notes.h"

static struct svlag_notes notes;
static struct svlag_sample sample;
static struct svlag_judgement judgement;
static struct svlag_window window;
static char said[4096];

static int afresh(void **state)
{
	(void)state;
	memset(&notes, 0, sizeof(notes));
	memset(&judgement, 0, sizeof(judgement));
	memset(&window, 0, sizeof(window));
	sample = moment(10);
	return 0;
}

/* What is said of the sample now. */
static const char *note(void)
{
	struct svlag_report report = { &sample, &window, &judgement, false };
	FILE *out = fmemopen(said, sizeof(said), "w");

	assert_non_null(out);
	memset(said, 0, sizeof(said));
	svlag_note(&notes, &report, out);
	fclose(out);
	return said;
}

#define assert_said(part)	assert_non_null(strstr(note(), part))
#define assert_silent()		assert_string_equal(note(), "")

static void all_is_well(void **state)
{
	(void)state;
	assert_silent();
}

static void hooks_are_told_of_once_a_verdict(void **state)
{
	(void)state;
	strcpy(sample.hook[1].verdict, "silent");
	assert_string_equal(note(), "svcrdma-lag: hook wc_send (svc_rdma_wc_send) is silent; "
			    "lost without it: something\n");
	assert_silent();
	strcpy(sample.hook[1].verdict, "failed:-16");
	assert_said("is failed:-16;");
	strcpy(sample.hook[1].verdict, "ok");
	assert_silent();
	strcpy(sample.hook[1].verdict, "silent");
	assert_said("is silent;");
}

static void what_is_not_needed_may_be_absent(void **state)
{
	(void)state;
	strcpy(sample.hook[2].verdict, "absent");
	assert_silent();
	strcpy(sample.hook[2].verdict, "failed:-22");
	assert_said("hook get (svc_rdma_send_ctxt_get) is failed:-22");
	strcpy(sample.hook[0].verdict, "absent");
	assert_said("hook released (svc_rdma_send_ctxt_put_async) is absent");
}

static void nothing_armed(void **state)
{
	(void)state;
	sample.stats.armed_ns = SVLAG_UNKNOWN;
	strcpy(sample.hook[0].verdict, "absent");
	assert_string_equal(note(), "svcrdma-lag: nothing is armed: rpcrdma is not loaded, or has "
			    "none of the functions known to svcrdma_lag\n");
	assert_silent();
	sample = moment(11);
	assert_silent();
	sample.stats.armed_ns = SVLAG_UNKNOWN;
	assert_said("nothing is armed");
}

static void not_settled(void **state)
{
	(void)state;
	strcpy(sample.stats.depth_settled, "no");
	assert_said("not known until the queue has been seen empty: depth and wait");
	assert_silent();
	afresh(state);
	strcpy(sample.stats.depth_settled, "no");
	strcpy(sample.stats.era, "release_list");
	assert_said("what was queued before the hooks were armed is not known: depth and wait");
}

static void numbers_come_again_when_doubled(void **state)
{
	(void)state;
	sample.stats.depth_correction_late = 5;
	assert_said("5 contexts were released whose completion was never seen");
	assert_silent();
	sample.stats.depth_correction_late = 9;
	assert_silent();
	sample.stats.depth_correction_late = 10;
	assert_said("10 contexts");
	sample.stats.depth_correction_late = 0;
	assert_silent();
	sample.stats.depth_correction_late = 1;
	assert_said("1 contexts");
	sample.stats.depth_correction_late = SVLAG_UNKNOWN;
	assert_silent();
}

static void missed_and_late(void **state)
{
	(void)state;
	sample.stats.missed_total = 1234;
	assert_said("the kernel kept 1,234 hits from the hooks");
	sample.stats.samples_late_total = 3;
	assert_said("3 samples of the module came too late");
	assert_silent();
}

static void damage(void **state)
{
	(void)state;
	sample.how.cut = true;
	sample.how.damaged = 2;
	sample.how.damaged_line = 7;
	sample.how.missing = 2;
	sample.how.first_missing = "depth";
	note();
	assert_non_null(strstr(said, "ends in the middle of a line"));
	assert_non_null(strstr(said, "stats is damaged in line 7 and others\n"));
	assert_non_null(strstr(said, "does not give depth and others"));
	assert_silent();
}

static void what_does_not_add_up(void **state)
{
	(void)state;
	judgement.too_many_released = 12;
	assert_said("12 more were released than were queued");
	judgement.too_many_released = 0;
	judgement.too_few_got = 1000;
	assert_said("1,000 more completed than were got");
	judgement.too_many_released = 12;
	assert_said("12 more were released");
	assert_silent();
	judgement.astray = 3;
	assert_said("what is in the in-flight table differs by 3 from what its counts allow\n");
	judgement.too_many_ended = 4567;
	assert_said("4,567 more left the in-flight table than were brought to it in the window");
	assert_silent();
	judgement.astray = 6;
	assert_said("differs by 6 ");
}

static void thinning_is_told_of_once_a_level(void **state)
{
	(void)state;
	sample.stats.track_level_max = 4;
	sample.stats.track_streams_thinned = 118;
	assert_string_equal(note(), "svcrdma-lag: 118 streams have more items than the in-flight "
			    "table has room for: a part of them, down to one in 16, is tracked "
			    "and stands for the rest\n");
	sample.stats.track_streams_thinned = 119;
	assert_silent();
	sample.stats.track_level_max = 0;
	assert_silent();
	sample.stats.track_level_max = 4;
	assert_silent();
	sample.stats.track_level_max = 5;
	assert_said("down to one in 32,");
	sample.stats.track_level_max = 64;
	assert_silent();
	sample.stats.track_level_max = SVLAG_UNKNOWN;
	assert_silent();
}

static void what_looks_like_a_leak(void **state)
{
	(void)state;
	sample.stats.track_refused_full_total = 1000;
	assert_said("1,000 items found no place in the in-flight table: ");
	sample.stats.track_refused_full_total = 1999;
	assert_silent();
	sample.stats.track_expired_total = 7;
	assert_string_equal(note(), "svcrdma-lag: 7 items were not released within the leak age, "
			    "now 10 s: they leak, or their release was missed\n");
	assert_silent();
	sample.stats.track_expired_total = 14;
	assert_said("14 items were not released");
	sample.stats.track_expired_total = sample.stats.track_refused_full_total = SVLAG_UNKNOWN;
	assert_silent();
}

static void each_disagreement_is_told_of_once(void **state)
{
	(void)state;
	sample.stats.mean_depth = 1200;
	sample.stats.mean_depth_by_waits = 900;
	sample.stats.mean_wait_ns = 1200000000;
	sample.stats.mean_curve_wait_ns = 310000;
	assert_silent();
	strcpy(sample.stats.agree, "-");
	assert_silent();
	strcpy(sample.stats.agree, "no:depth");
	assert_string_equal(note(), "svcrdma-lag: estimates do not agree: by the samples 1,200 "
			    "waited on average, by the waits that were measured 900\n");
	assert_silent();
	strcpy(sample.stats.agree, "no:curve");
	assert_string_equal(note(), "svcrdma-lag: estimates do not agree: those released had "
			    "waited 1.2s on average as measured, 310us by the curve\n");
	strcpy(sample.stats.agree, "no:order");
	assert_said("some items waited much longer than wait says: the queue is not first in, ");
	strcpy(sample.stats.agree, "no:depth");
	assert_silent();
	strcpy(sample.stats.agree, "no:moon");
	assert_said("estimates do not agree: no:moon\n");
	strcpy(sample.stats.agree, "no");
	assert_silent();
}

static void waits_that_are_not_believed(void **state)
{
	(void)state;
	strcpy(sample.wait_fault, "wait is damaged in row 3");
	assert_string_equal(note(), "svcrdma-lag: wait is damaged in row 3: no percentiles\n");
	assert_silent();
	sample.wait_fault[0] = '\0';
	assert_silent();
	window.waits_fell = true;
	assert_string_equal(note(), "svcrdma-lag: a count in wait fell: no percentiles\n");
	assert_silent();
}

#define AFRESH(test)	cmocka_unit_test_setup(test, afresh)

int main(void)
{
	const struct CMUnitTest tests[] = {
		AFRESH(all_is_well),
		AFRESH(hooks_are_told_of_once_a_verdict),
		AFRESH(what_is_not_needed_may_be_absent),
		AFRESH(nothing_armed),
		AFRESH(not_settled),
		AFRESH(numbers_come_again_when_doubled),
		AFRESH(missed_and_late),
		AFRESH(damage),
		AFRESH(what_does_not_add_up),
		AFRESH(thinning_is_told_of_once_a_level),
		AFRESH(what_looks_like_a_leak),
		AFRESH(each_disagreement_is_told_of_once),
		AFRESH(waits_that_are_not_believed),
	};

	return RUN(tests);
}
