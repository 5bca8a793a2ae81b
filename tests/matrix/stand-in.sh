# shellcheck shell=bash disable=SC2086,SC2154 # its variables are of guest/
# about: the stand-in of each era: its name, and every call counted, by each mechanism
# timeout: 600

reader=/tree/tools/svcrdma-lag

# counted: the stand-in of one era, by one mechanism.
counted()
{
	local who="$1 by $2" name before stats

	target_load
	svlag_load target=$STAND_IN hook=$2
	check_eq "$who: the era" "$(stat_get era)" "$1"
	check_eq "$who: the hooks" "$(hook_of wc_send), $(hook_of released)" "ok $2, ok $2"

	target_run "pairs rate=0 count=2000 threads=2 xprts=4"
	check "$who: the pairs end" wait_until 60 target_still
	before=$(stats_now)
	for name in get wc_send released; do
		check_eq "$who: ${name}_total equals the ledger" \
			"$(stat_of "$before" ${name}_total)" "$(target_ledger $name)"
	done
	check_eq "$who: there were so many" "$(stat_of "$before" released_total)" 4000
	[ "$1" != "$own" ] || check_eq "$who: the layout" "$(stat_of "$before" layout)" ok
	[ "$1" = synchronous ] || check_eq "$who: the depth is exact" \
		"$(stat_of "$before" depth) $(stat_of "$before" depth_correction)" "0 0"

	target_run "hammer count=100000 threads=2"
	check "$who: the hammer ends" wait_until 120 target_is_done
	stats=$(stats_now)
	for name in get wc_send released; do
		check_eq "$who: ${name}_total after 2 x 100,000 direct calls" \
			$(($(stat_of "$stats" ${name}_total) - $(stat_of "$before" ${name}_total))) 200000
	done
	check_eq "$who: nothing was missed" "$(stat_of "$stats" missed_total | sed s/-/0/)" 0
	check "$who: the reader finds the files in order" $reader --check
	check "$who: and names the era" sh -c "$reader 1 1 | grep '${1/_/ } era'"
	svlag_unload
	target_unload
}

# What the headers of another era have no member for, a stand-in has where nobody finds it.
modprobe rpcrdma
own=$(lab_era)
for hook in ftrace kprobe; do
	target_as svlag_target
	counted workqueue $hook
	target_as svlag_target_list
	counted release_list $hook
	target_as svlag_target_sync
	counted synchronous $hook
done
