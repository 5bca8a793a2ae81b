// SPDX-License-Identifier: GPL-2.0
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"

#define HEAD	"# svcrdma_lag stats v1\n"
#define TABLE	"# svcrdma_lag hooks v1\n"
#define COLUMNS	"hook needed verdict mechanism hits missed age_ns symbol lost\n"

static struct svlag_parsed how;
static struct svlag_stats stats;
static struct svlag_hook_row hook[4];

/* From memory of just that size, so that a read beyond its end is seen. */
static unsigned int parse_bytes(const struct svlag_layout *layout, const char *text, size_t len,
				void *rows, unsigned int max_rows)
{
	char *copy = malloc(len ? len : 1);
	unsigned int nr;

	assert_non_null(copy);
	memcpy(copy, text, len);
	nr = svlag_parse(layout, copy, len, rows, max_rows, &how);
	free(copy);
	return nr;
}

static unsigned int parse_stats(const char *text)
{
	return parse_bytes(&svlag_stats_layout, text, strlen(text), &stats, 1);
}

static unsigned int parse_hooks(const char *text)
{
	return parse_bytes(&svlag_hooks_layout, text, strlen(text), hook, ARRAY_LEN(hook));
}

#define LINE_num(nr)	"%d\n", nr
#define LINE_hex(nr)	"%016x\n", nr
#define LINE_word(nr)	"word-%d\n", nr

static void every_name_is_read(void **state)
{
	char text[8192] = HEAD;
	size_t used = strlen(text);
	int nr = 0;

	(void)state;
#define PRINT(kind, name)						\
	used += sprintf(text + used, #name " ");			\
	used += sprintf(text + used, LINE_##kind(++nr));
	SVLAG_STATS(PRINT)
	assert_int_equal(parse_stats(text), 1);
	assert_int_equal(how.values, nr);
	assert_int_equal(how.missing, 0);
	assert_int_equal(how.damaged, 0);
	assert_false(how.cut);

	nr = 0;
#define EXPECT_num(name, nr)	assert_int_equal(stats.name, nr)
#define EXPECT_hex(name, nr)	assert_int_equal(stats.name, nr)
#define EXPECT_word(name, nr)	do {					\
	char word[32];							\
	sprintf(word, "word-%d", nr);					\
	assert_string_equal(stats.name, word);				\
} while (0)
#define EXPECT(kind, name)	nr++; EXPECT_##kind(name, nr);
	SVLAG_STATS(EXPECT)
}

static void what_is_not_there_is_unknown(void **state)
{
	(void)state;
	assert_int_equal(parse_stats(HEAD "depth 7\nget_total -\nera -\n"), 1);
	assert_int_equal(stats.depth, 7);
	assert_int_equal(stats.get_total, SVLAG_UNKNOWN);
	assert_int_equal(stats.wc_send_total, SVLAG_UNKNOWN);
	assert_string_equal(stats.era, "-");
	assert_string_equal(stats.state, "-");
	assert_int_equal(how.values, 3);
	assert_int_equal(how.damaged, 0);
	assert_int_equal(how.missing, svlag_stats_layout.nr_fields - 3);
	assert_string_equal(how.first_missing, "time_ns");
}

static void unknown_names_are_skipped(void **state)
{
	(void)state;
	assert_int_equal(parse_stats(HEAD "depth_in_2030 what 1 2 3\n\n# depth 9\n  \ndepth 5\n"), 1);
	assert_int_equal(stats.depth, 5);
	assert_int_equal(how.values, 1);
	assert_int_equal(how.damaged, 0);
}

static void other_versions_are_refused(void **state)
{
	static const char *const others[] = { "v2", "v0", "v10", "v01",
		"v99999999999999999999999999999999999999999999999" };
	char text[128];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(others); i++) {
		snprintf(text, sizeof(text), "# svcrdma_lag stats %s\ndepth 1\n", others[i]);
		assert_int_equal(parse_stats(text), 0);
		assert_non_null(strstr(how.refusal, "stats is of version "));
		assert_non_null(strstr(how.refusal, "understands 1"));
		assert_null(strchr(how.refusal, '\n'));
	}
	assert_int_equal(parse_stats("# svcrdma_lag stats v2\n"), 0);
	assert_non_null(strstr(how.refusal, "of version 2,"));
}

static void what_is_not_ours_is_refused(void **state)
{
	static const char *const others[] = {
		"\n" HEAD, "# svcrdma_lag hooks v1\n", "# svcrdma_lag stats v\n",
		"# svcrdma_lag stats v1x\n", "# svcrdma_lag stats 1\n", "# svcrdma_lag stats\n",
		"# svcrdma_lag stats v1 v2\n", "#svcrdma_lag stats v1\n", "depth 1\n",
		"# svcrdma_lag stats v-1\n", "# svcrdma_lag stats v1", "#", " ", "\n",
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(others); i++) {
		assert_int_equal(parse_stats(others[i]), 0);
		assert_non_null(strstr(how.refusal, "does not begin with"));
	}
	assert_int_equal(parse_stats(""), 0);
	assert_string_equal(how.refusal, "stats is empty");
	assert_int_equal(parse_stats(HEAD), 1);
	assert_string_equal(how.refusal, "");
}

static void good_numbers(void **state)
{
	(void)state;
	parse_stats(HEAD "depth 0\ndepth_low 18446744073709551614\ndepth_high 000000000000000000000042\n");
	assert_int_equal(stats.depth, 0);
	assert_int_equal(stats.depth_low, UINT64_MAX - 1);
	assert_int_equal(stats.depth_high, 42);
	assert_int_equal(how.damaged, 0);
	parse_stats(HEAD "load_id 00ffAb\n");
	assert_int_equal(how.damaged, 1);
	parse_stats(HEAD "load_id fedcba9876543210\n");
	assert_int_equal(stats.load_id, 0xfedcba9876543210);
}

static void bad_numbers(void **state)
{
	static const char *const bad[] = {
		"18446744073709551616", "99999999999999999999999999", "-1", "+1", "1.0", "0x10",
		"1e3", "1 2", "1 ", "", "\t", "one", "1,000", "--", "1\r", "\x1b[2J",
	};
	char text[128];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(bad); i++) {
		snprintf(text, sizeof(text), HEAD "depth_low 1\ndepth %s\ndepth_high 3\n", bad[i]);
		assert_int_equal(parse_stats(text), 1);
		assert_int_equal(stats.depth, SVLAG_UNKNOWN);
		assert_int_equal(stats.depth_high, 3);
		assert_int_equal(how.damaged, 1);
		assert_int_equal(how.damaged_line, 3);
	}
	parse_stats(HEAD "load_id 10000000000000000\n");
	assert_int_equal(stats.load_id, SVLAG_UNKNOWN);
	assert_int_equal(how.damaged, 1);
}

static void a_thousand_digits(void **state)
{
	char text[2048] = HEAD "depth ";
	size_t used = strlen(text);

	(void)state;
	memset(text + used, '7', 1000);
	strcpy(text + used + 1000, "\ndepth_low 1\n");
	parse_stats(text);
	assert_int_equal(stats.depth, SVLAG_UNKNOWN);
	assert_int_equal(stats.depth_low, 1);
	assert_int_equal(how.damaged, 1);
}

static void words_are_bounded_and_plain(void **state)
{
	char word[300], text[400];

	(void)state;
	memset(word, 'w', sizeof(word));
	word[SVLAG_WORD_SIZE - 1] = '\0';
	snprintf(text, sizeof(text), HEAD "state %s\n", word);
	parse_stats(text);
	assert_string_equal(stats.state, word);

	word[SVLAG_WORD_SIZE - 1] = 'w';
	word[SVLAG_WORD_SIZE] = '\0';
	snprintf(text, sizeof(text), HEAD "state %s\nera \x1b[31mred\ntarget r\303\274ck\n", word);
	parse_stats(text);
	assert_string_equal(stats.state, "-");
	assert_string_equal(stats.era, "-");
	assert_string_equal(stats.target, "-");
	assert_int_equal(how.damaged, 3);
	assert_int_equal(how.damaged_line, 2);
}

static void half_a_line_is_not_believed(void **state)
{
	(void)state;
	assert_int_equal(parse_stats(HEAD "depth 7\ndepth_low 12"), 1);
	assert_int_equal(stats.depth, 7);
	assert_int_equal(stats.depth_low, SVLAG_UNKNOWN);
	assert_true(how.cut);
}

static void of_two_values_the_first_stands(void **state)
{
	(void)state;
	parse_stats(HEAD "depth 7\ndepth 8\n");
	assert_int_equal(stats.depth, 7);
	assert_int_equal(how.damaged, 1);
	assert_int_equal(how.damaged_line, 3);
}

static void nuls_are_bytes_like_others(void **state)
{
	static const char text[] = HEAD "depth 7\0\ndepth_low\0 8\nstate be\0hind\ndepth_high 9\n";

	(void)state;
	assert_int_equal(parse_bytes(&svlag_stats_layout, text, sizeof(text) - 1, &stats, 1), 1);
	assert_int_equal(stats.depth, SVLAG_UNKNOWN);
	assert_int_equal(stats.depth_low, SVLAG_UNKNOWN);
	assert_string_equal(stats.state, "-");
	assert_int_equal(stats.depth_high, 9);
}

static void rows_are_read(void **state)
{
	(void)state;
	assert_int_equal(parse_hooks(TABLE COLUMNS
		"released yes ok ftrace 5 - 70 svc_rdma_x all of it, and more \n"
		"# for people\n\n"
		"  get\tno failed:-22 - - - - sym  \tdemand"  "\n"), 2);
	assert_string_equal(hook[0].hook, "released");
	assert_string_equal(hook[0].needed, "yes");
	assert_int_equal(hook[0].hits, 5);
	assert_int_equal(hook[0].missed, SVLAG_UNKNOWN);
	assert_int_equal(hook[0].age_ns, 70);
	assert_string_equal(hook[0].symbol, "svc_rdma_x");
	assert_string_equal(hook[0].lost, "all of it, and more");
	assert_string_equal(hook[1].verdict, "failed:-22");
	assert_string_equal(hook[1].lost, "demand");
	assert_int_equal(how.damaged, 0);
	assert_int_equal(how.missing, 0);
	assert_int_equal(how.values, 18);
}

static void columns_may_stand_anywhere(void **state)
{
	(void)state;
	assert_int_equal(parse_hooks(TABLE "hits weight hook lost\n5 light get lost it\n"), 1);
	assert_int_equal(hook[0].hits, 5);
	assert_string_equal(hook[0].hook, "get");
	assert_string_equal(hook[0].lost, "lost it");
	assert_string_equal(hook[0].symbol, "-");
	assert_int_equal(how.missing, svlag_hooks_layout.nr_fields - 3);
	assert_string_equal(how.first_missing, "needed");
	assert_int_equal(how.damaged, 0);
}

static void a_column_named_twice_counts_once(void **state)
{
	(void)state;
	assert_int_equal(parse_hooks(TABLE "hook hits hits\nget 5 6\n"), 1);
	assert_int_equal(hook[0].hits, 5);
}

static void short_rows_are_damaged(void **state)
{
	(void)state;
	assert_int_equal(parse_hooks(TABLE COLUMNS "get no ok\nreleased yes\n"), 2);
	assert_string_equal(hook[0].verdict, "ok");
	assert_int_equal(hook[0].hits, SVLAG_UNKNOWN);
	assert_string_equal(hook[1].verdict, "-");
	assert_int_equal(how.damaged, 2);
	assert_int_equal(how.damaged_line, 3);
}

static void rows_without_room_are_counted(void **state)
{
	(void)state;
	assert_int_equal(parse_hooks(TABLE "hook\na\nb\nc\nd\ne\nf\n"), ARRAY_LEN(hook));
	assert_string_equal(hook[3].hook, "d");
	assert_int_equal(how.left_out, 2);
}

static void a_table_without_names_is_empty(void **state)
{
	(void)state;
	assert_int_equal(parse_hooks(TABLE), 0);
	assert_string_equal(how.refusal, "");
	assert_int_equal(how.missing, svlag_hooks_layout.nr_fields);
	assert_int_equal(parse_hooks(TABLE "nothing that is known\nget no ok x\n"), 1);
	assert_string_equal(hook[0].hook, "-");
}

/* So many columns that are not known here, then hook. */
static void parse_last_of(unsigned int columns)
{
	char text[8192] = TABLE;
	size_t used = strlen(text);
	unsigned int i;

	for (i = 1; i < columns; i++)
		used += sprintf(text + used, "c%u ", i);
	used += sprintf(text + used, "hook\n");
	for (i = 1; i <= columns; i++)
		used += sprintf(text + used, "%u ", i);
	strcpy(text + used, "\n");
	assert_int_equal(parse_hooks(text), 1);
}

static void columns_without_room_are_left_out(void **state)
{
	(void)state;
	parse_last_of(2 * SVLAG_FIELDS_MAX);
	assert_string_equal(hook[0].hook, "256");
	parse_last_of(2 * SVLAG_FIELDS_MAX + 1);
	assert_string_equal(hook[0].hook, "-");
	assert_int_equal(how.damaged, 0);
}

/* More names than there are bits in a word: each is remembered by itself. */
static void every_name_is_remembered(void **state)
{
	char text[128];
	unsigned int i, twin;

	(void)state;
	assert_true(svlag_stats_layout.nr_fields > 64);
	for (i = 0; i < svlag_stats_layout.nr_fields; i++)
		for (twin = 0; twin < svlag_stats_layout.nr_fields; twin++) {
			snprintf(text, sizeof(text), HEAD "%s -\n%s -\n",
				 svlag_stats_layout.fields[i].name,
				 svlag_stats_layout.fields[twin].name);
			parse_stats(text);
			assert_int_equal(how.damaged, i == twin);
			assert_int_equal(how.missing, svlag_stats_layout.nr_fields - 2 + (i == twin));
		}
}

static void sentences_are_bounded_and_plain(void **state)
{
	char text[1024] = TABLE "hook lost\nget \x1b[2Jgone";
	size_t used = strlen(text);

	(void)state;
	memset(text + used, 'x', 600);
	strcpy(text + used + 600, "\n");
	assert_int_equal(parse_hooks(text), 1);
	assert_int_equal(strlen(hook[0].lost), SVLAG_TEXT_SIZE - 1);
	assert_memory_equal(hook[0].lost, "?[2Jgone", 8);
}

static void names_of_words(void **state)
{
	(void)state;
	assert_int_equal(svlag_state_of("behind"), SVLAG_STATE_BEHIND);
	assert_int_equal(svlag_state_of("stalled"), SVLAG_STATE_STALLED);
	assert_int_equal(svlag_state_of("-"), SVLAG_STATE_UNKNOWN);
	assert_int_equal(svlag_state_of("hurried"), SVLAG_STATE_UNKNOWN);
	assert_int_equal(svlag_era_of("release_list"), SVLAG_ERA_RELEASE_LIST);
	assert_int_equal(svlag_era_of("ice_age"), SVLAG_ERA_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_name_is_read),
		cmocka_unit_test(what_is_not_there_is_unknown),
		cmocka_unit_test(unknown_names_are_skipped),
		cmocka_unit_test(other_versions_are_refused),
		cmocka_unit_test(what_is_not_ours_is_refused),
		cmocka_unit_test(good_numbers),
		cmocka_unit_test(bad_numbers),
		cmocka_unit_test(a_thousand_digits),
		cmocka_unit_test(words_are_bounded_and_plain),
		cmocka_unit_test(half_a_line_is_not_believed),
		cmocka_unit_test(of_two_values_the_first_stands),
		cmocka_unit_test(nuls_are_bytes_like_others),
		cmocka_unit_test(rows_are_read),
		cmocka_unit_test(columns_may_stand_anywhere),
		cmocka_unit_test(a_column_named_twice_counts_once),
		cmocka_unit_test(short_rows_are_damaged),
		cmocka_unit_test(rows_without_room_are_counted),
		cmocka_unit_test(a_table_without_names_is_empty),
		cmocka_unit_test(columns_without_room_are_left_out),
		cmocka_unit_test(every_name_is_remembered),
		cmocka_unit_test(sentences_are_bounded_and_plain),
		cmocka_unit_test(names_of_words),
	};

	return RUN(tests);
}
