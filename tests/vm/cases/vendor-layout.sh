# about: a vendor's kernel with another layout: counts are exact, nothing of it is read wrongly, and what is not known is said; with its own layout all is known
# append: slub_debug=FZPU
# timeout: 300
# Freed memory is poisoned, and so is all that the stand-in leaves unset in its
# structure: who follows a pointer from a wrong place does not survive it.

always="get wc_send released write_info_freed"

# play ARG...: the module comes, and work for it.
play()
{
	svlag_load target=$STAND_IN window_ms=500 "$@" || return
	ledger_from
	target_run "pairs rate=0 count=150 threads=2 xprts=4 infos=2"
	wait_until 60 target_still
	stats=$(stats_now)
}

# only_counts WHO: what needs no layout is exact, the rest is not told.
only_counts()
{
	# shellcheck disable=SC2086 # a list
	check_eq "$1: $always are exact" "$(totals_of "$stats" $always)" "$(ledger_since $always)"
	check_eq "$1: depth and its correction" "$(stat_of "$stats" depth) $(stat_of "$stats" depth_correction)" "0 0"
	check "$1: it is seen ($(stat_of "$stats" layout))" grep -q '^layout wrong:' <<<"$stats"
	check_eq "$1: what needs it is not told" \
		"$(totals_of "$stats" write_info_queued) $(stat_of "$stats" write_info_depth) $(stat_of "$stats" queue_depth)" "- - -"
}

target_as svlag_target_layout
target_load
right=$(cat $TARGET/layout)
note "the right layout is $right"
offset_of() { tr , '\n' <<<"$right" | sed -n "s/^$1=//p"; }

for hook in ftrace kprobe; do
	play hook=$hook
	check "$hook: that of the headers is another" [ "$(cat /sys/module/svcrdma_lag/parameters/layout)" != "$right" ]
	only_counts "that of the headers by $hook"
	check "$hook: the summary says so" grep -q "is not that of the headers (wrong:" $SVLAG/summary
	svlag_unload

	play hook=$hook layout="$right"
	# shellcheck disable=SC2086 # a list
	check_eq "the right one by $hook: $always write_info_queued are exact" \
		"$(totals_of "$stats" $always write_info_queued)" "$(ledger_since $always write_info_queued)"
	check_eq "the right one by $hook: it is seen, and nothing waits" \
		"$(stat_of "$stats" layout) $(stat_of "$stats" queue_depth)" "ok 0"
	svlag_unload
done

# Places that are wrong, one at a time; tests/unit/test_layout.c tries them all.
cqe=$(offset_of cqe) work=$(offset_of work)
for wrong in cqe=$((cqe + 8)) rdma=$cqe work=$((work - 8)) infos=$((cqe - 8)) \
	cqe=8,rdma=16,work=16384,infos=0 cqe=16384,rdma=0,work=0,infos=16384; do
	play layout="$right,$wrong"
	only_counts "$wrong"
	svlag_unload
done

# A list that is always empty looks right until the queue has been seen empty, and
# more are freed then than were seen to be queued.
play layout="$right,infos=$((cqe + 80))"
check_eq "a list that is always empty: it looks right at first" "$(stat_of "$stats" layout)" ok
wait_until 20 grep -qx 'depth_settled yes' $SVLAG/stats
sleep 1
target_run "pairs rate=0 count=150 infos=2"
wait_until 20 grep -q '^layout wrong:sc_write_info_list' $SVLAG/stats
stats=$(stats_now)
only_counts "a list that is always empty"
svlag_unload
target_unload
