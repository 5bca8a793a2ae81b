/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Floods: items that are queued and released by direct calls of the hooked functions,
 * in such numbers that no queue and no pool could follow. Nobody asks for them before,
 * so svc_rdma_send_ctxt_get is not called. main.c says what each kind plays.
 *
 * The truth is in the file floods of the stand-in's directory in debugfs: counts as
 * "name value" lines, which only rise, then a line "upper_ns count" for each bucket of
 * waits, those of the ledger. All waits are taken from just before the one call to just
 * before the other.
 */
#ifndef TARGET_FLOOD_H
#define TARGET_FLOOD_H

struct job;

void flood_init(void);
void flood_exit(void);

void canary_run(struct job *job);
void leak_run(struct job *job);
void backlog_run(struct job *job);
void mixed_run(struct job *job);

#endif
