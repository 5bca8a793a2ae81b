// SPDX-License-Identifier: GPL-2.0
#include "btf.h"

#include <stdio.h>

bool svlag_btf_is_readable(char why[SVLAG_SENTENCE_SIZE])
{
	snprintf(why, SVLAG_SENTENCE_SIZE, "this svcrdma-lag was built without libbpf, which reads "
		 "BTF: install libbpf-dev and pkg-config, and make tool again");
	return false;
}

bool svlag_btf_offsets(const char *file, const char *base, bool must_have_base,
		       struct svlag_offsets *offsets, char why[SVLAG_SENTENCE_SIZE])
{
	(void)file;
	(void)base;
	(void)must_have_base;
	svlag_offsets_clear(offsets);
	return svlag_btf_is_readable(why);
}
