/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Per-CPU variables as the kernel makes them: the variable proper lies in a
 * section of its own, and each CPU has a copy of that section.
 *
 * The CPU is what the test says, in shim_cpu, for each thread. The increments
 * are not atomic: two threads on one CPU lose counts, which no kernel would let
 * happen, and which proves that a test can fail.
 */
#ifndef SHIM_LINUX_PERCPU_H
#define SHIM_LINUX_PERCPU_H

#include <linux/cpumask.h>
#include <linux/types.h>

#define SHIM_PERCPU_BYTES	65536

extern __thread unsigned int shim_cpu;
extern char shim_percpu_area[SHIM_CPUS][SHIM_PERCPU_BYTES];

/* The section; the linker names its bounds. */
extern char __start_shim_percpu[], __stop_shim_percpu[];

#define SHIM_PERCPU		__attribute__((section("shim_percpu")))

#define DECLARE_PER_CPU(type, name)		extern __typeof__(type) name
#define DEFINE_PER_CPU(type, name)		SHIM_PERCPU __typeof__(type) name
#define DECLARE_PER_CPU_ALIGNED(type, name)	DECLARE_PER_CPU(type, name)
#define DEFINE_PER_CPU_ALIGNED(type, name)	DEFINE_PER_CPU(type, name)
#define DECLARE_PER_CPU_SHARED_ALIGNED(type, name)	DECLARE_PER_CPU(type, name)
#define DEFINE_PER_CPU_SHARED_ALIGNED(type, name)	DEFINE_PER_CPU(type, name)
#define __percpu

static inline void *shim_percpu_at(const void *variable, unsigned int cpu)
{
	return shim_percpu_area[cpu] + ((const char *)variable - __start_shim_percpu);
}

#define per_cpu_ptr(pointer, cpu)	((__typeof__(pointer))shim_percpu_at((pointer), (cpu)))
#define per_cpu(variable, cpu)		(*per_cpu_ptr(&(variable), (cpu)))
#define this_cpu_ptr(pointer)		per_cpu_ptr(pointer, shim_cpu)

#define this_cpu_add_return(variable, n) ({					\
	__typeof__(variable) *shim_at = this_cpu_ptr(&(variable));		\
	__typeof__(variable) shim_sum = READ_ONCE(*shim_at) + (n);		\
										\
	WRITE_ONCE(*shim_at, shim_sum);						\
	shim_sum;								\
})
#define this_cpu_xchg(variable, new) ({						\
	__typeof__(variable) *shim_at = this_cpu_ptr(&(variable));		\
	__typeof__(variable) shim_was = READ_ONCE(*shim_at);			\
										\
	WRITE_ONCE(*shim_at, (new));						\
	shim_was;								\
})
#define this_cpu_add(variable, n)	((void)this_cpu_add_return(variable, n))
#define this_cpu_inc(variable)		this_cpu_add(variable, 1)
#define this_cpu_read(variable)		READ_ONCE(*this_cpu_ptr(&(variable)))

/* As atomic as the increments. A test may have another thread come in just before. */
extern void (*shim_interrupts)(void);

#define this_cpu_cmpxchg(variable, old, new) ({					\
	__typeof__(variable) shim_was;						\
										\
	if (shim_interrupts)							\
		shim_interrupts();						\
	shim_was = this_cpu_read(variable);					\
	if (shim_was == (old))							\
		WRITE_ONCE(*this_cpu_ptr(&(variable)), (new));			\
	shim_was;								\
})

/*
 * What is allocated lies behind the section, in every CPU's copy at the same place.
 * All of it must be freed before any of it is used again.
 */
void *__alloc_percpu(size_t size, size_t align);
void free_percpu(void *pointer);
#define alloc_percpu(type)	((type *)__alloc_percpu(sizeof(type), __alignof__(type)))

/* Allocations, of memory of all kinds, that were not freed. */
extern unsigned int shim_allocations;

/* Forget all that was counted. */
void shim_percpu_clear(void);

#endif
