# about: loaded and unloaded 20 times under traffic, with open files, knobs turned and two CPUs busy
# timeout: 500

lab_up
lab_mount 2
load_start
counted=0
for round in $(seq 20); do
	hook=$([ $((round % 2)) = 0 ] && echo kprobe || echo ftrace)
	svlag_load hook=$hook
	cat $SVLAG/* >/dev/null
	echo 10 >/sys/module/svcrdma_lag/parameters/sample_ms
	sleep 0.$((round % 5 + 1))
	if [ "$(stat_get wc_send_total)" -gt 0 ]; then
		counted=$((counted + 1))
	else
		note "round $round: no hit in time"
	fi
	svlag_unload
done
# The shortest rounds last a fifth of a second, in which a stalled host may show nothing.
check "there was traffic to count in most of 20 rounds ($counted)" [ $counted -ge 10 ]

svlag_load window_ms=500
sleep 3
check "it still counts" [ "$(stat_get released_total)" -gt 0 ]
exec 5<$SVLAG/stats
check "a file that is open holds the module, as the kernel's rule is" sh -c '! rmmod svcrdma_lag 2>/dev/null'
exec 5<&-
load_stop
wait_until 30 stats_still
stats=$(stats_now)
check_eq "loaded under traffic, all is even when it is still" "$(stat_of "$stats" depth_high)" 0
check "what was queued before is in the correction, and told from what follows" \
	[ "$(stat_of "$stats" depth_correction_late)" = 0 ]
wait_until 10 sh -c "grep -q 'depth_settled yes' $SVLAG/stats"
check_eq "the queue was seen empty" "$(stat_get depth_settled)" yes
svlag_unload
check "the traffic went on" grep -q 'err= 0' /run/load.out
