/* SPDX-License-Identifier: GPL-2.0 */
/* The last lines of the file summary: what may be believed, and what is not known. */
#ifndef SVLAG_TRUST_H
#define SVLAG_TRUST_H

#include <linux/seq_file.h>

#include "hooks.h"
#include "sampler.h"

/**
 * svlag_trust_show - print them
 * @m: where to
 * @stats: the numbers
 * @hooks: the rows of the file hooks
 * @nr_hooks: how many
 */
void svlag_trust_show(struct seq_file *m, const struct svlag_stats *stats,
		      const struct svlag_hook_info *hooks, unsigned int nr_hooks);

#endif
