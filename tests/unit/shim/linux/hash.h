/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_LINUX_HASH_H
#define SHIM_LINUX_HASH_H

#define GOLDEN_RATIO_64	0x61C8864680B583EBull

#endif
