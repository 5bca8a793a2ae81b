// SPDX-License-Identifier: GPL-2.0
/* Tests the tester: a lost const must be an error. gcc 14 refuses the other two even with -w. */
#include <linux/kprobes.h>

int svlag_probe(const struct kprobe *kprobe);
int svlag_probe(const struct kprobe *kprobe)
{
	return register_kprobe(kprobe);
}
