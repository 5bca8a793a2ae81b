# about: counting alone costs at most 45 guest instructions a hit by ftrace
# icount: yes
# timeout: 600
# With icount a nanosecond of guest time is an instruction; the figures are exact.

measured() { awk -v n="$1_ns" '$1 == n { print $2 }' $TARGET/measured; }
measure() { target_run "measure"; target_wait 300; }

target_load
measure
for name in get wc_send release; do
	declare "bare_$name=$(measured $name)"
done
for hook in ftrace kprobe; do
	svlag_load target=svlag_target hook=$hook
	# The first events have the layout checked; the handlers are then rid of that.
	target_run "pairs count=100"
	target_wait
	wait_until 20 grep -qx 'layout ok' $SVLAG/stats
	sleep 1
	measure
	sum=0
	for name in get wc_send release; do
		bare=bare_$name
		cost=$(awk -v a="$(measured $name)" -v b="${!bare}" 'BEGIN { printf "%.1f", a - b }')
		note "$hook: $name costs $cost instructions a hit (bare call ${!bare})"
		sum=$(awk -v a="$sum" -v b="$cost" 'BEGIN { print a + b }')
	done
	mean=$(awk -v s="$sum" 'BEGIN { printf "%.1f", s / 3 }')
	note "$hook: $mean on average"
	declare "mean_$hook=$mean"
	svlag_unload
done
check "by ftrace at most 45 a hit (measured $mean_ftrace)" awk -v m="$mean_ftrace" 'BEGIN { exit !(m <= 45 && m > 10) }'
check "by kprobe at most 200 a hit (measured $mean_kprobe)" awk -v m="$mean_kprobe" 'BEGIN { exit !(m <= 200 && m > 50) }'
target_unload
