/* SPDX-License-Identifier: GPL-2.0 */
/* The file summary: what an administrator wants to know, in words, on one screen. */
#ifndef SVLAG_SUMMARY_H
#define SVLAG_SUMMARY_H

#include <linux/types.h>

struct seq_file;

/**
 * svlag_summary_bytes - how large a snapshot is
 */
size_t svlag_summary_bytes(void);

/**
 * svlag_summary_take - take a snapshot
 * @snapshot: room for it
 *
 * Context: may sleep.
 */
void svlag_summary_take(void *snapshot);

/**
 * svlag_summary_show - print one
 * @m: where to
 * @snapshot: what was taken
 */
void svlag_summary_show(struct seq_file *m, const void *snapshot);

#endif
