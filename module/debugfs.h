/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files under /sys/kernel/debug/svcrdma_lag/: printers. The contract is
 * include/svcrdma_lag/abi.h.
 */
#ifndef SVLAG_DEBUGFS_H
#define SVLAG_DEBUGFS_H

/**
 * svlag_debugfs_open - show the files
 *
 * Everything that they show has been started before. Without debugfs in the
 * kernel nothing is shown, and the log says so.
 *
 * Context: may sleep.
 */
void svlag_debugfs_open(void);

/**
 * svlag_debugfs_close - take them away; no printer runs when it returns
 */
void svlag_debugfs_close(void);

#endif
