/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the members of struct svc_rdma_send_ctxt are that the module looks at,
 * and the module's parameter layout=, which tells it. Pure: text and numbers.
 */
#ifndef SVLAG_TOOLS_OFFSETS_H
#define SVLAG_TOOLS_OFFSETS_H

#include <stdbool.h>
#include <svcrdma_lag/abi.h>

#define SVLAG_CTXT		"svc_rdma_send_ctxt"

/* A member that is not there, or that the module could make nothing of. */
#define SVLAG_NO_OFFSET		(~0U)

/* The module refuses others: all four hold pointers, in no structure so large. */
#define SVLAG_OFFSET_UNIT	8
#define SVLAG_OFFSET_MAX	SVLAG_LAYOUT_MAX

/* In the order in which the module prints them. */
enum svlag_member {
	SVLAG_CQE,
	SVLAG_RDMA,
	SVLAG_WORK,
	SVLAG_INFOS,
	SVLAG_NR_MEMBERS
};

/**
 * struct svlag_offsets - offsets into struct svc_rdma_send_ctxt
 * @of: of each member, in bytes, or SVLAG_NO_OFFSET
 * @odd: why a member that is there has none, for people; else NULL
 */
struct svlag_offsets {
	unsigned int of[SVLAG_NR_MEMBERS];
	const char *odd[SVLAG_NR_MEMBERS];
};

/* The longest text of svlag_offsets_print(). */
#define SVLAG_OFFSETS_SIZE	64

/* The name of the member in the structure. */
const char *svlag_member_name(enum svlag_member member);

/**
 * svlag_offsets_clear - no member is there
 * @offsets: filled in
 */
void svlag_offsets_clear(struct svlag_offsets *offsets);

/**
 * svlag_offsets_print - as the module takes them
 * @offsets: what to print
 * @text: "cqe=112,rdma=48,work=16,infos=-"
 */
void svlag_offsets_print(const struct svlag_offsets *offsets, char text[SVLAG_OFFSETS_SIZE]);

/**
 * svlag_offsets_parse - as the module prints them
 * @text: with all four names, in any order; names not known here are passed over
 * @offsets: filled in
 *
 * Return: whether the text is such.
 */
bool svlag_offsets_parse(const char *text, struct svlag_offsets *offsets);

#endif
