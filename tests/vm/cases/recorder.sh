# about: the last windows are there although no reader was running, and each file is one moment
# timeout: 300

# 600 windows of 100 ms are a minute; of the default 1,000 ms they are ten.
target_load
svlag_load target=svlag_target window_ms=100
sleep 1
echo 1 >$TARGET/workers
echo 400 >$TARGET/release_rate
target_run "pairs rate=2000 count=6000"
target_wait
echo 0 >$TARGET/release_rate
wait_until 60 sh -c "[ \$(awk '\$1 == \"depth\" { print \$2 }' $SVLAG/stats) = 0 ]"
note "the incident is over; nobody reads for 30 s"
sleep 30
windows=$(cat $SVLAG/windows)
rows=$(awk 'NR > 2' <<<"$windows")
check "the incident's windows are there" [ "$(awk '$NF == "behind"' <<<"$rows" | wc -l)" -ge 10 ]
check_eq "their completions add up to what was queued" \
	"$(awk '{ sum += $5 } END { print sum }' <<<"$rows")" 6000
check_eq "their releases add up too" "$(awk '{ sum += $6 } END { print sum }' <<<"$rows")" 6000
check "no window is counted twice and none is missing: each begins where the last ended" \
	awk 'NR > 1 && $1 - $2 != end { bad++ } { end = $1 } END { exit bad }' <<<"$rows"
check "the peak of the windows is the peak of stats" \
	[ "$(awk '$10 > max { max = $10 } END { print max }' <<<"$rows")" -ge "$(stat_get depth_peak)" ]
sleep 35
check_eq "the ring holds 600 windows" "$(awk 'NR > 2' $SVLAG/windows | wc -l)" 600
check "and the oldest made room" [ "$(awk 'NR == 3 { print $1 }' $SVLAG/windows)" -gt "$(awk 'NR == 1 { print $1 }' <<<"$rows")" ]

# One open is one moment, whatever is read of it and how.
target_run "pairs rate=2000 count=0"
exec 5<$SVLAG/stats
slow=$(while IFS= read -r -N 1 -u 5 byte; do printf '%s' "$byte"; done; echo .)
exec 5<&-
check "a byte at a time: all lines" [ "$(grep -c . <<<"$slow")" -ge "$(stats_now | wc -l)" ]
check "a byte at a time: released does not exceed completed" \
	[ "$(stat_of "$slow" released_total)" -le "$(stat_of "$slow" wc_send_total)" ]
exec 5<$SVLAG/stats
first=$(dd bs=1M count=1 <&5 2>/dev/null)
sleep 0.5
second=$(perl -e 'open F, "<&=", 5; sysseek F, 0, 0; sysread F, $b, 1 << 20; print $b')
exec 5<&-
check "read again from its beginning: the same moment" [ "$first" = "$second" ]
echo stop >$TARGET/run
target_wait

for file in "$SVLAG"/*; do
	check_eq "$(basename "$file"): mode" "$(stat -c %a "$file")" 444
	check "$(basename "$file"): its first line" \
		grep -qx "# svcrdma_lag $(basename "$file") v1" <(head -n 1 "$file")
	check "$(basename "$file"): no pointer of the kernel" sh -c "! grep -qiE 'ffff[0-9a-f]{8}' $file"
done
check_eq "the files" "$(cd $SVLAG && echo *)" "hooks percpu stats summary wait windows"
check "the reader parses each" /tree/tools/svcrdma-lag --check
check "cat * is for people: the summary fits a screen" [ "$(wc -l <$SVLAG/summary)" -le 24 ]
svlag_unload
target_unload
