// SPDX-License-Identifier: GPL-2.0
#include "derive.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "btf.h"
#include "offsets.h"

#define PATH_SIZE	4096

/**
 * struct used - the offsets that the loaded module uses
 * @is_known: it is loaded and tells them
 * @offsets: them
 */
struct used {
	bool is_known;
	struct svlag_offsets offsets;
};

__attribute__((format(printf, 2, 3)))
static void add(char text[SVLAG_DERIVED_SIZE], const char *format, ...)
{
	size_t len = strlen(text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text + len, SVLAG_DERIVED_SIZE - len, format, arguments);
	va_end(arguments);
}

static bool exists(const char *sys, const char *name)
{
	char path[PATH_SIZE];

	snprintf(path, sizeof(path), "%s/%s", sys, name);
	return !access(path, F_OK);
}

/* Why the running rpcrdma's BTF cannot be there. */
static enum svlag_exit explain(const char *sys, char why[SVLAG_SENTENCE_SIZE])
{
	if (!exists(sys, "kernel/btf/vmlinux")) {
		snprintf(why, SVLAG_SENTENCE_SIZE, "there is no %s/kernel/btf/vmlinux: this kernel "
			 "was built without CONFIG_DEBUG_INFO_BTF", sys);
		return SVLAG_EXIT_FAILURE;
	}
	if (exists(sys, "kernel/btf/rpcrdma"))
		return SVLAG_EXIT_OK;
	if (!exists(sys, "module/rpcrdma")) {
		snprintf(why, SVLAG_SENTENCE_SIZE, "rpcrdma is not loaded: modprobe rpcrdma");
		return SVLAG_EXIT_NOT_ARMED;
	}
	snprintf(why, SVLAG_SENTENCE_SIZE, "rpcrdma is loaded and has no %s/kernel/btf/rpcrdma: it "
		 "was built without BTF, or for another kernel", sys);
	return SVLAG_EXIT_FAILURE;
}

static void read_used(const char *sys, struct used *used)
{
	char path[PATH_SIZE];
	char text[256];
	FILE *file;
	size_t len;

	used->is_known = false;
	snprintf(path, sizeof(path), "%s/module/svcrdma_lag/parameters/layout", sys);
	file = fopen(path, "re");
	if (!file)
		return;
	len = fread(text, 1, sizeof(text) - 1, file);
	text[len] = '\0';
	used->is_known = !ferror(file) && svlag_offsets_parse(text, &used->offsets);
	fclose(file);
}

static void add_offset(char text[SVLAG_DERIVED_SIZE], unsigned int offset)
{
	if (offset == SVLAG_NO_OFFSET)
		add(text, "-");
	else
		add(text, "%u", offset);
}

static void add_member(char text[SVLAG_DERIVED_SIZE], enum svlag_member member,
		       const struct svlag_offsets *offsets, const struct used *used)
{
	add(text, "#   %-18s ", svlag_member_name(member));
	add_offset(text, offsets->of[member]);
	if (offsets->odd[member])
		add(text, "  (it is there and is %s)", offsets->odd[member]);
	if (used->is_known && used->offsets.of[member] != offsets->of[member]) {
		add(text, "  (the loaded svcrdma_lag uses ");
		add_offset(text, used->offsets.of[member]);
		add(text, ")");
	}
	add(text, "\n");
}

static void describe(const char *file, const char *release, const struct svlag_offsets *offsets,
		     const struct used *used, char text[SVLAG_DERIVED_SIZE])
{
	char line[SVLAG_OFFSETS_SIZE];
	int i;

	add(text, "# struct " SVLAG_CTXT " in %s%s%s:\n", file, release ? ", kernel " : "",
	    release ?: "");
	for (i = 0; i < SVLAG_NR_MEMBERS; i++)
		add_member(text, i, offsets, used);
	if (used->is_known)
		add(text, memcmp(used->offsets.of, offsets->of, sizeof(offsets->of)) ?
		    "# The loaded svcrdma_lag uses others: load it anew with these.\n" :
		    "# The loaded svcrdma_lag uses the same.\n");
	svlag_offsets_print(offsets, line);
	add(text, "options svcrdma_lag layout=%s\n", line);
}

enum svlag_exit svlag_derive(const char *sys, const struct svlag_options *options,
			     char text[SVLAG_DERIVED_SIZE], char why[SVLAG_SENTENCE_SIZE])
{
	char running[PATH_SIZE], vmlinux[PATH_SIZE];
	const char *file = options->btf_file ?: running;
	const char *base = options->btf_base ?: vmlinux;
	bool is_saved = options->btf_file;
	struct svlag_offsets offsets;
	struct utsname system;
	struct used used;
	enum svlag_exit status;

	text[0] = '\0';
	if (!svlag_btf_is_readable(why))
		return SVLAG_EXIT_FAILURE;
	snprintf(running, sizeof(running), "%s/kernel/btf/rpcrdma", sys);
	snprintf(vmlinux, sizeof(vmlinux), "%s/kernel/btf/vmlinux", sys);
	status = is_saved ? SVLAG_EXIT_OK : explain(sys, why);
	if (status != SVLAG_EXIT_OK)
		return status;
	if (!svlag_btf_offsets(file, base, !is_saved || options->btf_base, &offsets, why))
		return SVLAG_EXIT_FAILURE;
	read_used(sys, &used);
	describe(file, !is_saved && !uname(&system) ? system.release : NULL, &offsets, &used, text);
	return SVLAG_EXIT_OK;
}
