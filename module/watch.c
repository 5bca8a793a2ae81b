// SPDX-License-Identifier: GPL-2.0
#include "watch.h"

#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

/* Serialises all arming and disarming. Taken inside of the kernel's notifier locks. */
static DEFINE_MUTEX(arming_lock);

/* Set before the notifiers are registered, constant afterwards. */
static const char *target;
static const struct svlag_watcher *watcher;

/* Protected by arming_lock. */
static bool armed;
static bool stopping;

static int module_event(struct notifier_block *nb, unsigned long event, void *data)
{
	struct module *module = data;

	if (strcmp(module->name, target))
		return NOTIFY_DONE;
	mutex_lock(&arming_lock);
	if (event == MODULE_STATE_COMING && !armed && !stopping) {
		armed = watcher->arrived(true);
	} else if (event == MODULE_STATE_GOING && armed) {
		watcher->leaving();
		armed = false;
	}
	mutex_unlock(&arming_lock);
	return NOTIFY_OK;
}

/*
 * Above 0, so that at a departure we are told before kprobes kills its probes
 * and before ftrace forgets the functions.
 */
static struct notifier_block module_nb = {
	.notifier_call = module_event,
	.priority = 1,
};

static struct tracepoint *tracepoint_of(struct module *module, const char *name)
{
	int i;

	for (i = 0; i < module->num_tracepoints; i++) {
		struct tracepoint *tp = tracepoint_ptr_deref(&module->tracepoints_ptrs[i]);

		if (!strcmp(tp->name, name))
			return tp;
	}
	return NULL;
}

static int tracepoint_event(struct notifier_block *nb, unsigned long event, void *data)
{
	struct tp_module *tp_module = data;
	struct svlag_hook *hook = watcher->tracepoint;
	struct tracepoint *tp;

	if (strcmp(tp_module->mod->name, target))
		return NOTIFY_DONE;
	mutex_lock(&arming_lock);
	if (event == MODULE_STATE_COMING && !hook->tracepoint && !stopping) {
		tp = tracepoint_of(tp_module->mod, hook->symbol);
		if (tp)
			svlag_hook_arm_tracepoint(hook, tp);
	} else if (event == MODULE_STATE_GOING) {
		svlag_hook_disarm(hook);
	}
	mutex_unlock(&arming_lock);
	return NOTIFY_OK;
}

static struct notifier_block tracepoint_nb = {
	.notifier_call = tracepoint_event,
};

int svlag_watch_start(const char *name, const struct svlag_watcher *who)
{
	int err;

	target = name;
	watcher = who;
	stopping = false;
	err = register_module_notifier(&module_nb);
	if (err)
		return err;

	/*
	 * A target that is there already is not announced. One that leaves
	 * meanwhile either finds its functions armed and is told of, or was past
	 * the point from which on svlag_resolve() refuses it.
	 */
	mutex_lock(&arming_lock);
	if (!armed)
		armed = watcher->arrived(false);
	mutex_unlock(&arming_lock);

	/* This one does announce what is there already. */
	err = register_tracepoint_module_notifier(&tracepoint_nb);
	if (err)
		svlag_watch_stop();
	return err;
}

/* Disarms before it stops listening: in the other order a departure in between goes unheard. */
void svlag_watch_stop(void)
{
	mutex_lock(&arming_lock);
	stopping = true;
	if (armed)
		watcher->leaving();
	armed = false;
	mutex_unlock(&arming_lock);

	unregister_tracepoint_module_notifier(&tracepoint_nb);
	unregister_module_notifier(&module_nb);
}
