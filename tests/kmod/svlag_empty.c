// SPDX-License-Identifier: GPL-2.0
/*
 * svlag_empty - the floor: an ftrace callback that does nothing, on each of the
 * three functions that svcrdma_lag watches of a stand-in.
 */
#include <linux/ftrace.h>
#include <linux/module.h>

static void notrace nothing(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			    struct ftrace_regs *fregs)
{
}

/* One ops a function: two on one cost far more than one. */
static struct watched {
	unsigned char *name;
	struct ftrace_ops ops;
} watched[] = {
	{ "svc_rdma_send_ctxt_get", { .func = nothing } },
	{ "svc_rdma_wc_send", { .func = nothing } },
	{ "svc_rdma_send_ctxt_put_async", { .func = nothing } },
};

static void forget(unsigned int nr)
{
	while (nr--) {
		unregister_ftrace_function(&watched[nr].ops);
		ftrace_free_filter(&watched[nr].ops);
	}
}

static int __init empty_init(void)
{
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(watched); i++) {
		struct ftrace_ops *ops = &watched[i].ops;

		err = ftrace_set_filter(ops, watched[i].name, strlen(watched[i].name), 0);
		if (!err)
			err = register_ftrace_function(ops);
		if (err) {
			ftrace_free_filter(ops);
			forget(i);
			return err;
		}
	}
	return 0;
}

static void __exit empty_exit(void)
{
	forget(ARRAY_SIZE(watched));
}

module_init(empty_init);
module_exit(empty_exit);

MODULE_DESCRIPTION("Callbacks that do nothing");
MODULE_AUTHOR("The svcrdma_lag developers");
MODULE_LICENSE("GPL");
