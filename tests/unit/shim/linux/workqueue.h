/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_LINUX_WORKQUEUE_H
#define SHIM_LINUX_WORKQUEUE_H

#include <linux/list.h>

struct work_struct {
	unsigned long data;
	struct list_head entry;
	void (*func)(struct work_struct *work);
};

#endif
