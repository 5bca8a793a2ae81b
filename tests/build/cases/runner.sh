# shellcheck shell=bash
# What tests/run makes of the lines and the exit status of a suite; and tests/vm of the
# console of a guest that died.
# shellcheck disable=SC2153 # TREE is of tests/build/run

# runner_says LAST STATUS SUITE-STATUS LINE...: over a suite that prints LINE...
runner_says()
{
	local dir=$SCRATCH/runner said rc=0

	rm -rf "$dir"
	mkdir -p "$dir/tests/made"
	cp -r "$TREE"/tests/{run,lib} "$dir/tests/"
	printf '%s\n' '#!/bin/sh' "cat tests/made/lines" "exit $3" >"$dir/tests/made/run"
	chmod 755 "$dir/tests/made/run"
	printf '%s' "${@:4}" >"$dir/tests/made/lines"
	said=$("$dir/tests/run" made 2>/dev/null) || rc=$?
	said=$(tail -n1 <<<"$said")
	[ "$said" = "$1" ] || echo "wanted '$1', got '$said'"
	[ "$rc" = "$2" ] || echo "wanted status $2, got $rc ('$said')"
}

ok=$'ok - made/a (1 s)\n' skip=$'ok - made/b # SKIP why\n' not_ok=$'not ok - made/c: why\n'

check runner/passed runner_says "2 passed, 0 failed" 0 0 "$ok" "$ok"
check runner/failed runner_says "1 passed, 1 failed" 1 1 "$ok" "$not_ok"
check runner/skipped runner_says "1 passed, 0 failed, 1 skipped" 0 0 "$ok" "$skip"
check runner/skipped-alone runner_says "0 passed, 0 failed, 1 skipped" 1 0 "$skip"
check runner/nothing runner_says "0 passed, 1 failed" 1 0
check runner/stopped runner_says "1 passed, 1 failed" 1 1 "$ok"
check runner/stopped-late runner_says "1 passed, 2 failed" 1 2 "$ok" "$not_ok"
check runner/surroundings runner_says "ok - made/a (1 s)" 75 75 "$ok"
check runner/sees sees "wanted '2 passed" runner_says "2 passed, 0 failed" 0 0 "$ok" "$skip"

# died yes|no CONSOLE: of its emulation?
died()
{
	local dir=$SCRATCH/died was=no

	mkdir -p "$dir/job"
	: >"$dir/job/begun"
	printf '%s' "$2" >"$dir/console.log"
	if ( . "$TREE/tests/vm/lib/guest.sh" && vm_died_of_qemu "$dir" ); then was=yes; fi
	[ "$was" = "$1" ] || echo "wanted $1, got $was"
}

int3=$'[ 118.0] Oops: int3: 0000 [#1] SMP NOPTI\n[ 118.1] RIP: 0010:f+0x5/0x30\n[ 118.2] Code: 0f 1f 40 d6 '
check runner/died-of-qemu died yes "$int3"$'0f <1f> 44 00 00\n'
check runner/died-of-int3 died no "$int3"$'cc <1f> 44 00 00\n'
check runner/died-otherwise died no $'BUG: kernel NULL pointer\nCode: 0f <1f> 44\n'
check runner/died-not died no $'reboot: Power down\n'
