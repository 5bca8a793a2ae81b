# shellcheck shell=bash disable=SC2086,SC2154 # its variables are of tests/vm/guest
# about: a leak, a backlog, and what is mixed and hostile: the table, a plain hash and an LRU against the truth
# timeout: 2400
# bpf: policies

# At 8 bytes a page of eight contexts; enough for none to come again before it has aged.
# shellcheck disable=SC2034
FLOOD_KEYS=3000000

# The same key for both ends, as the offsets of the stand-in have it.
others_load()
{
	local delta

	mountpoint -q /sys/fs/bpf || mount -t bpf bpf /sys/fs/bpf
	delta=$(sed 's/.*cqe=\([0-9]*\).*work=\([0-9]*\).*/\1 \2/' $TARGET/layout |
		{ read -r cqe work; printf '%016x' $((cqe - work)); } | sed 's/../& /g' |
		awk '{ for (i = 8; i; i--) printf "0x%s ", $i }')
	bpftool prog loadall /tree/tests/bench/guest/policies.o /sys/fs/bpf/policies autoattach
	bpftool map update name delta key 0 0 0 0 value $delta
}

others_unload() { rm -r /sys/fs/bpf/policies; }

# Numbered buckets, sixteen to an octave.
others_read()
{
	local map

	[ -e /sys/fs/bpf/policies ] || return 0
	for map in hash lru; do
		bpftool map dump name ${map}_waits | awk -v source=$map '
			/"key":/ { bucket = $2 + 0 }
			/"value":/ && $2 + 0 {
				shift = bucket < 32 ? 0 : int(bucket / 16) - 1
				printf "%s %.0f %d\n", source, (bucket - shift * 16 + 1) * 2 ^ shift - 1, $2
			}'
	done
}

# That they fail is what is to be seen; of the flood in its second half.
flood_others_of_leak()
{
	local between

	case $1 in
	*flood) between=$(flood_between $((($2 + $3) / 2)) $3) ;;
	*) between=$(flood_between $2 $3) ;;
	esac
	case $1 in
	*before) check "$1: the hash traces all" near "$(figure "$between" hash count)" "$(figure "$between" truth count)" ;;
	*) check "$1: the hash is quiet" is "$(figure "$between" hash count) < 0.001 * $(figure "$between" truth count)" ;;
	esac
}

flood_others_of_backlog()
{
	local grown

	grown=$(flood_between ${edges[0]} $at_peak)
	note "until none came: max $(ms "$(figure "$grown" table max)") ms, true $(ms "$(figure "$grown" truth max)"), by the LRU $(ms "$(figure "$grown" lru max)")"
	check "backlog: the LRU is blind, for it has few of them" is "$(figure "$1" lru count) < 0.1 * $(figure "$1" truth count)"
	check "backlog: and not the longest while it grows" is "$(figure "$grown" lru max) * 10 < $(figure "$grown" truth max)"
}

# Among as many that would run as there are threads of a flood, who reads comes first.
chrt -f -p 1 $$

flood_load
others_load
flood_leak others 20 120 40 10000000
flood_leak_judge others
others_unload
flood_unload

flood_load
others_load
flood_leak own 20 120 40 10000000
flood_leak_judge own
others_unload
flood_unload

flood_load
others_load
flood_backlog 432000 12960000
flood_backlog_judge 1000000
others_unload
flood_unload

flood_load
flood_mixed 500000
flood_mixed_judge mixed exact
flood_unload

flood_load track_entries=64 leak_age_ms=200
flood_mixed 500000
flood_mixed_judge "mixed, 64 entries"
flood_unload
note "Time that goes backwards between CPUs no guest has: tests/unit/test_inflight.c has it."
