/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_LINUX_KPROBES_H
#define SHIM_LINUX_KPROBES_H

#include <linux/compiler.h>

#endif
