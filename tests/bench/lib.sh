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
	case_run "$script" "bench/$1" "$(case_key "$script" kernel 6.12)"
	sed -n 's/^# //p' "$RUN/$1/verdict.log"
	suite_end
}
