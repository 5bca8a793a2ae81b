/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One function of the kernel, watched by ftrace or by a kprobe.
 *
 * ftrace costs about a quarter of a kprobe (tests/bench measures both), so it
 * is tried first; a kprobe reaches functions that ftrace cannot.
 */
#ifndef SVLAG_MECHANISM_H
#define SVLAG_MECHANISM_H

#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/types.h>
#include <svcrdma_lag/abi.h>

/* Of the longest name that the kernel has, "module:symbol". */
#define SVLAG_PLACE_LEN		(MODULE_NAME_LEN + 64)

/**
 * struct svlag_handlers - what is to run at the entry of a function
 * @ftrace: when ftrace watches it; NULL where the kernel has none
 * @kprobe: when a kprobe does
 * @argument: @ftrace reads arguments of the function
 *
 * They run in whatever context the function runs in and must neither sleep nor
 * call what could be traced.
 */
struct svlag_handlers {
#ifdef CONFIG_DYNAMIC_FTRACE
	ftrace_func_t ftrace;
#else
	void *ftrace;
#endif
	kprobe_pre_handler_t kprobe;
	bool argument;
};

/**
 * struct svlag_probe - a function that is or was watched
 * @by: how; SVLAG_BY_NONE while it is not
 * @ops: ftrace's; one ops a function, because two on one cost far more than one
 * @kprobe: the other's
 * @place: "module:symbol"
 * @kprobe_ever: a kprobe was, so that what it missed is known
 * @missed: what earlier kprobes of this function missed
 */
struct svlag_probe {
	enum svlag_mechanism by;
#ifdef CONFIG_DYNAMIC_FTRACE
	struct ftrace_ops ops;
#endif
	struct kprobe kprobe;
	char place[SVLAG_PLACE_LEN];
	bool kprobe_ever;
	u64 missed;
};

/**
 * struct svlag_function - a function of a module, static ones included
 * @name: its name, with what the compiler put behind it
 * @address: on some kernels a few bytes past the symbol
 * @renamed: the compiler has changed its arguments as well as its name
 * @split: what bears this name sees only some of the calls: there are several
 *	copies, or its beginning is part of its callers
 */
struct svlag_function {
	char name[SVLAG_PLACE_LEN];
	unsigned long address;
	bool renamed;
	bool split;
};

/**
 * svlag_resolve - find a function
 * @module: the module it is in
 * @symbol: its name in the source
 * @function: filled in, unless there is none
 *
 * A module that is on its way out has no functions any more.
 *
 * Context: may sleep. Return: 0, -ENOENT where there is none, or another errno
 * where the kernel lets nobody probe it.
 */
int svlag_resolve(const char *module, const char *symbol, struct svlag_function *function);

/**
 * svlag_probe_attach - watch a function
 * @probe: not attached
 * @by: SVLAG_BY_FTRACE or SVLAG_BY_KPROBE
 * @module: the module it is in
 * @symbol: its name in the kernel's symbol table
 * @handlers: for as long as the probe is attached
 *
 * Context: may sleep. Return: 0 or an errno, -EOPNOTSUPP where the kernel was
 * built without that mechanism.
 */
int svlag_probe_attach(struct svlag_probe *probe, enum svlag_mechanism by, const char *module,
		       const char *symbol, const struct svlag_handlers *handlers);

/**
 * svlag_probe_detach - stop watching
 * @probe: attached or not
 *
 * When it returns no handler runs or will.
 *
 * Context: may sleep, for as long as RCU takes.
 */
void svlag_probe_detach(struct svlag_probe *probe);

/**
 * svlag_probe_missed - hits that kprobes admit to have missed
 * @probe: attached or not
 *
 * Return: how many since the module was loaded, or SVLAG_UNKNOWN where no kprobe
 * ever was: ftrace does not say.
 */
u64 svlag_probe_missed(const struct svlag_probe *probe);

#endif
