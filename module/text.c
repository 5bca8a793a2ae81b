// SPDX-License-Identifier: GPL-2.0
#include "text.h"

#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/time64.h>
#include <svcrdma_lag/abi.h>

struct svlag_text svlag_grouped(u64 number)
{
	struct svlag_text text;
	char digits[24];
	int i, nr, used = 0;

	if (number == SVLAG_UNKNOWN)
		return (struct svlag_text){ "-" };
	nr = snprintf(digits, sizeof(digits), "%llu", number);
	for (i = 0; i < nr; i++) {
		if (i && (nr - i) % 3 == 0)
			text.of[used++] = ',';
		text.of[used++] = digits[i];
	}
	text.of[used] = '\0';
	return text;
}

struct svlag_text svlag_span(u64 ns)
{
	static const struct {
		u64 unit_ns;
		const char *name;
	} units[] = {
		{ NSEC_PER_SEC, "s" }, { NSEC_PER_MSEC, "ms" },
		{ NSEC_PER_USEC, "us" }, { 1, "ns" },
	};
	u64 minutes = div64_u64(ns, 60ULL * NSEC_PER_SEC);
	struct svlag_text text;
	unsigned int i = 0;

	if (ns == SVLAG_UNKNOWN)
		return (struct svlag_text){ "-" };
	if (minutes >= 60) {
		snprintf(text.of, sizeof(text.of), "%llu h %llu min", div64_u64(minutes, 60),
			 minutes - div64_u64(minutes, 60) * 60);
		return text;
	}
	if (minutes >= 2) {
		snprintf(text.of, sizeof(text.of), "%llu min %llu s", minutes,
			 div64_u64(ns, NSEC_PER_SEC) - minutes * 60);
		return text;
	}
	while (i < ARRAY_SIZE(units) - 1 && ns < units[i].unit_ns)
		i++;
	if (ns < 10 * units[i].unit_ns && units[i].unit_ns > 1)
		snprintf(text.of, sizeof(text.of), "%llu.%llu %s", div64_u64(ns, units[i].unit_ns),
			 div64_u64(ns * 10, units[i].unit_ns) % 10, units[i].name);
	else
		snprintf(text.of, sizeof(text.of), "%llu %s", div64_u64(ns, units[i].unit_ns),
			 units[i].name);
	return text;
}

struct svlag_text svlag_rate(u64 number, u64 length_ns)
{
	if (number == SVLAG_UNKNOWN)
		return svlag_grouped(number);
	return svlag_grouped(div64_u64(mul_u64_u64_div_u64(number, 2 * NSEC_PER_SEC, length_ns) + 1,
				       2));
}

struct svlag_text svlag_ratio(u64 over, u64 under)
{
	struct svlag_text text;
	u64 percent;

	if (over == SVLAG_UNKNOWN || under == SVLAG_UNKNOWN || !under)
		return (struct svlag_text){ "-" };
	percent = div64_u64(mul_u64_u64_div_u64(over, 200, under) + 1, 2);
	snprintf(text.of, sizeof(text.of), "%llu.%02llu", div64_u64(percent, 100),
		 percent - div64_u64(percent, 100) * 100);
	return text;
}
