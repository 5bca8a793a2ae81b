/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_LINUX_CACHE_H
#define SHIM_LINUX_CACHE_H

#define L1_CACHE_BYTES		64
#define __read_mostly
#define ____cacheline_aligned	__attribute__((aligned(L1_CACHE_BYTES)))

#endif
