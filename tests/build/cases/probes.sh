# shellcheck shell=bash
# The compile probes refuse a compiler that cannot tell yes from no.
# shellcheck disable=SC2016 # scripts are for the shell there

# probes_say KERNEL TREE ARGUMENT...: what "make module ARGUMENT..." is refused with.
probes_say()
{
	if kernel_sh "$1" "$2" "make KDIR=\$KDIR ${*:3} module" >"$2/build.log" 2>&1; then
		echo "make did not fail"
	fi
	grep '^svcrdma_lag:' "$2/build.log" || true
	[ ! -e "$2/svcrdma_lag.ko" ] || echo "svcrdma_lag.ko was built all the same"
}

# probes_refuse SENTENCE KERNEL TREE ARGUMENT...
probes_refuse()
{
	local said

	said=$(probes_say "${@:2}")
	[[ $said =~ ^$1$ ]] || echo "wanted one sentence '$1', got: ${said:-nothing}"
}

# shellcheck disable=SC2086 # a list
ready $MODULE_KERNELS

for kernel in $MODULE_KERNELS; do
	check "probes/$kernel-warnings-off" probes_refuse \
		'svcrdma_lag: this compiler accepts must_fail_.*, which no compiler must: are warnings switched off by CFLAGS\?' \
		"$kernel" "$(planted "probes-w-$kernel")" KCFLAGS=-w
done

tree=$(planted probes-pass)
sed -i 's/register_kprobe/register_nothing/' "$tree/module/compat/must_pass.c"
check probes/must-pass probes_refuse \
	"svcrdma_lag: the kernel's headers do not compile must_pass.c .*" 6.12 "$tree"

# And what the two checks above would say of probes that let everything through.
tree=$(planted probes-careless)
sed -i 's/must_fail/must_not_fail/' "$tree/module/compat/ask.sh"
check probes/sees-careless sees 'wanted one sentence .*make did not fail' probes_refuse \
	'svcrdma_lag: this compiler .*' 6.12 "$tree" KCFLAGS=-w
