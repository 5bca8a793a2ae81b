/* SPDX-License-Identifier: GPL-2.0 */
/* BTF files as a kernel with rpcrdma has them, but for their size. */
#ifndef SVLAG_TESTS_UNIT_MADE_BTF_H
#define SVLAG_TESTS_UNIT_MADE_BTF_H

#include <bpf/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A kernel: types by their names, and a module of it that is still empty. */
struct made {
	struct btf *base;
	struct btf *module;
	int nothing;
	int number;
	int pointer;
	int list_head;
	int work_struct;
	int ib_cqe;
};

static inline int made_struct(struct btf *btf, const char *name, int size)
{
	int id = btf__add_struct(btf, name, size);

	assert_true(id > 0);
	return id;
}

/* A member of the structure begun last. */
static inline void made_member(struct btf *btf, const char *name, int type, int bytes)
{
	assert_int_equal(btf__add_field(btf, name, type, bytes * 8, 0), 0);
}

static inline void made_begin(struct made *made)
{
	made->base = btf__new_empty();
	assert_non_null(made->base);
	made->number = btf__add_int(made->base, "unsigned long", 8, 0);
	made->pointer = btf__add_ptr(made->base, 0);
	made->list_head = made_struct(made->base, "list_head", 16);
	made_member(made->base, "next", made->pointer, 0);
	made_member(made->base, "prev", made->pointer, 8);
	made->work_struct = made_struct(made->base, "work_struct", 32);
	made_member(made->base, "data", made->number, 0);
	made_member(made->base, "entry", made->list_head, 8);
	made_member(made->base, "func", made->pointer, 24);
	made->ib_cqe = made_struct(made->base, "ib_cqe", 8);
	made_member(made->base, "done", made->pointer, 0);
	made->module = btf__new_empty_split(made->base);
	assert_non_null(made->module);
}

static inline void made_end(struct made *made)
{
	btf__free(made->module);
	btf__free(made->base);
}

/* As Debian's 6.12 has it. */
static inline void made_send_ctxt(struct made *made, struct btf *btf)
{
	made_struct(btf, "svc_rdma_send_ctxt", 4416);
	made_member(btf, "sc_node", made->pointer, 0);
	made_member(btf, "sc_work", made->work_struct, 16);
	made_member(btf, "sc_rdma", made->pointer, 48);
	made_member(btf, "sc_cqe", made->ib_cqe, 112);
	made_member(btf, "sc_write_info_list", made->list_head, 272);
}

/* A new file each time: ext4 writes one that is cut and written anew to the disk at once. */
static inline void made_write(const char *path, const void *bytes, size_t len)
{
	FILE *f;

	unlink(path);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

static inline void made_save(const struct btf *btf, const char *path)
{
	__u32 len;
	const void *bytes = btf__raw_data(btf, &len);

	assert_non_null(bytes);
	made_write(path, bytes, len);
}

#endif
