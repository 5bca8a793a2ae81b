// SPDX-License-Identifier: GPL-2.0
/*
 * Jobs: their lines, their threads, their ends.
 */
#include "jobs.h"

#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/kstrtox.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/sched/prio.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "ctxt.h"
#include "target.h"
#include "xprt.h"

#define MAX_THREADS	256

static DEFINE_MUTEX(jobs_lock);
static LIST_HEAD(jobs);			/* protected by jobs_lock */
static bool jobs_are_taken;		/* the same */

static const struct job_word {
	const char *name;
	size_t offset;
} job_words[] = {
	{ "xprt", offsetof(struct job, xprt) },
	{ "xprts", offsetof(struct job, xprts) },
	{ "rate", offsetof(struct job, rate) },
	{ "count", offsetof(struct job, count) },
	{ "threads", offsetof(struct job, threads) },
	{ "highpri", offsetof(struct job, highpri) },
	{ "keys", offsetof(struct job, keys) },
	{ "stuck", offsetof(struct job, stuck) },
	{ "infos", offsetof(struct job, infos) },
};

static void job_run(struct job *job)
{
	while (!READ_ONCE(job->stop) && (!job->count || job->n < job->count)) {
		struct target_xprt *xprt = xprt_at(job->xprt + job->n % job->xprts);

		pace_wait(&job->pace, job->rate);
		if (READ_ONCE(job->stop))
			break;
		if (job->kind->one(job, xprt))
			job->n++;
		else
			msleep_interruptible(1);
		cond_resched();
	}
}

static int job_thread(void *data)
{
	struct job *job = data;

	if (job->kind->run)
		job->kind->run(job);
	else
		job_run(job);
	WRITE_ONCE(job->done, true);
	return 0;
}

static void job_stop(struct job *job)
{
	WRITE_ONCE(job->stop, true);
	pace_restart(&job->pace);
}

/* Its thread may still be running; it is not afterwards. */
static void job_free(struct job *job)
{
	u64 i;

	if (job->task) {
		kthread_stop(job->task);
		put_task_struct(job->task);
	}
	for (i = 0; job->ring && i < job->keys; i++)
		if (job->ring[i])
			ctxt_leak(job->ring[i]);
	kvfree(job->ring);
	kfree(job);
}

static struct job *job_new(const struct job *line, unsigned int thread)
{
	struct job *job = kmemdup(line, sizeof(*line), GFP_KERNEL);
	struct task_struct *task;

	if (!job)
		return ERR_PTR(-ENOMEM);
	pace_init(&job->pace);
	if (job->kind->keeps) {
		job->ring = kvcalloc(job->keys, sizeof(*job->ring), GFP_KERNEL);
		if (!job->ring) {
			job_free(job);
			return ERR_PTR(-ENOMEM);
		}
	}
	task = kthread_create(job_thread, job, "svlag_%s/%u", job->kind->name, thread);
	if (IS_ERR(task)) {
		job_free(job);
		return ERR_CAST(task);
	}
	if (job->kind->bound)
		kthread_bind(task, cpumask_nth(thread, cpu_online_mask));
	if (job->highpri)
		set_user_nice(task, MIN_NICE);
	job->task = get_task_struct(task);
	return job;
}

static int jobs_start(const struct job *line)
{
	struct job *job, *next;
	LIST_HEAD(fresh);
	unsigned int i;

	for (i = 0; i < line->threads; i++) {
		job = job_new(line, i);
		if (IS_ERR(job)) {
			list_for_each_entry_safe(job, next, &fresh, node)
				job_free(job);
			return PTR_ERR(job);
		}
		list_add_tail(&job->node, &fresh);
	}
	/* All at once, so that they run side by side. */
	list_for_each_entry(job, &fresh, node)
		wake_up_process(job->task);
	list_splice_tail(&fresh, &jobs);
	return 0;
}

static int job_check(struct job *line)
{
	if (!line->xprts || !line->threads || line->xprt >= xprt_count() ||
	    line->xprts > xprt_count() - line->xprt) {
		pr_target("there are %u transports, counted from 0\n", xprt_count());
		return -EINVAL;
	}
	if (line->threads > (line->kind->bound ? num_online_cpus() : MAX_THREADS)) {
		pr_target("that many threads are not to be had\n");
		return -EINVAL;
	}
	if (line->rate > NSEC_PER_SEC || !line->keys || line->keys > INT_MAX ||
	    line->infos > INT_MAX ||
	    (line->kind->once_round && line->count > line->keys)) {
		pr_target("a rate, keys, infos or count is out of range\n");
		return -EINVAL;
	}
	if (line->kind->once_round && !line->count)
		line->count = line->keys;
	return 0;
}

static int job_parse(struct job *line, char *text)
{
	const struct job_kind *kind = job_kinds;
	char *word = strsep(&text, " ");
	unsigned int i;

	while (kind->name && strcmp(kind->name, word))
		kind++;
	if (!kind->name) {
		pr_target("no kind of job is called %s\n", word);
		return -EINVAL;
	}
	line->kind = kind;
	while ((word = strsep(&text, " "))) {
		char *name = strsep(&word, "=");

		for (i = 0; i < ARRAY_SIZE(job_words); i++)
			if (word && !strcmp(job_words[i].name, name))
				break;
		if (i == ARRAY_SIZE(job_words) ||
		    kstrtou64(word, 10, (u64 *)((char *)line + job_words[i].offset))) {
			pr_target("not understood: %s\n", name);
			return -EINVAL;
		}
	}
	return job_check(line);
}

static void jobs_reap(bool all)
{
	struct job *job, *next;

	list_for_each_entry_safe(job, next, &jobs, node) {
		if (!all && !READ_ONCE(job->done))
			continue;
		list_del(&job->node);
		job_free(job);
	}
}

/* Those of a kind, or all. */
static void jobs_stop(const char *kind)
{
	struct job *job;

	list_for_each_entry(job, &jobs, node)
		if (!*kind || !strcmp(job->kind->name, kind))
			job_stop(job);
}

int jobs_command(char *line)
{
	struct job job = { .xprts = 1, .threads = 1, .keys = 100000 };
	int err = -EAGAIN;

	mutex_lock(&jobs_lock);
	if (jobs_are_taken) {
		jobs_reap(false);
		if (str_has_prefix(line, "stop")) {
			jobs_stop(skip_spaces(line + strlen("stop")));
			err = 0;
		} else {
			err = job_parse(&job, line);
			if (!err)
				err = jobs_start(&job);
		}
	}
	mutex_unlock(&jobs_lock);
	return err;
}

unsigned int jobs_running(void)
{
	struct job *job;
	unsigned int n = 0;

	mutex_lock(&jobs_lock);
	list_for_each_entry(job, &jobs, node)
		n += !READ_ONCE(job->done);
	mutex_unlock(&jobs_lock);
	return n;
}

void jobs_open(void)
{
	mutex_lock(&jobs_lock);
	jobs_are_taken = true;
	mutex_unlock(&jobs_lock);
}

void jobs_close(void)
{
	mutex_lock(&jobs_lock);
	jobs_are_taken = false;
	jobs_stop("");
	jobs_reap(true);
	mutex_unlock(&jobs_lock);
}
