/* SPDX-License-Identifier: GPL-2.0 */
/*
 * svcrdma-lag layout: the parameter layout= of the module, for the rpcrdma that
 * runs here or whose BTF is given.
 */
#ifndef SVLAG_TOOLS_DERIVE_H
#define SVLAG_TOOLS_DERIVE_H

#include "options.h"
#include "parse.h"

/* Room for all that svlag_derive() writes, file names included. */
#define SVLAG_DERIVED_SIZE	8192

/**
 * svlag_derive - find the offsets and put them into words
 * @sys: where sysfs is mounted, "/sys"
 * @options: of these, btf_file and btf_base
 * @text: a line of modprobe.d, with comments before it; empty on failure
 * @why: on failure, a sentence
 *
 * Return: the status to exit with.
 */
enum svlag_exit svlag_derive(const char *sys, const struct svlag_options *options,
			     char text[SVLAG_DERIVED_SIZE], char why[SVLAG_SENTENCE_SIZE]);

#endif
