/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is wrong with the figures, in sentences: each said once, and those that
 * get worse again whenever they have doubled.
 */
#ifndef SVLAG_TOOLS_NOTES_H
#define SVLAG_TOOLS_NOTES_H

#include <stdio.h>

#include "judge.h"

/* In depth, in curve, in order, or in another way. */
#define SVLAG_DISAGREEMENTS	4

/**
 * struct svlag_notes - what has been said; all zero before the first use
 * @verdict: of each hook, what was last said of it
 * @unarmed: that nothing is armed
 * @unsettled: that depth is a lower bound
 * @damaged: that stats is damaged
 * @no_waits: that the file wait is not believed
 * @disagreed: for each way to disagree, see abi.h, that the estimates do
 * @level: the track_level_max that was last told of
 * @refused: the track_refused_full_total that was last told of
 * @expired: the track_expired_total that was last told of
 * @late: the depth_correction_late that was last told of
 * @missed: the missed_total that was last told of
 * @samples_late: the samples_late_total that was last told of
 * @released: the surplus of releases that was last told of
 * @got: the want of gets that was last told of
 * @astray: the difference of the in-flight table from its counts that was last told of
 * @ended: the surplus of items that left it that was last told of
 */
struct svlag_notes {
	char verdict[SVLAG_HOOKS_MAX][SVLAG_WORD_SIZE];
	bool unarmed;
	bool unsettled;
	bool damaged;
	bool no_waits;
	bool disagreed[SVLAG_DISAGREEMENTS];
	__u64 level;
	__u64 refused;
	__u64 expired;
	__u64 late;
	__u64 missed;
	__u64 samples_late;
	__u64 released;
	__u64 got;
	__u64 astray;
	__u64 ended;
};

/**
 * svlag_note - say what has not been said yet
 * @notes: what has been said
 * @report: what is about to be shown
 * @out: where to say it
 */
void svlag_note(struct svlag_notes *notes, const struct svlag_report *report, FILE *out);

#endif
