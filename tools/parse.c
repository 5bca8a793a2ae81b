// SPDX-License-Identifier: GPL-2.0
#include "parse.h"

#include <stdio.h>
#include <string.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* A stretch of the text. Never ends with a NUL. */
struct piece {
	const char *at;
	size_t len;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool piece_is(struct piece p, const char *string)
{
	return p.len == strlen(string) && !memcmp(p.at, string, p.len);
}

/* A last line without its newline may be half a number: it is not a line. */
static bool take_line(struct piece *text, struct piece *line)
{
	const char *end = memchr(text->at, '\n', text->len);

	if (!end)
		return false;
	line->at = text->at;
	line->len = end - text->at;
	text->at += line->len + 1;
	text->len -= line->len + 1;
	return true;
}

static struct piece skip_blanks(struct piece p)
{
	while (p.len && is_blank(*p.at)) {
		p.at++;
		p.len--;
	}
	return p;
}

static bool take_word(struct piece *line, struct piece *word)
{
	*line = skip_blanks(*line);
	word->at = line->at;
	word->len = 0;
	while (line->len && !is_blank(*line->at)) {
		line->at++;
		line->len--;
		word->len++;
	}
	return word->len > 0;
}

static int digit_of(char c, unsigned int base)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (base == 16 && c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

static bool to_number(struct piece p, unsigned int base, __u64 *number)
{
	__u64 n = 0;
	size_t i;

	for (i = 0; i < p.len; i++) {
		int digit = digit_of(p.at[i], base);

		if (digit < 0 || n > (SVLAG_UNKNOWN - digit) / base)
			return false;
		n = n * base + digit;
	}
	*number = n;
	return p.len > 0;
}

/* What comes from a file may go to a terminal: nothing but plain ASCII passes. */
static bool is_printable(char c)
{
	return c >= ' ' && c <= '~';
}

static bool to_word(struct piece p, char word[SVLAG_WORD_SIZE])
{
	size_t i;

	if (!p.len || p.len >= SVLAG_WORD_SIZE)
		return false;
	for (i = 0; i < p.len; i++)
		if (!is_printable(p.at[i]) || is_blank(p.at[i]))
			return false;
	memcpy(word, p.at, p.len);
	word[p.len] = '\0';
	return true;
}

static void to_text(struct piece p, char text[SVLAG_TEXT_SIZE])
{
	size_t i;

	while (p.len && is_blank(p.at[p.len - 1]))
		p.len--;
	for (i = 0; i < p.len && i < SVLAG_TEXT_SIZE - 1; i++)
		text[i] = is_printable(p.at[i]) ? p.at[i] : '?';
	text[i] = '\0';
}

static void set_unknown(const struct svlag_field *f, char *row)
{
	const __u64 unknown = SVLAG_UNKNOWN;

	if (f->kind == SVLAG_KIND_num || f->kind == SVLAG_KIND_hex)
		memcpy(row + f->offset, &unknown, sizeof(unknown));
	else
		memcpy(row + f->offset, "-", 2);
}

static bool set_value(const struct svlag_field *f, char *row, struct piece value)
{
	__u64 number;

	if (piece_is(value, "-")) {
		set_unknown(f, row);
		return true;
	}
	switch (f->kind) {
	case SVLAG_KIND_num:
	case SVLAG_KIND_hex:
		if (!to_number(value, f->kind == SVLAG_KIND_hex ? 16 : 10, &number))
			return false;
		memcpy(row + f->offset, &number, sizeof(number));
		return true;
	case SVLAG_KIND_word:
	case SVLAG_KIND_sym:
		return to_word(value, row + f->offset);
	case SVLAG_KIND_text:
		to_text(value, row + f->offset);
		return true;
	}
	return false;
}

static const struct svlag_field *find_field(const struct svlag_layout *layout, struct piece name)
{
	unsigned int i;

	for (i = 0; i < layout->nr_fields; i++)
		if (piece_is(name, layout->fields[i].name))
			return &layout->fields[i];
	return NULL;
}

static void note_damage(struct svlag_parsed *how, unsigned int line_nr)
{
	if (!how->damaged++)
		how->damaged_line = line_nr;
}

static void note_value(struct svlag_parsed *how, bool good, unsigned int line_nr)
{
	if (good)
		how->values++;
	else
		note_damage(how, line_nr);
}

/* Which names of a layout were seen. */
struct seen {
	bool field[SVLAG_FIELDS_MAX];
};

/* Is this the first time? */
static bool is_first(struct seen *seen, const struct svlag_layout *layout,
		     const struct svlag_field *f)
{
	bool *before = &seen->field[f - layout->fields];
	bool first = !*before;

	*before = true;
	return first;
}

static void note_missing(const struct svlag_layout *layout, const struct seen *seen,
			 struct svlag_parsed *how)
{
	unsigned int i;

	for (i = 0; i < layout->nr_fields; i++)
		if (!seen->field[i] && !how->missing++)
			how->first_missing = layout->fields[i].name;
}

static void blank_row(const struct svlag_layout *layout, char *row)
{
	unsigned int i;

	memset(row, 0, layout->row_size);
	for (i = 0; i < layout->nr_fields; i++)
		set_unknown(&layout->fields[i], row);
}

static void parse_names(const struct svlag_layout *layout, struct piece *text, char *row,
			struct svlag_parsed *how)
{
	struct seen seen = { { false } };
	unsigned int line_nr = 1;
	struct piece line, name;

	blank_row(layout, row);
	while (take_line(text, &line)) {
		const struct svlag_field *f;

		line_nr++;
		if (!line.len || *line.at == '#' || !take_word(&line, &name))
			continue;
		f = find_field(layout, name);
		if (!f)
			continue;
		/* Of two lines with one name the first stands, as neither is better. */
		if (is_first(&seen, layout, f))
			note_value(how, set_value(f, row, skip_blanks(line)), line_nr);
		else
			note_damage(how, line_nr);
	}
	note_missing(layout, &seen, how);
}

/* Those that are not known here take room, too. */
#define MAX_COLUMNS	(2 * SVLAG_FIELDS_MAX)

/* The columns of a table as the file has them; NULL for one not known here. */
struct columns {
	const struct svlag_field *field[MAX_COLUMNS];
	unsigned int nr;
};

static void parse_columns(const struct svlag_layout *layout, struct piece line,
			  struct columns *columns, struct svlag_parsed *how)
{
	struct seen seen = { { false } };
	struct piece name;

	columns->nr = 0;
	while (columns->nr < MAX_COLUMNS && take_word(&line, &name)) {
		const struct svlag_field *f = find_field(layout, name);

		columns->field[columns->nr++] = f && is_first(&seen, layout, f) ? f : NULL;
	}
	note_missing(layout, &seen, how);
}

static void parse_row(const struct columns *columns, struct piece line, char *row,
		      unsigned int line_nr, struct svlag_parsed *how)
{
	struct piece value;
	unsigned int i;

	for (i = 0; i < columns->nr; i++) {
		const struct svlag_field *f = columns->field[i];

		if (f && f->kind == SVLAG_KIND_text) {
			note_value(how, set_value(f, row, skip_blanks(line)), line_nr);
			return;
		}
		if (!take_word(&line, &value)) {
			note_damage(how, line_nr);
			return;
		}
		if (f)
			note_value(how, set_value(f, row, value), line_nr);
	}
}

static unsigned int parse_table(const struct svlag_layout *layout, struct piece *text, char *rows,
				unsigned int max_rows, struct svlag_parsed *how)
{
	static const struct seen nothing;
	struct columns columns = { .nr = 0 };
	unsigned int line_nr = 1;
	unsigned int nr = 0;
	struct piece line;

	while (take_line(text, &line)) {
		line_nr++;
		line = skip_blanks(line);
		if (!line.len || *line.at == '#')
			continue;
		if (!columns.nr) {
			parse_columns(layout, line, &columns, how);
			continue;
		}
		if (nr == max_rows) {
			how->left_out++;
			continue;
		}
		blank_row(layout, rows + nr * layout->row_size);
		parse_row(&columns, line, rows + nr * layout->row_size, line_nr, how);
		nr++;
	}
	if (!columns.nr)
		note_missing(layout, &nothing, how);
	return nr;
}

size_t svlag_check_version(const char *file, const char *text, size_t len,
			   char refusal[SVLAG_SENTENCE_SIZE])
{
	struct piece all = { text, len };
	struct piece line, word[4];
	size_t i;

	refusal[0] = '\0';
	if (!len) {
		snprintf(refusal, SVLAG_SENTENCE_SIZE, "%s is empty", file);
		return 0;
	}
	if (!take_line(&all, &line))
		goto not_ours;
	for (i = 0; i < ARRAY_SIZE(word); i++)
		if (!take_word(&line, &word[i]))
			goto not_ours;
	if (skip_blanks(line).len || !piece_is(word[0], "#") || !piece_is(word[1], SVLAG_DIR) ||
	    !piece_is(word[2], file) || word[3].at[0] != 'v' || word[3].len < 2)
		goto not_ours;
	for (i = 1; i < word[3].len; i++)
		if (digit_of(word[3].at[i], 10) < 0)
			goto not_ours;
	if (word[3].len == 2 && word[3].at[1] == '0' + SVLAG_ABI_MAJOR)
		return len - all.len;
	snprintf(refusal, SVLAG_SENTENCE_SIZE,
		 "%s is of version %.*s, and this svcrdma-lag understands %d: "
		 "take the svcrdma-lag that came with the loaded module",
		 file, word[3].len > 20 ? 20 : (int)word[3].len - 1, word[3].at + 1,
		 SVLAG_ABI_MAJOR);
	return 0;

not_ours:
	snprintf(refusal, SVLAG_SENTENCE_SIZE, "%s does not begin with \"# %s %s v%d\"", file,
		 SVLAG_DIR, file, SVLAG_ABI_MAJOR);
	return 0;
}

_Static_assert(SVLAG_ABI_MAJOR < 10, "svlag_check_version() compares one digit");

unsigned int svlag_parse(const struct svlag_layout *layout, const char *text, size_t len,
			 void *rows, unsigned int max_rows, struct svlag_parsed *how)
{
	struct piece rest;
	unsigned int nr = 1;
	size_t first;

	memset(how, 0, sizeof(*how));
	first = svlag_check_version(layout->file, text, len, how->refusal);
	if (!first)
		return 0;
	rest.at = text + first;
	rest.len = len - first;
	if (layout->is_table)
		nr = parse_table(layout, &rest, rows, max_rows, how);
	else
		parse_names(layout, &rest, rows, how);
	how->cut = rest.len > 0;
	return nr;
}
