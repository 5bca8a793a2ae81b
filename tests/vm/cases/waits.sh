# about: the curve delay against waits that the stand-in measures for each item
# cpus: 1
# timeout: 300
# One CPU, because beyond max_active the kernel takes work items from the queueing
# CPUs in turn, however many each has: then there is no one order to be exact in.

target_load
svlag_load target=svlag_target window_ms=500
echo 1 >$TARGET/workers
echo 500 >$TARGET/release_rate
echo 1 >$TARGET/mark
target_run "pairs rate=1000 count=12000"
for round in 1 2 3 4 5; do
	sleep 2
	before_ns=$(target_ledger wait_last_ns)
	wait_ns=$(stat_get curve_wait_ns)
	after_ns=$(target_ledger wait_last_ns)
	check "the item released next has waited $wait_ns ns; released around it: $before_ns, $after_ns" \
		awk -v w="$wait_ns" -v b="$before_ns" -v a="$after_ns" \
		'BEGIN { exit !(w >= b * 0.98 - 110e6 && w <= a * 1.02 + 110e6) }'
done
check "behind" sh -c "awk 'NR > 2 && \$NF == \"behind\" { n++ } END { exit !(n >= 4) }' $SVLAG/windows"
stats=$(stats_now)
check "an item queued now will wait as long as it takes to release the others" \
	awk -v n="$(stat_of "$stats" next_wait_ns)" -v d="$(stat_of "$stats" depth)" \
	'BEGIN { true_ns = d / 500 * 1e9; exit !(n >= true_ns * 0.7 && n <= true_ns * 1.4) }'
target_wait
# The rest leaves, and no wait of any was longer than the longest that was shown.
wait_until 120 grep -qx 'depth 0' $SVLAG/stats
peak_ns=$(stat_get curve_wait_peak_ns)
true_ns=$(target_ledger wait_max_ns)
check "the longest wait: shown $peak_ns, measured $true_ns" \
	awk -v p="$peak_ns" -v t="$true_ns" 'BEGIN { exit !(p >= t * 0.95 - 110e6 && p <= t * 1.02 + 110e6 && t > 5e9) }'
svlag_unload
target_unload
