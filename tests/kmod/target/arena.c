// SPDX-License-Identifier: GPL-2.0
/*
 * One page in many places.
 */
#include "arena.h"

#include <linux/build_bug.h>
#include <linux/gfp.h>
#include <linux/math.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "ctxt.h"

int arena_open(struct arena *arena, struct target_conn *conn, u64 nr)
{
	u64 nr_pages = DIV_ROUND_UP_ULL(nr, PAGE_SIZE / ARENA_STRIDE), i;
	struct page **pages = kvmalloc_array(nr_pages, sizeof(*pages), GFP_KERNEL);

	BUILD_BUG_ON(ARENA_STRIDE > PAGE_SIZE);
	arena->page = alloc_page(GFP_KERNEL | __GFP_ZERO);
	if (pages && arena->page) {
		for (i = 0; i < PAGE_SIZE / ARENA_STRIDE; i++)
			ctxt_fill_bare(page_address(arena->page) + i * ARENA_STRIDE, conn);
		for (i = 0; i < nr_pages; i++)
			pages[i] = arena->page;
		arena->at = vmap(pages, nr_pages, VM_MAP, PAGE_KERNEL);
	}
	kvfree(pages);
	if (arena->at)
		return 0;
	arena_close(arena);
	return -ENOMEM;
}

void arena_close(struct arena *arena)
{
	vunmap(arena->at);
	if (arena->page)
		__free_page(arena->page);
	*arena = (struct arena){ 0 };
}
