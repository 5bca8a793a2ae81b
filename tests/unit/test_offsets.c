// SPDX-License-Identifier: GPL-2.0
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "offsets.h"

static struct svlag_offsets offsets;

static void prints(void **state)
{
	static const struct svlag_offsets some = {
		.of = { 112, 0, SVLAG_OFFSET_MAX, SVLAG_NO_OFFSET },
	};
	static const struct svlag_offsets longest = {
		.of = { 16384, 16384, 16384, 16384 },
	};
	char text[SVLAG_OFFSETS_SIZE];

	(void)state;
	svlag_offsets_print(&some, text);
	assert_string_equal(text, "cqe=112,rdma=0,work=16384,infos=-");
	svlag_offsets_print(&longest, text);
	assert_string_equal(text, "cqe=16384,rdma=16384,work=16384,infos=16384");
	svlag_offsets_clear(&offsets);
	svlag_offsets_print(&offsets, text);
	assert_string_equal(text, "cqe=-,rdma=-,work=-,infos=-");
}

static void parses(void **state)
{
	(void)state;
	assert_true(svlag_offsets_parse("cqe=112,rdma=48,work=16,infos=-\n", &offsets));
	assert_int_equal(offsets.of[SVLAG_CQE], 112);
	assert_int_equal(offsets.of[SVLAG_RDMA], 48);
	assert_int_equal(offsets.of[SVLAG_WORK], 16);
	assert_int_equal(offsets.of[SVLAG_INFOS], SVLAG_NO_OFFSET);
	assert_true(svlag_offsets_parse("infos=8,work=-,cqe=0,rdma=16384", &offsets));
	assert_int_equal(offsets.of[SVLAG_INFOS], 8);
	assert_int_equal(offsets.of[SVLAG_RDMA], 16384);
	/* That of a later version. */
	assert_true(svlag_offsets_parse("cqe=1,more=x,rdma=2,work=3,infos=4\n", &offsets));
	assert_int_equal(offsets.of[SVLAG_RDMA], 2);
}

static void refuses(void **state)
{
	static const char *const bad[] = {
		"", "\n", "headers\n", "cqe=112,rdma=48,work=16\n", "cqe=112,rdma=48,work=16,infos\n",
		"cqe=112,rdma=48,work=16,infos=", "cqe=112,rdma=48,work=16,infos=--",
		"cqe=112,rdma=48,work=16,infos=8x", "cqe=112,rdma=48,work=16,infos=16385",
		"cqe=112,rdma=48,work=16,infos=99999999999999999999", "cqe=1,rdma=2,work=3,info=4",
		"cqe=112,rdma=48,work=16,infos=8\nmore", "cqe=112rdma=48,work=16,infos=8",
		"cqe=112,,rdma=48,work=16,infos=8", "cqe,=112,rdma=48,work=16,infos=8",
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(bad); i++)
		if (svlag_offsets_parse(bad[i], &offsets))
			fail_msg("taken: %s", bad[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(prints),
		cmocka_unit_test(parses),
		cmocka_unit_test(refuses),
	};

	return RUN(tests);
}
