# shellcheck shell=bash
# How a suite tells its results: a line each on stdout, which tests/run counts.
# All else goes to stderr.

SUITE_RESULTS=$(mktemp)

# suite_ok NAME SECONDS [REMARK]
suite_ok() { suite_result "ok - $1 ($2 s)${3:+ $3}"; }

# suite_not_ok NAME REASON
suite_not_ok() { suite_result "not ok - $1: $2"; }

# suite_skip NAME WHY: never counts as passed.
suite_skip() { suite_result "ok - $1 # SKIP $2"; }

suite_result() { printf '%s\n' "$1" | tee -a "$SUITE_RESULTS"; }

# suite_each JOBS COMMAND ITEM...: "COMMAND ITEM" for each, JOBS at a time. One
# that dies without a result is a failure, unless the surroundings were at fault:
# then the suite ends as soon as what is running has ended.
suite_each()
{
	local jobs=$1 command=$2 item pid rc infra='' items=()

	shift 2
	# What runs in the background does not hear ^C.
	trap 'kill "${!items[@]}" 2>/dev/null; exit 130' INT TERM
	while [ $# -gt 0 ] || [ "${#items[@]}" -gt 0 ]; do
		if [ $# -gt 0 ] && [ -z "$infra" ] && [ "${#items[@]}" -lt "$jobs" ]; then
			( "$command" "$1" ) &
			items[$!]=$1
			shift
			continue
		fi
		[ "${#items[@]}" -gt 0 ] || break
		rc=0
		wait -n -p pid || rc=$?
		item=${items[pid]}
		unset "items[pid]"
		case $rc in
		0) ;;
		"$EXIT_INFRA") infra=yes ;;
		*) suite_not_ok "$item" "the harness itself stopped with status $rc" ;;
		esac
	done
	[ -z "$infra" ] || exit "$EXIT_INFRA"
}

# suite_end: the suite's exit status, for those who run it by hand.
suite_end()
{
	local rc=0

	! grep -q '^not ok' "$SUITE_RESULTS" || rc=1
	rm -f "$SUITE_RESULTS"
	exit "$rc"
}
