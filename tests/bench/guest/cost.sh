# shellcheck shell=bash disable=SC2086,SC2154 # its variables are of tests/vm/guest
# about: guest instructions a hit, of this module, of nothing at all, and of bpftrace's ways to the same
# icount: yes
# timeout: 1500
# A hit is one of get, wc_send and release in turn, the bare calls subtracted.

measured() { awk -v n="$1_ns" '$1 == n { print $2 }' $TARGET/measured; }
less() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f", a - b }'; }

# row "WHAT": measures with what is attached now; sets hit and item.
row()
{
	target_run "measure stuck=${stuck:-0}"
	target_wait 600
	hit=$(awk -v a="$(measured all)" -v b="$bare_all" 'BEGIN { printf "%.1f", (a - b) / 3 }')
	item=$(less "$(measured item)" "$bare_item")
	note "$(printf '%-52s %8s %10s' "$1" "$hit" "$item")"
}

# bpf "WHAT" PROGRAM: bpftrace with that program attached.
bpf()
{
	local pid

	printf '%s\n' "$2" 'interval:ms:100 /!@ready/ { @ready = 1; printf("attached\n"); }' >/run/bpf.bt
	: >/run/bpf.out
	bpftrace -B line /run/bpf.bt >/run/bpf.out 2>/run/bpf.err &
	pid=$!
	wait_until 300 grep -q '^attached' /run/bpf.out || { cat /run/bpf.err; return 1; }
	row "$1"
	kill -INT $pid
	wait $pid || true
}

# The module, loaded with "$@"; the layout check is over before it is measured.
module()
{
	svlag_load target=svlag_target "${@:2}"
	target_run "pairs count=100"
	target_wait
	wait_until 20 grep -qx 'layout ok' $SVLAG/stats
	sleep 1
	row "$1"
	level=$(stat_of "$(cat $SVLAG/stats)" track_level_max)
	svlag_unload
}

target_load
target_run measure
target_wait 600
bare_all=$(measured all) bare_item=$(measured item)
note "instructions, beyond the bare call:                     a hit    an item"

insmod /tree/tests/kmod/svlag_empty.ko
row "an ftrace callback that does nothing"
floor=$hit
rmmod svlag_empty

module "svcrdma_lag, ftrace, counting" wq_events=n track_entries=0
counting=$hit
module "svcrdma_lag, ftrace, tracking 1 of 1" wq_events=n
tracking=$hit
module "svcrdma_lag, ftrace, tracking 1 of 1, wq_events"
stuck=860 module "svcrdma_lag, ftrace, tracking 1 of 16" wq_events=n track_entries=4096 leak_age_ms=600000
check "one of 16 was tracked while that was measured" [ "$level" = 4 ]
thinned=$hit
module "svcrdma_lag, kprobe, counting" hook=kprobe wq_events=n track_entries=0
module "svcrdma_lag, kprobe, tracking 1 of 1" hook=kprobe wq_events=n

# The same key for both ends, as the offsets of the stand-in have it.
delta=$(sed 's/.*cqe=\([0-9]*\).*work=\([0-9]*\).*/\1 \2/' $TARGET/layout | { read -r cqe work; echo $((cqe - work)); })
T=svlag_target
bpf "bpftrace, fentry, count()" "
fentry:$T:svc_rdma_send_ctxt_get { @get = count(); }
fentry:$T:svc_rdma_wc_send { @queued = count(); }
fentry:$T:svc_rdma_send_ctxt_put_async { @released = count(); }"
bpf "bpftrace, kprobe, @x += 1 (loses updates)" "
kprobe:$T:svc_rdma_send_ctxt_get { @get += 1; }
kprobe:$T:svc_rdma_wc_send { @queued += 1; }
kprobe:$T:svc_rdma_send_ctxt_put_async { @released += 1; }"
bpf "bpftrace, kprobe, hash of start times and hist()" "
kprobe:$T:svc_rdma_send_ctxt_get { @get += 1; }
kprobe:$T:svc_rdma_wc_send { @queued += 1; @at[*(uint64 *)arg1] = nsecs; }
kprobe:$T:svc_rdma_send_ctxt_put_async {
	@released += 1;
	\$key = (uint64)arg0 + (uint64)($delta);
	if (@at[\$key]) { @wait = hist(nsecs - @at[\$key]); delete(@at, \$key); }
}"
hash=$hit
note ""
times() { awk -v a="$hash" -v b="$1" 'BEGIN { printf "%.1f", a / b }'; }
note "bpftrace's kprobe with hash and hist costs $(times "$counting") times what counting costs here, $(times "$tracking") times tracking 1 of 1, $(times "$thinned") times 1 of 16"
check "the floor is one ($floor)" awk -v v="$floor" 'BEGIN { exit !(v > 10 && v < 60) }'
check "counting costs at most 42 a hit (measured $counting)" awk -v v="$counting" 'BEGIN { exit !(v <= 42) }'
check "tracking 1 of 1 costs at most 125 a hit (measured $tracking)" awk -v v="$tracking" 'BEGIN { exit !(v <= 125) }'
check "tracking 1 of 16 costs at most 80 a hit (measured $thinned)" awk -v v="$thinned" 'BEGIN { exit !(v <= 80) }'
check "bpftrace's hash and hist cost at least 9 times as much as tracking 1 of 1" \
	awk -v a="$hash" -v b="$tracking" 'BEGIN { exit !(a >= 9 * b) }'
target_unload
