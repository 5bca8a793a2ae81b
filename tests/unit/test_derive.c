// SPDX-License-Identifier: GPL-2.0
#include "test.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "derive.h"
#include "made_btf.h"

static char sys[64];
static struct svlag_options options;
static char text[SVLAG_DERIVED_SIZE];
static char why[SVLAG_SENTENCE_SIZE];

static const char *path(const char *name)
{
	static char whole[256];

	snprintf(whole, sizeof(whole), "%s/%s", sys, name);
	return whole;
}

static void put(const char *name, const char *content)
{
	made_write(path(name), content, strlen(content));
}

static enum svlag_exit derive(void)
{
	return svlag_derive(sys, &options, text, why);
}

static void assert_failure(enum svlag_exit status, const char *sentence)
{
	assert_int_equal(derive(), status);
	assert_string_equal(text, "");
	assert_string_equal(why, sentence);
}

/* A machine on which rpcrdma is loaded, and svcrdma_lag is not. */
static int begin(void **state)
{
	static const char *const dirs[] = {
		"kernel", "kernel/btf", "module", "module/rpcrdma", "module/svcrdma_lag",
		"module/svcrdma_lag/parameters",
	};
	struct made made;
	size_t i;

	(void)state;
	memset(&options, 0, sizeof(options));
	strcpy(sys, "/tmp/svlag_derive_XXXXXX");
	if (!mkdtemp(sys))
		return 1;
	for (i = 0; i < ARRAY_LEN(dirs); i++)
		if (mkdir(path(dirs[i]), 0755))
			return 1;
	made_begin(&made);
	made_send_ctxt(&made, made.module);
	made_save(made.base, path("kernel/btf/vmlinux"));
	made_save(made.module, path("kernel/btf/rpcrdma"));
	made_end(&made);
	return 0;
}

static int remove_one(const char *name, const struct stat *status, int flag, struct FTW *at)
{
	(void)status;
	(void)flag;
	(void)at;
	return remove(name);
}

static int end(void **state)
{
	(void)state;
	return nftw(sys, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void running(void **state)
{
	char wanted[1024];
	struct utsname system;

	(void)state;
	uname(&system);
	snprintf(wanted, sizeof(wanted),
		 "# struct svc_rdma_send_ctxt in %s/kernel/btf/rpcrdma, kernel %s:\n"
		 "#   sc_cqe             112\n"
		 "#   sc_rdma            48\n"
		 "#   sc_work            16\n"
		 "#   sc_write_info_list 272\n"
		 "options svcrdma_lag layout=cqe=112,rdma=48,work=16,infos=272\n",
		 sys, system.release);
	assert_int_equal(derive(), SVLAG_EXIT_OK);
	assert_string_equal(text, wanted);
}

static void loaded_uses_the_same(void **state)
{
	(void)state;
	put("module/svcrdma_lag/parameters/layout", "cqe=112,rdma=48,work=16,infos=272\n");
	assert_int_equal(derive(), SVLAG_EXIT_OK);
	assert_non_null(strstr(text, "\n#   sc_work            16\n"));
	assert_non_null(strstr(text, "\n# The loaded svcrdma_lag uses the same.\noptions "));
}

static void loaded_uses_others(void **state)
{
	(void)state;
	put("module/svcrdma_lag/parameters/layout", "cqe=112,rdma=40,work=16,infos=-\n");
	assert_int_equal(derive(), SVLAG_EXIT_OK);
	assert_non_null(strstr(text, "\n#   sc_cqe             112\n"));
	assert_non_null(strstr(text,
			       "\n#   sc_rdma            48  (the loaded svcrdma_lag uses 40)\n"));
	assert_non_null(strstr(text,
			       "\n#   sc_write_info_list 272  (the loaded svcrdma_lag uses -)\n"));
	assert_non_null(strstr(text, "\n# The loaded svcrdma_lag uses others: load it anew with these.\n"
			       "options "));
}

static void loaded_does_not_tell(void **state)
{
	(void)state;
	put("module/svcrdma_lag/parameters/layout", "something else\n");
	assert_int_equal(derive(), SVLAG_EXIT_OK);
	assert_null(strstr(text, "loaded"));
}

static void odd_member(void **state)
{
	struct made made;

	(void)state;
	made_begin(&made);
	made_struct(made.module, "svc_rdma_send_ctxt", 512);
	made_member(made.module, "sc_cqe", made.ib_cqe, 64);
	made_member(made.module, "sc_work", made.number, 72);
	made_save(made.module, path("kernel/btf/rpcrdma"));
	made_end(&made);
	assert_int_equal(derive(), SVLAG_EXIT_OK);
	assert_non_null(strstr(text, "\n#   sc_rdma            -\n"
			       "#   sc_work            -  (it is there and is no struct work_struct)\n"));
	assert_non_null(strstr(text, "\noptions svcrdma_lag layout=cqe=64,rdma=-,work=-,infos=-\n"));
}

static void saved(void **state)
{
	char file[128], base[128];

	(void)state;
	strcpy(file, path("saved"));
	strcpy(base, path("saved_base"));
	assert_int_equal(rename(path("kernel/btf/rpcrdma"), file), 0);
	options.btf_file = file;
	assert_int_equal(derive(), SVLAG_EXIT_OK);
	assert_int_equal(strncmp(text, "# struct svc_rdma_send_ctxt in /tmp/", 36), 0);
	assert_null(strstr(text, ", kernel"));
	assert_int_equal(rename(path("kernel/btf/vmlinux"), base), 0);
	assert_int_equal(derive(), SVLAG_EXIT_FAILURE);
	options.btf_base = base;
	assert_int_equal(derive(), SVLAG_EXIT_OK);
	assert_non_null(strstr(text, "\noptions svcrdma_lag layout=cqe=112,"));
}

static void not_loaded(void **state)
{
	(void)state;
	unlink(path("kernel/btf/rpcrdma"));
	rmdir(path("module/rpcrdma"));
	assert_failure(SVLAG_EXIT_NOT_ARMED, "rpcrdma is not loaded: modprobe rpcrdma");
}

static void loaded_without_btf(void **state)
{
	char sentence[256];

	(void)state;
	unlink(path("kernel/btf/rpcrdma"));
	snprintf(sentence, sizeof(sentence), "rpcrdma is loaded and has no %s/kernel/btf/rpcrdma: "
		 "it was built without BTF, or for another kernel", sys);
	assert_failure(SVLAG_EXIT_FAILURE, sentence);
}

static void kernel_without_btf(void **state)
{
	char sentence[256];

	(void)state;
	unlink(path("kernel/btf/rpcrdma"));
	unlink(path("kernel/btf/vmlinux"));
	rmdir(path("module/rpcrdma"));
	snprintf(sentence, sizeof(sentence), "there is no %s/kernel/btf/vmlinux: this kernel was "
		 "built without CONFIG_DEBUG_INFO_BTF", sys);
	assert_failure(SVLAG_EXIT_FAILURE, sentence);
}

static void garbage(void **state)
{
	char sentence[256];

	(void)state;
	put("kernel/btf/rpcrdma", "garbage");
	snprintf(sentence, sizeof(sentence), "%s/kernel/btf/rpcrdma holds no BTF that libbpf "
		 "understands", sys);
	assert_failure(SVLAG_EXIT_FAILURE, sentence);
}

#define TEST(name)	cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(running),
		TEST(loaded_uses_the_same),
		TEST(loaded_uses_others),
		TEST(loaded_does_not_tell),
		TEST(odd_member),
		TEST(saved),
		TEST(not_loaded),
		TEST(loaded_without_btf),
		TEST(kernel_without_btf),
		TEST(garbage),
	};

	return RUN(tests);
}
