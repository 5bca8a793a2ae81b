/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the members of struct svc_rdma_send_ctxt are that a handler looks at.
 *
 * Nothing ties this module to the layout that the running rpcrdma was built
 * with: it exports no symbol, the structure changed inside of 6.12.y, and
 * vendors ship their own. So the offsets of the headers, or those of the
 * parameter layout=, are only believed once the first events have shown that
 * what must be there is there; until then, and ever after a mismatch, no
 * pointer out of a structure is followed. All reads of the check are such that
 * a wrong address gives an error and no fault.
 */
#ifndef SVLAG_LAYOUT_H
#define SVLAG_LAYOUT_H

#include <linux/jump_label.h>
#include <linux/types.h>

/* A member that the headers do not have. */
#define SVLAG_NO_MEMBER		(~0U)

/* Of a Send context; more than there ever are on one. */
#define SVLAG_WRITE_INFOS_MAX	256

/**
 * struct svlag_layout - offsets into struct svc_rdma_send_ctxt, in bytes
 * @cqe: sc_cqe
 * @rdma: sc_rdma
 * @work: sc_work
 * @infos: sc_write_info_list
 */
struct svlag_layout {
	unsigned int cqe;
	unsigned int rdma;
	unsigned int work;
	unsigned int infos;
};

/* Of the headers or the parameter layout=; written while no hook is armed. */
extern struct svlag_layout svlag_layout;

/* True until the first events have told; patched in and out of the handlers. */
DECLARE_STATIC_KEY_FALSE(svlag_layout_unchecked);

/**
 * svlag_layout_set - take offsets from the parameter layout=
 * @text: "cqe=N,rdma=N,work=N,infos=N" in any order, some or all, or "-" for one
 *	that is not there; or "headers"
 *
 * Context: may sleep; before svlag_layout_begin(). Return: 0, or -EINVAL with a
 * sentence in the log.
 */
int svlag_layout_set(const char *text);

/**
 * svlag_layout_print - the offsets in the form that svlag_layout_set() takes
 * @buffer: where to
 * @size: how much room there is
 *
 * Return: the length.
 */
int svlag_layout_print(char *buffer, size_t size);

/**
 * svlag_layout_begin - check anew, with the next events
 * @wc_send: the address of svc_rdma_wc_send as svlag_resolve() gave it, or 0
 * @put_async: that of svc_rdma_send_ctxt_put_async, or 0 where there is none
 *
 * Context: may sleep; no hook is armed.
 */
void svlag_layout_begin(unsigned long wc_send, unsigned long put_async);

/**
 * svlag_layout_distrust - follow no pointer from now on
 * @why: "wrong:" and the reason, for people
 *
 * Context: any; or as svlag_layout_begin(), in place of it, if not to check at all.
 */
void svlag_layout_distrust(const char *why);

/**
 * svlag_layout_settle - take the check out of the handlers once it is decided
 *
 * Context: may sleep; to be called now and then.
 */
void svlag_layout_settle(void);

/**
 * svlag_layout_end - take it out in any case; no hook is armed any more
 */
void svlag_layout_end(void);

/**
 * svlag_layout_completion - check with the arguments of svc_rdma_wc_send
 * @cq: struct ib_cq *
 * @wc: struct ib_wc *
 *
 * Context: any, hooks included.
 */
void svlag_layout_completion(unsigned long cq, unsigned long wc);

/**
 * svlag_layout_work - check with the argument of svc_rdma_send_ctxt_put_async
 * @work: struct work_struct *
 *
 * Context: any, hooks included.
 */
void svlag_layout_work(unsigned long work);

/**
 * svlag_layout_write_infos - how many write infos hang on a send context
 * @ctxt: struct svc_rdma_send_ctxt *, owned by the caller's caller
 *
 * Context: any, hooks included. Return: how many, or -1 where that cannot be
 * told: then the layout is wrong from now on.
 */
int svlag_layout_write_infos(unsigned long ctxt);

/**
 * svlag_layout_is_ok - has all been seen where it must be?
 */
bool svlag_layout_is_ok(void);

/**
 * svlag_layout_is_wrong - has a check failed?
 */
bool svlag_layout_is_wrong(void);

/**
 * svlag_layout_verdict - the state of the check, for people
 *
 * Return: "unchecked", "ok", or "wrong:" with the first check that failed.
 */
const char *svlag_layout_verdict(void);

#endif
