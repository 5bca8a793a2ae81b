// SPDX-License-Identifier: GPL-2.0
#include "test.h"

#include <stdlib.h>
#include <time.h>

#include "human.h"

#define US	1000ULL
#define MS	1000000ULL
#define S	1000000000ULL
#define MIN	(60 * S)
#define H	(60 * MIN)
#define DAY	(24 * H)

static char text[SVLAG_HUMAN_SIZE];

static void counts(void **state)
{
	(void)state;
	assert_string_equal(svlag_human_count(0, text), "0");
	assert_string_equal(svlag_human_count(999, text), "999");
	assert_string_equal(svlag_human_count(1000, text), "1,000");
	assert_string_equal(svlag_human_count(82086, text), "82,086");
	assert_string_equal(svlag_human_count(999999, text), "999,999");
	assert_string_equal(svlag_human_count(4320000, text), "4,320,000");
	assert_string_equal(svlag_human_count(SVLAG_UNKNOWN - 1, text),
			    "18,446,744,073,709,551,614");
	assert_string_equal(svlag_human_count(SVLAG_UNKNOWN, text), "-");
}

static void delays(void **state)
{
	static const struct {
		__u64 ns;
		const char *text;
	} cases[] = {
		{ 0, "0" }, { 1, "1ns" }, { 999, "999ns" },
		{ 1000, "1.0us" }, { 1049, "1.0us" }, { 1050, "1.1us" },
		{ 9949, "9.9us" }, { 9950, "10us" }, { 310 * US, "310us" },
		{ 999 * US + 499, "999us" }, { 999 * US + 500, "1.0ms" },
		{ 45 * MS, "45ms" }, { 999 * MS + 499999, "999ms" }, { 999 * MS + 500000, "1.0s" },
		{ 1200 * MS, "1.2s" }, { 9949 * MS, "9.9s" }, { 9950 * MS, "10s" },
		{ 599 * S, "599s" }, { 599 * S + 500 * MS, "10min" }, { 14 * MIN, "14min" },
		{ 179 * MIN, "179min" }, { 180 * MIN, "3.0h" }, { 48 * H, "48h" },
		{ SVLAG_UNKNOWN - 1, "5124096h" }, { SVLAG_UNKNOWN, "-" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++)
		assert_string_equal(svlag_human_delay(cases[i].ns, text), cases[i].text);
}

static void fine_delays(void **state)
{
	static const struct {
		__u64 ns;
		const char *text;
	} cases[] = {
		{ 0, "0" }, { 1, "1ns" }, { 991, "991ns" }, { 1000, "1.00us" }, { 1023, "1.02us" },
		{ 1024, "1.02us" }, { 9994, "9.99us" }, { 9995, "10.0us" }, { 16383, "16.4us" },
		{ 99949, "99.9us" }, { 99950, "100us" }, { 999 * US + 499, "999us" },
		{ 999 * US + 500, "1.00ms" }, { 45100 * US, "45.1ms" }, { 1200 * MS, "1.20s" },
		{ 599 * S, "599s" }, { 618475290624, "10.3min" }, { 179 * MIN, "179min" },
		{ 180 * MIN, "3.00h" }, { SVLAG_UNKNOWN - 1, "5124096h" }, { SVLAG_UNKNOWN, "-" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++)
		assert_string_equal(svlag_human_fine(cases[i].ns, text), cases[i].text);
}

static void clocks(void **state)
{
	(void)state;
	setenv("TZ", "UTC", 1);
	tzset();
	assert_string_equal(svlag_human_clock(0, text), "00:00:00");
	assert_string_equal(svlag_human_clock(1796062406120004417, text), "18:13:26");
	assert_string_equal(svlag_human_clock(SVLAG_UNKNOWN, text), "-");
	setenv("TZ", "EST5", 1);
	tzset();
	assert_string_equal(svlag_human_clock(1796062406120004417, text), "13:13:26");
}

static void ages(void **state)
{
	(void)state;
	assert_string_equal(svlag_human_age(0, text), "0 s");
	assert_string_equal(svlag_human_age(41 * S + 999 * MS, text), "41 s");
	assert_string_equal(svlag_human_age(60 * S, text), "1 min 0 s");
	assert_string_equal(svlag_human_age(H - 1, text), "59 min 59 s");
	assert_string_equal(svlag_human_age(2 * H + 14 * MIN + 59 * S, text), "2 h 14 min");
	assert_string_equal(svlag_human_age(DAY - 1, text), "23 h 59 min");
	assert_string_equal(svlag_human_age(3 * DAY, text), "3 d 0 h");
	assert_string_equal(svlag_human_age(SVLAG_UNKNOWN, text), "-");
}

static void ratios(void **state)
{
	(void)state;
	assert_string_equal(svlag_human_ratio(425098, 343012, text), "1.24");
	assert_string_equal(svlag_human_ratio(112, 352004, text), "0.00");
	assert_string_equal(svlag_human_ratio(2, 3, text), "0.67");
	assert_string_equal(svlag_human_ratio(0, 5, text), "0.00");
	assert_string_equal(svlag_human_ratio(5, 0, text), "-");
	assert_string_equal(svlag_human_ratio(SVLAG_UNKNOWN, 5, text), "-");
	assert_string_equal(svlag_human_ratio(5, SVLAG_UNKNOWN, text), "-");
	svlag_human_ratio(SVLAG_UNKNOWN - 1, 1, text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts),
		cmocka_unit_test(delays),
		cmocka_unit_test(fine_delays),
		cmocka_unit_test(clocks),
		cmocka_unit_test(ages),
		cmocka_unit_test(ratios),
	};

	return RUN(tests);
}
