# shellcheck shell=bash
# The stand-in for rpcrdma, tests/kmod: what it plays, and its ledger.

# target_as NAME: which of the stand-ins the functions below are about.
target_as()
{
	STAND_IN=$1
	TARGET=/sys/module/$1/parameters
}
target_as svlag_target

target_load() { insmod "/tree/tests/kmod/$STAND_IN.ko" "$@"; }

# target_unload: not while it plays.
target_unload() { target_wait 120 && rmmod "$STAND_IN"; }

# target_run "KIND [NAME=VALUE]...": returns at once.
target_run() { echo "$1" >"$TARGET/run"; }

# target_ledger NAME: a value of the truth.
target_ledger() { awk -v n="$1" '$1 == n { print $2; ok = 1 } END { exit !ok }' "$TARGET/ledger"; }

# target_wait [SECONDS]: until all jobs are over.
target_wait() { wait_until "${1:-120}" target_is_done; }

target_is_done() { [ "$(target_ledger jobs)" = 0 ]; }

# target_still: all jobs are over, nothing waits and nothing is at work.
target_still()
{
	target_is_done && [ "$(awk '$1 ~ /^(depth|write_info_depth|in_service)$/ { sum += $2 } END { print sum }' "$TARGET/ledger")" = 0 ]
}

# ledger_from: the totals below are counted from here on.
ledger_from() { ledger_base=$(cat "$TARGET/ledger"); }

# ledger_since NAME...: what the ledger has counted since, in one line.
ledger_since()
{
	local name out=

	for name; do
		out="$out $(($(target_ledger "$name") - $(stat_of "$ledger_base" "$name")))"
	done
	echo "${out# }"
}

# totals_of "STATS" NAME...: what the module says of the same.
totals_of()
{
	local name out=

	for name in "${@:2}"; do
		out="$out $(stat_of "$1" "${name}_total")"
	done
	echo "${out# }"
}
