/* SPDX-License-Identifier: GPL-2.0 */
/* What the compile probes would say, where the tree was not built for a kernel. */
