# shellcheck shell=bash
# What every script of tests/ begins with: strict mode, the top of the tree,
# and the three ways to speak. Everything said goes to stderr, so that a
# function's stdout stays its result.

set -euo pipefail
shopt -s inherit_errexit

# su keeps the user's path, which lacks depmod and mke2fs.
PATH=$PATH:/usr/sbin:/sbin

# The top of the tree under test.
# shellcheck disable=SC2034
TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)

# A test failed: 1. The tests could not be run at all: 75 (EX_TEMPFAIL).
# shellcheck disable=SC2034
readonly EXIT_INFRA=75

say() { printf '%s\n' "-- $*" >&2; }

# A failure of the surroundings - network, disk, rights -, never of the code
# under test. Works from within $( ) too: errexit carries the code upwards.
die_infra()
{
	printf '%s\n' "infrastructure failure, this is not a test result: $*" >&2
	exit "$EXIT_INFRA"
}

# A mistake in the tests themselves, or in how they were called.
die()
{
	printf '%s\n' "${0##*/}: $*" >&2
	exit 2
}

# Runs a long command silently; its output is shown only if it fails.
quietly()
{
	local log rc=0

	log=$(mktemp)
	"$@" >"$log" 2>&1 </dev/null || rc=$?
	[ "$rc" = 0 ] || cat "$log" >&2
	rm -f "$log"
	return "$rc"
}
