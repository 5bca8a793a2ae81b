/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_LINUX_KERNEL_H
#define SHIM_LINUX_KERNEL_H

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* libc looks for this one's namesake too. */
#include_next <linux/kernel.h>

#include <linux/minmax.h>
#include <linux/types.h>

#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define BUILD_BUG_ON(condition)	_Static_assert(!(condition), #condition)

/* The last of them, for the test to see. */
extern char shim_log[512];

#ifndef pr_fmt
#define pr_fmt(fmt) fmt
#endif
#define pr_err(fmt, ...) snprintf(shim_log, sizeof(shim_log), pr_fmt(fmt), ##__VA_ARGS__)

__attribute__((format(printf, 3, 4)))
static inline int scnprintf(char *buffer, size_t size, const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(buffer, size, format, args);
	va_end(args);
	return len < (int)size ? len : (int)size - 1;
}

/* A number alone, with one newline at most behind it; "-1" is none. */
static inline int kstrtouint(const char *text, unsigned int base, unsigned int *number)
{
	unsigned long long value;
	char *end;

	if ((*text == '+' ? text[1] : *text) < '0' || (*text == '+' ? text[1] : *text) > '9')
		return -EINVAL;
	errno = 0;
	value = strtoull(text, &end, base);
	end += *end == '\n';
	if (*end)
		return -EINVAL;
	if (errno || value > ~0U)
		return -ERANGE;
	*number = value;
	return 0;
}

#endif
