# about: what watching the workqueues' tracepoints costs a work item of somebody else
# icount: yes
# cpus: 1
# timeout: 600
# With icount a nanosecond of guest time is an instruction.

item() { echo 1000 >/sys/module/svlag_works/parameters/run; cat /sys/module/svlag_works/parameters/item_ns; }

insmod /tree/tests/kmod/svlag_works.ko
target_load
item >/dev/null
for events in n y n y; do
	svlag_load target=svlag_target wq_events=$events
	sleep 1
	this=$(item)
	note "wq_events=$events: $this instructions an item of somebody else"
	declare "$events=$this"
	svlag_unload
done
# shellcheck disable=SC2154 # declared above
cost=$((y - n))
note "watching costs an item of somebody else $cost instructions, $((cost * 100 / n)) %"
check "an unrelated item: at most 100 instructions more (measured $cost)" [ "$cost" -le 100 ]
check "and at least some: it was watched" [ "$cost" -ge 20 ]
check "that is at most 10 % of the least that an item takes" [ $((cost * 10)) -le "$n" ]
target_unload
rmmod svlag_works
