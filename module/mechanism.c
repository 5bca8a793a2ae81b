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

/* What gcc puts behind the name of a function whose arguments it has changed. */
static const char * const endings[] = { "", ".isra.0", ".constprop.0", ".constprop.0.isra.0" };

int svlag_resolve(const char *module, const char *symbol, struct svlag_function *function)
{
	char place[SVLAG_PLACE_LEN];
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(endings); i++) {
		snprintf(function->name, sizeof(function->name), "%s%s", symbol, endings[i]);
		err = place_of(place, module, function->name);
		if (!err)
			err = resolve_place(place, &function->address);
		if (err != -ENOENT)
			break;
	}
	function->renamed = i > 0;
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
