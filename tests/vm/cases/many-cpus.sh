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
check "memory is bounded: less than a megabyte" [ "$(stat_get memory_bytes)" -lt 1048576 ]
svlag_unload
target_unload
