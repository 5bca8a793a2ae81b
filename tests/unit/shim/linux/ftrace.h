/* SPDX-License-Identifier: GPL-2.0 */
/* A kernel without ftrace: no room in user space has handlers. */
