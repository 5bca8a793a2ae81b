// SPDX-License-Identifier: GPL-2.0
#include "check.h"

#include <stdio.h>
#include <stdlib.h>

#include "sample.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* The largest files have a row for each of 600 windows, or of thousands of CPUs. */
#define TEXT_SIZE	(4 * 1024 * 1024)
#define ROWS_MAX	8192

static const struct svlag_layout *const layouts[] = {
	&svlag_stats_layout,
	&svlag_hooks_layout,
	&svlag_percpu_layout,
	&svlag_windows_layout,
	&svlag_wait_layout,
};

/* The first row that can be parsed and yet cannot be; 0: there is none. */
static unsigned int find_bad_row(const struct svlag_layout *layout, const void *rows,
				 unsigned int nr)
{
	static struct svlag_waits waits;

	return layout == &svlag_wait_layout ? svlag_waits_take(&waits, rows, nr) : 0;
}

/* One sentence: the worst that there is to say. Whether it is good. */
static bool tell(const char *file, unsigned int rows, unsigned int bad_row,
		 const struct svlag_parsed *how)
{
	if (how->refusal[0])
		printf("%s\n", how->refusal);
	else if (how->cut)
		printf("%s ends in the middle of a line\n", file);
	else if (how->damaged)
		printf("%s is damaged in line %u\n", file, how->damaged_line);
	else if (how->missing)
		printf("%s lacks %u names, among them %s\n", file, how->missing,
		       how->first_missing);
	else if (how->left_out)
		printf("%s has %u rows more than can be\n", file, how->left_out);
	else if (bad_row)
		printf("%s is damaged in row %u\n", file, bad_row);
	else
		printf("%s is good: %u values in %u row%s\n", file, how->values, rows,
		       rows == 1 ? "" : "s");
	return !how->refusal[0] && !how->cut && !how->damaged && !how->missing &&
	       !how->left_out && !bad_row;
}

static enum svlag_reading check_table(const char *root, const struct svlag_layout *layout,
				      char *text, void *rows, bool *good)
{
	char why[SVLAG_SENTENCE_SIZE];
	struct svlag_parsed how;
	unsigned int nr;
	size_t len;
	enum svlag_reading reading;

	reading = svlag_read_file(root, layout->file, text, TEXT_SIZE, &len, why);
	if (reading != SVLAG_READ_OK) {
		fprintf(stderr, "svcrdma-lag: %s\n", why);
		return reading;
	}
	nr = svlag_parse(layout, text, len, rows, ROWS_MAX, &how);
	if (!tell(layout->file, nr, find_bad_row(layout, rows, nr), &how))
		*good = false;
	return SVLAG_READ_OK;
}

/* Prose is not parsed; its first line must still be right. */
static enum svlag_reading check_summary(const char *root, char *text, bool *good)
{
	char why[SVLAG_SENTENCE_SIZE];
	size_t len;
	enum svlag_reading reading;

	reading = svlag_read_file(root, "summary", text, TEXT_SIZE, &len, why);
	if (reading != SVLAG_READ_OK) {
		fprintf(stderr, "svcrdma-lag: %s\n", why);
		return reading;
	}
	if (svlag_check_version("summary", text, len, why)) {
		printf("summary is good\n");
	} else {
		printf("%s\n", why);
		*good = false;
	}
	return SVLAG_READ_OK;
}

enum svlag_exit svlag_check(const char *root)
{
	char *text = malloc(TEXT_SIZE);
	void *rows = calloc(ROWS_MAX, sizeof(struct svlag_window_row) +
			    sizeof(struct svlag_hook_row));
	enum svlag_reading reading = SVLAG_READ_FAILED;
	bool good = true;
	size_t i;

	if (!text || !rows) {
		fputs("svcrdma-lag: no memory\n", stderr);
		goto out;
	}
	for (i = 0; i < ARRAY_SIZE(layouts); i++) {
		reading = check_table(root, layouts[i], text, rows, &good);
		if (reading != SVLAG_READ_OK)
			goto out;
	}
	reading = check_summary(root, text, &good);
	if (fflush(stdout)) {
		perror("svcrdma-lag: cannot write to standard output");
		good = false;
	}
out:
	free(rows);
	free(text);
	if (reading == SVLAG_READ_NOT_LOADED)
		return SVLAG_EXIT_NOT_ARMED;
	return reading == SVLAG_READ_OK && good ? SVLAG_EXIT_OK : SVLAG_EXIT_FAILURE;
}
