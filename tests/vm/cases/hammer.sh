# about: two CPUs call each function 1,000,000 times each: not one call is lost, by either mechanism
# timeout: 600

for hook in ftrace kprobe; do
	target_load
	svlag_load target=svlag_target hook=$hook
	target_run "hammer count=1000000 threads=2"
	# The totals only rise, and no release is seen before its completion.
	last=0
	while ! target_is_done; do
		stats=$(stats_now)
		now=$(stat_of "$stats" released_total)
		[ "$now" -ge "$last" ] || check "$hook: a total fell from $last to $now" false
		last=$now
		sleep 0.3
	done
	stats=$(stats_now)
	for name in get wc_send released; do
		check_eq "$hook: ${name}_total after 2 x 1,000,000 calls" "$(stat_of "$stats" ${name}_total)" 2000000
	done
	check_eq "$hook: both CPUs counted" "$(awk 'NR > 2 && $2 == 1000000 && $3 == 1000000 && $4 == 1000000' $SVLAG/percpu | wc -l)" 2
	check_eq "$hook: nothing was missed" "$(stat_of "$stats" missed_total | sed s/-/0/)" 0
	svlag_unload
	target_unload
done
