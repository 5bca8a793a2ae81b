/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The debugfs files as C sees them: for each file of abi.h a structure that
 * takes its values, and a table of its names. Both come from the lists there.
 */
#ifndef SVLAG_TOOLS_LAYOUT_H
#define SVLAG_TOOLS_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include <svcrdma_lag/abi.h>

#define SVLAG_WORD_SIZE		128
#define SVLAG_TEXT_SIZE		256

/* The most names that a file may have. */
#define SVLAG_FIELDS_MAX	128

/* A value that was not there, or was damaged, reads as SVLAG_UNKNOWN or "-". */
#define SVLAG_MEMBER(kind, name)	SVLAG_MEMBER_##kind(name)
#define SVLAG_MEMBER_num(name)		__u64 name;
#define SVLAG_MEMBER_hex(name)		__u64 name;
#define SVLAG_MEMBER_word(name)		char name[SVLAG_WORD_SIZE];
#define SVLAG_MEMBER_sym(name)		char name[SVLAG_WORD_SIZE];
#define SVLAG_MEMBER_text(name)		char name[SVLAG_TEXT_SIZE];

struct svlag_stats		{ SVLAG_STATS(SVLAG_MEMBER) };
struct svlag_hook_row		{ SVLAG_HOOK_COLUMNS(SVLAG_MEMBER) };
struct svlag_window_row		{ SVLAG_WINDOW_COLUMNS(SVLAG_MEMBER) };
struct svlag_percpu_row		{ SVLAG_PERCPU_COLUMNS(SVLAG_MEMBER) };
struct svlag_wait_row		{ SVLAG_WAIT_COLUMNS(SVLAG_MEMBER) };

enum svlag_kind {
	SVLAG_KIND_num,
	SVLAG_KIND_hex,
	SVLAG_KIND_word,
	SVLAG_KIND_sym,		/* a word that may be long */
	SVLAG_KIND_text,
};

/**
 * struct svlag_field - one name of the contract
 * @name: as it stands in the file
 * @kind: what its value looks like
 * @offset: where the value goes in the structure of its file
 */
struct svlag_field {
	const char *name;
	enum svlag_kind kind;
	size_t offset;
};

/**
 * struct svlag_layout - one file of the contract
 * @file: its name, which is also in its first line
 * @is_table: a line of column names and rows, else "name value" lines
 * @fields: its names, in the order of printing
 * @nr_fields: how many; at most SVLAG_FIELDS_MAX
 * @row_size: the size of the structure that takes a row (stats has one row)
 */
struct svlag_layout {
	const char *file;
	bool is_table;
	const struct svlag_field *fields;
	unsigned int nr_fields;
	size_t row_size;
};

extern const struct svlag_layout svlag_stats_layout;
extern const struct svlag_layout svlag_hooks_layout;
extern const struct svlag_layout svlag_windows_layout;
extern const struct svlag_layout svlag_percpu_layout;
extern const struct svlag_layout svlag_wait_layout;

/* The state or era of that name; UNKNOWN for one that is not known here. */
enum svlag_state svlag_state_of(const char *word);
enum svlag_era svlag_era_of(const char *word);

#endif
