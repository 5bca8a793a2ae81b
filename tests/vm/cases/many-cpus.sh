# about: 255 possible CPUs: it loads, says what it needs, counts and leaves
# qemu: -M pc,vmport=on -cpu max,-hypervisor -smbios type=1,serial=VMware-42 -smp 2,maxcpus=255
# timeout: 300

possible=$(cat /sys/devices/system/cpu/possible)
check_eq "possible CPUs" "$possible" 0-254
target_load
svlag_load target=svlag_target
target_run "pairs rate=0 count=5000 threads=2"
target_wait
check_eq "it counts" "$(stat_get released_total)" 10000
check "percpu shows those that counted, and no more" [ "$(awk 'NR > 2' $SVLAG/percpu | wc -l)" -le 2 ]
note "memory_bytes $(stat_get memory_bytes)"
check "memory is bounded: 4 MB and 57,000 bytes a possible CPU" [ "$(stat_get memory_bytes)" -lt $((4000000 + 255 * 57000)) ]
svlag_unload
svlag_load target=svlag_target track_entries=0
note "memory_bytes without tables $(stat_get memory_bytes)"
check "and without tables, 0.6 MB and 25,000" [ "$(stat_get memory_bytes)" -lt $((600000 + 255 * 25000)) ]
svlag_unload
target_unload
