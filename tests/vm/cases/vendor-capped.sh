# about: a vendor's kernel that caps its cache: releases free their contexts, and its tracepoint is counted
# append: slub_debug=FZPU
# timeout: 300
# Freed contexts are poisoned: who looks into one does not survive it.

target_as svlag_target_capped
for hook in ftrace kprobe; do
	# The module comes while contexts are freed.
	target_load cache_cap=3
	target_run "pairs rate=0 threads=2 xprts=4"
	sleep 1
	svlag_load target=$STAND_IN window_ms=500 hook=$hook
	sleep 1
	echo stop >$TARGET/run
	wait_until 60 target_still
	stats=$(stats_now)
	check_eq "$hook, loaded under load: the layout, and what waits" \
		"$(stat_of "$stats" layout) $(stat_of "$stats" depth)" "ok 0"

	# A backlog is released at once: nearly all of it is over the cap.
	ledger_from
	echo 8 >$TARGET/workers
	echo Y >$TARGET/hold
	target_run "pairs rate=0 count=2000 threads=2 xprts=4"
	target_wait
	wait_until 30 grep -qx 'in_service 8' $TARGET/ledger
	check_eq "$hook: what waits" "$(stat_get depth)" "$(target_ledger depth)"
	echo N >$TARGET/hold
	wait_until 60 target_still
	after=$(stats_now)
	for name in get wc_send released capped; do
		check_eq "$hook: $name" $(($(totals_of "$after" $name) - $(totals_of "$stats" $name))) "$(ledger_since $name)"
	done
	check "$hook: contexts were freed ($(ledger_since freed))" [ "$(ledger_since freed)" -ge 3000 ]
	check_eq "$hook: nothing waits" "$(stat_of "$after" depth)" 0
	svlag_unload
	target_unload

	# The module first, so that the check sees the very first contexts.
	svlag_load target=$STAND_IN window_ms=500 hook=$hook
	target_load cache_cap=0
	for n in 1 1 1 500; do
		target_run "pairs rate=0 count=$n"
		wait_until 60 target_still
		stats=$(stats_now)
		check_eq "$hook, all freed, after $n more" \
			"$(totals_of "$stats" get wc_send released capped) $(stat_of "$stats" layout)" \
			"$(for name in get wc_send released freed; do target_ledger $name; done | tr '\n' ' ')ok"
	done
	check_eq "$hook: the tracepoint" "$(awk '$1 == "capped" { print $3, $4, $5, $8 }' $SVLAG/hooks)" \
		"ok tracepoint $(target_ledger capped) svcrdma_send_ctxt_capped"
	svlag_unload
	target_unload
done
