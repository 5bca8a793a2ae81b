// SPDX-License-Identifier: GPL-2.0
/*
 * BTF made here and read back; then changed at random, as test_fuzz_parse.c does
 * with text. FUZZ_SEED repeats.
 */
#include "test.h"

#include <bpf/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "btf.h"
#include "made_btf.h"

#define ROUNDS	8000

static char dir[] = "/tmp/svlag_btf_XXXXXX";
static char file[64], base[64];
static struct made made;
static struct svlag_offsets offsets;
static char why[SVLAG_SENTENCE_SIZE];
static uint64_t seed;

static int begin(void **state)
{
	(void)state;
	made_begin(&made);
	return 0;
}

static int end(void **state)
{
	(void)state;
	made_end(&made);
	unlink(file);
	unlink(base);
	return 0;
}

/* Reads what has been made. */
static bool offsets_of_made(void)
{
	made_save(made.base, base);
	made_save(made.module, file);
	return svlag_btf_offsets(file, base, true, &offsets, why);
}

static void assert_offsets(unsigned int cqe, unsigned int rdma, unsigned int work,
			   unsigned int infos)
{
	assert_int_equal(offsets.of[SVLAG_CQE], cqe);
	assert_int_equal(offsets.of[SVLAG_RDMA], rdma);
	assert_int_equal(offsets.of[SVLAG_WORK], work);
	assert_int_equal(offsets.of[SVLAG_INFOS], infos);
}

static void assert_refused(const char *sentence)
{
	char whole[SVLAG_SENTENCE_SIZE];

	assert_false(offsets_of_made());
	snprintf(whole, sizeof(whole), sentence, file);
	assert_string_equal(why, whole);
}

static void plain(void **state)
{
	(void)state;
	made_send_ctxt(&made, made.module);
	assert_true(offsets_of_made());
	assert_offsets(112, 48, 16, 272);
	/* Found out without being told that it does not stand by itself. */
	assert_true(svlag_btf_offsets(file, base, false, &offsets, why));
	assert_offsets(112, 48, 16, 272);
}

static void by_itself(void **state)
{
	(void)state;
	made_send_ctxt(&made, made.base);
	made_save(made.base, file);
	assert_true(svlag_btf_offsets(file, "/nowhere", false, &offsets, why));
	assert_offsets(112, 48, 16, 272);
}

static void members_missing(void **state)
{
	(void)state;
	made_struct(made.module, "svc_rdma_send_ctxt", 512);
	made_member(made.module, "sc_cqe", made.ib_cqe, 0);
	assert_true(offsets_of_made());
	assert_offsets(0, SVLAG_NO_OFFSET, SVLAG_NO_OFFSET, SVLAG_NO_OFFSET);
	assert_null(offsets.odd[SVLAG_WORK]);
}

static void anonymous(void **state)
{
	int inner, middle;

	(void)state;
	inner = made_struct(made.module, NULL, 64);
	made_member(made.module, "sc_work", made.work_struct, 8);
	made_member(made.module, "sc_write_info_list", made.list_head, 40);
	middle = btf__add_union(made.module, NULL, 128);
	made_member(made.module, "other", made.number, 0);
	made_member(made.module, NULL, inner, 0);
	made_struct(made.module, "svc_rdma_send_ctxt", 512);
	made_member(made.module, "sc_rdma", made.pointer, 8);
	made_member(made.module, NULL, middle, 128);
	made_member(made.module, "sc_cqe", made.ib_cqe, 256);
	assert_true(offsets_of_made());
	assert_offsets(256, 8, 136, 168);
}

static void named_are_not_looked_into(void **state)
{
	int inner;

	(void)state;
	inner = made_struct(made.module, "other", 64);
	made_member(made.module, "sc_work", made.work_struct, 8);
	made_struct(made.module, "svc_rdma_send_ctxt", 512);
	made_member(made.module, "sc_other", inner, 8);
	made_member(made.module, "sc_cqe", made.ib_cqe, 256);
	assert_true(offsets_of_made());
	assert_int_equal(offsets.of[SVLAG_WORK], SVLAG_NO_OFFSET);
}

static void other_names_of_a_type(void **state)
{
	int type;

	(void)state;
	type = btf__add_typedef(made.module, "cqe_t", made.ib_cqe);
	type = btf__add_volatile(made.module, btf__add_const(made.module, type));
	made_struct(made.module, "svc_rdma_send_ctxt", 512);
	made_member(made.module, "sc_cqe", type, 64);
	assert_true(offsets_of_made());
	assert_int_equal(offsets.of[SVLAG_CQE], 64);
}

static void odd(void **state)
{
	(void)state;
	made_struct(made.module, "svc_rdma_send_ctxt", 512);
	made_member(made.module, "sc_cqe", made.ib_cqe, 64);
	made_member(made.module, "sc_rdma", made.number, 72);
	made_member(made.module, "sc_work", made.list_head, 80);
	made_member(made.module, "sc_write_info_list", made.list_head, 100);
	assert_true(offsets_of_made());
	assert_offsets(64, SVLAG_NO_OFFSET, SVLAG_NO_OFFSET, SVLAG_NO_OFFSET);
	assert_string_equal(offsets.odd[SVLAG_RDMA], "no pointer");
	assert_string_equal(offsets.odd[SVLAG_WORK], "no struct work_struct");
	assert_string_equal(offsets.odd[SVLAG_INFOS], "no pointer's place");
}

static void far_away(void **state)
{
	(void)state;
	made_struct(made.module, "svc_rdma_send_ctxt", 1 << 20);
	made_member(made.module, "sc_cqe", made.ib_cqe, 16384);
	made_member(made.module, "sc_rdma", made.pointer, 65544);
	assert_true(offsets_of_made());
	assert_offsets(16384, SVLAG_NO_OFFSET, SVLAG_NO_OFFSET, SVLAG_NO_OFFSET);
}

static void not_there(void **state)
{
	(void)state;
	made_struct(made.module, "svc_rdma_recv_ctxt", 512);
	assert_refused("%s knows no struct svc_rdma_send_ctxt");
}

static void declared(void **state)
{
	(void)state;
	btf__add_fwd(made.module, "svc_rdma_send_ctxt", BTF_FWD_STRUCT);
	assert_refused("%s declares struct svc_rdma_send_ctxt and does not say what is in it");
	made_send_ctxt(&made, made.module);
	assert_true(offsets_of_made());
}

static void without_cqe(void **state)
{
	(void)state;
	made_struct(made.module, "svc_rdma_send_ctxt", 512);
	made_member(made.module, "sc_rdma", made.pointer, 8);
	assert_refused("%s: without a sc_cqe that is a struct ib_cqe nothing in "
		       "struct svc_rdma_send_ctxt can be found");
}

static void twice(void **state)
{
	(void)state;
	made_send_ctxt(&made, made.module);
	made_send_ctxt(&made, made.module);
	assert_true(offsets_of_made());
	assert_offsets(112, 48, 16, 272);
	made_struct(made.module, "svc_rdma_send_ctxt", 512);
	made_member(made.module, "sc_cqe", made.ib_cqe, 64);
	assert_refused("%s has more than one struct svc_rdma_send_ctxt, and they differ");
}

/* Structures in themselves are none of a compiler's, but a file may have them. */
static void in_itself(void **state)
{
	int i, id;

	(void)state;
	id = btf__type_cnt(made.module);
	made_struct(made.module, NULL, 64);
	for (i = 0; i < 60000; i++)
		made_member(made.module, NULL, id, 0);
	made_struct(made.module, "svc_rdma_send_ctxt", 512);
	made_member(made.module, "sc_cqe", made.ib_cqe, 64);
	made_member(made.module, NULL, id, 8);
	made_member(made.module, NULL, id, 16);
	assert_true(offsets_of_made());
}

static void chain_of_itself(void **state)
{
	int id;

	(void)state;
	id = btf__type_cnt(made.module);
	assert_int_equal(btf__add_const(made.module, id), id);
	made_struct(made.module, "svc_rdma_send_ctxt", 512);
	made_member(made.module, "sc_cqe", id, 64);
	assert_false(offsets_of_made());
}

static void not_readable(void **state)
{
	(void)state;
	assert_false(svlag_btf_offsets("/nowhere", base, true, &offsets, why));
	assert_string_equal(why, "cannot read /nowhere: No such file or directory");
	assert_false(svlag_btf_offsets("/dev/zero", base, true, &offsets, why));
	assert_string_equal(why, "cannot read /dev/zero: it is no file");
	made_send_ctxt(&made, made.module);
	made_save(made.module, file);
	assert_false(svlag_btf_offsets(file, "/nowhere", false, &offsets, why));
	assert_string_equal(why, "cannot read /nowhere: No such file or directory");
	made_write(base, "no BTF", 6);
	assert_false(svlag_btf_offsets(file, base, true, &offsets, why));
	assert_non_null(strstr(why, "holds no BTF"));
}

static void cut_short(void **state)
{
	const char *bytes;
	__u32 len, cut;

	(void)state;
	made_send_ctxt(&made, made.module);
	made_save(made.base, base);
	bytes = btf__raw_data(made.module, &len);
	for (cut = 0; cut < len; cut++) {
		made_write(file, bytes, cut);
		assert_false(svlag_btf_offsets(file, base, true, &offsets, why));
		assert_non_null(strstr(why, "holds no BTF"));
	}
}

static uint32_t draw(uint32_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (seed >> 16) % below;
}

static void survives(void **state)
{
	char original[4096], text[4096];
	unsigned int round, accepted = 0;
	const void *bytes;
	__u32 len;
	int i;

	(void)state;
	made_send_ctxt(&made, made.module);
	made_save(made.base, base);
	bytes = btf__raw_data(made.module, &len);
	assert_true(len <= sizeof(original));
	memcpy(original, bytes, len);
	for (round = 0; round < ROUNDS; round++) {
		unsigned int changes = 1 + draw(4);

		memcpy(text, original, len);
		while (changes--) {
			/* The header is 24 bytes, and soon refused. */
			unsigned int at = draw(8) ? 24 + draw(len - 24) : draw(len);

			text[at] = draw(3) ? (char)draw(256) : text[at] ^ (1 << draw(8));
		}
		made_write(file, text, len);
		if (!svlag_btf_offsets(file, base, draw(2), &offsets, why)) {
			assert_non_null(memchr(why, '\0', sizeof(why)));
			assert_true(why[0]);
			continue;
		}
		accepted++;
		for (i = 0; i < SVLAG_NR_MEMBERS; i++)
			assert_true(offsets.of[i] == SVLAG_NO_OFFSET ||
				    (offsets.of[i] <= SVLAG_OFFSET_MAX &&
				     offsets.of[i] % SVLAG_OFFSET_UNIT == 0));
	}
	/* Else the search was never reached. */
	assert_true(accepted > ROUNDS / 20);
}

static int make_dir(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return 1;
	snprintf(file, sizeof(file), "%s/rpcrdma", dir);
	snprintf(base, sizeof(base), "%s/vmlinux", dir);
	return 0;
}

static int remove_dir(void **state)
{
	(void)state;
	return rmdir(dir);
}

#define TEST(name)	cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(plain),
		TEST(by_itself),
		TEST(members_missing),
		TEST(anonymous),
		TEST(named_are_not_looked_into),
		TEST(other_names_of_a_type),
		TEST(odd),
		TEST(far_away),
		TEST(not_there),
		TEST(declared),
		TEST(without_cqe),
		TEST(twice),
		TEST(in_itself),
		TEST(chain_of_itself),
		TEST(not_readable),
		TEST(cut_short),
		TEST(survives),
	};
	const char *given = getenv("FUZZ_SEED");

	seed = given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL) * 0x9e3779b97f4a7c15ULL;
	seed |= 1;
	fprintf(stderr, "FUZZ_SEED=%#llx\n", (unsigned long long)seed);
	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
