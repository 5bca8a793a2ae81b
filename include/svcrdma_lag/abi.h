/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The contract of the files under /sys/kernel/debug/svcrdma_lag/.
 *
 * The module prints them and svcrdma-lag reads them; both take every name from
 * here, so that neither can drift from the other.
 *
 * Grammar
 * -------
 * A file is lines of text, each ended by '\n'. The first line is
 *
 *	# svcrdma_lag <file> v<N>
 *
 * where N is SVLAG_ABI_MAJOR. N is raised only when a name changes its meaning
 * or goes away, which no reader can survive in silence: a reader that finds
 * another N refuses the file. Names are otherwise only ever added, and a
 * reader skips names that it does not know.
 *
 * A line that begins with '#' is for people. The other lines of
 *
 *	stats		are "name value", one space between them;
 *	percpu, windows	are a line of column names, then a row of values for each
 *	hooks, wait	CPU, window, hook or bucket; columns are separated by blanks.
 *			The last column of hooks, lost, is a sentence and runs to the
 *			line's end;
 *	summary		are prose for people and are not to be parsed.
 *
 * A value is an unsigned decimal number below 2^64, a word without blanks, or
 * "-", which means: not known. A counter whose name ends in _total only rises
 * while the module stays loaded. The unit is in the name: _ns, _ms, _bytes.
 *
 * One open is one moment: all that a file shows was taken when it was opened,
 * however slowly it is then read. Inside stats the totals are folded in the
 * order released, wc_send, get, so that no release is ever shown without the
 * completion that caused it.
 */
#ifndef SVCRDMA_LAG_ABI_H
#define SVCRDMA_LAG_ABI_H

#include <linux/types.h>

#define SVLAG_ABI_MAJOR		1
#define SVLAG_VERSION		"1.0.0"
#define SVLAG_DIR		"svcrdma_lag"
#define SVLAG_DEFAULT_ROOT	"/sys/kernel/debug"

/* A number that is not known. It is printed as "-", and no counter reaches it. */
#define SVLAG_UNKNOWN		((__u64)~0ULL)

/*
 * The largest offset that the parameter layout= takes. A send context holds up to
 * its page list some 600 bytes, and with it 2.7 KiB where a request has 1 MiB, as
 * it has in all that have the list inline; a vendor's 4 MiB would make it 9 KiB.
 */
#define SVLAG_LAYOUT_MAX	16384

/*
 * What happens to the release of a send context on this kernel.
 *
 * unknown	rpcrdma is not there, or has none of the functions known here;
 * synchronous	the sender releases the context itself, there is no queue (6.1);
 * workqueue	a Send completion queues a work item on svcrdma_wq (6.12 to 6.18);
 * release_list	a Send completion puts the context on a list of its transport,
 *		which the next reply drains, last in first out (7.2, 7.3).
 */
#define SVLAG_ERAS(X)			\
	X(UNKNOWN,	"unknown")	\
	X(SYNCHRONOUS,	"synchronous")	\
	X(WORKQUEUE,	"workqueue")	\
	X(RELEASE_LIST,	"release_list")

/* The states; state.h has the rules. */
#define SVLAG_STATES(X)			\
	X(UNKNOWN,	"unknown")	\
	X(IDLE,		"idle")		\
	X(KEEPING_UP,	"keeping-up")	\
	X(BEHIND,	"behind")	\
	X(DRAINING,	"draining")	\
	X(STALLED,	"stalled")

/*
 * How a hook is attached, and what became of it.
 *
 * ok		armed, and hit since, or its siblings were not hit either;
 * silent	armed, but it was never hit while its siblings were, or the canary
 *		of its mechanism is no longer seen: its counter says nothing;
 * absent	the running kernel has no such symbol, or the hook was skipped;
 * failed:-E	the kernel refused to arm it, with that errno; -76 (ENOTUNIQ): the
 *		compiler has split the function up, and what bears its name sees
 *		only some of the calls.
 */
#define SVLAG_MECHANISMS(X)		\
	X(NONE,		"-")		\
	X(FTRACE,	"ftrace")	\
	X(KPROBE,	"kprobe")	\
	X(TRACEPOINT,	"tracepoint")

#define SVLAG_VERDICTS(X)		\
	X(ABSENT,	"absent")	\
	X(OK,		"ok")		\
	X(SILENT,	"silent")	\
	X(FAILED,	"failed")

/* svlag_era_name() and the like give the words, or "-" for a number that is none. */
#define SVLAG_ENUM_ERA(id, text)	SVLAG_ERA_##id,
#define SVLAG_ENUM_STATE(id, text)	SVLAG_STATE_##id,
#define SVLAG_ENUM_MECHANISM(id, text)	SVLAG_BY_##id,
#define SVLAG_ENUM_VERDICT(id, text)	SVLAG_HOOK_##id,

enum svlag_era		{ SVLAG_ERAS(SVLAG_ENUM_ERA)		  SVLAG_NR_ERAS };
enum svlag_state	{ SVLAG_STATES(SVLAG_ENUM_STATE)	  SVLAG_NR_STATES };
enum svlag_mechanism	{ SVLAG_MECHANISMS(SVLAG_ENUM_MECHANISM)  SVLAG_NR_MECHANISMS };
enum svlag_verdict	{ SVLAG_VERDICTS(SVLAG_ENUM_VERDICT)	  SVLAG_NR_VERDICTS };

#define SVLAG_WORD(id, text)	text,
#define SVLAG_DEFINE_NAME(what, list)							\
static inline const char *svlag_##what##_name(enum svlag_##what nth)			\
{											\
	static const char *const words[] = { list(SVLAG_WORD) };			\
											\
	return (unsigned int)nth < sizeof(words) / sizeof(words[0]) ? words[nth] : "-";	\
}

SVLAG_DEFINE_NAME(era, SVLAG_ERAS)
SVLAG_DEFINE_NAME(state, SVLAG_STATES)
SVLAG_DEFINE_NAME(mechanism, SVLAG_MECHANISMS)
SVLAG_DEFINE_NAME(verdict, SVLAG_VERDICTS)

/*
 * The lines of stats: X(kind, name), in the order of printing. A "num" is a
 * number or "-", a "word" a word or "-", a "hex" 16 hexadecimal digits.
 *
 * time_ns		CLOCK_MONOTONIC when the totals were folded; rates divide by
 *			the difference of two of these
 * realtime_ns		CLOCK_REALTIME at the same moment
 * load_id		drawn at random when the module was loaded
 * arm_generation	how often the hooks were armed since; another value means
 *			that the target was reloaded between two reads
 * armed_ns		time_ns of the last arming; "-" while nothing is armed
 * target		the module that is watched
 * era, state		see above; the state is that of the last whole window
 * state_since_ns	time_ns of the end of the last window with another state
 * get_total		calls of svc_rdma_send_ctxt_get: demand. An attempt that
 *			got none is counted too
 * wc_send_total	Send completions, each of which queues one release
 * released_total	releases begun by the worker (or, by era, by the sender or
 *			a drain)
 * drain_total		drains of a release list; "-" in other eras
 * drain_batch_total	drains that released anything: released_total over this is the
 *			mean size of a batch
 * drain_batch_max	the largest batch since the load: exact, where the next is 0,
 *			else at least this. A drain that goes on has had so many yet
 * drain_batch_lost_total releases that are in no batch: of drains that began before
 *			the hooks were armed, or of two that went on at once in threads
 *			whose numbers are a multiple of 512 apart
 * capped_total		hits of svcrdma_send_ctxt_capped; "-" where there is none
 * depth		contexts completed and not released, the middle of the bracket
 * depth_settled	yes once the queue has been seen empty after a release, or was
 *			armed empty; till then depth is a lower bound
 * depth_low, _high	the bracket: the true depth while stats was folded was
 *			within it (after the correction)
 * depth_peak		the largest depth_low that a sample saw, since the load
 * depth_peak_ns	time_ns of that sample
 * depth_correction	releases whose completion was never seen: what was queued
 *			before the hooks were armed, and error puts
 * depth_correction_late the part of it that came after depth had settled: error
 *			puts, or lost completions
 * curve_wait_ns	how long the item released next has waited: the time since
 *			wc_send_total stood where released_total stands now. Right
 *			where the queue is first in, first out; the completions
 *			between two samples are taken as even. A workqueue is that
 *			while fewer than max_active items (256) are at work; beyond,
 *			it takes one from each queueing CPU in turn, and items of a
 *			CPU that queues more than others wait longer than this
 * curve_wait_censored	yes if it has waited at least that long: the moment lies
 *			before the arming or beyond the sampler's memory
 * curve_wait_peak_ns	the largest curve_wait_ns that a sample saw, since the load
 * next_wait_ns		how long an item queued now will wait: depth over the rate
 *			of release of the last whole window. "-" if none was released
 * write_info_queued_total the other kind of item on svcrdma_wq, one a Write chunk,
 *			that is one a READ reply: how many were queued
 * write_info_freed_total and how many of them were begun by the worker
 * write_info_depth	those that wait; "-" where there is no such item
 * write_info_correction as depth_correction
 * live_ctxts		contexts that were got and not yet released, the middle of a
 *			bracket as that of depth. An attempt that got none cannot be told
 *			from one that did: where memory for contexts has run out, this
 *			is too high by as many
 * live_settled		as depth_settled; till then live_ctxts is a lower bound
 * queue_depth		depth and write_info_depth: what waits on svcrdma_wq
 * wq_queued_total	by the workqueue's own tracepoints, of send contexts: queued,
 * wq_begun_total	begun and
 * wq_ended_total	ended by a worker. Unlike wc_send_total the first has those,
 *			too, that are released after an error without a completion
 * wq_timed_total	those of wq_ended_total whose begin was seen as well
 * wq_service_ns_total	how long the work on these took, in sum
 * wq_write_info_*	the same five of write infos
 * wq_same_cpu_total	items of both kinds begun on the CPU that queued them,
 * wq_same_node_total	on another one of its node,
 * wq_other_node_total	on another node. Of the others it is not known: 8,192 items
 *			that wait are kept in mind
 * workers		items of both kinds at work at once; a lower bound, by what a
 *			fold takes. "-" for all of these without wq_events
 * workers_peak		the most that a sample saw, since the load
 * track_inserted_total	the in-flight table, of both kinds of item: those that were drawn
 *			and brought to it. Of them there are
 * track_matched_total	those whose release was seen, so that their wait is known;
 * track_negative_total	of these, those released before they were queued, by the
 *			clock: they have no wait
 * track_refused_full_total those that found no place, and none held by an entry older
 *			than the leak age
 * track_restarted_key_total those whose key was queued again before it was released: the
 *			release was missed, and the wait is not known
 * track_expired_total	those that grew older than the leak age,
 * track_evicted_total	of these, those that left because a newcomer needed the place
 * track_purged_total	those whose transport, or the target, went away; and
 * track_live		those that are in the table: it was looked through for this
 * track_live_low,	and this is what the counts say, from before that look and after:
 * track_live_high	inserted less matched, refused, restarted, expired and purged
 * track_weight		how many items those in the table stand for
 * track_matched_weight_total how many those matched stood for
 * track_missed_total	releases not found in the table: of what was not drawn, refused,
 *			expired or purged, and the next
 * track_unmatched_total releases of what was never seen queued: error puts. Counted
 *			only while all items are tracked, and those from before are through
 * track_level_max	the transport that is thinned most has one of 2 to the power of
 *			this tracked; 0 while all items of all transports are
 * track_streams_thinned of how many streams a part only is tracked. A stream is a
 *			transport, or a few of more than 512
 * track_entries	the size of each table; "-" for all of these where there is none
 * leak_age_ns		what is older is taken for leaked, and may be made to go
 * oldest_age_ns	how long the oldest send context in the table waits by now; 0 if
 *			there is none
 * write_info_oldest_age_ns the same of write infos
 * ceiling_ns		the longest wait of a send context that could be shown now, by the
 *			leak age and by how long it takes until the table is full
 * mean_depth		of the last whole window: how many send contexts waited, by the
 *			samples of depth, and
 * mean_depth_by_waits	by Little's law, from the waits that were measured
 * mean_wait_ns		how long those released in it had waited, as measured, and
 * mean_curve_wait_ns	by the curve, see curve_wait_ns
 * agree		yes, or no: and which of these do not agree within 10 % and what chance
 *			explains; depth: the first two; curve: the last two; order: some
 *			waited much longer than the curve allows, so the queue was not first
 *			in, first out. "-" where too little waited to tell
 * layout		of struct svc_rdma_send_ctxt: unchecked until the first events
 *			have shown it, then ok, or wrong: and the check that failed.
 *			No pointer in it is followed before it is ok
 * hooks_needed, _ok	hooks that the state depends on, and how many of them are ok
 * missed_total		hits that the kernel admits to have kept from our hooks
 * samples_total	samples taken
 * samples_late_total	samples that came more than a whole sample_ms too late: the
 *			peaks may have missed what happened meanwhile
 * sample_ms, window_ms	the present parameters
 * memory_bytes		all that the module has allocated, its text not counted
 */
#define SVLAG_STATS(X)				\
	X(num,  time_ns)			\
	X(num,  realtime_ns)			\
	X(hex,  load_id)			\
	X(num,  arm_generation)			\
	X(num,  armed_ns)			\
	X(word, target)				\
	X(word, era)				\
	X(word, state)				\
	X(num,  state_since_ns)			\
	X(num,  get_total)			\
	X(num,  wc_send_total)			\
	X(num,  released_total)			\
	X(num,  drain_total)			\
	X(num,  drain_batch_total)		\
	X(num,  drain_batch_max)		\
	X(num,  drain_batch_lost_total)		\
	X(num,  capped_total)			\
	X(num,  depth)				\
	X(word, depth_settled)			\
	X(num,  depth_low)			\
	X(num,  depth_high)			\
	X(num,  depth_peak)			\
	X(num,  depth_peak_ns)			\
	X(num,  depth_correction)		\
	X(num,  depth_correction_late)		\
	X(num,  curve_wait_ns)			\
	X(word, curve_wait_censored)		\
	X(num,  curve_wait_peak_ns)		\
	X(num,  next_wait_ns)			\
	X(num,  write_info_queued_total)	\
	X(num,  write_info_freed_total)		\
	X(num,  write_info_depth)		\
	X(num,  write_info_correction)		\
	X(num,  live_ctxts)			\
	X(word, live_settled)			\
	X(num,  queue_depth)			\
	X(num,  wq_queued_total)		\
	X(num,  wq_begun_total)			\
	X(num,  wq_ended_total)			\
	X(num,  wq_timed_total)			\
	X(num,  wq_service_ns_total)		\
	X(num,  wq_write_info_queued_total)	\
	X(num,  wq_write_info_begun_total)	\
	X(num,  wq_write_info_ended_total)	\
	X(num,  wq_write_info_timed_total)	\
	X(num,  wq_write_info_service_ns_total)	\
	X(num,  wq_same_cpu_total)		\
	X(num,  wq_same_node_total)		\
	X(num,  wq_other_node_total)		\
	X(num,  workers)			\
	X(num,  workers_peak)			\
	X(num,  track_inserted_total)		\
	X(num,  track_matched_total)		\
	X(num,  track_negative_total)		\
	X(num,  track_refused_full_total)	\
	X(num,  track_restarted_key_total)	\
	X(num,  track_expired_total)		\
	X(num,  track_evicted_total)		\
	X(num,  track_purged_total)		\
	X(num,  track_live)			\
	X(num,  track_live_low)			\
	X(num,  track_live_high)		\
	X(num,  track_weight)			\
	X(num,  track_matched_weight_total)	\
	X(num,  track_missed_total)		\
	X(num,  track_unmatched_total)		\
	X(num,  track_level_max)		\
	X(num,  track_streams_thinned)		\
	X(num,  track_entries)			\
	X(num,  leak_age_ns)			\
	X(num,  oldest_age_ns)			\
	X(num,  write_info_oldest_age_ns)	\
	X(num,  ceiling_ns)			\
	X(num,  mean_depth)			\
	X(num,  mean_depth_by_waits)		\
	X(num,  mean_wait_ns)			\
	X(num,  mean_curve_wait_ns)		\
	X(word, agree)				\
	X(word, layout)				\
	X(num,  hooks_needed)			\
	X(num,  hooks_ok)			\
	X(num,  missed_total)			\
	X(num,  samples_total)			\
	X(num,  samples_late_total)		\
	X(num,  sample_ms)			\
	X(num,  window_ms)			\
	X(num,  memory_bytes)

/*
 * The columns of windows, a row a window, the oldest first: the last
 * SVLAG_WINDOWS windows of window_ms. end_ns is time_ns at the window's end;
 * get, wc_send, released and capped are counts within it; depth is that of its
 * end, depth_min and depth_max those of its samples; service_ns and
 * write_info_service_ns are how long the work on an item took on average of those
 * that ended in it, workers_max the most that a sample saw at work at once; drain is
 * how many drains it saw, and drain_batch how many of them released anything. A
 * window in which the hooks were armed or disarmed is not kept.
 */
#define SVLAG_WINDOWS		600
#define SVLAG_WINDOW_COLUMNS(X)			\
	X(num,  end_ns)				\
	X(num,  length_ns)			\
	X(num,  arm_generation)			\
	X(num,  get)				\
	X(num,  wc_send)			\
	X(num,  released)			\
	X(num,  capped)				\
	X(num,  depth)				\
	X(num,  depth_min)			\
	X(num,  depth_max)			\
	X(num,  wait_ns)			\
	X(num,  service_ns)			\
	X(num,  write_info_service_ns)		\
	X(num,  workers_max)			\
	X(num,  drain)				\
	X(num,  drain_batch)			\
	X(num,  wait_p50_ns)			\
	X(num,  wait_p99_ns)			\
	X(num,  wait_max_ns)			\
	X(num,  wait_lost)			\
	X(word, wait_at_least)			\
	X(num,  oldest_age_ns)			\
	X(word, state)

/*
 * The columns of hooks, a row a hook. needed is yes for those that the state
 * depends on; hits only rise; missed is what the kernel admits to have kept
 * from the hook ("-": its mechanism does not say); age_ns is the time since a
 * sample last saw a hit. The canary is a function of the module's own.
 */
#define SVLAG_HOOK_COLUMNS(X)			\
	X(word, hook)				\
	X(word, needed)				\
	X(word, verdict)			\
	X(word, mechanism)			\
	X(num,  hits)				\
	X(num,  missed)				\
	X(num,  age_ns)				\
	X(sym,  symbol)				\
	X(text, lost)

/*
 * The columns of wait, a row for each bucket of each histogram in which anything is;
 * hist.h has the buckets, and svlag_hist_bucket(upper_ns) is the number of one. The
 * last bucket, of more than 10 min, has "-" for upper_ns.
 *
 * what is wait (of send contexts), write_info_wait, service (of send contexts: how long
 * the work took) or write_info_service. count_total is how many took so long;
 * lost_total how many left the in-flight table at that age without a release: they took
 * at least so long. waiting is how many are in the table at that age now, and have yet
 * to be counted in either. Waits are of what was tracked, each counted as many times as
 * it stands for items; the services of all.
 *
 * What the lines for people call p50 to max are of all three since the load; ">=" is
 * before what lies among those lost or waiting.
 */
#define SVLAG_WAIT_COLUMNS(X)			\
	X(word, what)				\
	X(num,  upper_ns)			\
	X(num,  count_total)			\
	X(num,  lost_total)			\
	X(num,  waiting)

/* svlag_times_name() gives what. */
#define SVLAG_TIMES(X)						\
	X(WAIT,			"wait")				\
	X(WRITE_INFO_WAIT,	"write_info_wait")		\
	X(SERVICE,		"service")			\
	X(WRITE_INFO_SERVICE,	"write_info_service")

#define SVLAG_ENUM_TIMES(id, text)	SVLAG_TIMES_##id,

enum svlag_times { SVLAG_TIMES(SVLAG_ENUM_TIMES) SVLAG_NR_TIMES };

SVLAG_DEFINE_NAME(times, SVLAG_TIMES)

/*
 * The columns of percpu, a row for each possible CPU that counted anything.
 * wq_queued and wq_begun are of both kinds of item.
 */
#define SVLAG_PERCPU_COLUMNS(X)			\
	X(num,  cpu)				\
	X(num,  get)				\
	X(num,  wc_send)			\
	X(num,  released)			\
	X(num,  drain)				\
	X(num,  capped)				\
	X(num,  write_info_queued)		\
	X(num,  write_info_freed)		\
	X(num,  wq_queued)			\
	X(num,  wq_begun)

#endif
