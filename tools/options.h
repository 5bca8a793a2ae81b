/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The command line.
 */
#ifndef SVLAG_TOOLS_OPTIONS_H
#define SVLAG_TOOLS_OPTIONS_H

#include <stdbool.h>

#include <linux/types.h>

/* What svcrdma-lag tells its caller. 4 is kept for thresholds. */
enum svlag_exit {
	SVLAG_EXIT_OK = 0,
	SVLAG_EXIT_FAILURE = 1,
	SVLAG_EXIT_USAGE = 2,
	SVLAG_EXIT_NOT_ARMED = 3,
};

enum svlag_action {
	SVLAG_WATCH,	/* the table */
	SVLAG_CHECK,	/* check all files against the contract */
	SVLAG_LAYOUT,	/* derive the module's parameter layout= */
	SVLAG_HELP,
	SVLAG_SHOW_VERSION,
	SVLAG_MISUSE,	/* the sentence has been said */
};

/**
 * struct svlag_options - what was asked for
 * @action: what to do
 * @root: where debugfs is mounted, or a saved tree
 * @skip_first: no report since the arming
 * @histogram: draw distributions, no table
 * @interval_ns: between two reports
 * @count: reports to make; 0: without end
 * @btf_file: for SVLAG_LAYOUT, where rpcrdma is described; NULL: the running one
 * @btf_base: and the kernel that it is a module of; NULL: the running one
 */
struct svlag_options {
	enum svlag_action action;
	const char *root;
	bool skip_first;
	bool histogram;
	__u64 interval_ns;
	__u64 count;
	const char *btf_file;
	const char *btf_base;
};

/**
 * svlag_read_options - read the command line
 * @options: filled in
 * @argc: of main()
 * @argv: of main()
 *
 * A mistake is said on stderr, and is the action SVLAG_MISUSE.
 */
void svlag_read_options(struct svlag_options *options, int argc, char **argv);

extern const char svlag_usage[];

#endif
