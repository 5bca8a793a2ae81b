# about: each hook absent in turn: the others count, and what is lost is said
# timeout: 300

lab_up
lab_mount 1
for name in released wc_send get capped write_info_queued write_info_freed; do
	svlag_load skip=$name
	read_n 300
	wait_until 30 stats_still
	stats=$(stats_now)
	check_eq "$name: its verdict" "$(awk -v n=$name '$1 == n { print $3 }' $SVLAG/hooks)" absent
	check "$name: hooks says what is lost" grep -q "^$name .*[a-z] [a-z]" $SVLAG/hooks
	check_eq "$name: its total is not known" "$(stat_of "$stats" ${name}_total)" -
	for other in released wc_send get; do
		[ $other != $name ] || continue
		check "$name absent: $other counts" [ "$(stat_of "$stats" ${other}_total)" -ge 300 ]
	done
	case $name in
	released|wc_send)
		check_eq "$name absent: no depth" "$(stat_of "$stats" depth)" -
		check_eq "$name absent: no wait" "$(stat_of "$stats" curve_wait_ns)" -
		wait_until 5 sh -c "grep -q '^state unknown' $SVLAG/stats"
		check_eq "$name absent: the state is not known" "$(stat_get state)" unknown ;;
	write_info_*)
		check_eq "$name absent: how many write infos wait is not known" \
			"$(stat_of "$stats" write_info_depth) $(stat_of "$stats" queue_depth)" "- -" ;;&
	*)
		check_eq "$name absent: depth is" "$(stat_of "$stats" depth)" 0
		check "$name absent: the state is" [ "$(stat_get state)" != unknown ] ;;
	esac
	svlag_unload
done

# Offsets that cannot be right are found out by the first events, and only counts are left.
for wrong in cqe=200 rdma=8 work=48 infos=0; do
	svlag_load layout=$wrong
	read_n 100
	wait_until 30 stats_still
	stats=$(stats_now)
	check "layout=$wrong is seen to be wrong: $(stat_of "$stats" layout)" \
		sh -c "grep -q '^layout wrong:' $SVLAG/stats"
	check_eq "layout=$wrong: what needs it is not known" "$(stat_of "$stats" write_info_queued_total)" -
	check "layout=$wrong: what does not is counted" [ "$(stat_of "$stats" released_total)" -ge 100 ]
	check_eq "layout=$wrong: the depth stands" "$(stat_of "$stats" depth)" 0
	svlag_unload
done

# Hooks that stop working under our feet: the canary tells.
svlag_load hook=ftrace window_ms=500
read_n 300
echo 0 >/proc/sys/kernel/ftrace_enabled
wait_until 10 sh -c "grep -q '^state unknown' $SVLAG/stats"
check_eq "ftrace switched off: the state is not known" "$(stat_get state)" unknown
check_eq "ftrace switched off: released is silent" "$(awk '$1 == "released" { print $3 }' $SVLAG/hooks)" silent
echo 1 >/proc/sys/kernel/ftrace_enabled
wait_until 10 sh -c "! grep -q '^state unknown' $SVLAG/stats"
check "and on again: it is" [ "$(stat_get state)" != unknown ]
svlag_unload

svlag_load hook=kprobe window_ms=500
read_n 300
echo 0 >/sys/kernel/debug/kprobes/enabled
wait_until 10 sh -c "grep -q '^state unknown' $SVLAG/stats"
check_eq "kprobes switched off: the state is not known" "$(stat_get state)" unknown
echo 1 >/sys/kernel/debug/kprobes/enabled
wait_until 10 sh -c "! grep -q '^state unknown' $SVLAG/stats"
check "and on again: it is" [ "$(stat_get state)" != unknown ]
svlag_unload

# Switched off before the load: the canary is not seen, and nothing is loaded in vain.
echo 0 >/proc/sys/kernel/ftrace_enabled
check "hook=ftrace with ftrace switched off is refused" sh -c '! insmod /tree/svcrdma_lag.ko hook=ftrace 2>/dev/null'
check "and said" sh -c "dmesg | tail -n 4 | grep -q 'ftrace does not work here'"
echo 1 >/proc/sys/kernel/ftrace_enabled
