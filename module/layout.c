// SPDX-License-Identifier: GPL-2.0
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "layout.h"

#include <linux/cache.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/sunrpc/svc_rdma.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>
#include <rdma/ib_verbs.h>
#include <svcrdma_lag/abi.h>

#include "compat/compat.h"

#ifdef SVLAG_HAVE_SC_RDMA
#define OFFSET_RDMA	offsetof(struct svc_rdma_send_ctxt, sc_rdma)
#else
#define OFFSET_RDMA	SVLAG_NO_MEMBER
#endif
#ifdef SVLAG_HAVE_SC_WORK
#define OFFSET_WORK	offsetof(struct svc_rdma_send_ctxt, sc_work)
#else
#define OFFSET_WORK	SVLAG_NO_MEMBER
#endif
#ifdef SVLAG_HAVE_SC_WRITE_INFO_LIST
#define OFFSET_INFOS	offsetof(struct svc_rdma_send_ctxt, sc_write_info_list)
#else
#define OFFSET_INFOS	SVLAG_NO_MEMBER
#endif

DEFINE_STATIC_KEY_FALSE(svlag_layout_unchecked);

struct svlag_layout svlag_layout __read_mostly = {
	.cqe = offsetof(struct svc_rdma_send_ctxt, sc_cqe),
	.rdma = OFFSET_RDMA,
	.work = OFFSET_WORK,
	.infos = OFFSET_INFOS,
};

/* Written before any hook is armed. */
static unsigned long wc_send_address, put_async_address;

/*
 * What the events have shown. Handlers on any CPU only ever set these, each from
 * false to true or from NULL to a word, so that no lock is needed.
 */
static bool completion_seen, work_seen;
static const char *wrong;

static const struct member {
	const char *name;
	unsigned int *offset;
} members[] = {
	{ "cqe", &svlag_layout.cqe },
	{ "rdma", &svlag_layout.rdma },
	{ "work", &svlag_layout.work },
	{ "infos", &svlag_layout.infos },
};

static int set_member(const char *text, size_t len)
{
	char value[16];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(members); i++) {
		size_t name_len = strlen(members[i].name);
		unsigned int offset = SVLAG_NO_MEMBER;

		if (len <= name_len + 1 || strncmp(text, members[i].name, name_len) ||
		    text[name_len] != '=' || len - name_len - 1 >= sizeof(value))
			continue;
		strscpy(value, text + name_len + 1, len - name_len);
		if (strcmp(value, "-") &&
		    (kstrtouint(value, 0, &offset) || offset > SVLAG_LAYOUT_MAX ||
		     offset % sizeof(void *)))
			return -EINVAL;
		*members[i].offset = offset;
		return 0;
	}
	return -EINVAL;
}

int svlag_layout_set(const char *text)
{
	const char *rest = text;

	if (!strcmp(text, "headers"))
		return 0;
	do {
		size_t len = strcspn(rest, ",");

		if (set_member(rest, len)) {
			pr_err("layout=%s: must be cqe=N,rdma=N,work=N,infos=N with offsets into struct svc_rdma_send_ctxt, multiples of %zu up to %u, or - for a member that is not there\n",
			       text, sizeof(void *), SVLAG_LAYOUT_MAX);
			return -EINVAL;
		}
		rest += len;
	} while (*rest++);
	return 0;
}

int svlag_layout_print(char *buffer, size_t size)
{
	unsigned int i;
	int len = 0;

	for (i = 0; i < ARRAY_SIZE(members); i++) {
		len += scnprintf(buffer + len, size - len, "%s%s=", i ? "," : "", members[i].name);
		if (*members[i].offset == SVLAG_NO_MEMBER)
			len += scnprintf(buffer + len, size - len, "-");
		else
			len += scnprintf(buffer + len, size - len, "%u", *members[i].offset);
	}
	return len;
}

void svlag_layout_begin(unsigned long wc_send, unsigned long put_async)
{
	wc_send_address = wc_send;
	put_async_address = put_async;
	completion_seen = false;
	work_seen = false;
	wrong = NULL;
	static_branch_enable(&svlag_layout_unchecked);
}

void svlag_layout_distrust(const char *why)
{
	WRITE_ONCE(wrong, why);
}

static bool is_decided(void)
{
	return READ_ONCE(wrong) || (READ_ONCE(completion_seen) &&
				    (READ_ONCE(work_seen) || !put_async_address));
}

void svlag_layout_settle(void)
{
	if (static_key_enabled(&svlag_layout_unchecked) && is_decided())
		static_branch_disable(&svlag_layout_unchecked);
}

void svlag_layout_end(void)
{
	static_branch_disable(&svlag_layout_unchecked);
}

/* A pointer at an address that may be anything; false where nothing is mapped. */
static bool peek(unsigned long address, unsigned long *value)
{
	return !copy_from_kernel_nofault(value, (const void *)address, sizeof(*value));
}

static void say_wrong(const char *which)
{
	if (!READ_ONCE(wrong))
		WRITE_ONCE(wrong, which);
}

/*
 * sc_cqe.done is svc_rdma_wc_send, and sc_rdma is the CQ's context: see
 * svc_rdma_send_ctxt_alloc() and svc_rdma_accept() of rpcrdma.
 */
void svlag_layout_completion(unsigned long cq, unsigned long wc)
{
	unsigned long cqe, done, rdma, context;

	if (!peek(wc + offsetof(struct ib_wc, wr_cqe), &cqe) ||
	    !peek(cqe + offsetof(struct ib_cqe, done), &done) ||
	    !svlag_is_function(done, wc_send_address)) {
		say_wrong("wrong:wc_send's-cqe");
		return;
	}
	if (svlag_layout.rdma != SVLAG_NO_MEMBER &&
	    (!peek(cqe - svlag_layout.cqe + svlag_layout.rdma, &rdma) ||
	     !peek(cq + offsetof(struct ib_cq, cq_context), &context) || rdma != context)) {
		say_wrong("wrong:sc_rdma");
		return;
	}
	WRITE_ONCE(completion_seen, true);
}

void svlag_layout_work(unsigned long work)
{
	unsigned long func, cqe, done;

	if (svlag_layout.work == SVLAG_NO_MEMBER ||
	    !peek(work + offsetof(struct work_struct, func), &func) ||
	    !svlag_is_function(func, put_async_address)) {
		say_wrong("wrong:sc_work");
		return;
	}
	/* Contexts of the backchannel complete elsewhere, but are made with the same cqe. */
	cqe = work - svlag_layout.work + svlag_layout.cqe;
	if (!peek(cqe + offsetof(struct ib_cqe, done), &done) ||
	    !svlag_is_function(done, wc_send_address)) {
		say_wrong("wrong:sc_cqe");
		return;
	}
	WRITE_ONCE(work_seen, true);
}

/* A list that does not lead back to its head, link by link both ways, is none. */
int svlag_layout_write_infos(unsigned long ctxt)
{
	unsigned long head = ctxt + svlag_layout.infos, at = head, next, back;
	int nr;

	if (svlag_layout.infos == SVLAG_NO_MEMBER || READ_ONCE(wrong))
		return -1;
	for (nr = 0; nr <= SVLAG_WRITE_INFOS_MAX; nr++) {
		if (!peek(at + offsetof(struct list_head, next), &next) ||
		    !peek(next + offsetof(struct list_head, prev), &back) || back != at)
			break;
		if (next == head)
			return nr;
		at = next;
	}
	say_wrong("wrong:sc_write_info_list");
	return -1;
}

bool svlag_layout_is_ok(void)
{
	return !READ_ONCE(wrong) && is_decided();
}

bool svlag_layout_is_wrong(void)
{
	return READ_ONCE(wrong);
}

const char *svlag_layout_verdict(void)
{
	const char *which = READ_ONCE(wrong);

	return which ?: is_decided() ? "ok" : "unchecked";
}
