// SPDX-License-Identifier: GPL-2.0
#include "test.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <svcrdma_lag/abi.h>

#include "options.h"

#define S	1000000000ULL

static struct svlag_options o;

/* Reads a command line of words separated by single blanks. */
static enum svlag_action options(const char *line)
{
	static char words[256];
	char *argv[16] = { "svcrdma-lag" };
	int argc = 1;
	char *word;

	strcpy(words, line);
	for (word = strtok(words, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	optind = 0;
	svlag_read_options(&o, argc, argv);
	return o.action;
}

static void defaults(void **state)
{
	(void)state;
	unsetenv("SVCRDMA_LAG_ROOT");
	assert_int_equal(options(""), SVLAG_WATCH);
	assert_string_equal(o.root, SVLAG_DEFAULT_ROOT);
	assert_int_equal(o.interval_ns, 5 * S);
	assert_int_equal(o.count, 0);
	assert_false(o.skip_first);
}

static void roots(void **state)
{
	(void)state;
	setenv("SVCRDMA_LAG_ROOT", "/from/environment", 1);
	options("");
	assert_string_equal(o.root, "/from/environment");
	options("--root /from/option");
	assert_string_equal(o.root, "/from/option");
	setenv("SVCRDMA_LAG_ROOT", "", 1);
	options("");
	assert_string_equal(o.root, SVLAG_DEFAULT_ROOT);
	unsetenv("SVCRDMA_LAG_ROOT");
}

static void intervals(void **state)
{
	static const struct {
		const char *text;
		__u64 ns;
	} good[] = {
		{ "1", S }, { "0.1", S / 10 }, { "2.5", 5 * S / 2 }, { "86400", 86400 * S },
		{ "0.25000000000000000000000000001", S / 4 }, { "5.", 5 * S }, { ".5", S / 2 },
		{ "0000001", S }, { "86400.000", 86400 * S }, { "0.100000001", S / 10 + 1 },
	};
	static const char *const bad[] = {
		"0", "0.09999", "86400.1", "86401", "5s", "1e3", "0x10", "1,5", "nan", "inf", ".",
		"1.2.3", "99999999999999999999999999", "five", "1-",
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(good); i++) {
		assert_int_equal(options(good[i].text), SVLAG_WATCH);
		assert_int_equal(o.interval_ns, good[i].ns);
	}
	for (i = 0; i < ARRAY_LEN(bad); i++)
		assert_int_equal(options(bad[i]), SVLAG_MISUSE);
}

static void counts(void **state)
{
	static const char *const bad[] = {
		"1 0", "1 -1", "1 1.5", "1 x", "1 1000000001", "1 99999999999999999999999", "1 +1",
	};
	size_t i;

	(void)state;
	assert_int_equal(options("1 7"), SVLAG_WATCH);
	assert_int_equal(o.count, 7);
	assert_int_equal(options("1 1000000000"), SVLAG_WATCH);
	assert_int_equal(o.count, 1000000000);
	for (i = 0; i < ARRAY_LEN(bad); i++)
		assert_int_equal(options(bad[i]), SVLAG_MISUSE);
	assert_int_equal(options("1 2 3"), SVLAG_MISUSE);
}

static void layouts(void **state)
{
	(void)state;
	assert_int_equal(options("layout"), SVLAG_LAYOUT);
	assert_null(o.btf_file);
	assert_null(o.btf_base);
	assert_int_equal(options("layout a"), SVLAG_LAYOUT);
	assert_string_equal(o.btf_file, "a");
	assert_null(o.btf_base);
	assert_int_equal(options("layout a b"), SVLAG_LAYOUT);
	assert_string_equal(o.btf_file, "a");
	assert_string_equal(o.btf_base, "b");
	assert_int_equal(options("layout a b c"), SVLAG_MISUSE);
	assert_int_equal(options("--check layout"), SVLAG_MISUSE);
	assert_int_equal(options("5 layout"), SVLAG_MISUSE);
	assert_int_equal(options("layouts"), SVLAG_MISUSE);
}

static void actions(void **state)
{
	(void)state;
	assert_int_equal(options("-h"), SVLAG_HELP);
	assert_int_equal(options("--help"), SVLAG_HELP);
	assert_int_equal(options("-V"), SVLAG_SHOW_VERSION);
	assert_int_equal(options("--version"), SVLAG_SHOW_VERSION);
	assert_int_equal(options("--check"), SVLAG_CHECK);
	assert_int_equal(options("--check 5"), SVLAG_MISUSE);
	assert_int_equal(options("-y 1"), SVLAG_WATCH);
	assert_true(o.skip_first);
	assert_int_equal(options("1 --skip-first"), SVLAG_WATCH);
	assert_true(o.skip_first);
	assert_false(o.histogram);
	assert_int_equal(options("--histogram 1 3"), SVLAG_WATCH);
	assert_true(o.histogram);
	assert_int_equal(o.count, 3);
	assert_int_equal(options("-x"), SVLAG_MISUSE);
	assert_int_equal(options("--nonsense"), SVLAG_MISUSE);
	assert_int_equal(options("--root"), SVLAG_MISUSE);
	assert_int_equal(options("-5"), SVLAG_MISUSE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults),
		cmocka_unit_test(roots),
		cmocka_unit_test(intervals),
		cmocka_unit_test(counts),
		cmocka_unit_test(layouts),
		cmocka_unit_test(actions),
	};

	/* The mistakes are said, and here they are many. */
	if (!getenv("VERBOSE") && !freopen("/dev/null", "w", stderr))
		return 1;
	return RUN(tests);
}
