# shellcheck shell=bash disable=SC2016
# The demo's part in the guest. What it shows is the reader's own output, and that
# alone is what it checks.

slow=/sys/module/svlag_slow/parameters/delay_ms
report=/run/reader.out

scene() { printf '\n== %s\n' "$*"; }

# The reader's lines as "STATE DEPTH WAIT_NS QUEUED".
windows()
{
	awk '
	function ns(t) {
		return t * (t ~ /us$/ ? 1e3 : t ~ /ms$/ ? 1e6 : t ~ /[0-9]m/ ? 60e9 : t ~ /s$/ ? 1e9 : 1)
	}
	/^[0-9][0-9]:[0-9][0-9]:[0-9][0-9] / {
		gsub(",", "")
		sub(":.*", "", $12)
		printf "%s %d %d %d\n", $12, $7, ns($8), $2
	}' $report
}

# shown N STATE: N windows in that state since the scene began.
shown() { [ "$(windows | tail -n "+$((scene_from + 1))" | grep -c "^$2 ")" -ge "$1" ]; }
scene_begins() { scene_from=$(windows | wc -l); }

# show SECONDS N STATE: lets the reader go on until it has said so.
show() { wait_until "$1" shown "$2" "$3" || note "that did not come in $1 s"; }

scene "a real NFS server over RDMA (soft-RoCE), and two mounts of it"
lab_up
lab_mount 2
findmnt -t nfs4 -o TARGET,SOURCE,FSTYPE

scene "insmod svcrdma_lag.ko"
svlag_load
dmesg | sed -n 's/^\[[^]]*\] svcrdma_lag: \(.*\)/\1/p' | grep -v 'out-of-tree\|verification'

scene "fio reads; svcrdma-lag -y 1 watches: release keeps up with completions"
load_start
sleep 2
/tree/tools/svcrdma-lag -y 1 2>&1 | tee $report &
scene_begins
show 40 5 keeping-up

# 256 workers sleep: they release half of what comes in, however fast this machine is.
rate=$(windows | awk '{ n += $4 } END { print int(n / NR) + 1 }')
delay_ms=$((512000 / rate))
[ $delay_ms -ge 400 ] || delay_ms=400
[ $delay_ms -le 1500 ] || delay_ms=1500
scene "each release is made to sleep $delay_ms ms, while the load goes on: a real backlog"
insmod /tree/tests/kmod/svlag_slow.ko
echo $delay_ms >$slow
scene_begins
show 60 10 behind
printf '\n%s\n' "$(sed -n '4,/^$/p' "$SVLAG/summary")"

scene "releases sleep $((delay_ms / 5)) ms, and more leave than come: the backlog drains"
scene_begins
echo $((delay_ms / 5)) >$slow
show 40 1 draining
show 40 1 keeping-up
scene "and they sleep no more"
echo 0 >$slow
scene_begins
show 40 4 keeping-up
pkill -x svcrdma-lag
wait_until 5 sh -c '! pgrep -x svcrdma-lag'

scene "svcrdma-lag --histogram 1 1: how long items waited, and how long the work took"
/tree/tools/svcrdma-lag --histogram 1 1

scene "cat /sys/kernel/debug/svcrdma_lag/*"
cat "$SVLAG"/{summary,stats,hooks,percpu,windows}
load_stop

scene "rmmod svcrdma_lag"
svlag_unload
rmmod svlag_slow

scene "was it so?"
windows >/run/windows
check_eq "the reader's states, in this order" "$(awk '
	BEGIN { n = split("keeping-up behind draining keeping-up", want) }
	$1 == want[at + 1] { at++; said = said sep $1; sep = " " }
	END { print said }' /run/windows)" "keeping-up behind draining keeping-up"
check "while behind, the depth grew" awk '
	$1 == "behind" { if (!n++) first = $2; if ($2 > most) most = $2 }
	END { exit !(n > 2 && most > 2 * first) }' /run/windows
check "while behind, the wait grew" awk '
	$1 == "behind" { if (!n++) first = $3; if ($3 > most) most = $3 }
	END { exit !(n > 2 && most > first) }' /run/windows
check "no state was unknown" sh -c '! grep "^unknown" /run/windows'
