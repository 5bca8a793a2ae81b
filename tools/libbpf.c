// SPDX-License-Identifier: GPL-2.0
#include "libbpf.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* The ABI that the headers are of, as the run-time linker would look for it. */
#define TEXT_OF(x)		#x
#define SONAME_OF(major)	"libbpf.so." TEXT_OF(major)
#define SONAME			SONAME_OF(LIBBPF_MAJOR_VERSION)

/* Set once all of @functions are; never unloaded. */
static void *library;
static struct svlag_libbpf functions;

static const struct {
	const char *name;
	void **place;
} symbols[] = {
	{ "btf__parse", (void **)&functions.btf__parse },
	{ "btf__parse_split", (void **)&functions.btf__parse_split },
	{ "btf__free", (void **)&functions.btf__free },
	{ "btf__type_cnt", (void **)&functions.btf__type_cnt },
	{ "btf__type_by_id", (void **)&functions.btf__type_by_id },
	{ "btf__name_by_offset", (void **)&functions.btf__name_by_offset },
	{ "libbpf_set_print", (void **)&functions.libbpf_set_print },
};

static bool find_all(void *in)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(symbols); i++) {
		*symbols[i].place = dlsym(in, symbols[i].name);
		if (!*symbols[i].place)
			return false;
	}
	return true;
}

const struct svlag_libbpf *svlag_libbpf(char why[SVLAG_SENTENCE_SIZE])
{
	void *opened = library ?: dlopen(SONAME, RTLD_NOW | RTLD_LOCAL);

	why[0] = '\0';
	if (opened && (library || find_all(opened))) {
		library = opened;
		return &functions;
	}
	snprintf(why, SVLAG_SENTENCE_SIZE, "BTF is read by libbpf, which cannot be loaded here: "
		 "install it (Debian: apt install libbpf%d; %s)", LIBBPF_MAJOR_VERSION, dlerror());
	if (opened)
		dlclose(opened);
	return NULL;
}
