/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Jobs: threads that do one kind of thing, at a rate, so many times, on some
 * transports. A line written to the parameter run starts them; kinds.c has the
 * kinds.
 */
#ifndef TARGET_JOBS_H
#define TARGET_JOBS_H

#include <linux/list.h>
#include <linux/types.h>

#include "pace.h"

struct job;
struct target_ctxt;
struct target_xprt;

/**
 * struct job_kind - what a job does
 * @name: the first word of its line
 * @one: does it once; false: not now, try again. May sleep
 * @run: instead of @one: the whole of it, for those that must not be paced
 * @keeps: send contexts are kept in job->ring
 * @once_round: the ring is filled once and nothing in it is used again
 * @bound: each thread is bound to a CPU of its own
 */
struct job_kind {
	const char *name;
	bool (*one)(struct job *job, struct target_xprt *xprt);
	void (*run)(struct job *job);
	bool keeps;
	bool once_round;
	bool bound;
};

struct job {
	struct list_head node;
	const struct job_kind *kind;
	struct task_struct *task;
	struct pace pace;
	bool stop;
	bool done;

	/* From its line; see main.c for their meaning. */
	u64 xprt;
	u64 xprts;
	u64 rate;
	u64 count;
	u64 threads;
	u64 highpri;
	u64 keys;
	u64 stuck;
	u64 infos;

	struct target_ctxt **ring;	/* keys of them, for kinds that keep */
	u64 n;				/* done so far */
};

extern const struct job_kind job_kinds[];	/* ends with one without a name */

void jobs_open(void);

/* Stops all, waits for them, and takes no more. */
void jobs_close(void);

/* "KIND [NAME=VALUE]..." or "stop [KIND]"; @line is written to. Does not wait for anything. */
int jobs_command(char *line);

unsigned int jobs_running(void);

#endif
