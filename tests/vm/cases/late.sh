# about: loaded into the middle of a backlog: what was queued before is not known, is said, and comes to light
# timeout: 300

slow=/sys/module/svlag_slow/parameters/delay_ms

# backlog_of N: by the workqueue's own count, before the module is there.
backlog_of()
{
	local truth

	truth=$(truth_now)
	[ $(($(truth_value "$truth" wc_send) - $(truth_value "$truth" released))) -ge "$1" ]
}

lab_up
lab_mount 2
insmod /tree/tests/kmod/svlag_slow.ko
truth_start
load_start
sleep 2
echo 2000 >$slow
wait_until 120 backlog_of 1500
svlag_load
early=$(stats_now)
check_eq "the depth is a lower bound" "$(stat_of "$early" depth_settled)" no
check_eq "and so is the wait" "$(stat_of "$early" curve_wait_censored)" yes
check "the summary says so" grep -q 'lower bound' $SVLAG/summary
check "it is behind all the same" wait_until 60 sh -c "grep -qx 'state behind' $SVLAG/stats"
load_stop
echo 0 >$slow
# The releases of what was queued before the load come without a completion.
wait_until 60 sh -c "grep -qx 'depth_settled yes' $SVLAG/stats"
wait_until 60 stats_still
stats=$(stats_now)
truth=$(truth_stop)
missing=$(($(truth_value "$truth" wc_send) - $(stat_of "$stats" wc_send_total)))
note "$truth; $(tr '\n' ' ' <<<"$stats")"
check "draining was seen" sh -c "awk 'NR > 2 && \$NF == \"draining\" { ok = 1 } END { exit !ok }' $SVLAG/windows"
check "the correction is what had been queued before" [ "$(stat_of "$stats" depth_correction)" -ge 1200 ]
check_eq "the correction is exact" "$(stat_of "$stats" depth_correction)" \
	$(($(stat_of "$stats" released_total) - $(stat_of "$stats" wc_send_total)))
check_eq "none of it counts as lost" "$(stat_of "$stats" depth_correction_late)" 0
check_eq "nothing waits" "$(stat_of "$stats" depth_high)" 0
check "all of the correction was queued unseen" [ "$(stat_of "$stats" depth_correction)" -le $missing ]
svlag_unload
rmmod svlag_slow
