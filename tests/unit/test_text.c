// SPDX-License-Identifier: GPL-2.0
/* The module's own numbers for people, in the file summary. */
#include "test.h"

#include <svcrdma_lag/abi.h>

#include "text.h"

#define S	1000000000ULL
#define MIN	(60 * S)

static void grouped(void **state)
{
	(void)state;
	assert_string_equal(svlag_grouped(0).of, "0");
	assert_string_equal(svlag_grouped(999).of, "999");
	assert_string_equal(svlag_grouped(1000).of, "1,000");
	assert_string_equal(svlag_grouped(4320000).of, "4,320,000");
	assert_string_equal(svlag_grouped(SVLAG_UNKNOWN - 1).of, "18,446,744,073,709,551,614");
	assert_string_equal(svlag_grouped(SVLAG_UNKNOWN).of, "-");
}

static void spans(void **state)
{
	(void)state;
	assert_string_equal(svlag_span(0).of, "0 ns");
	assert_string_equal(svlag_span(999).of, "999 ns");
	assert_string_equal(svlag_span(1000).of, "1.0 us");
	assert_string_equal(svlag_span(310000).of, "310 us");
	assert_string_equal(svlag_span(1234567).of, "1.2 ms");
	assert_string_equal(svlag_span(999999999).of, "999 ms");
	assert_string_equal(svlag_span(9 * S + S / 2).of, "9.5 s");
	assert_string_equal(svlag_span(2 * MIN - 1).of, "119 s");
	assert_string_equal(svlag_span(2 * MIN).of, "2 min 0 s");
	assert_string_equal(svlag_span(60 * MIN - 1).of, "59 min 59 s");
	assert_string_equal(svlag_span(134 * MIN).of, "2 h 14 min");
	assert_string_equal(svlag_span(SVLAG_UNKNOWN).of, "-");
	svlag_span(SVLAG_UNKNOWN - 1);
}

static void rates(void **state)
{
	(void)state;
	assert_string_equal(svlag_rate(5000, 5 * S).of, "1,000");
	assert_string_equal(svlag_rate(0, S).of, "0");
	assert_string_equal(svlag_rate(SVLAG_UNKNOWN, S).of, "-");
	assert_string_equal(svlag_rate(4320000, S).of, "4,320,000");
}

static void ratios(void **state)
{
	(void)state;
	assert_string_equal(svlag_ratio(5, 4).of, "1.25");
	assert_string_equal(svlag_ratio(0, 5).of, "0.00");
	assert_string_equal(svlag_ratio(5, 0).of, "-");
	assert_string_equal(svlag_ratio(SVLAG_UNKNOWN, 5).of, "-");
	assert_string_equal(svlag_ratio(5, SVLAG_UNKNOWN).of, "-");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(grouped),
		cmocka_unit_test(spans),
		cmocka_unit_test(rates),
		cmocka_unit_test(ratios),
	};

	return RUN(tests);
}
