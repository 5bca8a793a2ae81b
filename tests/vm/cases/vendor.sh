# about: vendors' kernels: another layout, renamed functions, contexts freed by their release: counts are exact, and what cannot be known is said
# append: slub_debug=FZPU
# timeout: 600
# Freed memory is poisoned, and so is all that the stand-in leaves unset in its
# structure: who follows a pointer from a wrong place does not survive it.

# vendor_load ARG...: the module, and the ledger as it was then.
vendor_load()
{
	svlag_load target=$STAND_IN window_ms=500 "$@"
	base=$(cat $TARGET/ledger)
}

# since NAME...: what the ledger counted since.
since()
{
	local name out=

	for name; do
		out="$out $(($(target_ledger "$name") - $(stat_of "$base" "$name")))"
	done
	echo "${out# }"
}

# totals NAME...: what the module counted.
totals()
{
	local name out=

	for name; do
		out="$out $(stat_of "$stats" "${name}_total")"
	done
	echo "${out# }"
}

play()
{
	target_run "pairs rate=0 count=150 threads=2 xprts=4 infos=2"
	wait_until 60 target_still
	stats=$(stats_now)
}

always="get wc_send released write_info_freed"

# only_counts WHO VERDICT: what needs no layout is exact, the rest is not told.
only_counts()
{
	# shellcheck disable=SC2086 # a list
	check_eq "$1: $always are exact" "$(totals $always)" "$(since $always)"
	check_eq "$1: depth and its correction" "$(stat_of "$stats" depth) $(stat_of "$stats" depth_correction)" "0 0"
	check_eq "$1: the layout" "$(stat_of "$stats" layout | sed "s/^\($2\).*/\1/")" "$2"
	check_eq "$1: what needs it is not told" \
		"$(totals write_info_queued) $(stat_of "$stats" write_info_depth) $(stat_of "$stats" queue_depth)" "- - -"
}

# all_counts WHO
all_counts()
{
	# shellcheck disable=SC2086 # a list
	check_eq "$1: $always write_info_queued are exact" \
		"$(totals $always write_info_queued)" "$(since $always write_info_queued)"
	check_eq "$1: the layout" "$(stat_of "$stats" layout)" ok
	check_eq "$1: nothing waits" "$(stat_of "$stats" queue_depth)" 0
}

# Another layout.
target_as svlag_target_layout
target_load
right=$(cat $TARGET/layout)
note "the right layout is $right"
offset_of() { tr , '\n' <<<"$right" | sed -n "s/^$1=//p"; }
for hook in ftrace kprobe; do
	vendor_load hook=$hook
	check "$hook: the default is another layout" [ "$(cat /sys/module/svcrdma_lag/parameters/layout)" != "$right" ]
	play
	only_counts "default layout by $hook" wrong:
	note "by $hook: $(stat_of "$stats" layout)"
	check "$hook: the summary says so" grep -q "is not that of the headers (wrong:" $SVLAG/summary
	svlag_unload

	vendor_load hook=$hook layout="$right"
	play
	all_counts "right layout by $hook"
	svlag_unload
done

# refused_or_wrong LAYOUT
refused_or_wrong()
{
	if ! vendor_load layout="$1" 2>/run/insmod.err; then
		check "layout=$1 is refused" grep -q 'Invalid parameters\|Invalid argument' /run/insmod.err
		return
	fi
	play
	if ! grep -q '^layout wrong:' <<<"$stats"; then
		# A list that is always empty looks right until the queue has been seen empty.
		sleep 2
		play
		wait_until 3 grep -q '^layout wrong:' $SVLAG/stats || true
		stats=$(stats_now)
	fi
	only_counts "layout=$1, $(stat_of "$stats" layout)" wrong:
	svlag_unload
}

# Nonsense, one at a time: places beside the right ones, of other members, at both ends.
cqe=$(offset_of cqe) work=$(offset_of work)
for wrong in cqe={$((cqe - 8)),$((cqe + 8)),0,4088} rdma={$(($(offset_of rdma) + 8)),$cqe,0,4088} \
	work={$((work - 8)),$((work + 8)),$cqe,4088} infos={$(($(offset_of infos) + 8)),$cqe,0,4088}; do
	refused_or_wrong "$right,$wrong"
done
# Lists that are always empty: that of the running work, and one of the vendor's.
refused_or_wrong "$right,infos=$((work + 8))"
refused_or_wrong "$right,infos=$((cqe + 80))"
# And all at once.
RANDOM=612
for round in $(seq 30); do
	refused_or_wrong "cqe=$((RANDOM % 512 * 8)),rdma=$((RANDOM % 512 * 8)),work=$((RANDOM % 512 * 8)),infos=$((RANDOM % 512 * 8))"
done
target_unload

# Renamed functions.
target_as svlag_target_renamed
target_load
for hook in ftrace kprobe; do
	vendor_load hook=$hook
	play
	only_counts "renamed by $hook" wrong:the-compiler-changed-arguments
	for pair in wc_send:svc_rdma_wc_send.isra.0 get:svc_rdma_send_ctxt_get.constprop.0 \
		released:svc_rdma_send_ctxt_put_async.constprop.0 \
		write_info_queued:svc_rdma_write_chunk_release.isra.0 \
		write_info_freed:svc_rdma_write_info_free_async.constprop.0.isra.0; do
		check_eq "renamed by $hook: ${pair%%:*} is found" \
			"$(awk -v n="${pair%%:*}" '$1 == n { print $3, $4, $8 }' $SVLAG/hooks)" "ok $hook ${pair#*:}"
	done
	svlag_unload
done
target_unload

# A capped cache: releases free their contexts, from the first one on, under load.
target_as svlag_target_capped
for hook in ftrace kprobe; do
	target_load cache_cap=3
	target_run "pairs rate=0 threads=2 xprts=4"
	sleep 1
	svlag_load target=$STAND_IN window_ms=500 hook=$hook
	sleep 1
	echo stop >$TARGET/run
	wait_until 60 target_still
	check_eq "capped by $hook, loaded under load: the layout" "$(stat_get layout)" ok
	check_eq "capped by $hook, loaded under load: nothing waits" "$(stat_get depth)" 0
	base=$(cat $TARGET/ledger)
	before=$(stats_now)
	# A backlog is released at once: nearly all of it is over the cap.
	echo Y >$TARGET/hold
	target_run "pairs rate=0 count=2000 threads=2 xprts=4"
	target_wait
	sleep 0.5
	check_eq "capped by $hook: what waits" "$(stat_get depth)" "$(target_ledger depth)"
	echo N >$TARGET/hold
	wait_until 60 target_still
	stats=$(stats_now)
	for name in get wc_send released capped; do
		check_eq "capped by $hook: $name" \
			$(($(stat_of "$stats" ${name}_total) - $(stat_of "$before" ${name}_total))) "$(since $name)"
	done
	check "capped by $hook: contexts were freed ($(since freed))" [ "$(since freed)" -ge 3000 ]
	svlag_unload
	target_unload

	# The module first, so that the check sees the very first contexts.
	svlag_load target=$STAND_IN window_ms=500 hook=$hook
	target_load cache_cap=0
	base=$(sed 's/[0-9]*$/0/' $TARGET/ledger)
	for n in 1 1 1 500; do
		target_run "pairs rate=0 count=$n"
		wait_until 60 target_still
		stats=$(stats_now)
		check_eq "capped by $hook, all freed, after $n more" \
			"$(totals get wc_send released capped) $(stat_of "$stats" layout)" "$(since get wc_send released freed) ok"
	done
	svlag_unload
	target_unload
done
