/* SPDX-License-Identifier: GPL-2.0 */
/*
 * With TARGET_RENAMED, functions that a compiler has renamed because it changed
 * their arguments. Each is called once at the begin of what stands under its name
 * in the source, which then bears another name, and its arguments are garbage.
 *
 * With TARGET_SPLIT too, some of them are there in two copies, which are called
 * in turn; and of one there is only a part, called every other time.
 */
#ifndef TARGET_RENAMED_H
#define TARGET_RENAMED_H

#include <linux/kernel.h>

#ifdef TARGET_RENAMED
#include <linux/random.h>

#define RENAMED_FUNCTION(name, nth, ending)						\
static __attribute__((__noipa__)) void name##_##nth(unsigned long a, unsigned long b)	\
	__asm__(#name ending);								\
static __attribute__((__noipa__)) void name##_##nth(unsigned long a, unsigned long b)	\
{											\
}

/* No pointers, or some that lead nowhere. */
static inline unsigned long renamed_garbage(void)
{
	static const unsigned long garbage[] = {
		0, 1, 8, 0x7fff00001000, 0xdead000000000100, 0xa5a5a5a5a5a5a5a5,
		0xffff800000000000, 0xffffc8fffffff000, -4096UL, -1UL,
	};

	return garbage[get_random_u32() % ARRAY_SIZE(garbage)];
}
#else
#define RENAMED_FUNCTION(name, nth, ending)						\
static inline void name##_##nth(unsigned long a, unsigned long b)			\
{											\
}

static inline unsigned long renamed_garbage(void)
{
	return 0;
}
#endif

#define RENAMED_WHOLE(name, ending)							\
RENAMED_FUNCTION(name, 1, ending)							\
static inline void name##_renamed(unsigned long a, unsigned long b)			\
{											\
	name##_1(a, b);									\
}

/* The other copy stands above. */
#define RENAMED_COPY(name, ending)							\
RENAMED_FUNCTION(name, 1, ending)							\
static inline void name##_renamed(unsigned long a, unsigned long b)			\
{											\
	static bool second;								\
											\
	second = !second;								\
	if (second)									\
		name##_2(a, b);								\
	else										\
		name##_1(a, b);								\
}

#define RENAMED_PART(name, ending)							\
RENAMED_FUNCTION(name, 1, ending)							\
static inline void name##_renamed(unsigned long a, unsigned long b)			\
{											\
	static bool second;								\
											\
	second = !second;								\
	if (second)									\
		name##_1(a, b);								\
}

#ifdef TARGET_SPLIT
RENAMED_WHOLE(svc_rdma_wc_send, ".isra.0")
RENAMED_PART(svc_rdma_send_ctxt_get, ".part.1.isra.0")
RENAMED_FUNCTION(svc_rdma_send_ctxt_put_async, 2, ".constprop.1")
RENAMED_COPY(svc_rdma_send_ctxt_put_async, ".constprop.0")
RENAMED_FUNCTION(svc_rdma_write_chunk_release, 2, ".constprop.0")
RENAMED_COPY(svc_rdma_write_chunk_release, "")
RENAMED_PART(svc_rdma_write_info_free_async, ".part.0")
#else
RENAMED_WHOLE(svc_rdma_wc_send, ".isra.3")
RENAMED_WHOLE(svc_rdma_send_ctxt_get, ".constprop.0")
RENAMED_WHOLE(svc_rdma_send_ctxt_put_async, ".constprop.2.isra.0")
RENAMED_WHOLE(svc_rdma_write_chunk_release, ".isra.0")
RENAMED_WHOLE(svc_rdma_write_info_free_async, ".isra.1.constprop.0")
#endif

/* One line at the begin of each of them. */
#define target_entered(name)	name##_renamed(renamed_garbage(), renamed_garbage())

#ifdef TARGET_RENAMED
#define svc_rdma_wc_send		body_of_wc_send
#define svc_rdma_send_ctxt_get		body_of_send_ctxt_get
#define svc_rdma_send_ctxt_put_async	body_of_send_ctxt_put_async
#define svc_rdma_write_chunk_release	body_of_write_chunk_release
#define svc_rdma_write_info_free_async	body_of_write_info_free_async
#endif

#endif
