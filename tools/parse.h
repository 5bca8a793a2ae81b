/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From the text of a debugfs file to numbers. abi.h has the grammar.
 *
 * Nothing here opens a file, allocates, or trusts a byte: a text may be cut
 * short, hold NULs or numbers of a thousand digits, or be no text at all.
 */
#ifndef SVLAG_TOOLS_PARSE_H
#define SVLAG_TOOLS_PARSE_H

#include "layout.h"

#define SVLAG_SENTENCE_SIZE	256

/**
 * struct svlag_parsed - how the parsing of a text went
 * @values: values taken
 * @missing: names of the contract that were not there
 * @first_missing: one of them, or NULL
 * @damaged: values that were not what their name asks for
 * @damaged_line: the line of the first of them, from 1
 * @left_out: rows for which there was no room
 * @cut: the text did not end with a newline: its last line is not believed
 * @refusal: why the text was refused; empty if it was not
 */
struct svlag_parsed {
	unsigned int values;
	unsigned int missing;
	const char *first_missing;
	unsigned int damaged;
	unsigned int damaged_line;
	unsigned int left_out;
	bool cut;
	char refusal[SVLAG_SENTENCE_SIZE];
};

/**
 * svlag_parse - parse the text of one file
 * @layout: what the file should hold
 * @text: the text; it need not end with a NUL
 * @len: its length in bytes
 * @rows: an array of the layout's structures
 * @max_rows: the length of @rows, at least 1
 * @how: how it went
 *
 * Only a text without the file's version line, or with another major version,
 * is refused. Short of that what can be read is read, and @how has the rest.
 *
 * Return: the number of rows filled; stats always fills one unless refused.
 */
unsigned int svlag_parse(const struct svlag_layout *layout, const char *text, size_t len,
			 void *rows, unsigned int max_rows, struct svlag_parsed *how);

/**
 * svlag_check_version - the first line of a file
 * @file: the name that it must have
 * @text: the text
 * @len: its length in bytes
 * @refusal: set to a sentence, without a newline, if the file is refused
 *
 * Return: the length of the first line with its newline, 0 if refused.
 */
size_t svlag_check_version(const char *file, const char *text, size_t len,
			   char refusal[SVLAG_SENTENCE_SIZE]);

#endif
