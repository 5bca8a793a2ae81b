# about: functions that the compiler has renamed are counted, and their arguments never read; of those that it has split up it is said that they cannot be
# append: slub_debug=FZPU
# timeout: 300
# The stand-in's renamed functions are called with garbage: who follows it does not
# survive it.

# play STAND_IN: work for it, and for the module.
play()
{
	target_as "$1"
	target_load
	svlag_load target=$STAND_IN window_ms=500 hook=$hook
	target_run "pairs rate=0 count=150 threads=2 xprts=4 infos=2"
	wait_until 60 target_still
	stats=$(stats_now)
}

# hooks_are COLUMNS NAME:WANT...
hooks_are()
{
	local columns=$1 pair

	shift
	for pair; do
		check_eq "$STAND_IN by $hook: ${pair%%:*}" \
			"$(awk -v n="${pair%%:*}" "\$1 == n { print $columns }" $SVLAG/hooks)" "${pair#*:}"
	done
}

for hook in ftrace kprobe; do
	play svlag_target_renamed
	hooks_are '$3, $4, $8' \
		"wc_send:ok $hook svc_rdma_wc_send.isra.3" \
		"get:ok $hook svc_rdma_send_ctxt_get.constprop.0" \
		"released:ok $hook svc_rdma_send_ctxt_put_async.constprop.2.isra.0" \
		"write_info_queued:ok $hook svc_rdma_write_chunk_release.isra.0" \
		"write_info_freed:ok $hook svc_rdma_write_info_free_async.isra.1.constprop.0"
	for name in get wc_send released write_info_freed; do
		check_eq "$STAND_IN by $hook: $name" "$(totals_of "$stats" $name)" "$(target_ledger $name)"
	done
	check_eq "$STAND_IN by $hook: nothing waits, nor came uncaused" \
		"$(stat_of "$stats" depth) $(stat_of "$stats" depth_correction)" "0 0"
	check_eq "$STAND_IN by $hook: the layout" "$(stat_of "$stats" layout)" wrong:the-compiler-changed-arguments
	check_eq "$STAND_IN by $hook: what needs arguments is not told" \
		"$(totals_of "$stats" write_info_queued) $(stat_of "$stats" write_info_depth)" "- -"
	svlag_unload
	target_unload

	# A count of some of the calls would be a lie: none is given.
	dmesg -C
	play svlag_target_split
	hooks_are '$3, $4, $5, $8' \
		"wc_send:ok $hook $(target_ledger wc_send) svc_rdma_wc_send.isra.0" \
		"get:failed:-76 - - svc_rdma_send_ctxt_get.part.1.isra.0" \
		"released:failed:-76 - - svc_rdma_send_ctxt_put_async.constprop.0" \
		"write_info_queued:failed:-76 - - svc_rdma_write_chunk_release" \
		"write_info_freed:failed:-76 - - svc_rdma_write_info_free_async.part.0"
	check_eq "$STAND_IN by $hook: the era" "$(stat_of "$stats" era)" workqueue
	check_eq "$STAND_IN by $hook: what is not counted is not told" \
		"$(totals_of "$stats" get released write_info_queued write_info_freed) $(stat_of "$stats" depth)" "- - - - -"
	check_eq "$STAND_IN by $hook: the log says so, of each" \
		"$(dmesg | grep -c 'the compiler has split a function up: svc_rdma_[a-z_.0-9]* sees only some of the calls')" 4
	check "$STAND_IN by $hook: the log says what is lost" \
		sh -c "dmesg | grep -q 'svc_rdma_send_ctxt_put_async cannot be hooked (-76): releases: no depth'"
	wait_until 10 grep -qx 'state unknown' $SVLAG/stats
	check "$STAND_IN by $hook: the summary says what is missing" \
		grep -q '^the hook released (svc_rdma_send_ctxt_put_async.constprop.0) is failed' $SVLAG/summary
	svlag_unload
	target_unload
done
