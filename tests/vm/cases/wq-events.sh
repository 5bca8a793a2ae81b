# about: what the workqueue's tracepoints give: exact counts, service times, workers at once, and the CPUs, against bpftrace's own reading of them
# timeout: 600
slow() { echo "$1" >/sys/module/svlag_slow/parameters/delay_ms; }

# The same by bpftrace: how long the work took in sum, and where it was begun.
events_start()
{
	local a

	a=$(truth_address svc_rdma_send_ctxt_put_async)
	cat >/run/events.bt <<-EOF
	tracepoint:workqueue:workqueue_queue_work /args.function == $a/ { @on[args.work] = cpu + 1; }
	tracepoint:workqueue:workqueue_execute_start /args.function == $a/ {
		@begun[tid] = nsecs;
		if (@on[args.work] == cpu + 1) { @same = count(); } else if (@on[args.work]) { @other = count(); }
		delete(@on, args.work);
	}
	tracepoint:workqueue:workqueue_execute_end /args.function == $a && @begun[tid]/ {
		@timed = count(); @service = sum(nsecs - @begun[tid]); delete(@begun, tid);
	}
	interval:ms:500 /!@first/ { @first = 1; printf("attached\n"); }
	END { clear(@on); clear(@begun); clear(@first); }
	EOF
	bpftrace -B line /run/events.bt >/run/events.out 2>/run/events.err &
	events_pid=$!
	wait_until 120 grep -q '^attached' /run/events.out
	sleep 1
}

events_stop() { kill -INT "$events_pid"; wait "$events_pid" || true; }
event() { awk -v n="@$1:" '$1 == n { print $2 }' /run/events.out; }
near() { awk -v a="$1" -v b="$2" -v by="$3" 'BEGIN { exit !(a >= b * (1 - by) && a <= b * (1 + by)) }'; }

lab_up
lab_mount 2
svlag_load
for row in wq_queue wq_begin wq_end; do
	check_eq "the row $row" "$(awk -v r=$row '$1 == r { print $3, $4 }' $SVLAG/hooks)" "ok tracepoint"
done

truth_start
truth_mark
read_n 2000
truth_check "READs"
check "READs: 4,000 and more" [ "$(stats_since wq_queued_total)" -ge 4000 ]
check "READs: a write info each" [ "$(stats_since wq_write_info_queued_total)" -ge 4000 ]
check_eq "READs: all were timed" "$(stats_since wq_timed_total)" "$(stats_since wq_ended_total)"
check_eq "READs: nobody is at work when all is still" "$(stat_of "$stats" workers)" 0
truth_stop

# Now what is not a count. Only send contexts, for the CPUs are told of both kinds.
svlag_unload
svlag_load
wait_until 30 stats_still
events_start
stats_then=$(stats_now)
read_n 1000
wait_until 30 stats_still
stats=$(stats_now)
events_stop
timed=$(stats_since wq_timed_total)
mean=$(($(stats_since wq_service_ns_total) / timed))
truth=$(($(event service) / $(event timed)))
note "service of a send context: $mean ns, by bpftrace $truth ns"
check "the mean service time is bpftrace's within 30 %" near "$mean" "$truth" 0.3
told=$(($(stats_since wq_same_cpu_total) + $(stats_since wq_same_node_total)))
begun=$(($(stats_since wq_begun_total) + $(stats_since wq_write_info_begun_total)))
note "told of $told of $begun items; $(stats_since wq_same_cpu_total) begun where they were queued"
note "bpftrace, of send contexts: $(event same) where they were queued, $(event other) elsewhere"
check "of nearly all items the CPUs are told" [ "$told" -ge $((begun * 99 / 100)) ]
check "and of no item that was not begun" [ "$told" -le "$begun" ]
check_eq "there is but one node" "$(stats_since wq_other_node_total)" 0
for kind in same other; do
	check "bpftrace saw send contexts on $kind CPUs" [ "$(event $kind)" -gt 0 ]
done
check "begun where they were queued: no fewer than the send contexts of bpftrace, about" \
	[ "$(stats_since wq_same_cpu_total)" -ge $(($(event same) * 99 / 100)) ]
check "begun elsewhere: likewise" \
	[ "$(stats_since wq_same_node_total)" -ge $(($(event other) * 99 / 100)) ]

# 256 workers, each of which sleeps 300 ms on an item.
insmod /tree/tests/kmod/svlag_slow.ko
slow 300
load_start
check "workers at once: nearly all that the workqueue has" \
	wait_until 60 sh -c "[ \$(awk '\$1 == \"workers_peak\" { print \$2 }' $SVLAG/stats) -ge 250 ]"
stats_then=$(stats_now)
sleep 3
stats=$(stats_now)
check "and no more than it has" [ "$(stat_of "$stats" workers_peak)" -le 256 ]
mean=$(($(stats_since wq_service_ns_total) / $(stats_since wq_timed_total)))
note "service with a sleep of 300 ms: $mean ns"
check "a service time of 300 ms is seen as that" near "$mean" 300000000 0.15
check "the window has it" awk -v n=300000000 'NR == 2 { for (i = 1; i <= NF; i++) at[$i] = i }
	END { exit !($at["service_ns"] > n * 0.85 && $at["workers_max"] >= 100) }' $SVLAG/windows
check "the summary says so" grep -q "^Workers at once: [0-9]*, at most 2[0-9]* since the load; a send context takes 3[0-9][0-9] ms" $SVLAG/summary
sed -n '/^Workers/,/^Begun/s/^/# /p' $SVLAG/summary
slow 0
load_stop
check "drained" wait_until 60 grep -qx 'depth 0' $SVLAG/stats
wait_until 30 stats_still
check_eq "and nobody is at work" "$(stat_get workers)" 0
rmmod svlag_slow
svlag_unload

svlag_load wq_events=n
check_eq "wq_events=n: no rows" "$(awk '/^wq_/' $SVLAG/hooks)" ""
check_eq "wq_events=n: no figures" "$(stat_get wq_queued_total) $(stat_get workers)" "- -"
svlag_unload
svlag_load skip=wq_queue
check_eq "a row that is skipped is absent" "$(awk '$1 == "wq_queue" { print $3 }' $SVLAG/hooks)" absent
check_eq "and what needs all three is not known" "$(stat_get wq_begun_total)" -
svlag_unload
