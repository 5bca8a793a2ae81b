# about: a real backlog: behind, draining, keeping-up; depth and waits against the workqueue's own count
# timeout: 500

slow=/sys/module/svlag_slow/parameters/delay_ms
state_was() { awk -v s="$1" 'NR > 2 && $NF == s { ok = 1 } END { exit !ok }' $SVLAG/windows; }

deep_enough()
{
	local stats

	stats=$(stats_now)
	[ "$(stat_of "$stats" depth)" -gt 2500 ] && [ "$(stat_of "$stats" curve_wait_ns)" -gt 3000000000 ]
}

lab_up
lab_mount 2
insmod /tree/tests/kmod/svlag_slow.ko
svlag_load
truth_start
truth_mark

# 256 workers that sleep 2 s leave 128 releases a second, whatever the guest's pace.
load_start
check "keeping up before" wait_until 60 state_was keeping-up
echo 2000 >$slow
check "a backlog is seen" wait_until 60 state_was behind
wait_until 120 deep_enough
deep=$(stats_now)
note "deep: $(tr '\n' ' ' <<<"$deep")"
check "the depth grows" [ "$(stat_of "$deep" depth)" -gt 2000 ]
check "the wait grows with it: seconds" [ "$(stat_of "$deep" curve_wait_ns)" -gt 2000000000 ]
check "the summary says it in words" wait_until 15 grep -q BEHIND $SVLAG/summary
load_stop
sleep 1

# No completion comes any more, and 128 items a second leave: two readings around
# the tracepoints' own figures, which may be a second old.
before=$(stats_now); truth=$(truth_now); sleep 1.5; after=$(stats_now)
depth_true=$((($(truth_value "$truth" wc_send) - $(truth_value "$truth_then" wc_send)) - \
	($(truth_value "$truth" released) - $(truth_value "$truth_then" released))))
note "depth before $(stat_of "$before" depth), true $depth_true, after $(stat_of "$after" depth)"
check "depth agrees with the tracepoints" \
	[ $depth_true -le $(($(stat_of "$before" depth_high) + 300)) -a $depth_true -ge $(($(stat_of "$after" depth_low) - 300)) ]
check "it drains" state_was draining
echo 0 >$slow
wait_until 60 sh -c "grep -qx 'depth 0' $SVLAG/stats"
truth_check "all in all"
truth_stop
check_eq "nothing came uncaused" "$(stat_of "$stats" depth_correction)" 0
check "the peak is kept" [ "$(stat_of "$stats" depth_peak)" -ge "$(stat_of "$deep" depth_low)" ]
check_eq "idle after all" "$(sleep 2; stat_get state)" idle
cat $SVLAG/summary
svlag_unload
rmmod svlag_slow
