# about: write infos, queued from their completion or from the release, against the stand-in's ledger: under load, in a backlog and after
# timeout: 500

# even WHEN: all stands still, and the module says what the ledger says.
even()
{
	local stats name waits

	stats=$(stats_now)
	for name in get wc_send released write_info_queued write_info_freed; do
		check_eq "$who, $1: ${name}_total" "$(stat_of "$stats" ${name}_total)" "$(target_ledger $name)"
	done
	waits=$(target_ledger depth)
	check_eq "$who, $1: depth, that of write infos, and of the queue" \
		"$(stat_of "$stats" depth) $(stat_of "$stats" write_info_depth) $(stat_of "$stats" queue_depth)" \
		"$waits $(target_ledger write_info_depth) $((waits + $(target_ledger write_info_depth)))"
	check_eq "$who, $1: none came uncaused" \
		"$(stat_of "$stats" depth_correction) $(stat_of "$stats" write_info_correction)" "0 0"
}

# within NAME BEFORE STATS AFTER SLACK: a total that moves lies between two readings of the ledger.
within()
{
	local total

	total=$(stat_of "$3" "$1_total")
	[ "$total" -ge "$(stat_of "$2" "$1")" ] && [ "$total" -le $(($(stat_of "$4" "$1") + $5)) ]
}

under_load()
{
	local round before stats after name bad=

	target_run "pairs rate=1500 threads=2 xprts=4 infos=3"
	for round in 1 2 3 4 5; do
		sleep 0.5
		before=$(cat $TARGET/ledger); stats=$(stats_now); after=$(cat $TARGET/ledger)
		# The module counts a little earlier than the ledger, and a list at once: four workers' worth.
		for name in wc_send released write_info_queued write_info_freed; do
			within $name "$before" "$stats" "$after" 16 || bad="$bad $round:$name"
		done
		[ "$(stat_of "$stats" queue_depth)" = \
			$(($(stat_of "$stats" depth) + $(stat_of "$stats" write_info_depth))) ] || bad="$bad $round:sum"
	done
	check_eq "$who, under load: totals out of the ledger's bracket" "$bad" ""
	echo stop >$TARGET/run
	wait_until 60 target_still
	even "after the load"
}

backlog()
{
	echo 1 >$TARGET/workers
	echo Y >$TARGET/hold
	target_run "pairs rate=0 count=2000 infos=3"
	target_wait
	sleep 0.5
	even "held"
	# Half of the contexts go: what is queued by their release stands behind the rest.
	echo 1000 >$TARGET/release_rate
	echo N >$TARGET/hold
	wait_until 30 sh -c "awk '\$1 == \"depth\" { exit !(\$2 < 1200) }' $TARGET/ledger"
	echo Y >$TARGET/hold
	sleep 0.5
	even "held again"
	check "$who, held again: many write infos wait ($(stat_get write_info_depth))" \
		[ "$(stat_get write_info_depth)" -ge 1000 ]
	check "$who: the summary says what part of all they are" \
		grep -q 'With them [0-9,]* write infos wait, [0-9]* % of all' $SVLAG/summary
}

# What is queued when the module comes is not known, and comes to light.
late()
{
	local waiting stats freed

	svlag_unload
	waiting=$(target_ledger write_info_depth)
	freed=$(target_ledger write_info_freed)
	svlag_load target=$STAND_IN hook=$hook window_ms=500
	echo N >$TARGET/hold
	echo 0 >$TARGET/release_rate
	echo 0 >$TARGET/workers
	wait_until 60 target_still
	stats=$(stats_now)
	check_eq "$who, loaded late: write_info_freed_total" \
		"$(stat_of "$stats" write_info_freed_total)" $(($(target_ledger write_info_freed) - freed))
	check_eq "$who, loaded late: what had waited is the correction" \
		"$(stat_of "$stats" write_info_correction)" "$waiting"
	check_eq "$who, loaded late: none waits" "$(stat_of "$stats" write_info_depth)" 0
	# Nothing has completed since, by which the layout could be checked.
	check_eq "$who, loaded late: the layout" "$(stat_of "$stats" layout)" unchecked
	target_run "pairs rate=0 count=10 infos=3"
	wait_until 60 target_still
	check_eq "$who, loaded late: the layout after ten more" "$(stat_get layout)" ok
	check_eq "$who, loaded late: and their write infos" "$(stat_get write_info_queued_total)" \
		$(($(stat_of "$stats" write_info_queued_total) + 30))
}

for hook in ftrace kprobe; do
	for variant in infos:svc_rdma_write_chunk_release done:svc_rdma_write_done; do
		who="${variant%:*} by $hook"
		target_as svlag_target_${variant%:*}
		target_load workers=4
		svlag_load target=$STAND_IN hook=$hook window_ms=500
		check_eq "$who: where they are seen to be queued" \
			"$(awk '$1 == "write_info_queued" { print $3, $8 }' $SVLAG/hooks)" "ok ${variant#*:}"
		for n in 0 1 7 256; do
			target_run "pairs rate=0 count=200 threads=2 infos=$n"
			wait_until 60 target_still
			even "$n on each"
		done
		under_load
		backlog
		late
		svlag_unload
		target_unload
	done
done

# A longer list than there can be is none, and is not walked for ever.
target_as svlag_target_infos
target_load
svlag_load target=$STAND_IN
target_run "pairs rate=0 count=20 infos=257"
wait_until 60 target_still
stats=$(stats_now)
check_eq "257 on each: that is no list" "$(stat_of "$stats" layout)" wrong:sc_write_info_list
check_eq "257 on each: freed, at least, is counted" "$(stat_of "$stats" write_info_freed_total)" $((20 * 257))
check_eq "257 on each: queued is not known" \
	"$(stat_of "$stats" write_info_queued_total) $(stat_of "$stats" write_info_depth) $(stat_of "$stats" queue_depth)" "- - -"
svlag_unload
target_unload
