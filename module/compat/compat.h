/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the kernels from 6.1 on differ in their API, asked by the probes in
 * this directory (one question a file, compiled by Kbuild with the module's own
 * flags) and answered here, in the one place that reads answers.h.
 */
#ifndef SVLAG_COMPAT_H
#define SVLAG_COMPAT_H

#include <linux/ftrace.h>
#include <linux/ptrace.h>

#include "answers.h"

/* On x86 a function may begin with an ENDBR, past which its probed address points. */
#define SVLAG_PAST_SYMBOL	4

/**
 * svlag_is_function - does this pointer lead to that function?
 * @pointer: as the kernel keeps it, the address of the symbol
 * @address: as a kprobe has it, or 0 for a function that is not there
 *
 * Context: any, hooks included.
 */
static __always_inline bool svlag_is_function(unsigned long pointer, unsigned long address)
{
	return address - pointer <= SVLAG_PAST_SYMBOL;
}

#ifdef CONFIG_DYNAMIC_FTRACE

#ifdef SVLAG_HAVE_FTRACE_REGS_GET_ARGUMENT
/* 94d095ffa0e1 ("ftrace: abstract DYNAMIC_FTRACE_WITH_ARGS accesses"): arguments come along. */
#define SVLAG_FTRACE_ARGUMENT_FLAGS	0

static __always_inline unsigned long svlag_ftrace_argument(struct ftrace_regs *fregs, int nth)
{
	return ftrace_regs_get_argument(fregs, nth);
}
#else
/* Before it, all registers have to be asked for. */
#define SVLAG_FTRACE_ARGUMENT_FLAGS	FTRACE_OPS_FL_SAVE_REGS

static __always_inline unsigned long svlag_ftrace_argument(struct ftrace_regs *fregs, int nth)
{
	return regs_get_kernel_argument(ftrace_get_regs(fregs), nth);
}
#endif

#endif /* CONFIG_DYNAMIC_FTRACE */
#endif
