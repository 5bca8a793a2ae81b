// SPDX-License-Identifier: GPL-2.0
/*
 * The layout check, on memory in which everything is known: what is mapped, what
 * is where, and that all else is poison or leads astray.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <linux/kernel.h>
#include <linux/sunrpc/svc_rdma.h>
#include <svcrdma_lag/abi.h>

#include "layout.h"

#define ROOM		(2 * SVLAG_LAYOUT_MAX / 8)
#define POISON		0xa5a5a5a5a5a5a5a5ULL
#define WC_SEND		0xffffffffc0de1000UL
#define PUT_ASYNC	0xffffffffc0de2000UL

/* Where the members are; the rest of the structure is a vendor's. */
#define CQE		56
#define RDMA		168
#define WORK		376
#define INFOS		40
#define EMPTY		200	/* a list that is always empty */
#define RIGHT		"cqe=56,rdma=168,work=376,infos=40"

/* A send context in the middle of what is mapped, and what belongs to it. */
static unsigned long memory[ROOM + 64 + ROOM];
#define CTXT		((unsigned long)&memory[ROOM])

static struct list_head infos[SVLAG_WRITE_INFOS_MAX + 1];
static struct ib_cq cq;
static struct ib_wc wc;

static struct {
	unsigned long from, to;
} mapped[4];

static void map(unsigned int nth, void *from, size_t bytes)
{
	mapped[nth].from = (unsigned long)from;
	mapped[nth].to = (unsigned long)from + bytes;
}

long copy_from_kernel_nofault(void *to, const void *from, size_t size)
{
	unsigned long at = (unsigned long)from;
	unsigned int i;

	for (i = 0; i < ARRAY_LEN(mapped); i++) {
		if (at < mapped[i].from || at + size > mapped[i].to || at + size < at)
			continue;
		memcpy(to, from, size);
		return 0;
	}
	return -EFAULT;
}

static unsigned long *word(unsigned int offset)
{
	return (unsigned long *)(CTXT + offset);
}

static struct list_head *list(unsigned int offset)
{
	return (struct list_head *)word(offset);
}

static void hang(unsigned int nr)
{
	struct list_head *head = list(INFOS), *at = head;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		at->next = &infos[i];
		infos[i].prev = at;
		at = &infos[i];
	}
	at->next = head;
	head->prev = at;
}

static void lay_out(void)
{
	struct work_struct *work = (struct work_struct *)word(WORK);

	memset(memory, 0xa5, sizeof(memory));
	*word(CQE) = WC_SEND;
	*word(RDMA) = (unsigned long)&mapped;	/* never followed */
	work->func = (void (*)(struct work_struct *))PUT_ASYNC;
	list(EMPTY)->next = list(EMPTY);
	list(EMPTY)->prev = list(EMPTY);
	hang(2);
	cq.cq_context = (void *)*word(RDMA);
	wc.wr_cqe = (struct ib_cqe *)word(CQE);
	map(0, memory, sizeof(memory));
	map(1, infos, sizeof(infos));
	map(2, &cq, sizeof(cq));
	map(3, &wc, sizeof(wc));
}

static int with_memory(void **state)
{
	(void)state;
	lay_out();
	return 0;
}

/* What the first events tell of a layout. */
static const char *judged(const char *layout)
{
	assert_int_equal(svlag_layout_set(layout), 0);
	svlag_layout_begin(WC_SEND, PUT_ASYNC);
	svlag_layout_completion((unsigned long)&cq, (unsigned long)&wc);
	svlag_layout_work(CTXT + WORK);
	return svlag_layout_verdict();
}

static void assert_wrong(const char *layout)
{
	if (strncmp(judged(layout), "wrong:", 6))
		fail_msg("%s is %s", layout, svlag_layout_verdict());
	assert_true(svlag_layout_is_wrong());
	assert_int_equal(svlag_layout_write_infos(CTXT), -1);
}

static void assert_printed(const char *want)
{
	char text[64];

	assert_int_equal(svlag_layout_print(text, sizeof(text)), strlen(want));
	assert_string_equal(text, want);
}

static void takes(void **state)
{
	(void)state;
	assert_int_equal(svlag_layout_set(RIGHT), 0);
	assert_printed(RIGHT);
	assert_int_equal(svlag_layout_set("headers"), 0);
	assert_printed(RIGHT);
	assert_int_equal(svlag_layout_set("infos=-,cqe=0"), 0);
	assert_printed("cqe=0,rdma=168,work=376,infos=-");
	assert_int_equal(svlag_layout_set("rdma=16384,work=0x10"), 0);
	assert_printed("cqe=0,rdma=16384,work=16,infos=-");
}

static void refuses(void **state)
{
	static const char *const bad[] = {
		"", ",", "nonsense", "cqe", "cqe=", "cqe=x", "cqe=8x", "cqe=--", "cqe=-8", "cqe= 8",
		"cqe=7", "cqe=12", "cqe=16392", "cqe=65536", "cqe=99999999",
		"cqe=18446744073709551624", "cqe=8888888888888888888888888", "=8", "cqes=8", "cq=8",
		"cqe=8,", "cqe=8,,rdma=8", ",cqe=8", "cqe=8;rdma=8", "cqe=8 rdma=8", "cqe=8,oops=8",
		"cqe=8,headers", "Headers",
	};
	char want[96];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(bad); i++) {
		shim_log[0] = '\0';
		if (!svlag_layout_set(bad[i]))
			fail_msg("layout=%s is taken", bad[i]);
		snprintf(want, sizeof(want), "layout=%s: must be cqe=N,rdma=N,work=N,infos=N ", bad[i]);
		assert_non_null(strstr(shim_log, want));
		assert_non_null(strstr(shim_log, "multiples of 8 up to 16384,"));
	}
}

static void right_one(void **state)
{
	unsigned int nr;

	(void)state;
	assert_int_equal(svlag_layout_set(RIGHT), 0);
	svlag_layout_begin(WC_SEND, PUT_ASYNC);
	assert_string_equal(svlag_layout_verdict(), "unchecked");
	svlag_layout_completion((unsigned long)&cq, (unsigned long)&wc);
	assert_string_equal(svlag_layout_verdict(), "unchecked");
	assert_true(svlag_layout_unchecked.enabled);
	svlag_layout_work(CTXT + WORK);
	assert_string_equal(svlag_layout_verdict(), "ok");
	svlag_layout_settle();
	assert_false(svlag_layout_unchecked.enabled);
	for (nr = 0; nr <= SVLAG_WRITE_INFOS_MAX; nr++) {
		hang(nr);
		assert_int_equal(svlag_layout_write_infos(CTXT), nr);
	}
	assert_string_equal(svlag_layout_verdict(), "ok");
	hang(nr);
	assert_int_equal(svlag_layout_write_infos(CTXT), -1);
	assert_string_equal(svlag_layout_verdict(), "wrong:sc_write_info_list");
}

/* Where functions begin with an ENDBR, the address of one is past its symbol. */
static void past_the_symbol(void **state)
{
	(void)state;
	assert_int_equal(svlag_layout_set(RIGHT), 0);
	svlag_layout_begin(WC_SEND + 4, PUT_ASYNC + 4);
	svlag_layout_completion((unsigned long)&cq, (unsigned long)&wc);
	svlag_layout_work(CTXT + WORK);
	assert_string_equal(svlag_layout_verdict(), "ok");
}

/* Every place but the right one of every member, with and without memory around. */
static void each_wrong_place(void **state)
{
	static const struct {
		const char *name;
		unsigned int right;
	} members[] = { { "cqe", CQE }, { "rdma", RDMA }, { "work", WORK } };
	unsigned int i, at, around;
	char layout[96];

	(void)state;
	for (around = 0; around < 2; around++) {
		if (!around)
			map(0, word(0), 64 * 8);
		else
			lay_out();
		for (i = 0; i < ARRAY_LEN(members); i++)
			for (at = 0; at <= SVLAG_LAYOUT_MAX; at += 8) {
				snprintf(layout, sizeof(layout), RIGHT ",%s=%u", members[i].name, at);
				if (at != members[i].right)
					assert_wrong(layout);
				else
					assert_string_equal(judged(layout), "ok");
			}
		/* Nor is it believed without the place of the transport. */
		for (at = 0; at <= SVLAG_LAYOUT_MAX; at += 8) {
			snprintf(layout, sizeof(layout), RIGHT ",rdma=-,cqe=%u", at);
			if (at != CQE)
				assert_wrong(layout);
		}
	}
	assert_wrong(RIGHT ",work=-");
}

static void each_wrong_list(void **state)
{
	char layout[96];
	unsigned int at;

	(void)state;
	for (at = 0; at <= SVLAG_LAYOUT_MAX; at += 8) {
		snprintf(layout, sizeof(layout), RIGHT ",infos=%u", at);
		assert_string_equal(judged(layout), "ok");
		if (at == INFOS || at == EMPTY) {
			assert_int_equal(svlag_layout_write_infos(CTXT), at == INFOS ? 2 : 0);
			assert_false(svlag_layout_is_wrong());
			continue;
		}
		assert_int_equal(svlag_layout_write_infos(CTXT), -1);
		assert_string_equal(svlag_layout_verdict(), "wrong:sc_write_info_list");
	}
}

/* What leads back to the head is a list only if it also does so backwards. */
static void broken_links(void **state)
{
	(void)state;
	assert_string_equal(judged(RIGHT), "ok");
	infos[1].prev = list(INFOS);
	assert_int_equal(svlag_layout_write_infos(CTXT), -1);
	assert_string_equal(judged(RIGHT), "ok");
	hang(2);
	infos[1].next = &infos[0];
	assert_int_equal(svlag_layout_write_infos(CTXT), -1);
	assert_string_equal(judged(RIGHT), "ok");
	hang(0);
	list(INFOS)->prev = &infos[0];
	assert_int_equal(svlag_layout_write_infos(CTXT), -1);
}

static void nothing_mapped(void **state)
{
	(void)state;
	map(3, NULL, 0);
	assert_wrong(RIGHT);
	lay_out();
	map(2, NULL, 0);
	assert_wrong(RIGHT);
	lay_out();
	map(0, NULL, 0);
	assert_wrong(RIGHT);
	svlag_layout_begin(WC_SEND, PUT_ASYNC);
	svlag_layout_completion(0, ~0UL - 4);
	svlag_layout_work(~0UL);
	assert_string_equal(svlag_layout_verdict(), "wrong:wc_send's-cqe");
}

/* Memory full of pointers into itself, and offsets that mean nothing. */
static void at_random(void **state)
{
	const char *given = getenv("LAYOUT_SEED");
	unsigned int seed = given ? strtoul(given, NULL, 0) : (unsigned int)time(NULL);
	unsigned int round, i;
	char layout[96];
	int nr;

	(void)state;
	print_message("LAYOUT_SEED=%u\n", seed);
	srandom(seed);
	for (round = 0; round < 20000; round++) {
		for (i = 0; !(round % 64) && i < ARRAY_LEN(memory); i++)
			memory[i] = random() % 8 ? (unsigned long)&memory[random() % ARRAY_LEN(memory)] :
				    random() % 2 ? WC_SEND : PUT_ASYNC;
		snprintf(layout, sizeof(layout), "cqe=%lu,rdma=%lu,work=%lu,infos=%lu",
			 random() % 512 * 8, random() % 2048 * 8, random() % 512 * 8,
			 random() % 2048 * 8);
		wc.wr_cqe = (struct ib_cqe *)memory[random() % ARRAY_LEN(memory)];
		cq.cq_context = (void *)memory[random() % ARRAY_LEN(memory)];
		judged(layout);
		nr = svlag_layout_write_infos(CTXT);
		assert_in_range(nr + 1, 0, SVLAG_WRITE_INFOS_MAX + 1);
		assert_true(nr == -1 || !svlag_layout_is_wrong());
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes),
		cmocka_unit_test(refuses),
		cmocka_unit_test_setup(right_one, with_memory),
		cmocka_unit_test_setup(past_the_symbol, with_memory),
		cmocka_unit_test_setup(each_wrong_place, with_memory),
		cmocka_unit_test_setup(each_wrong_list, with_memory),
		cmocka_unit_test_setup(broken_links, with_memory),
		cmocka_unit_test_setup(nothing_mapped, with_memory),
		cmocka_unit_test_setup(at_random, with_memory),
	};

	return RUN(tests);
}
