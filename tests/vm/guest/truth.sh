# shellcheck shell=bash
# The truth: what bpftrace's count(), which loses nothing, has seen. Its values
# are called as the module's totals that they must equal. On kernels that have
# the workqueue they are the workqueue's own tracepoints for the two kinds of item
# on it - send contexts and write infos -, filtered on the work's function by
# address, since bpftrace's kaddr() does not see modules; else, and for get, they
# are entries of the functions. Raw tracepoints, since of common ones the kernel leaves a
# program out that interrupts another.

truth_address()
{
	awk -v f="$1" '$3 == f && $4 == "[rpcrdma]" { print "0x" $1; exit }' /proc/kallsyms
}

# truth_items FUNCTION QUEUED DONE: the workqueue's events of one kind of item.
truth_items()
{
	local address

	address=$(truth_address "$1")
	[ -n "$address" ] || return 0
	echo "$2 rawtracepoint:workqueue_queue_work /(uint64)((struct work_struct *)arg2)->func == $address/"
	echo "$3 rawtracepoint:workqueue_execute_start /(uint64)((struct work_struct *)arg0)->func == $address/"
}

# truth_probes: "TOTAL PROBE" a line, of this kernel.
truth_probes()
{
	echo "get kprobe:svc_rdma_send_ctxt_get"
	if [ -n "$(truth_address svc_rdma_send_ctxt_put_async)" ]; then
		truth_items svc_rdma_send_ctxt_put_async wc_send released
		truth_items svc_rdma_write_info_free_async write_info_queued write_info_freed
		return
	fi
	echo "wc_send kprobe:svc_rdma_wc_send"
	if [ -n "$(truth_address svc_rdma_send_ctxts_drain)" ]; then
		echo "released kprobe:svc_rdma_reply_chunk_release"
	else
		echo "released kprobe:svc_rdma_send_ctxt_put"
	fi
}

# truth_start: returns when every probe has been seen to be attached - bpftrace
# says "Attaching" long before, so an interval at each end of the program tells.
# It prints when asked: while bpftrace reads its maps, the kernel runs no program
# on that CPU, and what happens there is not counted.
truth_start()
{
	truth_probes >/run/truth.probes
	{
		printf '%s\n' 'interval:ms:500 /!@first/ { @first = 1; }'
		sed 's/\([^ ]*\) \(.*\)/\2 { @\1 = count(); }/' /run/truth.probes
		printf '%s\n' 'self:signal:SIGUSR1 { printf("begin\n");'
		sed 's/\([^ ]*\) .*/print(@\1);/' /run/truth.probes
		printf '%s\n' 'printf("end\n"); }'
		printf '%s\n' 'interval:ms:500 /@first == 1/ { @first = 2; printf("attached\n"); }'
	} >/run/truth.bt
	: >/run/truth.out
	bpftrace -B line /run/truth.bt >/run/truth.out 2>/run/truth.err &
	truth_pid=$!
	wait_until 120 grep -q '^attached' /run/truth.out ||
		{ echo "truth: bpftrace did not start"; cat /run/truth.err; return 1; }
}

# truth_now: "get=N wc_send=N released=N ...".
truth_now()
{
	local said

	said=$(grep -c '^end' /run/truth.out || true)
	kill -USR1 "$truth_pid"
	wait_until 30 truth_said $((said + 1))
	tac /run/truth.out | awk '
		NR == FNR { order[++n] = $1; next }
		/^end/ { on = 1 }
		on && /^@/ { gsub(/[@:]/, "", $1); v[$1] = $2 }
		on && /^begin/ { exit }
		END { for (i = 1; i <= n; i++) printf "%s=%d%s", order[i], v[order[i]], i < n ? " " : "\n" }
		' /run/truth.probes -
}

# truth_value "LINE" NAME
truth_value() { tr ' ' '\n' <<<"$1" | awk -F= -v n="$2" '$1 == n { print $2 }'; }

truth_said() { [ "$(grep -c '^end' /run/truth.out)" -ge "$1" ]; }

# truth_moment: sets truth and stats to what both say of one moment, in which
# nothing moves: a lease renewal in between would be in one of them alone.
truth_moment() { wait_until 120 truth_is_moment; }

truth_is_moment()
{
	local before

	before=$(stats_totals)
	truth=$(truth_now)
	stats=$(stats_now)
	[ "$before" = "$(grep -E "$STATS_TOTALS" <<<"$stats")" ]
}

# truth_mark: truth_check compares what came since.
truth_mark() { truth_moment && truth_then=$truth stats_then=$stats; }

# What the module counts in a second way, by wq_events: the same truth holds.
truth_also()
{
	case $1 in
	wc_send) echo wq_queued ;;
	released) echo wq_begun wq_ended ;;
	write_info_queued) echo wq_write_info_queued ;;
	write_info_freed) echo wq_write_info_begun wq_write_info_ended ;;
	esac
}

# truth_of NAME and stats_since NAME: how much it rose.
truth_of() { echo $(($(truth_value "$truth" "$1") - $(truth_value "$truth_then" "$1"))); }
stats_since() { echo $(($(stat_of "$stats" "$1") - $(stat_of "$stats_then" "$1"))); }

# truth_check "WHAT": each of the module's totals against the truth.
truth_check()
{
	local name total

	truth_moment
	while read -r name _; do
		for total in "$name" $(truth_also "$name"); do
			[ "$(stat_of "$stats" "${total}_total")" != - ] || continue
			check_eq "$1: ${total}_total equals the truth" \
				"$(stats_since "${total}_total")" "$(truth_of "$name")"
		done
	done </run/truth.probes
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
