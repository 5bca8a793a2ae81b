// SPDX-License-Identifier: GPL-2.0
/*
 * What DKMS installs for a kernel that svcrdma_lag cannot be built for: it compiles
 * anywhere, is never loaded, and says why, at insmod and to "modinfo -F declines".
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <svcrdma_lag/abi.h>

#ifdef SVLAG_LACKING
#define SVLAG_REASON									\
	"the kernel was built without " SVLAG_LACKING ", which svcrdma_lag needs"
#else
#define SVLAG_REASON									\
	"version " SVLAG_VERSION " does not compile for this kernel, dkms's make.log says "	\
	"why: a newer one may"
#endif

static int __init svlag_decline(void)
{
	pr_err("%s\n", SVLAG_REASON);
	return -EOPNOTSUPP;
}
module_init(svlag_decline);

MODULE_DESCRIPTION("Says why svcrdma_lag cannot work here");
MODULE_AUTHOR("The svcrdma_lag developers");
MODULE_LICENSE("GPL");
MODULE_VERSION(SVLAG_VERSION);
MODULE_INFO(declines, SVLAG_REASON);
