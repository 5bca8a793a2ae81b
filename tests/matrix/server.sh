# shellcheck shell=bash disable=SC2086,SC2154 # its variables are of guest/
# about: era, counts against the truth, states under a real backlog, load and unload under traffic, rpcrdma reloaded
# timeout: 1500

reader=/tree/tools/svcrdma-lag

slow() { echo "$2" >"/sys/module/svlag_slow/parameters/$1"; }
deep() { [ "$(stat_get depth)" -ge 1000 ]; }
words() { grep -q "$1" $SVLAG/summary; }

# moved NAME: by how much a total has grown since truth_mark.
moved() { echo $(($(stat_get "$1_total") - $(stat_of "$stats_then" "$1_total"))); }
moved_by() { [ "$(moved "$1")" -ge "$2" ]; }

# waits_counted: waits of send contexts in the file wait.
waits_counted() { awk '$1 == "wait" { n += $3 } END { print n + 0 }' $SVLAG/wait; }

# from_now: what comes next is not looked for in the windows up to this moment.
from_now() { since=$(awk 'END { print $1 + 0 }' $SVLAG/windows); }

# comes STATE: in a window after that of the last call, so that none is overlooked.
comes()
{
	local at=

	wait_until 90 came "$1" || true
	check "$1" [ -n "$at" ]
	since=${at:-$since}
}

came()
{
	at=$(awk -v s="$1" -v after="$since" 'NR > 2 && $1 > after && $NF == s { print $1; exit }' $SVLAG/windows)
	[ -n "$at" ]
}

behind()
{
	comes behind
	check "behind: the backlog grows" wait_until 120 deep
	# All workers may sleep through a window, which is then a stalled one.
	check "behind: the summary says so" wait_until 60 words BEHIND
	check "behind: and of what" words "^$1: [1-9].* send contexts wait"
}

# 256 workers that sleep 2 s leave 128 releases a second.
backlog_workqueue()
{
	slow delay_ms 2000
	behind svcrdma_wq
	load_stop
	comes draining
	slow delay_ms 0
}

# Drains are held back, at first but those of one connection.
backlog_release_list()
{
	slow spare Y
	slow hold Y
	behind "The release lists"
	slow hold N
	comes draining
	comes keeping-up
	slow spare N
	slow hold Y
	check "held back: the backlog grows" wait_until 120 deep
	load_stop
	slow hold N
	comes stalled
	check "stalled: the summary says why" words "an idle connection keeps what it has"
	truth_moment
	check_eq "stalled: the depth is the truth's" "$(stat_of "$stats" depth)" \
		$(($(truth_value "$truth" wc_send) - $(truth_value "$truth_then" wc_send) - \
		$(truth_value "$truth" released) + $(truth_value "$truth_then" released)))
	read_n 100
}

backlog_synchronous()
{
	check "the summary says that release is not deferred" words "Release is not deferred"
	check_eq "there is no depth" "$(stat_get depth) $(stat_get curve_wait_ns)" "- -"
	wait_until 120 moved_by released 3000 || true
	load_stop
}

# Loaded first: nothing is queued unseen, and the depth is exact.
svlag_load
lab_up
lab_mount 2
era=$(lab_era)
check_eq "$(uname -r): the era" "$(stat_get era)" "$era"

truth_start
truth_mark
read_n 1500
truth_check "READs"
note "before $truth_then, after $truth"
check "READs: all came" moved_by released 3000
check_eq "READs: the layout" "$(stat_of "$stats" layout)" ok
[ "$era" != workqueue ] || check_eq "READs: no write info waits" "$(stat_of "$stats" queue_depth)" 0
check_eq "READs: hooks ok" "$(stat_of "$stats" hooks_ok)" "$(stat_of "$stats" hooks_needed)"
check_eq "READs: armed by ftrace" "$(hook_of wc_send), $(hook_of released)" "ok ftrace, ok ftrace"
check "READs: the reader finds the files in order" $reader --check
check "READs: and names the era" sh -c "$reader 1 1 | grep '${era/_/ } era'"
# What follows stands on these.
[ "$check_failed" = 0 ] || exit 0
from_now
comes idle

[ "$era" = synchronous ] || insmod /tree/tests/kmod/svlag_slow.ko
truth_mark
waits_then=$(waits_counted)
from_now
load_start
comes keeping-up
"backlog_$era"
[ "$era" = synchronous ] || check "the backlog goes" wait_until 60 grep -qx 'depth 0' $SVLAG/stats
truth_check "with the backlog"
check "with the backlog: there was a load" moved_by released 3000
note "after the backlog $truth; peak $(stat_of "$stats" depth_peak)"
[ "$era" = synchronous ] || check_eq "none came uncaused" "$(stat_of "$stats" depth_correction)" 0
check_accounts "with the backlog"
[ "$era" = synchronous ] || check_eq "each that was tracked was found again" \
	"$(stat_of "$stats" track_matched_total) $(stat_of "$stats" track_unmatched_total)" \
	"$(stat_of "$stats" track_inserted_total) 0"
[ "$era" = synchronous ] || check_eq "and all were tracked" \
	$(($(waits_counted) - waits_then)) "$(moved released)"
sed -n 's/^# wait /# waits /p' $SVLAG/wait
from_now
comes idle
tail -n 5 $SVLAG/windows | sed 's/^/# /'
truth_stop >/dev/null
svlag_unload
[ "$era" = synchronous ] || rmmod svlag_slow

load_start
for hook in ftrace kprobe auto ftrace kprobe auto; do
	svlag_load hook=$hook
	check "loaded under traffic, $hook: it counts" wait_until 20 sh -c "grep -q '^released_total [1-9]' $SVLAG/stats"
	svlag_unload
done
svlag_load
load_stop
wait_until 30 stats_still
check "the traffic went on" grep -q 'err= 0' /run/load.out

lab_down
check "rpcrdma goes" wait_until 30 modprobe -r rpcrdma
check_eq "without it: not armed" "$(stat_get armed_ns)" -
lab_up
lab_mount 2
check_eq "with it again: the generation" "$(stat_get arm_generation)" 2
check_eq "with it again: the era" "$(stat_get era)" "$era"
truth_start
truth_mark
read_n 300
truth_check "with it again"
check "with it again: all came" moved_by released 600
check_eq "with it again: the layout" "$(stat_of "$stats" layout)" ok
[ "$era" = synchronous ] || check_eq "with it again: the depth is exact" \
	"$(stat_of "$stats" depth_settled) $(stat_of "$stats" depth_high)" "yes 0"
truth_stop >/dev/null
svlag_unload
complaints=$(dmesg -l emerg,alert,crit,err,warn | grep svcrdma_lag | grep -v 'taint' || true)
check_eq "the log has no complaint" "$complaints" ""
