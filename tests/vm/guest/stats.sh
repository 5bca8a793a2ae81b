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

# stats_totals: the lines of all that events move.
STATS_TOTALS='^(get|wc_send|released|write_info_(queued|freed))_total '
stats_totals() { stats_now | grep -E "$STATS_TOTALS"; }

# stats_still: once nothing moves any longer.
stats_still()
{
	local before

	before=$(stats_totals)
	sleep 1
	[ "$before" = "$(stats_totals)" ]
}

# hook_of NAME: its verdict and its mechanism.
hook_of() { awk -v n="$1" '$1 == n { print $3, $4 }' "$SVLAG/hooks"; }

# check_accounts "WHEN": nothing moves, and all that was ever brought to the in-flight
# tables has come to one end, exactly.
check_accounts()
{
	local s

	s=$(stats_now)
	check_eq "$1: inserted is matched, refused, restarted, expired, purged and live" \
		"$(stat_of "$s" track_inserted_total)" \
		$(($(stat_of "$s" track_matched_total) + $(stat_of "$s" track_refused_full_total) +
		   $(stat_of "$s" track_restarted_key_total) + $(stat_of "$s" track_expired_total) +
		   $(stat_of "$s" track_purged_total) + $(stat_of "$s" track_live)))
	check_eq "$1: what is seen in the tables is what the counts say" \
		"$(stat_of "$s" track_live_low) $(stat_of "$s" track_live_high)" \
		"$(stat_of "$s" track_live) $(stat_of "$s" track_live)"
}
