/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the module says at one moment, and the difference of two moments.
 *
 * A tick opens each file once and takes every value from that one text: two
 * reads are two moments, and releases could then exceed completions.
 */
#ifndef SVLAG_TOOLS_SAMPLE_H
#define SVLAG_TOOLS_SAMPLE_H

#include "parse.h"
#include "waits.h"

#define SVLAG_HOOKS_MAX		32

/**
 * struct svlag_sample - one moment
 * @stats: the file stats
 * @how: how its parsing went
 * @hook: the rows of the file hooks
 * @nr_hooks: how many; 0 if that file could not be read, which costs only words
 * @waits: the file wait; not known if it could not be read or is not good
 * @wait_fault: why not, in a sentence without a newline; empty where there is no such
 *	file, as in a tree that an older module left
 */
struct svlag_sample {
	struct svlag_stats stats;
	struct svlag_parsed how;
	struct svlag_hook_row hook[SVLAG_HOOKS_MAX];
	unsigned int nr_hooks;
	struct svlag_waits waits;
	char wait_fault[SVLAG_SENTENCE_SIZE];
};

enum svlag_reading {
	SVLAG_READ_OK,
	SVLAG_READ_NOT_LOADED,
	SVLAG_READ_FAILED,
};

/**
 * svlag_read_file - read one file of the module whole
 * @root: where debugfs is mounted, or a saved tree
 * @file: the file's name
 * @text: where its text goes, without a NUL
 * @size: the room there; a longer file is refused
 * @len: the length of the text
 * @why: set to a sentence, without a newline, unless all went well
 *
 * Return: SVLAG_READ_OK, or what went wrong.
 */
enum svlag_reading svlag_read_file(const char *root, const char *file, char *text, size_t size,
				   size_t *len, char why[SVLAG_SENTENCE_SIZE]);

/**
 * svlag_read_sample - read one moment
 * @root: where debugfs is mounted, or a saved tree
 * @sample: where it goes
 * @why: set to a sentence, without a newline, unless all went well
 *
 * Return: SVLAG_READ_OK, or what went wrong. A stats file that does not even
 * give its time has failed.
 */
enum svlag_reading svlag_read_sample(const char *root, struct svlag_sample *sample,
				     char why[SVLAG_SENTENCE_SIZE]);

enum svlag_reset {
	SVLAG_RESET_NONE,
	SVLAG_RESET_LOADED,	/* the module was loaded anew */
	SVLAG_RESET_ARMED,	/* the hooks were armed anew */
	SVLAG_RESET_FELL,	/* a number that only rises fell */
};

/**
 * struct svlag_window - what happened between two samples
 * @length_ns: by the kernel's own clock; 0 if that stood still
 * @get: calls of svc_rdma_send_ctxt_get
 * @queued: Send completions
 * @released: releases
 * @capped: hits of the cap of a vendor's kernel
 * @batches: drains of a release list that released anything
 * @correction: by how much depth_correction grew
 * @unseen: the part of it that had been queued before the hooks were armed
 * @inserted: items brought to the in-flight table
 * @ended: items that left it, or found no place in it
 * @waits: of those that left meanwhile, and what waits at the end
 * @waits_fell: not known, because a count in the file wait fell
 * @reset: why the two samples cannot be compared; all counts are unknown then
 * @fell: with SVLAG_RESET_FELL, the name of the number
 *
 * A count is SVLAG_UNKNOWN where one of the two samples does not have it.
 */
struct svlag_window {
	__u64 length_ns;
	__u64 get;
	__u64 queued;
	__u64 released;
	__u64 capped;
	__u64 batches;
	__u64 correction;
	__u64 unseen;
	__u64 inserted;
	__u64 ended;
	struct svlag_waits waits;
	bool waits_fell;
	enum svlag_reset reset;
	const char *fell;
};

/* What lies between two samples, @from being the older one. */
void svlag_diff(const struct svlag_sample *from, const struct svlag_sample *to,
		struct svlag_window *window);

/*
 * What lies between the arming and the sample. The counts go back to the load,
 * so they are unknown if the hooks were armed more than once.
 */
void svlag_since_arming(const struct svlag_sample *to, struct svlag_window *window);

bool svlag_is_armed(const struct svlag_sample *sample);

/* The rate per second, rounded; SVLAG_UNKNOWN if it cannot be told. */
__u64 svlag_per_second(__u64 count, __u64 length_ns);

#endif
