# about: waits as the in-flight table measures them, against the stand-in's own, and what becomes of all that was tracked
# timeout: 400

# now NAME: a value of stats.
now() { stat_get "$1"; }

# upper_ns PERMILLE: the upper end of the bucket of the file wait in which that lies.
upper_ns()
{
	awk -v p="$1" '$1 == "wait" { n[++k] = $3; u[k] = $2; sum += $3 }
		END { for (i = 1; i <= k; i++) { at += n[i]; if (at * 1000 >= sum * p) break }
		      print u[i] }' $SVLAG/wait
}

# near WHAT NS TRUE_NS: within one bucket, which is a sixteenth, and the way to the hooks.
near()
{
	check "$1: measured $2, the truth $3" \
		awk -v m="$2" -v t="$3" 'BEGIN { exit !(m >= t * 0.99 && m <= t * 1.07 + 100000) }'
}

# as_old_as_the_curve: the oldest in the table, in one read of stats. A guest that stands
# still in between has another curve by then: hence to be asked again.
as_old_as_the_curve()
{
	stats_now | awk '{ v[$1] = $2 }
		END { o = v["oldest_age_ns"]; c = v["curve_wait_ns"]; exit !(o >= c * 0.9 && o <= c * 1.1 + 2e8) }'
}

# tracked ["OPTION"...]: loaded, and the layout known, so that all is tracked from here on.
tracked()
{
	svlag_load target=svlag_target window_ms=500 "$@"
	target_run "pairs count=10"
	target_wait
	wait_until 20 grep -qx 'layout ok' $SVLAG/stats
	sleep 0.5
}

for hook in ftrace kprobe; do
	target_load
	tracked hook=$hook
	echo 1 >$TARGET/mark
	before=$(now track_inserted_total)
	ledger_from
	target_run "pairs rate=2000 count=8000 xprts=4 threads=2"
	target_wait
	wait_until 20 target_still
	check_eq "$hook: each is tracked" $(($(now track_inserted_total) - before)) "$(ledger_since queued | tr -d ' ')"
	check_eq "$hook: and found" "$(now track_matched_total) $(now track_live)" "$(now track_inserted_total) 0"
	check_eq "$hook: the file wait has as many" \
		"$(awk '$1 == "wait" { n += $3 } END { print n }' $SVLAG/wait)" "$(now track_matched_total)"
	check_accounts "$hook, pairs"

	# A backlog, whose waits the ledger knows one by one.
	echo 1 >$TARGET/workers
	echo 1000 >$TARGET/release_rate
	echo 1 >$TARGET/mark
	target_run "pairs rate=2000 count=6000"
	wait_until 20 grep -qx 'state behind' $SVLAG/stats
	sleep 1.5
	check_eq "$hook, behind: three estimates agree" "$(now agree)" yes
	s=$(stats_now)
	note "mean depth $(stat_of "$s" mean_depth), by the waits $(stat_of "$s" mean_depth_by_waits); mean wait $(stat_of "$s" mean_wait_ns), by the curve $(stat_of "$s" mean_curve_wait_ns)"
	check "$hook, behind: the oldest is as old as the curve says" wait_until 2 as_old_as_the_curve
	check "$hook, behind: the summary says what was measured" \
		grep -Eq '^As measured: half of the last window.s had waited at most .*; the oldest that waits now has waited ' $SVLAG/summary
	check "$hook, behind: and that it agrees" wait_until 10 grep -q '^Three estimates agree: ' $SVLAG/summary
	echo 0 >$TARGET/release_rate
	wait_until 60 target_still
	near "$hook, the longest" "$(upper_ns 1000)" "$(target_ledger wait_max_ns)"
	near "$hook, 99 % of the backlog" "$(upper_ns 999)" "$(target_ledger wait_p999_ns)"
	check_accounts "$hook, backlog"
	check_eq "$hook: a row of windows has the wait, and it is exact" \
		"$(awk 'NR == 2 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 2 { v = $at["wait_max_ns"]; if (v != "-" && v + 0 > m) m = v } END { print m }' $SVLAG/windows)" \
		"$(upper_ns 1000)"
	svlag_unload
	target_unload
done

# What is released without having completed.
target_load
tracked
wait_until 20 grep -qx 'depth_settled yes' $SVLAG/stats
sleep 2
before=$(now track_missed_total)
target_run "error_put rate=500 count=300"
target_wait
sleep 0.5
check_eq "error puts: releases of what never completed" "$(now track_unmatched_total)" 300
check_eq "error puts: all that was not found is that" $(($(now track_missed_total) - before)) 300
check "error puts: the summary says so" grep -q '^300 releases were of items never seen to complete' $SVLAG/summary

# What completed and is never released: it ages, and is taken for leaked.
echo 500 >/sys/module/svcrdma_lag/parameters/leak_age_ms
target_run "pairs rate=100 count=2000"
target_run "lose rate=1000 count=100"
wait_until 20 grep -qx 'track_expired_total 100' $SVLAG/stats
target_wait
check_eq "lost: they expire" "$(now track_expired_total)" 100
check_eq "lost: at their age, apart" "$(awk '$1 == "wait" { n += $4 } END { print n }' $SVLAG/wait)" 100
check "lost: the line for people says at least" grep -Eq '^# wait .*>=' $SVLAG/wait
check "lost: the summary says so" grep -q '^100 tracked items waited longer than the leak age' $SVLAG/summary
check_accounts "lost"

# A standstill is no leak, however long: each wait is measured when it is over.
expired=$(now track_expired_total)
before=$(now track_matched_total)
echo 1 >$TARGET/workers
echo Y >$TARGET/hold
target_run "pairs rate=1000 count=2000"
target_wait
sleep 5
check_eq "a standstill of ten leak ages: nothing is taken for leaked" "$(now track_expired_total)" "$expired"
check "a standstill: the oldest has waited for all of it" [ "$(now oldest_age_ns)" -ge 5000000000 ]
echo 1000 >$TARGET/release_rate
echo N >$TARGET/hold
wait_until 60 target_still
check_eq "a standstill: each wait is measured when it is over" \
	"$(($(now track_matched_total) - before)) $(now track_expired_total)" "2000 $expired"
echo 0 >$TARGET/release_rate
echo 0 >$TARGET/workers

# A key that comes again: its release was missed.
echo 600000 >/sys/module/svcrdma_lag/parameters/leak_age_ms
target_run "lose rate=1000 count=300 keys=100"
target_wait
check_eq "keys that come again: counted, and no wait" "$(now track_restarted_key_total)" 200
check_eq "keys that come again: the last of each is in the table" "$(now track_live)" 100
check_accounts "keys that come again"

# A transport goes: what it left goes with it, and nothing of another.
target_run "lose xprt=1 rate=1000 count=50 keys=50"
target_wait
check_eq "another transport leaves some" "$(now track_live)" 150
target_run "reconnect xprt=1 count=1"
target_wait
wait_until 10 grep -qx 'track_purged_total 50' $SVLAG/stats
check_eq "it goes, and so do they" "$(now track_purged_total) $(now track_live)" "50 100"
check_eq "the hook was hit" "$(awk '$1 == "teardown" { print $3, $5 }' $SVLAG/hooks)" "ok 1"
check_accounts "teardown"
memory=$(now memory_bytes)
svlag_unload

# Other sizes. What is not tracked is not known, and all else is.
for entries in 0 64 131072; do
	tracked track_entries=$entries
	target_run "pairs rate=2000 count=500"
	target_wait
	wait_until 20 target_still
	s=$(stats_now)
	case $entries in
	0)
		check_eq "no table: nothing of it is known" "$(stat_of "$s" track_inserted_total) $(stat_of "$s" oldest_age_ns) $(stat_of "$s" ceiling_ns)" "- - -"
		check "no table: service times are" grep -q '^service ' $SVLAG/wait
		check_eq "no table: all is counted" "$(stat_of "$s" released_total)" 510
		;;
	64)
		check_eq "track_entries=64" "$(stat_of "$s" track_entries)" 64
		# All share one stream of 16 places, whose level is hardly ever the same.
		check "track_entries=64: the waits stand for all, more or less ($(stat_of "$s" track_matched_weight_total))" \
			awk -v w="$(stat_of "$s" track_matched_weight_total)" 'BEGIN { exit !(w >= 250 && w <= 750) }'
		check_accounts "track_entries=64"
		;;
	*)
		check_eq "track_entries=$entries" "$(stat_of "$s" track_entries) $(stat_of "$s" track_matched_total)" "$entries 500"
		;;
	esac
	note "track_entries=$entries: $(stat_of "$s" memory_bytes) bytes in all, by default $memory"
	check "the reader parses each" /tree/tools/svcrdma-lag --check
	svlag_unload
done
target_unload
