# about: a case that is in order passes, on the real server
lab_up
lab_mount 2
check "both are mounted" test "$(lab_mounts | wc -l)" = 2
truth_start
before=$(truth_now)
read_n 500
after=$(truth_stop)
note "truth: $before, then $after"
for name in wc_send released; do
	check_eq "each of 2 x 500 READs was counted once as $name, and a few more RPCs" \
		"$(( $(truth_value "$after" $name) - $(truth_value "$before" $name) >= 1000 ))" 1
done
lab_down
check "rpcrdma unloads" modprobe -r rpcrdma
