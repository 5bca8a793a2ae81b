// SPDX-License-Identifier: GPL-2.0
/*
 * Where the members of struct svc_rdma_send_ctxt are that svcrdma_lag looks at.
 */
#include "layout.h"

#include <linux/stddef.h>
#include <linux/sysfs.h>

#include "target.h"

#define OFFSET(member)	((int)offsetof(struct svc_rdma_send_ctxt, member))
#define NO_MEMBER	(-1)

static const struct {
	const char *name;
	int offset;
} layout_members[] = {
	{ "cqe", OFFSET(sc_cqe) },
#ifdef TARGET_HAS_sc_rdma
	{ "rdma", OFFSET(sc_rdma) },
#else
	{ "rdma", NO_MEMBER },
#endif
#ifdef TARGET_HAS_sc_work
	{ "work", OFFSET(sc_work) },
#else
	{ "work", NO_MEMBER },
#endif
#ifdef TARGET_HAS_sc_write_info_list
	{ "infos", OFFSET(sc_write_info_list) },
#else
	{ "infos", NO_MEMBER },
#endif
};

int layout_print(char *page)
{
	unsigned int i;
	int at = 0;

	for (i = 0; i < ARRAY_SIZE(layout_members); i++) {
		at += sysfs_emit_at(page, at, "%s%s=", i ? "," : "", layout_members[i].name);
		if (layout_members[i].offset == NO_MEMBER)
			at += sysfs_emit_at(page, at, "-");
		else
			at += sysfs_emit_at(page, at, "%d", layout_members[i].offset);
	}
	return at + sysfs_emit_at(page, at, "\n");
}
