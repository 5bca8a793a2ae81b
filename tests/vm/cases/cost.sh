# about: guest instructions a hit: at most 45 to count by ftrace, and 130 to track each item
# icount: yes
# timeout: 600
# With icount a nanosecond of guest time is an instruction; the figures are exact. A hit
# is one of get, wc_send and release in turn. tests/bench/cost has them beside others'.

measured() { awk -v n="$1_ns" '$1 == n { print $2 }' $TARGET/measured; }
measure() { target_run "measure"; target_wait 300; }

target_load
measure
bare=$(measured all)

# costs WHAT MOST "OPTION"...: so much with the module loaded like that.
costs()
{
	local mean

	svlag_load target=svlag_target "${@:3}"
	# The first events have the layout checked; the handlers are then rid of that.
	target_run "pairs count=100"
	target_wait
	wait_until 20 grep -qx 'layout ok' $SVLAG/stats
	sleep 1
	measure
	mean=$(awk -v a="$(measured all)" -v b="$bare" 'BEGIN { printf "%.1f", (a - b) / 3 }')
	note "$1: $mean instructions a hit"
	check "$1: at most $2 a hit (measured $mean)" \
		awk -v m="$mean" -v most="$2" 'BEGIN { exit !(m <= most && m > 10) }'
	svlag_unload
}

costs "ftrace, counting" 45 hook=ftrace track_entries=0
costs "ftrace, tracking" 130 hook=ftrace
costs "kprobe, counting" 200 hook=kprobe track_entries=0
costs "kprobe, tracking" 280 hook=kprobe
target_unload
