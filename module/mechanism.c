// SPDX-License-Identifier: GPL-2.0
#include "mechanism.h"

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "compat/compat.h"

static int place_of(char *place, const char *module, const char *symbol)
{
	int len = snprintf(place, SVLAG_PLACE_LEN, "%s:%s", module, symbol);

	return len < SVLAG_PLACE_LEN ? 0 : -ENAMETOOLONG;
}

/*
 * A kprobe is the one exported way to the address of a static function of a
 * module. It is registered disabled, so the function is not touched; and it
 * takes a reference on the module while it looks, so that a module that is
 * already leaving is refused.
 */
static int resolve_place(const char *place, unsigned long *address)
{
	struct kprobe kprobe = {
		.symbol_name = place,
		.flags = KPROBE_FLAG_DISABLED,
	};
	int err = register_kprobe(&kprobe);

	if (err)
		return err;
	*address = (unsigned long)kprobe.addr;
	unregister_kprobe(&kprobe);
	return 0;
}

static int resolve_name(const char *module, struct svlag_function *function)
{
	char place[SVLAG_PLACE_LEN];
	int err = place_of(place, module, function->name);

	return err ?: resolve_place(place, &function->address);
}

/*
 * What gcc puts around a number and behind the name of a function that it has
 * changed: other arguments (isra), a copy for calls that pass a constant
 * (constprop), what is left after its beginning was inlined (part), or two of these.
 */
static const struct ending {
	const char *before;
	const char *after;
	bool is_part;
} endings[] = {
	{ ".isra.", "" },
	{ ".constprop.", "" },
	{ ".isra.", ".constprop.0" },
	{ ".constprop.", ".isra.0" },
	{ ".part.", "", true },
	{ ".part.", ".isra.0", true },
	{ ".part.", ".constprop.0", true },
};

/* Numbers begin at 0; copies that were not needed after all leave gaps. */
#define ENDING_NUMBERS	4

static void put_ending(struct svlag_function *function, const char *symbol, unsigned int nth)
{
	const struct ending *ending = &endings[nth / ENDING_NUMBERS];

	snprintf(function->name, sizeof(function->name), "%s%s%u%s", symbol, ending->before,
		 nth % ENDING_NUMBERS, ending->after);
	function->renamed = true;
	function->split = ending->is_part;
}

/* Of several, the first stands for all. */
static int resolve_renamed(const char *module, const char *symbol, struct svlag_function *function)
{
	unsigned int nth;
	int found = -ENOENT;

	for (nth = 0; nth < ARRAY_SIZE(endings) * ENDING_NUMBERS; nth++) {
		struct svlag_function next = {};
		int err;

		put_ending(&next, symbol, nth);
		err = resolve_name(module, &next);
		if (err == -ENOENT)
			continue;
		if (found == -ENOENT) {
			*function = next;
			found = err;
		} else {
			function->split = true;
		}
	}
	return found;
}

/* Is there a copy that some calls go to in place of the function? */
static bool has_copy(const char *module, const char *symbol)
{
	struct svlag_function copy = {};

	snprintf(copy.name, sizeof(copy.name), "%s.constprop.0", symbol);
	return resolve_name(module, &copy) != -ENOENT;
}

int svlag_resolve(const char *module, const char *symbol, struct svlag_function *function)
{
	struct svlag_function plain = {};
	int err;

	strscpy(plain.name, symbol, sizeof(plain.name));
	err = resolve_name(module, &plain);
	if (err == -ENOENT)
		return resolve_renamed(module, symbol, function);
	plain.split = !err && has_copy(module, symbol);
	*function = plain;
	return err;
}

#ifdef CONFIG_DYNAMIC_FTRACE
static int attach_ftrace(struct svlag_probe *probe, const struct svlag_handlers *handlers)
{
	unsigned long address;
	int err = resolve_place(probe->place, &address);

	if (err)
		return err;
	/* ftrace leaves pointers to what it freed in an ops that was used before. */
	memset(&probe->ops, 0, sizeof(probe->ops));
	probe->ops.func = handlers->ftrace;
	probe->ops.flags = handlers->argument ? SVLAG_FTRACE_ARGUMENT_FLAGS : 0;
	err = ftrace_set_filter_ip(&probe->ops, address, 0, 0);
	if (!err)
		err = register_ftrace_function(&probe->ops);
	if (err)
		ftrace_free_filter(&probe->ops);
	return err;
}

/* The whole filter goes: an address that is kept could be armed on what comes after. */
static void detach_ftrace(struct svlag_probe *probe)
{
	unregister_ftrace_function(&probe->ops);
	ftrace_free_filter(&probe->ops);
}
#else
static int attach_ftrace(struct svlag_probe *probe, const struct svlag_handlers *handlers)
{
	return -EOPNOTSUPP;
}

static void detach_ftrace(struct svlag_probe *probe)
{
}
#endif

static int attach_kprobe(struct svlag_probe *probe, const struct svlag_handlers *handlers)
{
	memset(&probe->kprobe, 0, sizeof(probe->kprobe));
	probe->kprobe.symbol_name = probe->place;
	probe->kprobe.pre_handler = handlers->kprobe;
	probe->kprobe_ever = true;
	return register_kprobe(&probe->kprobe);
}

static void detach_kprobe(struct svlag_probe *probe)
{
	unregister_kprobe(&probe->kprobe);
	probe->missed += probe->kprobe.nmissed;
	WRITE_ONCE(probe->kprobe.nmissed, 0);
}

int svlag_probe_attach(struct svlag_probe *probe, enum svlag_mechanism by, const char *module,
		       const char *symbol, const struct svlag_handlers *handlers)
{
	int err = place_of(probe->place, module, symbol);

	if (err)
		return err;
	err = by == SVLAG_BY_FTRACE ? attach_ftrace(probe, handlers) :
				      attach_kprobe(probe, handlers);
	if (!err)
		WRITE_ONCE(probe->by, by);
	return err;
}

void svlag_probe_detach(struct svlag_probe *probe)
{
	enum svlag_mechanism by = probe->by;

	WRITE_ONCE(probe->by, SVLAG_BY_NONE);
	if (by == SVLAG_BY_FTRACE)
		detach_ftrace(probe);
	else if (by == SVLAG_BY_KPROBE)
		detach_kprobe(probe);
}

u64 svlag_probe_missed(const struct svlag_probe *probe)
{
	return probe->kprobe_ever ? probe->missed + READ_ONCE(probe->kprobe.nmissed) :
				    SVLAG_UNKNOWN;
}
