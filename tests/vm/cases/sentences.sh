# about: each thing that can be wrong has its sentence and its exit code
# timeout: 300

reader=/tree/tools/svcrdma-lag
said() { dmesg | tail -n 12 | grep -q "$1"; }
refused() { dmesg -C; ! insmod /tree/svcrdma_lag.ko "$@" 2>/run/insmod.err; }

status=0; $reader 1 1 >/run/out 2>&1 || status=$?
check_eq "the reader without the module: exit 3" $status 3
check "and a sentence" grep -q 'not loaded' /run/out

for bad in sample_ms=9 sample_ms=101 sample_ms=-1 sample_ms=x window_ms=99 window_ms=60001 \
	window_ms=99999999999999999999 hook=fprobe hook= target= target=a-b target=a:b \
	target="$(printf 'a%.0s' $(seq 60))" skip=nonsense skip=get,nonsense \
	track_entries=-1 track_entries=4194305 track_entries=x leak_age_ms=99 leak_age_ms=600001 \
	layout= layout=nonsense layout=cqe layout=cqe=7 layout=cqe=-8 layout=cqe=99999999 \
	layout=cqe=8,oops=8 layout=cqe=8,, layout=cqe=8888888888888888888888888; do
	check "$bad is refused" refused "$bad"
	check "$bad: the log says so" said "svcrdma_lag: ${bad%%=*}="
	check "$bad: insmod says Invalid" grep -q 'Invalid parameters\|Invalid argument' /run/insmod.err
done

svlag_load target=nothing_of_that_name
check "a target that is not there is no error, and is said" said 'nothing_of_that_name is not there'
status=0; $reader 1 1 >/run/out 2>&1 || status=$?
check_eq "the reader with nothing armed: exit 3" $status 3
svlag_unload

lab_up
svlag_load
dmesg -C
check "loading it twice is refused" sh -c '! insmod /tree/svcrdma_lag.ko 2>/run/insmod.err'
check "and said" grep -q 'File exists' /run/insmod.err
for bad in sample_ms=9 sample_ms=101 window_ms=99 window_ms=x leak_age_ms=0; do
	dmesg -C
	check "$bad is refused while it runs" \
		sh -c "! echo ${bad#*=} >/sys/module/svcrdma_lag/parameters/${bad%%=*}"
	check "$bad: the log says so" said "svcrdma_lag: $bad"
done
check_eq "and nothing was bent" "$(stat_get sample_ms) $(stat_get window_ms)" "100 1000"
echo 20 >/sys/module/svcrdma_lag/parameters/sample_ms
check_eq "an allowed value holds" "$(stat_get sample_ms)" 20

status=0; setpriv --reuid 65534 --regid 65534 --clear-groups $reader 1 1 >/run/out 2>&1 || status=$?
check_eq "an unprivileged reader: exit 1" $status 1
check "and a sentence" grep -qi 'root' /run/out
$reader 0.5 2 >/run/out 2>/run/err
check "the reader works" grep -q idle /run/out
for bad in "0" "x" "1 0" "1 x" "1 1 1" "--nonsense"; do
	status=0
	# shellcheck disable=SC2086 # words
	$reader $bad >/run/out 2>&1 || status=$?
	check_eq "svcrdma-lag $bad: exit 2" $status 2
done
svlag_unload

for name in released wc_send; do
	svlag_load skip=$name
	sleep 1.5
	check_eq "without $name the state is unknown" "$(stat_get state)" unknown
	check "without $name the summary says what is lost" grep -q "the hook $name .* is absent. Without it are lost" $SVLAG/summary
	svlag_unload
done
check "the log is free of warnings" sh -c "! dmesg | grep -E 'WARNING|BUG|Oops'"
