// SPDX-License-Identifier: GPL-2.0
#include "offsets.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *name;
	const char *key;
} members[] = {
	[SVLAG_CQE] = { "sc_cqe", "cqe" },
	[SVLAG_RDMA] = { "sc_rdma", "rdma" },
	[SVLAG_WORK] = { "sc_work", "work" },
	[SVLAG_INFOS] = { "sc_write_info_list", "infos" },
};

const char *svlag_member_name(enum svlag_member member)
{
	return members[member].name;
}

void svlag_offsets_clear(struct svlag_offsets *offsets)
{
	int i;

	for (i = 0; i < SVLAG_NR_MEMBERS; i++) {
		offsets->of[i] = SVLAG_NO_OFFSET;
		offsets->odd[i] = NULL;
	}
}

void svlag_offsets_print(const struct svlag_offsets *offsets, char text[SVLAG_OFFSETS_SIZE])
{
	int len = 0;
	int i;

	for (i = 0; i < SVLAG_NR_MEMBERS; i++) {
		len += snprintf(text + len, SVLAG_OFFSETS_SIZE - len, "%s%s=", i ? "," : "",
				members[i].key);
		if (offsets->of[i] == SVLAG_NO_OFFSET)
			len += snprintf(text + len, SVLAG_OFFSETS_SIZE - len, "-");
		else
			len += snprintf(text + len, SVLAG_OFFSETS_SIZE - len, "%u", offsets->of[i]);
	}
}

/* The key that the text begins with, or SVLAG_NR_MEMBERS. */
static int member_at(const char *text, size_t key_len)
{
	int i;

	for (i = 0; i < SVLAG_NR_MEMBERS; i++)
		if (strlen(members[i].key) == key_len && !memcmp(text, members[i].key, key_len))
			break;
	return i;
}

static bool to_offset(const char *text, size_t len, unsigned int *offset)
{
	size_t i;

	*offset = SVLAG_NO_OFFSET;
	if (len == 1 && *text == '-')
		return true;
	*offset = 0;
	for (i = 0; i < len; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		*offset = *offset * 10 + (text[i] - '0');
		if (*offset > SVLAG_OFFSET_MAX)
			return false;
	}
	return len;
}

bool svlag_offsets_parse(const char *text, struct svlag_offsets *offsets)
{
	unsigned int seen = 0;

	svlag_offsets_clear(offsets);
	while (*text) {
		size_t key_len = strcspn(text, "=,\n");
		const char *value = text + key_len + 1;
		size_t len;
		int member;

		if (text[key_len] != '=')
			return false;
		member = member_at(text, key_len);
		len = strcspn(value, ",\n");
		if (member < SVLAG_NR_MEMBERS) {
			if (!to_offset(value, len, &offsets->of[member]))
				return false;
			seen |= 1U << member;
		}
		text = value + len;
		if (!strcmp(text, "\n"))
			break;
		if (*text && *text++ != ',')
			return false;
	}
	return seen == (1U << SVLAG_NR_MEMBERS) - 1;
}
