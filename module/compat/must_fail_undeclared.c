// SPDX-License-Identifier: GPL-2.0
/* Tests the tester: a function that no kernel declares must be an error. */
int svlag_probe(void);
int svlag_probe(void)
{
	return svlag_no_kernel_has_this_function();
}
