# about: the module before and after rpcrdma, and rpcrdma unloaded and reloaded beneath it
# timeout: 400

rpcrdma_gone() { ! grep -q '^rpcrdma ' /proc/modules; }
rpcrdma_unload() { lab_down; wait_until 30 modprobe -r rpcrdma; rpcrdma_gone; }
generation() { stat_get arm_generation; }
armed_in_tracefs() { grep -c 'svc_rdma' /sys/kernel/tracing/enabled_functions || true; }
armed_kprobes() { grep -c svc_rdma /sys/kernel/debug/kprobes/list || true; }

mountpoint -q /sys/kernel/tracing || mount -t tracefs tracefs /sys/kernel/tracing

for hook in ftrace kprobe; do
	check "$hook: rpcrdma is not there" rpcrdma_gone
	svlag_load hook=$hook
	check_eq "$hook: not armed without rpcrdma" "$(generation)" 0
	check_eq "$hook: what it does not know is -" "$(stat_get armed_ns) $(stat_get depth)" "- -"
	check "$hook: the summary says so" grep -q 'rpcrdma is not loaded' $SVLAG/summary
	for round in 1 2; do
		lab_up
		lab_mount 1
		check_eq "$hook: armed when rpcrdma came" "$(generation)" $round
		check_eq "$hook: armed before the first item, so depth is exact at once" \
			"$(stat_get depth_settled)" yes
		before=$(stats_now)
		read_n 500
		wait_until 30 stats_still
		after=$(stats_now)
		check "$hook: it counts in generation $round" \
			[ $(($(stat_of "$after" released_total) - $(stat_of "$before" released_total))) -ge 500 ]
		check_eq "$hook: nothing came uncaused" "$(stat_of "$after" depth_correction)" 0
		rpcrdma_unload
		check_eq "$hook: disarmed when it went" "$(stat_get armed_ns)" -
		gone=$(stats_now)
		check "$hook: totals stay" \
			[ "$(stat_of "$gone" released_total)" -ge "$(stat_of "$after" released_total)" ]
		check_eq "$hook: all that completed was released" \
			"$(stat_of "$gone" released_total)" "$(stat_of "$gone" wc_send_total)"
		check_eq "$hook: no function of rpcrdma is left hooked" "$(armed_in_tracefs) $(armed_kprobes)" "0 0"
	done
	svlag_unload
done

lab_up
lab_mount 1
svlag_load
check_eq "after rpcrdma: armed at once" "$(generation)" 1
read_n 500
check "after rpcrdma: it counts" [ "$(stat_get released_total)" -ge 500 ]
svlag_unload
check_eq "after rmmod nothing is left hooked" "$(armed_in_tracefs) $(armed_kprobes)" "0 0"
check "after rmmod debugfs is gone" [ ! -e $SVLAG ]
