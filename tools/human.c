// SPDX-License-Identifier: GPL-2.0
#include "human.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define NSEC_PER_SEC	1000000000ULL

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

static const char *unknown(char text[SVLAG_HUMAN_SIZE])
{
	return strcpy(text, "-");
}

const char *svlag_human_count(__u64 count, char text[SVLAG_HUMAN_SIZE])
{
	char digits[SVLAG_HUMAN_SIZE];
	int nr, i;
	char *out = text;

	if (count == SVLAG_UNKNOWN)
		return unknown(text);
	nr = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)count);
	for (i = 0; i < nr; i++) {
		if (i && (nr - i) % 3 == 0)
			*out++ = ',';
		*out++ = digits[i];
	}
	*out = '\0';
	return text;
}

/*
 * @ceiling is where the next unit begins, less half of what the last digit of a whole
 * number stands for, so that 999,600 ns are 1.0 ms and not 1000 us.
 */
static const struct unit {
	const char *name;
	__u64 ns;
	__u64 ceiling_ns;
} units[] = {
	{ "ns",	1,			1000 },
	{ "us",	1000,			999500 },
	{ "ms",	1000000,		999500000 },
	{ "s",	NSEC_PER_SEC,		599500000000ULL },
	{ "min", 60 * NSEC_PER_SEC,	180 * 60 * NSEC_PER_SEC },
	{ "h",	3600 * NSEC_PER_SEC,	SVLAG_UNKNOWN },
};

/* How many parts, @parts of which make a @unit, are nearest to it. */
static __u64 round_to(__u64 ns, const struct unit *unit, unsigned int parts)
{
	return ns / unit->ns * parts + (ns % unit->ns * parts + unit->ns / 2) / unit->ns;
}

/* To @digits digits, 2 or 3: as many decimals as they leave. */
static const char *delay(__u64 ns, unsigned int digits, char text[SVLAG_HUMAN_SIZE])
{
	static const unsigned int power[] = { 1, 10, 100, 1000 };
	unsigned int decimals = digits - 1;
	const struct unit *u = units;
	__u64 parts;

	if (ns == SVLAG_UNKNOWN)
		return unknown(text);
	while (ns >= u->ceiling_ns)
		u++;
	if (u == units) {
		snprintf(text, SVLAG_HUMAN_SIZE, "%llu%s", (unsigned long long)ns,
			 ns ? u->name : "");
		return text;
	}
	while (decimals && round_to(ns, u, power[decimals]) >= power[digits])
		decimals--;
	parts = round_to(ns, u, power[decimals]);
	if (decimals)
		snprintf(text, SVLAG_HUMAN_SIZE, "%llu.%0*llu%s",
			 (unsigned long long)parts / power[decimals], decimals,
			 (unsigned long long)parts % power[decimals], u->name);
	else
		snprintf(text, SVLAG_HUMAN_SIZE, "%llu%s", (unsigned long long)parts, u->name);
	return text;
}

const char *svlag_human_delay(__u64 ns, char text[SVLAG_HUMAN_SIZE])
{
	return delay(ns, 2, text);
}

const char *svlag_human_fine(__u64 ns, char text[SVLAG_HUMAN_SIZE])
{
	return delay(ns, 3, text);
}

const char *svlag_human_clock(__u64 realtime_ns, char text[SVLAG_HUMAN_SIZE])
{
	time_t seconds = realtime_ns / NSEC_PER_SEC;
	struct tm tm;

	if (realtime_ns == SVLAG_UNKNOWN || !localtime_r(&seconds, &tm) ||
	    !strftime(text, SVLAG_HUMAN_SIZE, "%H:%M:%S", &tm))
		return unknown(text);
	return text;
}

const char *svlag_human_age(__u64 ns, char text[SVLAG_HUMAN_SIZE])
{
	static const struct {
		const char *name;
		unsigned int seconds;
	} parts[] = { { "d", 86400 }, { "h", 3600 }, { "min", 60 }, { "s", 1 } };
	__u64 seconds = ns / NSEC_PER_SEC;
	unsigned int i = 0;

	if (ns == SVLAG_UNKNOWN)
		return unknown(text);
	while (i < ARRAY_SIZE(parts) - 1 && seconds < parts[i].seconds)
		i++;
	if (i == ARRAY_SIZE(parts) - 1)
		snprintf(text, SVLAG_HUMAN_SIZE, "%llu s", (unsigned long long)seconds);
	else
		snprintf(text, SVLAG_HUMAN_SIZE, "%llu %s %llu %s",
			 (unsigned long long)(seconds / parts[i].seconds), parts[i].name,
			 (unsigned long long)(seconds % parts[i].seconds / parts[i + 1].seconds),
			 parts[i + 1].name);
	return text;
}

const char *svlag_human_ratio(__u64 dividend, __u64 divisor, char text[SVLAG_HUMAN_SIZE])
{
	if (dividend == SVLAG_UNKNOWN || divisor == SVLAG_UNKNOWN || !divisor)
		return unknown(text);
	snprintf(text, SVLAG_HUMAN_SIZE, "%.2f", (double)dividend / (double)divisor);
	return text;
}
