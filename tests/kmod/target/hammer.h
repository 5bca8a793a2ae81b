/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hammer calls the hooked functions directly, as fast as they can be called,
 * and nothing else: no queue, no pool, no ledger. measure times those calls.
 */
#ifndef TARGET_HAMMER_H
#define TARGET_HAMMER_H

struct job;

/* job->count calls of each function; it cannot be stopped early, so that the count is exact. */
void hammer_run(struct job *job);

/* job->count rounds (20,000), five times over; the least of the five times counts. */
void measure_run(struct job *job);

/* Prints the last measurement into a page and returns the length. */
int measure_print(char *page);

#endif
