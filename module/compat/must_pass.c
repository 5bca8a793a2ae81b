// SPDX-License-Identifier: GPL-2.0
/* Tests the tester: where this does not compile, no probe can be believed. */
#include <linux/kprobes.h>
#include <linux/module.h>

int svlag_probe(struct kprobe *kprobe);
int svlag_probe(struct kprobe *kprobe)
{
	return register_kprobe(kprobe);
}
