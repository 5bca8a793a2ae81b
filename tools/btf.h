/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Offsets out of BTF, the compiler's description of a kernel's structures. By
 * libbpf in btf.c; where the reader is built without it, no_btf.c stands in.
 */
#ifndef SVLAG_TOOLS_BTF_H
#define SVLAG_TOOLS_BTF_H

#include <stdbool.h>

#include "parse.h"
#include "offsets.h"

/**
 * svlag_btf_is_readable - was the reader built with libbpf, and is it here?
 * @why: if not, a sentence
 *
 * Return: whether svlag_btf_offsets() can do anything.
 */
bool svlag_btf_is_readable(char why[SVLAG_SENTENCE_SIZE]);

/**
 * svlag_btf_offsets - where the members are
 * @file: BTF as /sys/kernel/btf has it, or an object file with a section of it
 * @base: that of the kernel for whose module @file is
 * @must_have_base: @file is never tried by itself
 * @offsets: filled in
 * @why: what is wrong, a sentence
 *
 * A file that is damaged is refused, or gives wrong offsets; it does no harm.
 * Return: whether all is well; then sc_cqe at least is there.
 */
bool svlag_btf_offsets(const char *file, const char *base, bool must_have_base,
		       struct svlag_offsets *offsets, char why[SVLAG_SENTENCE_SIZE]);

#endif
