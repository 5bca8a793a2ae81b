// SPDX-License-Identifier: GPL-2.0
/* Tests the tester: a pointer of the wrong type must be an error, not a warning. */
#include <linux/kprobes.h>

int svlag_probe(struct pt_regs *regs);
int svlag_probe(struct pt_regs *regs)
{
	return register_kprobe(regs);
}
