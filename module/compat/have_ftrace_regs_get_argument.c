// SPDX-License-Identifier: GPL-2.0
/* Can an ftrace callback read arguments without asking for all registers? */
#include <linux/ftrace.h>

unsigned long svlag_probe(struct ftrace_regs *fregs);
unsigned long svlag_probe(struct ftrace_regs *fregs)
{
	return ftrace_regs_get_argument(fregs, 0);
}
