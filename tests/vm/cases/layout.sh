# about: svcrdma-lag layout finds the offsets in the running kernel's BTF; with its line the module measures in full, a vendor's layout included
# timeout: 300

reader=/tree/tools/svcrdma-lag
conf=/run/svcrdma_lag.conf

# derive [FILE]: its words into the file that modprobe would read; prints its exit status.
derive() { local rc=0; $reader layout "$@" >$conf 2>/run/derive.err || rc=$?; echo $rc; }

# derived: the parameter as modprobe understands it.
derived() { modprobe -C $conf -c | sed -n 's/^options svcrdma_lag //p'; }

check_eq "before rpcrdma is loaded: exit 3" "$(derive)" 3
check_eq "and it is said" "$(cat /run/derive.err)" "svcrdma-lag: rpcrdma is not loaded: modprobe rpcrdma"

lab_up
lab_mount 1
check_eq "the running rpcrdma: exit 0" "$(derive)" 0
cat $conf /run/derive.err
layout=$(derived)
check "modprobe reads the line: $layout" \
	grep -qE '^layout=cqe=[0-9]+,rdma=[0-9]+,work=[0-9]+,infos=[0-9]+$' <<<"$layout"

svlag_load "$layout"
read_n 500
wait_until 30 stats_still
stats=$(stats_now)
check_eq "with it, the layout is found to be right" "$(stat_of "$stats" layout)" ok
for name in queued freed; do
	check "with it, write infos are counted: $name" [ "$(stat_of "$stats" write_info_${name}_total)" -ge 500 ]
done
check_eq "and none waits when all is still" "$(stat_of "$stats" write_info_depth)" 0
check_eq "asked once more: exit 0" "$(derive)" 0
check "and the loaded module has the same" grep -qx '# The loaded svcrdma_lag uses the same.' $conf
svlag_unload

# The headers that the module was built with are of this kernel.
svlag_load
check_eq "the headers say no other thing" "layout=$(cat /sys/module/svcrdma_lag/parameters/layout)" "$layout"
svlag_unload

svlag_load layout=cqe=200,infos=-
check_eq "loaded with others: exit 0" "$(derive)" 0
check "which is wrong is said" grep -qx '#   sc_cqe  *[0-9]*  (the loaded svcrdma_lag uses 200)' $conf
check "and what is left out" grep -q '^#   sc_write_info_list .*(the loaded svcrdma_lag uses -)$' $conf
check_eq "the line stays the same" "$(derived)" "$layout"
svlag_unload

# A vendor's rpcrdma: out of tree, and laid out in another way than the headers.
TARGET=/sys/module/svlag_target_layout/parameters
insmod /tree/tests/kmod/svlag_target_layout.ko
check_eq "the stand-in of a vendor: exit 0" "$(derive /sys/kernel/btf/svlag_target_layout)" 0
cat $conf /run/derive.err
moved=$(derived)
check "its line is another: $moved" [ "$moved" != "$layout" ]

svlag_load target=svlag_target_layout
target_run "pairs rate=2000 count=1000"
target_wait
wait_until 30 stats_still
check_eq "with the layout of the headers: what is wrong is said" "$(stat_get layout | cut -d: -f1)" wrong
check_eq "and what needs no layout is exact" "$(stat_get released_total)" "$(target_ledger released)"
svlag_unload

svlag_load target=svlag_target_layout "$moved"
target_run "pairs rate=2000 count=2000 threads=2 xprts=4"
target_wait
wait_until 30 stats_still
check_eq "with its own: it is right" "$(stat_get layout)" ok
for name in wc_send released; do
	check_eq "with its own: ${name}_total is exact" "$(stat_get ${name}_total)" 4000
done
check_eq "with its own: nothing waits" "$(stat_get depth)" 0
svlag_unload
rmmod svlag_target_layout
