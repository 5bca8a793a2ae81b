# shellcheck shell=bash
# A bench is a guest that measures and prints; the figures are its notes.

cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit
for lib in tests/lib/{say,host,cache,apt,root,source,kernel,suite}.sh tests/vm/lib/*.sh; do
	# shellcheck source=/dev/null
	. "$lib"
done

# bench_run NAME: boots tests/bench/guest/NAME.sh, prints what it noted and the
# result; exits as the suites do.
bench_run()
{
	local script=tests/bench/guest/$1.sh

	cache_open
	host_needs_for_cache
	case_prepare "$script"
	trap case_cleanup EXIT
	bench_bpf "$(case_key "$script" kernel 6.12)" "$(case_key "$script" bpf)"
	case_run "$script" "bench/$1" "$(case_key "$script" kernel 6.12)"
	sed -n 's/^# //p' "$RUN/$1/verdict.log"
	suite_end
}

# bench_bpf KERNEL NAME: compiles guest/NAME.bpf.c to guest/NAME.o of the tree under test,
# for the key "bpf" of a bench's header.
bench_bpf()
{
	local root at=$RUN/tree-$1/tests/bench/guest

	[ -n "$2" ] || return 0
	root=$(root_get build-bpf)
	quietly root_run "$root" "$at" "$at" \
		"bpf-gcc -O2 -gbtf -Wall -I/usr/include -idirafter /usr/include/x86_64-linux-gnu -c $2.bpf.c -o $2.o" ||
		die "$2.bpf.c does not compile"
}
