# about: send contexts and write infos, queued and released, equal the workqueue's own tracepoints, item for item, by both mechanisms
# timeout: 600
# Four connections at queue depth 32 and at least 20,000 READs for each mechanism.

lab_up
lab_mount 4

for hook in ftrace kprobe; do
	svlag_load hook=$hook
	check_eq "$hook: the mechanism in use" \
		"$(awk '$1 == "released" { print $4 }' $SVLAG/hooks)" $hook
	truth_start
	wait_until 30 stats_still
	stats=$(stats_now)
	truth=$(truth_now)

	read_n 5050
	wait_until 60 stats_still
	wait_until 60 truth_still
	after=$(stats_now)
	truth_after=$(truth_now)
	truth_stop

	queued=$(($(stat_of "$after" wc_send_total) - $(stat_of "$stats" wc_send_total)))
	released=$(($(stat_of "$after" released_total) - $(stat_of "$stats" released_total)))
	note "$hook: before $truth, after $truth_after, queued $queued, released $released"
	check "$hook: 20,000 READs and more were seen" [ $queued -ge 20000 ]
	check_eq "$hook: wc_send_total equals workqueue_queue_work" $queued \
		$(($(truth_value "$truth_after" queued) - $(truth_value "$truth" queued)))
	check_eq "$hook: released_total equals workqueue_execute_start" $released \
		$(($(truth_value "$truth_after" executed) - $(truth_value "$truth" executed)))
	for pair in write_info_queued:b_queued write_info_freed:b_executed; do
		check_eq "$hook: ${pair%:*}_total equals the tracepoints" \
			$(($(stat_of "$after" ${pair%:*}_total) - $(stat_of "$stats" ${pair%:*}_total))) \
			$(($(truth_value "$truth_after" ${pair#*:}) - $(truth_value "$truth" ${pair#*:})))
	done
	check "$hook: write infos are one a READ" \
		[ $(($(stat_of "$after" write_info_freed_total) - $(stat_of "$stats" write_info_freed_total))) -ge 20000 ]
	check_eq "$hook: no write info waits when all is still" "$(stat_of "$after" write_info_depth)" 0
	check_eq "$hook: the layout has been checked" "$(stat_of "$after" layout)" ok
	check_eq "$hook: nothing waits when all is still" "$(stat_of "$after" depth_high)" 0
	check_eq "$hook: no release came uncaused" "$(stat_of "$after" depth_correction)" 0
	check_eq "$hook: percpu sums to the total of stats" \
		"$(awk 'NR > 2 { sum += $3 } END { print sum }' $SVLAG/percpu)" \
		"$(stat_of "$after" wc_send_total)"
	svlag_unload
done
