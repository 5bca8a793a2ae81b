/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The truth: what the stand-in itself knows of what it has done.
 *
 * Counts are atomic and 64 bits wide; nothing here is sampled or estimated, but
 * for the percentiles of the waits, which are at most 1 part in 64 too high.
 */
#ifndef TARGET_LEDGER_H
#define TARGET_LEDGER_H

#include <linux/atomic.h>
#include <linux/types.h>

struct seq_file;
struct target_xprt;

/* Counts of a transport; in the ledger they bear these names in small letters. */
enum ledger_count {
	LEDGER_GET,		/* calls of svc_rdma_send_ctxt_get */
	LEDGER_GET_FAILED,	/* those that got none */
	LEDGER_WC_SEND,		/* calls of svc_rdma_wc_send */
	LEDGER_QUEUED,		/* completions that were queued for release, also the stuck */
	LEDGER_ERROR_PUT,	/* queued without a completion */
	LEDGER_LOST,		/* completions that were never queued */
	LEDGER_STUCK,		/* completions that were queued where no worker comes */
	LEDGER_RELEASED,	/* releases begun, that is calls of the releasing function */
	LEDGER_IDLED,		/* releases ended */
	LEDGER_DRAIN,		/* calls of svc_rdma_send_ctxts_drain */
	LEDGER_DRAIN_BATCH,	/* those that released anything, counted with the first */
	LEDGER_DESTROY,		/* calls of svc_rdma_send_ctxts_destroy */
	LEDGER_CAPPED,		/* hits of the tracepoint svcrdma_send_ctxt_capped */
	LEDGER_ALLOCATED,	/* send contexts made */
	LEDGER_FREED,		/* send contexts freed */
	LEDGER_WRITE_INFO_QUEUED,
	LEDGER_WRITE_INFO_FREED,	/* begun, as releases */
	LEDGER_NR_COUNTS
};

struct ledger_counts {
	atomic64_t of[LEDGER_NR_COUNTS];
};

/* Each count above is added by one of these alone. */
void ledger_count(struct target_xprt *xprt, enum ledger_count what);
void ledger_queue(struct target_xprt *xprt, enum ledger_count what);
void ledger_release(struct target_xprt *xprt, u64 queued_ns);

/* For floods, which keep counts of their own. */
void ledger_waited(u64 wait_ns);

/* The @nth release of a drain begins; also for the largest there was. */
void ledger_batch(struct target_xprt *xprt, unsigned int nth);

/* @n direct calls of each hooked function; they are in none of the counts above. */
void ledger_hammered(u64 n);

/* Forgets all waits, so that those of a phase can be told. */
void ledger_mark(void);

/* A line "upper_ns count" for each bucket in which a wait is. */
void ledger_print_waits(struct seq_file *file);

/* Print into a page and return the length; transports from @first on, whole rows only. */
int ledger_print(char *page);
int ledger_print_xprts(char *page, unsigned int first);

#endif
