// SPDX-License-Identifier: GPL-2.0
#include "layout.h"

#include <string.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

#define IN_STATS(k, n)	{ #n, SVLAG_KIND_##k, offsetof(struct svlag_stats, n) },
#define IN_HOOK(k, n)	{ #n, SVLAG_KIND_##k, offsetof(struct svlag_hook_row, n) },
#define IN_WINDOW(k, n)	{ #n, SVLAG_KIND_##k, offsetof(struct svlag_window_row, n) },
#define IN_PERCPU(k, n)	{ #n, SVLAG_KIND_##k, offsetof(struct svlag_percpu_row, n) },
#define IN_WAIT(k, n)	{ #n, SVLAG_KIND_##k, offsetof(struct svlag_wait_row, n) },

static const struct svlag_field stats_fields[] = { SVLAG_STATS(IN_STATS) };
static const struct svlag_field hook_fields[] = { SVLAG_HOOK_COLUMNS(IN_HOOK) };
static const struct svlag_field window_fields[] = { SVLAG_WINDOW_COLUMNS(IN_WINDOW) };
static const struct svlag_field percpu_fields[] = { SVLAG_PERCPU_COLUMNS(IN_PERCPU) };
static const struct svlag_field wait_fields[] = { SVLAG_WAIT_COLUMNS(IN_WAIT) };

/* The parser has room to remember which of so many names it has seen. */
#define ASSERT_ROOM(fields)	\
	_Static_assert(ARRAY_SIZE(fields) <= SVLAG_FIELDS_MAX, "raise SVLAG_FIELDS_MAX")
ASSERT_ROOM(stats_fields);
ASSERT_ROOM(hook_fields);
ASSERT_ROOM(window_fields);
ASSERT_ROOM(percpu_fields);
ASSERT_ROOM(wait_fields);

#define LAYOUT(file, is_table, fields, type)	\
	{ file, is_table, fields, ARRAY_SIZE(fields), sizeof(type) }

const struct svlag_layout svlag_stats_layout =
	LAYOUT("stats", false, stats_fields, struct svlag_stats);
const struct svlag_layout svlag_hooks_layout =
	LAYOUT("hooks", true, hook_fields, struct svlag_hook_row);
const struct svlag_layout svlag_windows_layout =
	LAYOUT("windows", true, window_fields, struct svlag_window_row);
const struct svlag_layout svlag_percpu_layout =
	LAYOUT("percpu", true, percpu_fields, struct svlag_percpu_row);
const struct svlag_layout svlag_wait_layout =
	LAYOUT("wait", true, wait_fields, struct svlag_wait_row);

enum svlag_state svlag_state_of(const char *word)
{
	unsigned int i;

	for (i = 0; i < SVLAG_NR_STATES; i++)
		if (!strcmp(word, svlag_state_name(i)))
			return i;
	return SVLAG_STATE_UNKNOWN;
}

enum svlag_era svlag_era_of(const char *word)
{
	unsigned int i;

	for (i = 0; i < SVLAG_NR_ERAS; i++)
		if (!strcmp(word, svlag_era_name(i)))
			return i;
	return SVLAG_ERA_UNKNOWN;
}
