/* SPDX-License-Identifier: GPL-2.0 */
/* What every unit test includes first: cmocka wants these before its own header. */
#ifndef SVLAG_TESTS_UNIT_TEST_H
#define SVLAG_TESTS_UNIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define ARRAY_LEN(a)	(sizeof(a) / sizeof((a)[0]))

#define RUN(tests)	cmocka_run_group_tests(tests, NULL, NULL)

#endif
