/* SPDX-License-Identifier: GPL-2.0 */
/*
 * svcrdma-lag --check: do the files of the module follow the contract?
 */
#ifndef SVLAG_TOOLS_CHECK_H
#define SVLAG_TOOLS_CHECK_H

#include "options.h"

/**
 * svlag_check - read and parse each file once, and say a line about each
 * @root: where debugfs is mounted, or a saved tree
 *
 * Return: the status to exit with; a failure if any file is not as it should be.
 */
enum svlag_exit svlag_check(const char *root);

#endif
