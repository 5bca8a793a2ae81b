/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's atomics by those of the compiler, each with the order that its name
 * says and no more, so that the thread sanitizer misses what the name leaves out.
 */
#ifndef SHIM_LINUX_ATOMIC_H
#define SHIM_LINUX_ATOMIC_H

#include <linux/compiler.h>
#include <linux/types.h>

#define SHIM_CMPXCHG(p, old, new, order) ({					\
	__typeof__(*(p)) shim_old = (old);					\
										\
	__atomic_compare_exchange_n((p), &shim_old, (new), false, order,	\
				    __ATOMIC_RELAXED);				\
	shim_old;								\
})

#define cmpxchg(p, old, new)		SHIM_CMPXCHG(p, old, new, __ATOMIC_SEQ_CST)
#define cmpxchg_relaxed(p, old, new)	SHIM_CMPXCHG(p, old, new, __ATOMIC_RELAXED)
#define cmpxchg_acquire(p, old, new)	SHIM_CMPXCHG(p, old, new, __ATOMIC_ACQUIRE)
#define cmpxchg_release(p, old, new)	SHIM_CMPXCHG(p, old, new, __ATOMIC_RELEASE)

#define smp_load_acquire(p)		__atomic_load_n((p), __ATOMIC_ACQUIRE)
#define smp_store_release(p, value)	__atomic_store_n((p), (value), __ATOMIC_RELEASE)

/* The thread sanitizer knows no fences. */
extern u64 shim_fence;
#define smp_rmb()			((void)__atomic_fetch_add(&shim_fence, 1, __ATOMIC_ACQ_REL))

typedef struct {
	int counter;
} atomic_t;

typedef struct {
	s64 counter;
} atomic64_t;

#define atomic64_read(v)	READ_ONCE((v)->counter)
#define atomic64_set(v, i)	WRITE_ONCE((v)->counter, i)
#define atomic64_cmpxchg_relaxed(v, old, new)	cmpxchg_relaxed(&(v)->counter, old, new)
#define atomic64_cmpxchg_release(v, old, new)	cmpxchg_release(&(v)->counter, old, new)

static inline int atomic_read(const atomic_t *v)
{
	return READ_ONCE(v->counter);
}

static inline void atomic_inc(atomic_t *v)
{
	__atomic_fetch_add(&v->counter, 1, __ATOMIC_RELAXED);
}

static inline void atomic_dec(atomic_t *v)
{
	__atomic_fetch_sub(&v->counter, 1, __ATOMIC_RELAXED);
}

static inline int atomic_add_return_relaxed(int i, atomic_t *v)
{
	return __atomic_add_fetch(&v->counter, i, __ATOMIC_RELAXED);
}

#endif
