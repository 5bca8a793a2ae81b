# shellcheck shell=bash
# A check is a command that prints its complaints on stdout, a line each, and
# passes when it has none and returns 0. What it says on stderr is for people.

# Read by tests/build/run.
FAILED=0

# check NAME COMMAND...: one result. The first complaint is the reason given.
check()
{
	local name=build/$1 start=$SECONDS complaints rc

	# A command followed by || would run without errexit.
	set +e
	complaints=$(set -e; "${@:2}")
	rc=$?
	set -e
	[ "$rc" != "$EXIT_INFRA" ] || exit "$rc"
	if [ "$rc" = 0 ] && [ -z "$complaints" ]; then
		suite_ok "$name" $((SECONDS - start))
		return
	fi
	# shellcheck disable=SC2034
	FAILED=1
	suite_not_ok "$name" "$(head -n1 <<<"${complaints:-exit $rc}")"
	sed -n '2,$s/^/    /p' <<<"$complaints" | head -n 60 >&2
}

# sees PATTERN COMMAND...: a check of a check. COMMAND, run over a tree with a
# planted fault, must complain in these words.
sees()
{
	local complaints rc

	set +e
	complaints=$(set -e; "${@:2}" 2>&1)
	rc=$?
	set -e
	[ "$rc" != "$EXIT_INFRA" ] || return "$rc"
	grep -qE -- "$1" <<<"$complaints" ||
		printf '%s\n' "the planted fault was not seen (no /$1/)" "$complaints"
}

# ready KERNEL...: what a case builds with is there, and works, before its first
# check: what fails here is no result.
ready()
{
	local kernel

	cache_open
	host_needs_for_cache
	mkdir -p "$SCRATCH/empty"
	for kernel; do kernel_sh "$kernel" "$SCRATCH/empty" true; done
}

# planted NAME: a copy of the tree to plant a fault in.
planted()
{
	source_copy "$TREE" "$SCRATCH/planted/$1"
	echo "$SCRATCH/planted/$1"
}

# built_in NAME DIR SCRIPT: SCRIPT in the build root of a kernel, its words in
# DIR/build.log; complains if it fails.
built_in()
{
	local rc=0

	kernel_sh "$1" "$2" "$3" >"$2/build.log" 2>&1 || rc=$?
	[ "$rc" = 0 ] || grep -E 'error|\*\*\*' "$2/build.log" || tail -n 3 "$2/build.log"
	return "$rc"
}
