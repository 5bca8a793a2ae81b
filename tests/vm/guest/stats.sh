# shellcheck shell=bash
# The module under test.

SVLAG=/sys/kernel/debug/svcrdma_lag

svlag_load() { insmod /tree/svcrdma_lag.ko "$@"; }
svlag_unload() { rmmod svcrdma_lag; }

# stats_now: one read of stats, for several values of the same moment.
stats_now() { cat "$SVLAG/stats"; }

# stat_of "TEXT" NAME: a value out of such a text; fails if it is not there.
stat_of() { awk -v n="$2" '$1 == n { print $2; ok = 1 } END { exit !ok }' <<<"$1"; }

# stat_get NAME: a value of its own. Two calls are two moments.
stat_get() { stat_of "$(stats_now)" "$1"; }

# stats_still: once queued and released no longer move.
stats_still()
{
	local before after

	before=$(stats_now | grep -E '^(wc_send|released|get)_total')
	sleep 1
	after=$(stats_now | grep -E '^(wc_send|released|get)_total')
	[ "$before" = "$after" ]
}
