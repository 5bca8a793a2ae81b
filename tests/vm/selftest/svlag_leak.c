// SPDX-License-Identifier: GPL-2.0
/*
 * Leaves an object of its own cache behind, as a module under test might. With
 * slab_nomerge and panic_on_warn its unloading must not pass for a good one.
 */
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/slab.h>

static struct kmem_cache *cache;

static int __init leak_init(void)
{
	cache = kmem_cache_create("svlag_leak", 64, 0, 0, NULL);
	if (!cache)
		return -ENOMEM;
	return kmem_cache_alloc(cache, GFP_KERNEL) ? 0 : -ENOMEM;
}

static void __exit leak_exit(void)
{
	kmem_cache_destroy(cache);
}

module_init(leak_init);
module_exit(leak_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("leaves a slab object behind, to prove the test harness");
