// SPDX-License-Identifier: GPL-2.0
/*
 * A file may be damaged: no type, name or offset in it is believed to be there.
 * The newest libbpf checks them all when it opens a file, older ones do not.
 */
#include "btf.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libbpf.h"

/* Set before all else below is called. */
static const struct svlag_libbpf *lib;

/* No structure has so many, be they in anonymous ones. */
#define MEMBERS_MAX	1024
#define DEPTH_MAX	16

/* What a member must be, that the module can make something of it; NULL: a pointer. */
static const struct {
	const char *type;
	const char *odd;
} kinds[] = {
	[SVLAG_CQE] = { "ib_cqe", "no struct ib_cqe" },
	[SVLAG_RDMA] = { NULL, "no pointer" },
	[SVLAG_WORK] = { "work_struct", "no struct work_struct" },
	[SVLAG_INFOS] = { "list_head", "no struct list_head" },
};

/**
 * struct search - for the members of a structure
 * @btf: where it is
 * @offsets: what was found
 * @budget: members that may still be looked at
 */
struct search {
	const struct btf *btf;
	struct svlag_offsets *offsets;
	unsigned int budget;
};

/* Without const, typedef and the like; NULL where that leads nowhere. */
static const struct btf_type *plain_type(const struct btf *btf, __u32 id)
{
	const struct btf_type *type = lib->btf__type_by_id(btf, id);
	int depth;

	for (depth = 0; type && (btf_is_mod(type) || btf_is_typedef(type)); depth++)
		type = depth < DEPTH_MAX ? lib->btf__type_by_id(btf, type->type) : NULL;
	return type;
}

static bool has_name(const struct btf *btf, __u32 name_off, const char *name)
{
	const char *given = lib->btf__name_by_offset(btf, name_off);

	return given && !strcmp(given, name);
}

static bool is_kind(const struct btf *btf, const struct btf_type *type, const char *name)
{
	if (!name)
		return type && btf_is_ptr(type);
	return type && btf_is_struct(type) && has_name(btf, type->name_off, name);
}

static void found(const struct search *search, enum svlag_member member,
		  const struct btf_type *type, __u64 bits)
{
	struct svlag_offsets *offsets = search->offsets;

	offsets->of[member] = SVLAG_NO_OFFSET;
	if (!is_kind(search->btf, type, kinds[member].type))
		offsets->odd[member] = kinds[member].odd;
	else if (bits % (SVLAG_OFFSET_UNIT * 8) || bits / 8 > SVLAG_OFFSET_MAX)
		offsets->odd[member] = "no pointer's place";
	else
		offsets->of[member] = bits / 8;
}

static void look_into(struct search *search, const struct btf_type *structure, __u64 bits,
		      int depth)
{
	const struct btf_member *member = btf_members(structure);
	__u16 i;
	int m;

	for (i = 0; i < btf_vlen(structure) && search->budget; i++, search->budget--) {
		const char *name = lib->btf__name_by_offset(search->btf, member[i].name_off);
		const struct btf_type *type = plain_type(search->btf, member[i].type);
		__u64 at = bits + btf_member_bit_offset(structure, i);

		if (!name)
			continue;
		if (!*name && depth < DEPTH_MAX && type && btf_is_composite(type)) {
			search->budget--;
			look_into(search, type, at, depth + 1);
			if (!search->budget)
				return;
			continue;
		}
		for (m = 0; m < SVLAG_NR_MEMBERS; m++)
			if (!strcmp(name, svlag_member_name(m)))
				found(search, m, type, at);
	}
}

/* There may be several of the name, where some file saw others than the rest. */
static bool find(const struct btf *btf, const char *file, struct svlag_offsets *offsets,
		 char why[SVLAG_SENTENCE_SIZE])
{
	struct svlag_offsets other;
	struct search search = { .btf = btf };
	bool is_declared = false;
	int nr = 0;
	__u32 id;

	for (id = 1; id < lib->btf__type_cnt(btf); id++) {
		const struct btf_type *type = lib->btf__type_by_id(btf, id);

		if (!type || !(btf_is_struct(type) || btf_is_fwd(type)) ||
		    !has_name(btf, type->name_off, SVLAG_CTXT))
			continue;
		if (btf_is_fwd(type)) {
			is_declared = true;
			continue;
		}
		search.offsets = nr++ ? &other : offsets;
		search.budget = MEMBERS_MAX;
		svlag_offsets_clear(search.offsets);
		look_into(&search, type, 0, 0);
		if (nr > 1 && memcmp(other.of, offsets->of, sizeof(other.of))) {
			snprintf(why, SVLAG_SENTENCE_SIZE, "%s has more than one struct "
				 SVLAG_CTXT ", and they differ", file);
			return false;
		}
	}
	if (!nr)
		snprintf(why, SVLAG_SENTENCE_SIZE, is_declared ?
			 "%s declares struct " SVLAG_CTXT " and does not say what is in it" :
			 "%s knows no struct " SVLAG_CTXT, file);
	else if (offsets->of[SVLAG_CQE] == SVLAG_NO_OFFSET)
		snprintf(why, SVLAG_SENTENCE_SIZE, "%s: without a %s that is a struct ib_cqe "
			 "nothing in struct " SVLAG_CTXT " can be found", file,
			 svlag_member_name(SVLAG_CQE));
	return nr && offsets->of[SVLAG_CQE] != SVLAG_NO_OFFSET;
}

/* NULL and a sentence where it is no BTF. */
static struct btf *open_btf(const char *file, struct btf *base, char why[SVLAG_SENTENCE_SIZE])
{
	struct btf *btf = base ? lib->btf__parse_split(file, base) : lib->btf__parse(file, NULL);

	if (!btf)
		snprintf(why, SVLAG_SENTENCE_SIZE, "%s holds no BTF that libbpf understands", file);
	return btf;
}

static bool is_readable(const char *file, char why[SVLAG_SENTENCE_SIZE])
{
	struct stat status;

	errno = 0;
	if (!access(file, R_OK) && !stat(file, &status) && S_ISREG(status.st_mode))
		return true;
	snprintf(why, SVLAG_SENTENCE_SIZE, "cannot read %s: %s", file,
		 errno ? strerror(errno) : "it is no file");
	return false;
}

bool svlag_btf_is_readable(char why[SVLAG_SENTENCE_SIZE])
{
	lib = svlag_libbpf(why);
	return lib;
}

/*
 * BTF of a module goes on where that of its kernel ends, and does not stand by
 * itself: its strings do not begin with the empty one.
 */
bool svlag_btf_offsets(const char *file, const char *base, bool must_have_base,
		       struct svlag_offsets *offsets, char why[SVLAG_SENTENCE_SIZE])
{
	struct btf *of_base = NULL;
	struct btf *btf = NULL;
	bool good;

	svlag_offsets_clear(offsets);
	if (!svlag_btf_is_readable(why) || !is_readable(file, why))
		return false;
	lib->libbpf_set_print(NULL);
	if (!must_have_base)
		btf = open_btf(file, NULL, why);
	if (!btf && is_readable(base, why)) {
		of_base = open_btf(base, NULL, why);
		if (of_base)
			btf = open_btf(file, of_base, why);
	}
	good = btf && find(btf, file, offsets, why);
	lib->btf__free(btf);
	lib->btf__free(of_base);
	return good;
}
