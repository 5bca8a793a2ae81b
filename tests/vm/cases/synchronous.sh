# about: where release is not deferred, on the stand-in: that is said, all is counted, and live contexts are shown
# timeout: 300

# even WHO [TOO_MANY]: all stands still, and the module says what the ledger says.
even()
{
	local stats name

	wait_until 60 target_is_done
	stats=$(stats_now)
	for name in get wc_send released; do
		check_eq "$1: ${name}_total" "$(stat_of "$stats" ${name}_total)" "$(target_ledger $name)"
	done
	check_eq "$1: live contexts" "$(stat_of "$stats" live_ctxts)" $(($(target_ledger live) + ${2:-0}))
}

target_as svlag_target_sync
for hook in ftrace kprobe; do
	svlag_load target=$STAND_IN window_ms=500 hook=$hook
	target_load
	check_eq "$hook: the era" "$(stat_get era)" synchronous
	target_run "pairs rate=0 count=5000 threads=3 xprts=4"
	even "$hook, pairs"
	# Contexts that are never put, and some that are put without having been sent.
	target_run "lose rate=0 count=70"
	target_run "stick rate=0 count=30"
	target_run "error_put rate=0 count=200"
	even "$hook, some are never put"
	check_eq "$hook: it is settled, for the module came first" "$(stat_get live_settled)" yes
	check_eq "$hook: 100 are live" "$(stat_get live_ctxts)" 100
	wait_until 10 grep -qx 'state idle' $SVLAG/stats
	check "$hook: the summary says that release is not deferred" \
		grep -q '^Release is not deferred on this kernel: who sends releases\.' $SVLAG/summary
	check "$hook: and how many are live" grep -qx 'From get to release: 100 send contexts are live\.' $SVLAG/summary
	check_eq "$hook: there is no depth, nor a wait" \
		"$(stat_get depth) $(stat_get depth_settled) $(stat_get curve_wait_ns) $(stat_get drain_total)" "- - - -"
	/tree/tools/svcrdma-lag -y 1 1 >/run/reader.out
	cat /run/reader.out
	check "$hook: the reader says both" \
		sh -c "grep -q 'synchronous era (release is not deferred: no depth, no wait)' /run/reader.out &&
			grep -q '  idle, 100 live$' /run/reader.out"
	# An attempt that got none cannot be told from one that did.
	echo 0 >$TARGET/max_ctxts
	target_run "lose rate=0 count=6000 xprt=3"
	wait_until 20 sh -c "awk '\$1 == \"get_failed\" { exit !\$2 }' $TARGET/ledger"
	echo stop >$TARGET/run
	target_wait
	failed=$(target_ledger get_failed)
	check "$hook: attempts have failed ($failed)" [ "$failed" -gt 0 ]
	even "$hook, with failed attempts" "$failed"
	target_unload
	svlag_unload
done

# Into the middle of traffic, with contexts out that were got before.
target_load
echo 2000 >$TARGET/service_us
target_run "pairs rate=0 threads=8 xprts=4"
sleep 1
svlag_load target=$STAND_IN window_ms=500
ledger_from
sleep 1
echo stop >$TARGET/run
wait_until 60 target_still
stats=$(stats_now)
check_eq "late: none is live" "$(stat_of "$stats" live_ctxts)" 0
wait_until 20 grep -qx 'live_settled yes' $SVLAG/stats
check_eq "late: that is settled once nothing moved for a second" "$(stat_get live_settled)" yes
target_run "lose rate=0 count=12"
target_wait
check_eq "late: and from then on exact" "$(stat_get live_ctxts)" 12
svlag_unload

# Without the hook on gets, live contexts are not known.
svlag_load target=$STAND_IN skip=get
target_run "pairs rate=0 count=100"
target_wait
stats=$(stats_now)
check_eq "skip=get: live contexts are not known" "$(stat_of "$stats" live_ctxts) $(stat_of "$stats" live_settled)" "- -"
check "skip=get: the summary is silent of them" sh -c "! grep -q 'live' $SVLAG/summary"
check_eq "skip=get: releases are counted" "$(stat_of "$stats" released_total)" 100
svlag_unload
target_unload
