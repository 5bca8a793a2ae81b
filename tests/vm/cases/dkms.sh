# about: the module that dkms built, signed and installed is what modprobe finds, and it counts
# dkms: yes
# timeout: 300

# What dkms left in /lib/modules, its depmod's work too, over what the kernel's package did.
modules=/usr/lib/modules/$(uname -r)
mount -t overlay -o "lowerdir=$TREE/dkms/modules:$modules" overlay "$modules"

installed() { modinfo -F "$1" svcrdma_lag; }
check "modprobe finds dkms's" grep -q '/updates/dkms/svcrdma_lag\.ko' <<<"$(modinfo -n svcrdma_lag)"
check_eq "it is signed" "$(installed signer)" "DKMS module signing key"
check_eq "it is the one for this kernel" "$(installed vermagic | cut -d' ' -f1)" "$(uname -r)"

modprobe svcrdma_lag
check_eq "the version of what is loaded" "$(cat /sys/module/svcrdma_lag/version)" "$(installed version)"
lab_up
lab_mount 1
check_eq "armed, by all hooks that it needs" "$(stat_get arm_generation) $(stat_get hooks_ok)" \
	"1 $(stat_get hooks_needed)"
read_n 500
wait_until 30 stats_still
note "$(stats_totals | xargs)"
check "it counts READs" [ "$(stat_get released_total)" -ge 500 ]
check_eq "all that completed was released" "$(stat_get released_total)" "$(stat_get wc_send_total)"
modprobe -r svcrdma_lag
check "it is gone" [ ! -e $SVLAG ]

# What is installed for a kernel that lacks something.
check_eq "what cannot work declines" \
	"$(insmod "$TREE/dkms/declines/svcrdma_lag.ko" 2>&1 || true)" \
	"insmod: ERROR: could not insert module $TREE/dkms/declines/svcrdma_lag.ko: Operation not supported"
check "and says why, in one sentence" [ "$(dmesg | grep -c 'svcrdma_lag: the kernel was built without CONFIG_KPROBES, which svcrdma_lag needs$')" = 1 ]
check "nothing of it stays" [ ! -e /sys/module/svcrdma_lag ]
