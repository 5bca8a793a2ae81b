# shellcheck shell=bash disable=SC2046,SC2086,SC2206 # readings are numbers
# The floods of the stand-in, read beside the truth that it keeps of them.
#
# Readings are numbered from 1. $readings/NUMBER has all waits, as lines "source upper_ns
# count": of the truth, of the table, and of others where others measure the same.
# $readings/index has a line of the rest, of each reading.

FLOODS=/sys/kernel/debug/svlag_target/floods
readings=/run/floods

# The columns of the index: name, file, and name there.
FLOOD_INDEX='
time		stats		time_ns
released	truth		released
released_after	truth_after	released
queued		truth		queued
leaked		truth		leaked
last_leak	truth		last_leak_ns
level		stats		track_level_max
thinned		stats		track_streams_thinned
refused		stats		track_refused_full_total
matched		stats		track_matched_total
live		stats		track_live
live_low	stats		track_live_low
live_high	stats		track_live_high
memory		stats		memory_bytes
'

# flood_load [PARAMETER...]: stand-in and module, with the layout seen.
flood_load()
{
	target_load transports=20
	svlag_load target=svlag_target "$@"
	target_run "pairs count=100 xprt=19"
	target_wait
	wait_until 20 grep -qx 'layout ok' $SVLAG/stats
	sleep 1
	rm -rf $readings
	mkdir -p $readings
	reading=0
}

flood_unload() { svlag_unload && target_unload; }

# flood_read: takes a reading, and sets reading to its number.
flood_read()
{
	reading=$((reading + 1))
	# All by one process, so that little time is between them.
	cat $FLOODS $SVLAG/wait $FLOODS $SVLAG/stats >$readings/all
	awk -v columns="$FLOOD_INDEX" -v reading=$reading -v waits=$readings/$reading '
		/^time_ns / && file != "stats" { file = file ? "truth_after" : "truth" }
		/^# svcrdma_lag wait/ { file = "table" }
		/^# svcrdma_lag stats/ { file = "stats" }
		file == "truth" && $1 + 0 { print file, $1, $2 >waits }
		file == "table" && $1 == "wait" { print file, $2 == "-" ? 1e18 : $2, $3 >waits }
		{ value[file, $1] = $2 }
		END {
			printf "" >waits
			n = split(columns, c)
			printf "reading=%d", reading
			for (i = 1; i < n; i += 3)
				printf " %s=%s", c[i], value[c[i + 1], c[i + 2]]
			print ""
		}' $readings/all >>$readings/index
	others_read >>$readings/$reading
}

# A bench says what else there is to read.
others_read() { :; }

# flood_follow SECONDS [PAUSE]: readings all the while.
flood_follow()
{
	local end=$((SECONDS + $1))

	while [ $SECONDS -lt $end ]; do
		sleep ${2:-1}
		flood_read
	done
}

# flood_index SCRIPT [VARIABLE=VALUE...]: awk over the index; v[NAME] is of the line.
flood_index()
{
	awk "${@:2}" 'function take(i, pair) {
			for (i = 1; i <= NF; i++) { split($i, pair, "="); v[pair[1]] = pair[2] + 0 }
		}
		{ take() } '"$1" $readings/index
}

# flood_at READING NAME
flood_at() { flood_index 'v["reading"] == at { printf "%.0f\n", v[name] }' -v at="$1" -v name="$2"; }

# flood_between A B [SHARE...]: lines "source count p50 p99 max" of what was measured from
# one reading to another, or with times that other shares did not exceed instead of p50
# and p99; in ns, and each in the middle of its bucket. Those of the truth are finer.
flood_between()
{
	awk -v shares="${*:3}" '
		function middle(source, upper) {
			return upper - 2 ^ (int(log(upper + 1) / log(2) - 1e-9) - (source == "truth" ? 6 : 4)) / 2
		}
		FNR == NR { was[$1, $2] = $3; next }
		{ n[$1] += 0 }
		$3 > was[$1, $2] {
			i = ++rows[$1]
			upper[$1, i] = $2
			n[$1] += count[$1, i] = $3 - was[$1, $2]
		}
		function times(source, i, j, seen) {
			if (!(source in n)) {
				print source " - - - -"
				return
			}
			printf "%s %.0f", source, n[source]
			for (j = 1; j <= nr_shares; j++) {
				seen = 0
				for (i = 1; i < rows[source]; i++)
					if ((seen += count[source, i]) >= n[source] * share[j])
						break
				printf " %.0f", n[source] ? middle(source, upper[source, i]) : 0
			}
			printf " %.0f\n", n[source] ? middle(source, upper[source, rows[source]]) : 0
		}
		END {
			nr_shares = split(shares == "" ? "0.5 0.99" : shares, share)
			times("truth"); times("table"); times("hash"); times("lru")
		}' $readings/$1 $readings/$2
}

# figure "BETWEEN" SOURCE count|p50|p99|max
figure()
{
	awk -v s="$2" -v f="$3" '
		BEGIN { n = split("source count p50 p99 max", c); for (i = 1; i <= n; i++) column[c[i]] = i }
		$1 == s { print $column[f] }' <<<"$1"
}

# Of what is not there nothing is known.
ms() { awk -v ns="$1" 'BEGIN { if (ns == "-") print "-"; else printf ns < 1e8 ? "%.2f" : "%.0f", ns / 1e6 }'; }
share() { awk -v a="$1" -v b="$2" 'BEGIN { if (a == "-") print "-"; else printf "%.4f", b ? a / b : 0 }'; }
is() { awk "BEGIN { exit !($1) }"; }

# near GOT WANT: within a tenth.
near() { is "$1 <= 1.1 * $2 && $1 >= 0.9 * $2"; }

# flood_leak others|own BEFORE FLOOD AFTER LEAST [RATE]: seconds of each phase, and how
# many items the flood has at least, however long it takes; as fast as they can be queued,
# or at a rate for each of 16 threads. Sets edges to four readings, of which the third is
# the last before the flood ends.
flood_leak()
{
	local xprt end

	target_run "canary xprt=0 keys=4096"
	sleep 1
	flood_read
	edges=($reading)
	flood_follow $2
	edges+=($reading)
	for xprt in $(seq 16); do
		[ $1 = others ] || xprt=0
		target_run "leak xprt=$xprt keys=$FLOOD_KEYS rate=${6:-0}"
	done
	end=$((SECONDS + $3))
	while [ $SECONDS -lt $end ] || [ "$(flood_at $reading leaked)" -lt $5 ]; do
		sleep 1
		flood_read
	done
	edges+=($reading)
	target_run "stop leak"
	flood_follow $4 0.1
	edges+=($reading)
	target_run stop
	target_wait
}

# flood_error A B: the standard error of traced/sent, where of the canary's own stream one
# of 2^level was drawn: of n items, sqrt((2^level - 1) / n).
flood_error()
{
	flood_index '
		v["reading"] > a && v["reading"] <= b {
			n += v["released"] - released
			variance += (v["released"] - released) * (2 ^ (v["level"] > level ? v["level"] : level) - 1)
		}
		{ released = v["released"]; level = v["level"] }
		END { printf "%.6f\n", n ? sqrt(variance) / n : 0 }' -v a="$1" -v b="$2"
}

# flood_leak_phase others|own NAME A B
flood_leak_phase()
{
	local between error=0 least most sent traced what="leak on ${1/own/its own}, $2"

	between=$(flood_between $3 $4)
	traced=$(figure "$between" table count)
	# What was released while a reading was taken may or may not be in it.
	read -r least most < <(flood_index '
		v["reading"] == a { before = v["released"]; after = v["released_after"] }
		v["reading"] == b { printf "%.0f %.0f\n", v["released"] - after, v["released_after"] - before }
		' -v a=$3 -v b=$4)
	sent=$(((least + most) / 2))
	[ $1 = others ] || error=$(flood_error $3 $4)
	note "$(printf '  %-7s %9d %6.0f  %.4f  %.4f %7.2f %5.2f %7.2f %5.2f  %6s  %6s' $2 $sent \
		"$(share $sent "$(flood_seconds $3 $4)")" "$(share $traced $sent)" $error \
		"$(ms "$(figure "$between" table p50)")" "$(ms "$(figure "$between" truth p50)")" \
		"$(ms "$(figure "$between" table p99)")" "$(ms "$(figure "$between" truth p99)")" \
		"$(share "$(figure "$between" hash count)" $sent)" \
		"$(share "$(figure "$between" lru count)" $sent)")"
	if [ $1 = others ]; then
		check "$what: traced/sent is 0.995 to 1.005" \
			is "$traced >= 0.995 * $least && $traced <= 1.005 * $most"
		check "$what: p50 is within 10 %" near "$(figure "$between" table p50)" "$(figure "$between" truth p50)"
		check "$what: p99 is within 10 %" near "$(figure "$between" table p99)" "$(figure "$between" truth p99)"
	else
		check "$what: traced/sent is within three standard errors" \
			is "$traced >= $least - 3 * $error * $sent && $traced <= $most + 3 * $error * $sent"
		flood_drawn_percentile "$what: p50" "$(figure "$between" table p50)" 0.5 $error $3 $4
		flood_drawn_percentile "$what: p99" "$(figure "$between" table p99)" 0.99 $error $3 $4
	fi
	flood_others_of_leak "$what" $3 $4
}

# flood_drawn_percentile WHAT GOT SHARE ERROR A B: of few that were drawn from many, it is
# that of a share of all that may be three standard errors off. As many as give that ERROR
# of the count are worth 1 / ERROR^2 of one weight.
flood_drawn_percentile()
{
	local shares times

	shares=$(awk -v p=$3 -v error=$4 'BEGIN { e = 3 * sqrt(p * (1 - p)) * error; print p - e, p + e }')
	read -ra times < <(flood_between $5 $6 $shares | grep ^truth)
	check "$1 is within 10 %, give or take three standard errors" \
		is "$2 >= 0.9 * ${times[2]} && $2 <= 1.1 * ${times[3]}"
}

# A bench says what it expects of the others.
flood_others_of_leak() { :; }

# The first reading from which on all of all transports are tracked, and how many seconds
# after the last leak that was; or "never 1e9".
flood_whole_again()
{
	flood_index '
		v["reading"] <= edge { next }
		v["thinned"] { whole = 0; next }
		!whole { whole = v["reading"]; at = v["time"] }
		END { print whole ? whole " " (at - v["last_leak"]) / 1e9 : "never 1e9" }' -v edge=${edges[2]}
}

flood_leak_judge()
{
	local whole rest age

	note "leak on $1: $(flood_at ${edges[3]} leaked) items that are never released, queued by 16 threads in $(flood_seconds ${edges[1]} ${edges[2]}) s, each at $FLOOD_KEYS addresses"
	note "  phase        sent  per s traced/ st.err.  p50 ms  true  p99 ms  true   hash:    LRU:"
	note "                              sent                                    traced/sent of it"
	flood_leak_phase $1 before ${edges[0]} ${edges[1]}
	flood_leak_phase $1 flood ${edges[1]} ${edges[2]}
	flood_leak_phase $1 after ${edges[2]} ${edges[3]}
	age=$(awk '{ print $1 / 1000 }' /sys/module/svcrdma_lag/parameters/leak_age_ms)
	whole=$(flood_whole_again)
	rest=${whole% *} whole=${whole#* }
	note "one of up to $(flood_index 'v["level"] > most { most = v["level"] } END { print 2 ^ most }') tracked in the flood, all of all transports again $whole s after it, at a leak age of $age s"
	check "leak on $1: the table is whole a second after the leaks have aged" is "$whole <= $age + 1"
	[ $rest = never ] ||
		check "leak on $1: and so it stays: none refused, all traced" flood_is_whole $rest ${edges[3]}
	flood_judge "leak on $1" ${edges[0]} ${edges[3]}
}

# flood_is_whole A B: nothing is lost between two readings.
flood_is_whole()
{
	local between

	between=$(flood_between $1 $2)
	flood_index '
		v["reading"] == a { released = v["released"]; after = v["released_after"]; refused = v["refused"] }
		v["reading"] == b {
			least = v["released"] - after; most = v["released_after"] - released
			printf "%d refused, %d traced of %d to %d\n", v["refused"] - refused, traced, least, most
			exit !(v["refused"] == refused && traced >= least && traced <= most)
		}' -v a=$1 -v b=$2 -v traced="$(figure "$between" table count)"
}

# flood_judge WHAT A B: what holds in any flood, in each reading and at its end, when
# nothing moves any more.
flood_judge()
{
	check_eq "$1: memory is constant" "$(flood_index '
		v["reading"] >= a && v["reading"] <= b && !seen[v["memory"]]++ { n++ }
		END { print n }' -v a=$2 -v b=$3)" 1
	check "$1: what is seen in the table is what the counts say" flood_index '
		v["live_low"] > v["live"] || v["live"] > v["live_high"] { print; bad = 1 } END { exit bad }'
	flood_accounted "$1"
}

# flood_accounted WHAT: the accounting adds up, at rest.
flood_accounted()
{
	local stats

	stats=$(stats_now)
	check_eq "$1: inserted = matched + refused + restarted + expired + purged + live" \
		"$(stat_of "$stats" track_inserted_total)" \
		"$(awk '/^track_(matched|refused_full|restarted_key|expired|purged)_total |^track_live / { sum += $2 }
			END { printf "%.0f\n", sum }' <<<"$stats")"
	note "$1: $(awk '/^track_.*_total / && $2 { gsub(/^track_|_total/, "", $1); printf "%s%s %s", by, $2, $1; by = ", " }' <<<"$stats")"
	check_eq "$1: nothing was released before it was queued" "$(stat_of "$stats" track_negative_total)" 0
	check "$1: no completion and no release is lost" flood_counts_all "$stats"
}

flood_counts_all()
{
	local name

	# The pairs of flood_load are in the ledger.
	for name in wc_send released; do
		[ "$(stat_of "$1" ${name}_total)" = "$(awk -v name=$name -v pairs="$(target_ledger $name)" '
			name == "wc_send" && /^(queued|leaked) / { n += $2 }
			name == "released" && /^(released|unqueued) / { n += $2 }
			END { printf "%.0f\n", n + pairs }' $FLOODS)" ] || return 1
	done
}

# flood_backlog RATE COUNT: sets edges to its first and last reading.
flood_backlog()
{
	flood_read
	edges=($reading)
	target_run "backlog xprt=0 rate=$1 count=$2 keys=$FLOOD_KEYS"
	while ! target_is_done; do
		sleep 1
		flood_read
	done
	flood_read
	edges+=($reading)
}

# flood_seconds A B
flood_seconds()
{
	flood_index '
		v["reading"] == a { from = v["time"] }
		v["reading"] == b { printf "%.1f", (v["time"] - from) / 1e9 }' -v a=$1 -v b=$2
}

# flood_windows: a line of each window in which a thousand were released or more, with
# what is not within 10 %; the last one is "windows WRONG LATE".
flood_windows()
{
	local a

	{
		cat $readings/index
		for ((a = edges[0]; a < edges[1]; a++)); do
			echo "window $a $((a + 1))"
			flood_between $a $((a + 1))
		done
	} | awk -v first=${edges[0]} '
		/^reading=/ {
			for (i = 1; i <= NF; i++) { split($i, pair, "="); v[pair[1]] = pair[2] + 0 }
			for (name in v) at[v["reading"], name] = v[name]
			next
		}
		/^window/ { a = $2; b = $3; next }
		{ n[$1] = $2; time[$1, 1] = $3 / 1e6; time[$1, 2] = $4 / 1e6; time[$1, 3] = $5 / 1e6 }
		$1 != "lru" || n["truth"] < 1000 { next }
		{
			line = sprintf("%4.0f s %9d %7d  %.4f", (at[b, "time"] - at[first, "time"]) / 1e9,
				at[b, "queued"] - at[b, "released"], n["truth"], n["table"] / n["truth"])
			bad = ""
			for (i = 1; i <= 3; i++) {
				got = time["table", i]; want = time["truth", i]
				line = line sprintf(" %7.0f %6.0f", got, want)
				if (got > 1.1 * want || got < 0.9 * want) bad = bad " " i
			}
			late = at[b, "matched"] == at[a, "matched"]
			wrongs += bad != ""; lates += late
			lru = "       -      -"
			if (n["lru"] != "-")
				lru = sprintf("  %6.3f %6.0f", n["lru"] / n["truth"], time["lru", 3])
			print line lru (bad == "" ? "" : "  wrong:" bad) (late ? "  late" : "")
		}
		END { print "windows", wrongs + 0, lates + 0 }'
}

# flood_backlog_judge PEAK: so many must have waited.
flood_backlog_judge()
{
	local peak between truth table lru wrong late line

	read -r peak at_peak < <(flood_index '
		v["queued"] - v["released"] > peak { peak = v["queued"] - v["released"]; at = v["reading"] }
		END { printf "%.0f %d\n", peak, at }')
	note "backlog: $(flood_index '
		v["reading"] == a { from = v["time"]; came = v["queued"]; went = v["released"] }
		v["reading"] == b {
			s = (v["time"] - from) / 1e9; came = (v["queued"] - came) / s; went = (v["released"] - went) / s
			printf "for %.0f s %.0f came a second and %.0f went, %.2f of 432,000 and 342,000",
				s, came, went, came / 432000
		}' -v a=${edges[0]} -v b=$at_peak), then none came"
	note "    at     waits    went traced/  p50 ms   true  p99 ms   true  max ms   true    LRU: max ms"
	note "                            went                                           traced/went"
	flood_windows >$readings/windows
	# All that is wrong, and of the rest one in five.
	while IFS= read -r line; do note "$line"; done < <(awk '/^windows/ { exit } NR % 5 == 1 || /wrong|late/' $readings/windows)
	read -r _ wrong late < <(tail -n1 $readings/windows)
	between=$(flood_between ${edges[0]} ${edges[1]})
	truth=$(figure "$between" truth count) table=$(figure "$between" table count)
	lru=$(figure "$between" lru count)
	note "backlog, all of it: traced/went $(share $table $truth), LRU $(share $lru $truth)"
	check "backlog: at least $1 items wait at the peak ($peak)" [ $peak -ge $1 ]
	check_eq "backlog: windows in which p50, p99 or max is not within 10 %" $wrong 0
	check_eq "backlog: windows whose last sample is older than the window" $late 0
	check "backlog: traced/went is 0.99 to 1.01 over all" is "$table >= 0.99 * $truth && $table <= 1.01 * $truth"
	flood_others_of_backlog "$between"
	flood_judge backlog ${edges[0]} ${edges[1]}
}

# A bench says what it expects of the others.
flood_others_of_backlog() { :; }

# flood_mixed COUNT: four transports, each with a thread of its own.
flood_mixed()
{
	local xprt

	flood_read
	edges=($reading)
	for xprt in 1 2 3 4; do
		target_run "mixed xprt=$xprt keys=512 count=$1"
	done
	while ! target_is_done; do
		sleep 1
		flood_read
	done
	sleep 1
	flood_read
	edges+=($reading)
}

# flood_mixed_judge WHAT exact|: whether each item can be told what has become of it.
flood_mixed_judge()
{
	local between pair stats

	between=$(flood_between ${edges[0]} ${edges[1]})
	stats=$(stats_now)
	note "$1: the truth: $(awk '/^[a-z]/ && !/_ns / && $2 { printf "%s%s %s", by, $2, $1; by = ", " }' $FLOODS)"
	note "$1: p50 $(ms "$(figure "$between" table p50)") of $(ms "$(figure "$between" truth p50)") ms, max $(ms "$(figure "$between" table max)") of $(ms "$(figure "$between" truth max)") ms"
	flood_judge "$1" ${edges[0]} ${edges[1]}
	check "$1: no wait is longer than the longest" \
		is "$(figure "$between" table max) <= 1.1 * $(figure "$between" truth max)"
	[ -n "${2:-}" ] || return 0
	check_eq "$1: all waits are known" "$(figure "$between" table count)" "$(figure "$between" truth count)"
	for pair in restarted_key:reused purged:torn missed:unqueued; do
		check_eq "$1: ${pair%:*} are those that were ${pair#*:}" \
			"$(stat_of "$stats" track_${pair%:*}_total)" "$(awk -v n=${pair#*:} '$1 == n { print $2 }' $FLOODS)"
	done
}
