// SPDX-License-Identifier: GPL-2.0
#include "human.h"

#include <stdio.h>
#include <string.h>

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
 * Tenths are shown below ten of a unit. @ceiling is where the next unit begins,
 * less half of the last digit shown, so that 999,600 ns are 1.0 ms and not 1000 us.
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

const char *svlag_human_delay(__u64 ns, char text[SVLAG_HUMAN_SIZE])
{
	const struct unit *u = units;
	__u64 tenths;

	if (ns == SVLAG_UNKNOWN)
		return unknown(text);
	while (ns >= u->ceiling_ns)
		u++;
	tenths = ns / u->ns * 10 + (ns % u->ns * 10 + u->ns / 2) / u->ns;
	if (!ns || u == units || tenths >= 100)
		snprintf(text, SVLAG_HUMAN_SIZE, "%llu%s",
			 (unsigned long long)(ns / u->ns + (ns % u->ns + u->ns / 2) / u->ns),
			 ns ? u->name : "");
	else
		snprintf(text, SVLAG_HUMAN_SIZE, "%llu.%llu%s", (unsigned long long)tenths / 10,
			 (unsigned long long)tenths % 10, u->name);
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
