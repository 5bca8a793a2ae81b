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
	truth_mark
	read_n 5050
	truth_check "$hook"
	note "$hook: before $truth_then, after $truth"
	check "$hook: 20,000 READs and more were seen" \
		[ $(($(stat_of "$stats" wc_send_total) - $(stat_of "$stats_then" wc_send_total))) -ge 20000 ]
	check "$hook: write infos are one a READ" \
		[ $(($(stat_of "$stats" write_info_freed_total) - $(stat_of "$stats_then" write_info_freed_total))) -ge 20000 ]
	check_eq "$hook: no write info waits when all is still" "$(stat_of "$stats" write_info_depth)" 0
	check_eq "$hook: the layout has been checked" "$(stat_of "$stats" layout)" ok
	check_eq "$hook: nothing waits when all is still" "$(stat_of "$stats" depth_high)" 0
	check_eq "$hook: no release came uncaused" "$(stat_of "$stats" depth_correction)" 0
	check_eq "$hook: percpu sums to the total of stats" \
		"$(awk 'NR > 2 { sum += $3 } END { print sum }' $SVLAG/percpu)" \
		"$(stat_of "$stats" wc_send_total)"
	truth_stop
	svlag_unload
done
