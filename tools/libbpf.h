/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libbpf, loaded when it is first asked for: a machine that watches need not have
 * it, and the reader runs there all the same. Its headers are enough to build.
 */
#ifndef SVLAG_TOOLS_LIBBPF_H
#define SVLAG_TOOLS_LIBBPF_H

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "parse.h"

/* Its functions that are used here, under their own names. */
struct svlag_libbpf {
	__typeof__(btf__parse) *btf__parse;
	__typeof__(btf__parse_split) *btf__parse_split;
	__typeof__(btf__free) *btf__free;
	__typeof__(btf__type_cnt) *btf__type_cnt;
	__typeof__(btf__type_by_id) *btf__type_by_id;
	__typeof__(btf__name_by_offset) *btf__name_by_offset;
	__typeof__(libbpf_set_print) *libbpf_set_print;
};

/**
 * svlag_libbpf - the functions
 * @why: where it cannot be loaded, a sentence
 *
 * Return: them, or NULL.
 */
const struct svlag_libbpf *svlag_libbpf(char why[SVLAG_SENTENCE_SIZE]);

#endif
