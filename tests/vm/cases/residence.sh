# about: waits of both kinds of item on the real server, over 20,000 READs, against bpftrace's from queue_work to execute_start, at ease and with CPUs short
# timeout: 1500

reads=${READS:-10000}	# from each of two mounts

# waits_start: bpftrace counts the waits in the steps of hist.h: the number of a bucket's
# lower bound. What is not needed for the wait itself is done when the work is over. Raw
# tracepoints, for a program of another kind is left out where it interrupts another. What
# began is forgotten when it ends: where an update is lost there is no wait, and not one
# from where the one before began that had the same address.
waits_start()
{
	local a b

	a=$(truth_address svc_rdma_send_ctxt_put_async)
	b=$(truth_address svc_rdma_write_info_free_async)
	cat >/run/waits.bt <<-EOF
	rawtracepoint:workqueue_queue_work {
		\$func = (uint64)((struct work_struct *)arg2)->func;
		if (\$func == $a || \$func == $b) { @at[arg2] = nsecs; }
	}
	rawtracepoint:workqueue_execute_start {
		\$func = (uint64)((struct work_struct *)arg0)->func;
		if (\$func == $a || \$func == $b) {
			\$at = @at[arg0];
			if (\$at) { @waited[tid] = nsecs - \$at; delete(@at, arg0); }
		}
	}
	rawtracepoint:workqueue_execute_end /@waited[tid]/ {
		\$step = @waited[tid];
		\$shift = (uint64)0;
		while (\$step >= 32) { \$step = \$step >> 1; \$shift++; }
		if (arg1 == $a) { @wait[\$step << \$shift] = count(); } else { @write_info_wait[\$step << \$shift] = count(); }
		delete(@waited, tid);
	}
	interval:ms:500 /!@first/ { @first = 1; printf("attached\n"); }
	END { clear(@at); clear(@waited); clear(@first); }
	EOF
	: >/run/waits.out
	BPFTRACE_MAX_MAP_KEYS=65536 bpftrace -B line /run/waits.bt >/run/waits.out 2>/run/waits.err &
	waits_pid=$!
	wait_until 120 grep -q '^attached' /run/waits.out || { cat /run/waits.err; return 1; }
	sleep 1
	wait_until 30 stats_still
	cp $SVLAG/wait /run/wait.then
}

waits_stop()
{
	wait_until 60 stats_still
	cp $SVLAG/wait /run/wait.now
	kill -INT "$waits_pid"
	wait "$waits_pid" || true
}

# For awk: the number of the bucket of a time, and where so many of a thousand are reached.
BUCKETS='
function bucket(ns,    shift) {
	if (ns < 992) return 0
	for (shift = 0; ns >= 32 * 2 ^ shift; shift++) ;
	return 16 * shift + int(ns / 2 ^ shift) - 110
}
function reach(permille,    i, at, sum) {
	for (i = 0; i < 469; i++) sum += n[i]
	for (i = 0; i < 469; i++) { at += n[i]; if (at && at * 1000 >= sum * permille) return i }
	return -1
}
function tell(    k) {
	for (k = 0; k < 469; k++) sum += n[k]
	print sum + 0, reach(500), reach(900), reach(990), reach(999), reach(1000)
}'

# of_module WHAT and of_bpftrace WHAT: how many, and the buckets of p50 p90 p99 p99.9 max.
of_module()
{
	awk -v what="$1" "$BUCKETS"'
		$1 == what { n[bucket($2)] += NR == FNR ? -$3 : $3 }
		END { tell() }' /run/wait.then /run/wait.now
}

of_bpftrace()
{
	awk -F'[^@a-z_0-9]+' -v what="@$1" "$BUCKETS"'
		$1 == what { n[bucket($2)] += $3 }
		END { tell() }' /run/waits.out
}

# span BUCKET: its upper end, for people.
span()
{
	awk -v i="$1" 'BEGIN { i += 111; s = int(i / 16) - 1; printf "%.3g ms", (i - 16 * s) * 2 ^ s / 1e6 }'
}

# agree "WHEN" WHAT: as many, and each percentile within one bucket.
agree()
{
	local -a is should
	local i
	local names=("" p50 p90 p99 p99.9 max)

	read -ra is <<<"$(of_module "$2")"
	read -ra should <<<"$(of_bpftrace "$2")"
	# An update of a map that interrupts another is lost to bpftrace, once in some 20,000.
	check "$1, $2: as many waits as bpftrace has, which loses one now and then: ${is[0]}, ${should[0]}" \
		[ "${is[0]}" -ge "${should[0]}" -a $((is[0] - should[0])) -le 5 ]
	for i in 1 2 3 4 5; do
		check "$1, $2: ${names[i]} $(span "${is[i]}"), bpftrace's $(span "${should[i]}")" \
			[ $((is[i] - should[i])) -le 1 -a $((should[i] - is[i])) -le 1 ]
		note "$1, $2: ${names[i]} $(span "${is[i]}") (bucket ${is[i]}), bpftrace's $(span "${should[i]}") (${should[i]})"
	done
}

lab_up
lab_mount 2
svlag_load
read_n 100
wait_until 20 grep -qx 'layout ok' $SVLAG/stats
wait_until 20 grep -qx 'depth_settled yes' $SVLAG/stats

waits_start
read_n "$reads"
waits_stop
check_eq "at ease: $((2 * reads)) READs, and the wait of each" "$(of_module write_info_wait | cut -d' ' -f1)" $((2 * reads))
for what in wait write_info_wait; do agree "at ease" $what; done
check_accounts "at ease"

# Each CPU has more to do than it can.
loops=
for i in $(seq "${LOOPS:-12}"); do
	while :; do :; done &
	loops="$loops $!"
done
waits_start
read_n "$reads"
waits_stop
# shellcheck disable=SC2086 # words
kill $loops
for what in wait write_info_wait; do agree "CPUs short" $what; done
check "CPUs short: it waited tens of milliseconds" \
	awk -v b="$(of_bpftrace wait | cut -d' ' -f4)" 'BEGIN { i = b + 110; s = int(i / 16) - 1; exit !((i - 16 * s) * 2 ^ s >= 10e6) }'
check_accounts "CPUs short"
check_eq "all were tracked, one by one" "$(stat_get track_level_max) $(stat_get track_matched_total)" "0 $(stat_get track_inserted_total)"
note "agree: $(awk '$1 == "agree" || /^mean/' $SVLAG/stats | tr '\n' ' ')"
svlag_unload
