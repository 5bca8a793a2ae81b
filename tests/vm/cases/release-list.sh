# about: a release list, on the stand-in: what waits on it, its drains and how much each does, and what is not known where hooks came late
# timeout: 300

batches="drain_total drain_batch_total drain_batch_max"

# even WHO: all stands still, and the module says what the ledger says.
even()
{
	local stats name

	wait_until 60 target_is_done
	stats=$(stats_now)
	for name in get wc_send released drain; do
		check_eq "$1: ${name}_total" "$(stat_of "$stats" ${name}_total)" "$(target_ledger $name)"
	done
	check_eq "$1: depth and live contexts" "$(stat_of "$stats" depth) $(stat_of "$stats" live_ctxts)" \
		"$(target_ledger depth) $(target_ledger live)"
	check_eq "$1: drains that released anything, and the largest" \
		"$(stat_of "$stats" drain_batch_total) $(stat_of "$stats" drain_batch_max)" \
		"$(target_ledger drain_batch) $(target_ledger drain_batch_max)"
	check_eq "$1: every release is in a batch" "$(stat_of "$stats" drain_batch_lost_total)" 0
}

target_as svlag_target_list
for hook in ftrace kprobe; do
	# The module first: all is known.
	svlag_load target=$STAND_IN window_ms=500 hook=$hook
	target_load
	check_eq "$hook: the era" "$(stat_get era)" release_list
	target_run "pairs rate=0 count=5000 threads=3 xprts=4"
	wait_until 60 target_still
	even "$hook, pairs"

	# Drains are held back, and the next one of each transport does all of it.
	echo Y >$TARGET/hold
	target_run "pairs rate=0 count=6000 xprts=3"
	target_wait
	wait_until 20 grep -qx 'state stalled' $SVLAG/stats
	even "$hook, held"
	check_eq "$hook, held: the depth" "$(stat_get depth)" 6000
	check "$hook, held: the summary says where they wait, and who will let them go" \
		sh -c "grep -q '^The release lists: 6,000 send contexts wait;' $SVLAG/summary &&
			grep -q '^A release list is drained by its connection' $SVLAG/summary"
	echo N >$TARGET/hold
	target_run "pairs count=3 xprts=3"
	wait_until 60 target_still
	even "$hook, let go"
	check_eq "$hook, let go: the largest drain" "$(stat_get drain_batch_max)" 2001
	check_eq "$hook: it is exact, and said to be" "$(stat_get depth_settled) $(stat_get live_settled)" "yes yes"
	check "$hook: the summary says why" grep -q '^The depth is exact: the hooks were armed before the first connection' $SVLAG/summary
	check "$hook: and how large the largest drain was" grep -q 'since the load the largest released 2,001\.$' $SVLAG/summary
	check "$hook: nothing is called a queue's or a workqueue's" sh -c "! grep -i 'svcrdma_wq\|workqueue\|the queue' $SVLAG/summary"

	# All of it under load, with drains that wander between CPUs.
	echo 2000 >$TARGET/release_rate
	target_run "pairs rate=2500 threads=1 xprts=4"
	sleep 3
	# A drain may begin in one window and release in the next.
	check_eq "$hook, under load: windows have drains, of which some release, and releases more" \
		"$(awk '$1 ~ /^[0-9]/ && $6 { n++; bad += $13 == 0 || $13 > $12 + 4 || $13 > $6 + 4 }
			END { print (n > 3), bad + 0 }' $SVLAG/windows)" "1 0"
	check "$hook, under load: the summary says how much a drain does" \
		grep -Eq '^Drains: [0-9,]+/s, of which [0-9,]+/s released something, [0-9.]+ each; ' $SVLAG/summary
	check "$hook, under load: so does the reader" \
		sh -c "/tree/tools/svcrdma-lag -y 1 1 | grep -Eq ', [0-9]+\.[0-9]{2} a drain$'"
	echo stop >$TARGET/run
	echo 0 >$TARGET/release_rate
	wait_until 60 target_still
	even "$hook, after the load"
	target_unload
	svlag_unload
done

# The module comes when much waits already, and one drain goes on.
target_load
echo Y >$TARGET/hold
target_run "pairs rate=0 count=3000 xprts=2"
target_wait
echo 200 >$TARGET/release_rate
echo N >$TARGET/hold
target_run "pairs count=1"
sleep 1
echo Y >$TARGET/hold
sleep 0.5
ledger_from
svlag_load target=$STAND_IN window_ms=500
echo N >$TARGET/hold
wait_until 20 grep -q '^released_total [1-9]' $SVLAG/stats
echo Y >$TARGET/hold
sleep 0.5
stats=$(stats_now)
check_eq "late: nothing is settled" "$(stat_of "$stats" depth_settled) $(stat_of "$stats" live_settled)" "no no"
check_eq "late: nor does anything that is known of wait" "$(stat_of "$stats" depth) $(stat_of "$stats" live_ctxts)" "0 0"
check "late: the summary says so plainly" \
	sh -c "grep -q '^The release lists: what was there before the hooks were armed is not known, no other send contexts wait' $SVLAG/summary &&
		grep -q '^From get to release: what was there before the hooks were armed is not known, no other send contexts are live' $SVLAG/summary &&
		! grep 'at least 0' $SVLAG/summary"
check "late: and why" grep -q '^The depth is a lower bound: a connection that is idle since may hold' $SVLAG/summary
check_eq "late: of a drain that had begun nobody knows how large it is" \
	"$(stat_of "$stats" drain_batch_total) $(stat_of "$stats" drain_batch_max)" "0 0"
check_eq "late: its releases are counted apart" \
	"$(stat_of "$stats" drain_batch_lost_total)" "$(stat_of "$stats" released_total)"
echo 0 >$TARGET/release_rate
echo N >$TARGET/hold
wait_until 20 sh -c "awk '\$1 == \"depth\" { exit \$2 != 1500 }' $TARGET/ledger"
target_run "pairs count=4 xprts=2"
wait_until 60 target_still
stats=$(stats_now)
check_eq "late: all is released" "$(totals_of "$stats" released)" "$(ledger_since released)"
check_eq "late: what had waited comes to light" "$(stat_of "$stats" depth_correction)" $(($(ledger_since released) - 4))
check "late: the largest drain is said to be at least so large" \
	grep -q "since the load the largest released at least 1,50[1-4]\.$" $SVLAG/summary
wait_until 10 grep -qx 'state idle' $SVLAG/stats
check "late: what is idle is not said to be empty" \
	grep -q '^The release lists are idle since .*: nothing completes and nothing that is known of waits\.$' $SVLAG/summary
check_eq "late: and whether all lists are empty stays unknown" "$(stat_of "$stats" depth_settled)" no
svlag_unload

# Without the hook on drains nothing is said of them.
svlag_load target=$STAND_IN skip=drain
target_run "pairs rate=0 count=100"
wait_until 60 target_still
stats=$(stats_now)
check_eq "skip=drain: nothing is known of drains" \
	"$(for name in $batches drain_batch_lost_total; do stat_of "$stats" $name; done | tr '\n' ' ')" "- - - - "
check "skip=drain: the summary is silent of them" sh -c "! grep -q '^Drains' $SVLAG/summary"
check_eq "skip=drain: releases are counted" "$(stat_of "$stats" released_total)" 100
svlag_unload
target_unload
