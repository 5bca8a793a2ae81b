/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Relaxed atomics, so that the thread sanitizer knows READ_ONCE() and
 * WRITE_ONCE() for what they are, and still sees a plain access beside them.
 */
#ifndef SHIM_LINUX_COMPILER_H
#define SHIM_LINUX_COMPILER_H

#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, value)	__atomic_store_n(&(x), (value), __ATOMIC_RELAXED)

/* In the kernel a plain access; here what tells the sanitizer that it is meant. */
#define data_race(x)		READ_ONCE(x)

#define barrier()		__asm__ volatile("" : : : "memory")
#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)

#undef __always_inline
#define __always_inline		inline __attribute__((always_inline))
#define noinline		__attribute__((noinline))
#define notrace			__attribute__((no_instrument_function))

#define NOKPROBE_SYMBOL(name)	_Static_assert(1, "a kprobe may not be set here")

#endif
