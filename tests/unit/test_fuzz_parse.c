// SPDX-License-Identifier: GPL-2.0
/*
 * The parser against damaged files: every file of a fixture, changed at random
 * a hundred thousand times. The sanitizers are the judge; the seed is printed
 * with a failure, and FUZZ_SEED repeats it.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "parse.h"

#define ROUNDS		30000
#define TEXT_MAX	32768
#define ROWS_MAX	4

static uint64_t seed;

static uint32_t draw(uint32_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (seed >> 16) % below;
}

static size_t read_fixture(const char *file, char *text)
{
	char path[256];
	size_t len;
	FILE *f;

	snprintf(path, sizeof(path), "../fixtures/busy/svcrdma_lag/%s", file);
	f = fopen(path, "r");
	assert_non_null(f);
	len = fread(text, 1, TEXT_MAX / 2, f);
	fclose(f);
	assert_true(len > 0);
	return len;
}

static const char *const pieces[] = {
	"\n", " ", "\t", "-", "#", "18446744073709551616", "99999999999999999999999999999",
	"time_ns ", "hook ", "lost ", "# svcrdma_lag stats v1\n", "v2", "\r\n", "depth -\n",
};

/* Changes one thing, and gives the new length. */
static size_t mutate(char *text, size_t len)
{
	size_t at = draw(len + 1);
	size_t nr;
	const char *piece;

	switch (draw(7)) {
	case 0:	/* cut */
		return at;
	case 1:	/* another byte */
		if (at < len)
			text[at] = draw(256);
		return len;
	case 2:	/* another digit */
		if (at < len)
			text[at] = '0' + draw(10);
		return len;
	case 3:	/* a piece left out */
		nr = draw(len - at + 1);
		memmove(text + at, text + at + nr, len - at - nr);
		return len - nr;
	case 4:	/* a piece twice */
		nr = draw(len - at + 1);
		if (len + nr > TEXT_MAX)
			return len;
		memmove(text + at + nr, text + at, len - at);
		return len + nr;
	case 5:	/* a piece that means something */
		piece = pieces[draw(ARRAY_LEN(pieces))];
		nr = strlen(piece);
		if (len + nr > TEXT_MAX)
			return len;
		memmove(text + at + nr, text + at, len - at);
		memcpy(text + at, piece, nr);
		return len + nr;
	default: /* a byte of zero */
		if (at < len)
			text[at] = '\0';
		return len;
	}
}

/* What is said of the parsing must hold, whatever the text was. */
static void check(const struct svlag_layout *layout, unsigned int nr, const char *rows,
		  const struct svlag_parsed *how)
{
	unsigned int i, row;

	assert_true(nr <= ROWS_MAX);
	assert_non_null(memchr(how->refusal, '\0', sizeof(how->refusal)));
	if (how->refusal[0])
		assert_int_equal(nr, 0);
	if (!layout->is_table && !how->refusal[0])
		assert_int_equal(nr, 1);
	assert_int_equal(!how->missing, !how->first_missing);
	assert_int_equal(!how->damaged, !how->damaged_line);
	for (row = 0; row < nr; row++)
		for (i = 0; i < layout->nr_fields; i++) {
			const struct svlag_field *f = &layout->fields[i];
			const char *word = rows + row * layout->row_size + f->offset;

			if (f->kind == SVLAG_KIND_word || f->kind == SVLAG_KIND_sym)
				assert_non_null(memchr(word, '\0', SVLAG_WORD_SIZE));
			if (f->kind == SVLAG_KIND_text)
				assert_non_null(memchr(word, '\0', SVLAG_TEXT_SIZE));
		}
}

static void fuzz(const struct svlag_layout *layout)
{
	char *rows = malloc(layout->row_size * ROWS_MAX);
	char original[TEXT_MAX], text[TEXT_MAX];
	size_t original_len = read_fixture(layout->file, original);
	struct svlag_parsed how;
	unsigned int round, nr;
	unsigned int accepted = 0;

	assert_non_null(rows);
	for (round = 0; round < ROUNDS; round++) {
		unsigned int changes = 1 + draw(8);
		size_t len = original_len;
		char *exact;

		memcpy(text, original, len);
		while (changes--)
			len = mutate(text, len);
		exact = malloc(len ? len : 1);
		assert_non_null(exact);
		memcpy(exact, text, len);
		nr = svlag_parse(layout, exact, len, rows, ROWS_MAX, &how);
		free(exact);
		check(layout, nr, rows, &how);
		accepted += !how.refusal[0];
	}
	free(rows);
	/* Else the texts were so broken that the parser proper was never reached. */
	assert_true(accepted > ROUNDS / 4);
}

static void stats_survives(void **state)
{
	(void)state;
	fuzz(&svlag_stats_layout);
}

static void hooks_survives(void **state)
{
	(void)state;
	fuzz(&svlag_hooks_layout);
}

static void windows_survives(void **state)
{
	(void)state;
	fuzz(&svlag_windows_layout);
}

static void percpu_survives(void **state)
{
	(void)state;
	fuzz(&svlag_percpu_layout);
}

static void wait_survives(void **state)
{
	(void)state;
	fuzz(&svlag_wait_layout);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stats_survives),
		cmocka_unit_test(hooks_survives),
		cmocka_unit_test(windows_survives),
		cmocka_unit_test(percpu_survives),
		cmocka_unit_test(wait_survives),
	};
	const char *given = getenv("FUZZ_SEED");

	seed = given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL) * 0x9e3779b97f4a7c15ULL;
	seed |= 1;
	fprintf(stderr, "FUZZ_SEED=%#llx\n", (unsigned long long)seed);
	return RUN(tests);
}
