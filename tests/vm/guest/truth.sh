# shellcheck shell=bash
# The truth: what the workqueue's own tracepoints count for the two kinds of
# item on svcrdma_wq - send contexts (A) and write infos (B) -, by bpftrace's
# count(), which loses nothing. It is filtered on the work's function by
# address, since bpftrace's kaddr() does not see modules.

truth_address()
{
	awk -v f="$1" '$3 == f && $4 == "[rpcrdma]" { print "0x" $1; exit }' /proc/kallsyms
}

# truth_start: returns when every probe has been seen to be attached - bpftrace
# says "Attaching" long before, so an interval at each end of the program tells.
truth_start()
{
	local a b

	a=$(truth_address svc_rdma_send_ctxt_put_async)
	b=$(truth_address svc_rdma_write_info_free_async)
	[ -n "$a" ] || { echo "truth: no svc_rdma_send_ctxt_put_async"; return 1; }
	cat >/run/truth.bt <<-EOF
	interval:ms:500 { @first = 1; }
	tracepoint:workqueue:workqueue_queue_work /args.function == $a/ { @queued = count(); }
	tracepoint:workqueue:workqueue_execute_start /args.function == $a/ { @executed = count(); }
	tracepoint:workqueue:workqueue_queue_work /args.function == ${b:-1}/ { @b_queued = count(); }
	tracepoint:workqueue:workqueue_execute_start /args.function == ${b:-1}/ { @b_executed = count(); }
	interval:ms:500 /@first == 1/ {
		printf("begin\n"); print(@queued); print(@executed); print(@b_queued); print(@b_executed);
		printf("end\n");
	}
	EOF
	: >/run/truth.out
	bpftrace -B line /run/truth.bt >/run/truth.out 2>/run/truth.err &
	truth_pid=$!
	wait_until 120 grep -q '^end' /run/truth.out ||
		{ echo "truth: bpftrace did not start"; cat /run/truth.err; return 1; }
}

# truth_now: "queued=N executed=N b_queued=N b_executed=N", at most a second old.
truth_now()
{
	tac /run/truth.out | awk '
		/^end/ { on = 1 }
		on && /^@/ { gsub(/[@:]/, "", $1); v[$1] = $2 }
		on && /^begin/ { exit }
		END { printf "queued=%d executed=%d b_queued=%d b_executed=%d\n",
			v["queued"], v["executed"], v["b_queued"], v["b_executed"] }'
}

# truth_stop: waits until nothing moves, prints the last values and ends it.
truth_stop()
{
	wait_until 60 truth_still
	truth_now
	kill -INT "$truth_pid"
	wait "$truth_pid" || true
}

truth_still()
{
	local before

	before=$(truth_now)
	sleep 2
	[ "$before" = "$(truth_now)" ]
}

# truth_value "LINE" NAME
truth_value() { tr ' ' '\n' <<<"$1" | awk -F= -v n="$2" '$1 == n { print $2 }'; }
