# about: pairs, error puts, stalls, lost completions and a reconnect on the stand-in, against its own ledger
# timeout: 400

# even NAME: the module and the ledger say the same of NAME.
even() { check_eq "$1: $2_total equals the ledger" "$(stat_get "$2_total")" "$(target_ledger "$2")"; }

target_load
svlag_load target=svlag_target window_ms=500
target_run "pairs rate=2000 count=4000 threads=2 xprts=4"
target_wait
for name in get wc_send released; do even pairs $name; done
check_eq "pairs: nothing waits" "$(stat_get depth_high)" 0
wait_until 20 grep -qx 'live_settled yes' $SVLAG/stats
check_eq "pairs: none is live, and that is settled" "$(stat_get live_ctxts) $(stat_get live_settled)" "0 yes"

wait_until 20 sh -c "grep -qx 'depth_settled yes' $SVLAG/stats"
target_run "error_put rate=500 count=300"
target_wait
for name in get wc_send released; do even "error puts" $name; done
check_eq "error puts: releases that had no completion are counted as such" \
	"$(stat_get depth_correction_late)" 300
check "error puts: the summary says so" grep -q '300 releases came whose completion was not seen' $SVLAG/summary
check_eq "error puts: the depth stays right" "$(stat_get depth_high)" 0

# A stall: items wait and none is released.
echo 1 >$TARGET/workers
echo Y >$TARGET/hold
target_run "pairs rate=2000 count=6000"
wait_until 30 sh -c "grep -qx 'state stalled' $SVLAG/stats"
check_eq "hold: the state" "$(stat_get state)" stalled
target_wait
sleep 1
stats=$(stats_now)
check_eq "hold: the depth is the ledger's" "$(stat_of "$stats" depth)" "$(target_ledger depth)"
check_eq "hold: as many are live" "$(stat_of "$stats" live_ctxts)" "$(target_ledger live)"
check_eq "hold: the bracket is closed" "$(stat_of "$stats" depth_low)" "$(stat_of "$stats" depth_high)"
first=$(stat_get curve_wait_ns)
sleep 1
check "hold: the wait of the oldest goes on growing" [ "$(stat_get curve_wait_ns)" -gt $((first + 900000000)) ]
echo N >$TARGET/hold
wait_until 60 sh -c "grep -qx 'depth 0' $SVLAG/stats"
for name in get wc_send released; do even "after the hold" $name; done

# A completion that is never queued stays in the depth: said, not hidden.
before=$(stat_get depth)
target_run "lose rate=100 count=70"
target_wait
sleep 2
check_eq "lost: 70 completions without a release are depth" "$(stat_get depth)" $((before + 70))
check_eq "lost: they are live" "$(stat_get live_ctxts)" "$(target_ledger live)"
check_eq "lost: and nobody releases them: stalled" "$(stat_get state)" stalled

target_run "reconnect count=1"
target_wait
for name in get wc_send released; do even "reconnect" $name; done
svlag_unload
rmmod svlag_target

# Init that fails after the module was announced.
svlag_load target=svlag_target
check "a target whose init fails" sh -c '! insmod /tree/tests/kmod/svlag_target.ko fail_init=1 2>/dev/null'
check_eq "was armed" "$(stat_get arm_generation)" 1
check_eq "and is no more" "$(stat_get armed_ns)" -
check_eq "nothing of it is left hooked" "$(grep -c 'svlag_target\|svc_rdma' /sys/kernel/debug/tracing/enabled_functions || true)" 0
target_load
target_run "pairs rate=0 count=1000"
target_wait
check_eq "the next one counts" "$(stat_get released_total)" 1000
check_eq "in its own generation" "$(stat_get arm_generation)" 2
svlag_unload
rmmod svlag_target

# The tracepoint of some vendors' kernels, armed before and after the target is there.
for order in before after; do
	[ $order = after ] || svlag_load target=svlag_target_capped
	insmod /tree/tests/kmod/svlag_target_capped.ko
	[ $order = before ] || svlag_load target=svlag_target_capped
	echo "capped count=123" >/sys/module/svlag_target_capped/parameters/run
	wait_until 20 grep -qx 'capped_total 123' $SVLAG/stats
	check_eq "loaded $order: capped is counted" "$(stat_get capped_total)" 123
	check_eq "loaded $order: by its tracepoint" "$(awk '$1 == "capped" { print $3, $4 }' $SVLAG/hooks)" "ok tracepoint"
	rmmod svlag_target_capped
	check_eq "loaded $order: absent when it went" "$(awk '$1 == "capped" { print $3 }' $SVLAG/hooks)" absent
	svlag_unload
done

# The other eras are told by their symbols.
for era in sync:synchronous list:release_list; do
	insmod /tree/tests/kmod/svlag_target_${era%:*}.ko
	svlag_load target=svlag_target_${era%:*}
	check_eq "the era of svlag_target_${era%:*}" "$(stat_get era)" ${era#*:}
	echo "pairs rate=2000 count=2000" >/sys/module/svlag_target_${era%:*}/parameters/run
	wait_until 30 grep -qx 'jobs 0' /sys/module/svlag_target_${era%:*}/parameters/ledger
	sleep 1.5
	for name in get wc_send; do
		check_eq "${era#*:}: ${name}_total" "$(stat_get ${name}_total)" 2000
	done
	check "${era#*:}: the state is known" [ "$(stat_get state)" != unknown ]
	cat $SVLAG/summary
	svlag_unload
	rmmod svlag_target_${era%:*}
done
