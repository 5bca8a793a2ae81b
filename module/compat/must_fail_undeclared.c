// SPDX-License-Identifier: GPL-2.0
/* Tests the tester: a function that no kernel declares must be an error. */
#include <linux/types.h>

int svlag_probe(int arg);
int svlag_probe(int arg)
{
	return svlag_no_kernel_has_this_function(arg);
}
