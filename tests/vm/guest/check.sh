# shellcheck shell=bash
# Checks: each prints its line, none stops the case, all must be ok.

check_count=0
check_failed=0

note() { printf '# %s\n' "$*"; }

# check "SENTENCE" COMMAND...: ok if COMMAND succeeds.
check()
{
	local out

	check_count=$((check_count + 1))
	if out=$("${@:2}" 2>&1); then
		printf 'ok - %s\n' "$1"
	else
		check_failed=$((check_failed + 1))
		printf 'not ok - %s\n' "$1"
		printf '#   failed: %s\n' "${*:2}"
		[ -z "$out" ] || printf '#   %s\n' "${out//$'\n'/$'\n#   '}"
	fi
}

# check_eq "SENTENCE" GOT WANT
check_eq()
{
	check_count=$((check_count + 1))
	if [ "$2" = "$3" ]; then
		printf 'ok - %s (%s)\n' "$1" "$2"
	else
		check_failed=$((check_failed + 1))
		printf 'not ok - %s\n#   got %s, want %s\n' "$1" "$2" "$3"
	fi
}

# wait_until SECONDS COMMAND...: until COMMAND succeeds, or fails after SECONDS.
wait_until()
{
	local end=$((SECONDS + $1))

	shift
	until "$@" >/dev/null 2>&1; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.2
	done
}
