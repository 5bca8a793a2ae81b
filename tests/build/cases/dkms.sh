# shellcheck shell=bash
# The module by DKMS on machines of Debian 12 and 13; and no kernel for which dkms
# fails to build, since that leaves apt broken.
# shellcheck disable=SC2016,SC2153 # scripts are for the shell there; TREE is of tests/build/run

# dkms_complaints KERNEL: of the cycle of tests/lib/dkms.sh.
dkms_complaints()
{
	local words

	words=$(dkms_item "$1" "$TREE" 2>&1 >/dev/null) ||
		{ sed '/^-- /d' <<<"$words"; return 1; }
}

# dkms_tried TREE SCRIPT: complaints of a machine of Debian 12.
dkms_tried() { dkms_machine 6.1 "$1" "$2"; }

# What cannot be done is refused before anything is touched.
DKMS_REFUSES='
# refuses SENTENCE COMMAND...
refuses()
{
	sentence=$1
	shift
	! "$@" >/tmp/said 2>&1 || complain "$* ended with status 0"
	cat /tmp/said
	grep "^svcrdma_lag:" /tmp/said | grep -qx "svcrdma_lag: $sentence" ||
		complain "$* did not say: $sentence"
}
refuses "no headers of kernel 6.9-x: install them (Debian: apt install linux-headers-6.9-x), or name .*" \
	make dkms-install KERNELVER=6.9-x
refuses "DKMS installs for root alone: sudo make dkms-install" \
	setpriv --reuid=65534 --clear-groups make dkms-install KERNELVER=$release
cp -r /src /usr/src/svcrdma_lag-$version
refuses "this is the copy that DKMS has: call make dkms-install where it came from" \
	make -C /usr/src/svcrdma_lag-$version dkms-install KERNELVER=$release
mv /usr/sbin/dkms /tmp
refuses "dkms is not there: install it (Debian: apt install dkms)" make dkms-install KERNELVER=$release
dkms_uninstall
mv /tmp/dkms /usr/sbin
left

# As a package is made: the sources, and nothing of this machine.
make dkms-install DESTDIR=/tmp/package
find /tmp/package -name dkms.conf | grep -qx "/tmp/package/usr/src/svcrdma_lag-$version/dkms.conf" ||
	complain "DESTDIR has no sources"
left
'

# One version, wherever it is said; and nothing in dkms.conf that breaks apt on
# Debian 12 or rebuilds the initrd.
dkms_conf()
{
	local version file

	version=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' "$1/dkms.conf")
	grep -q "^#define SVLAG_VERSION.*\"$version\"" "$1/include/svcrdma_lag/abi.h" ||
		echo "abi.h has another version than dkms.conf, $version"
	for file in README.md CHANGELOG.md tools/svcrdma-lag.8; do
		grep -qF "$version" "$1/$file" || echo "$file does not know version $version"
		grep -noE 'svcrdma_lag[ -][0-9]+\.[0-9.]+' "$1/$file" | grep -vF "$version" || true
	done
	grep -nE '^(BUILD_EXCLUSIVE|REMAKE_INITRD|CLEAN|MODULES_CONF)' "$1/dkms.conf" || true
}

# without TREE KERNEL OPTION...: what dkms builds, for a kernel without these options:
# complaints of the compiler's, with all warnings.
without()
{
	built_in "$2" "$1" '
		for file in .config include/config/auto.conf include/generated/autoconf.h; do
			sed -E "/\<CONFIG_('"$(tr ' ' '|' <<<"${*:3}")"')\>/d" $KDIR/$file >/tmp/file
			cp /tmp/file /tmp/$(basename $file)
			mount --bind /tmp/$(basename $file) $KDIR/$file
		done
		make KDIR=$KDIR W=1 module-or-reason'
	grep -i 'warning:' "$1/build.log" || true
	modinfo "$1/svcrdma_lag.ko" >/dev/null
}

# declines REASON TREE KERNEL [OPTION...]
declines()
{
	local said

	rm -f "$2/svcrdma_lag.ko"
	without "${@:2}"
	said=$(modinfo -F declines "$2/svcrdma_lag.ko")
	[[ $said =~ ^$1$ ]] || echo "wanted a module that declines: $1, got: ${said:-one that does not}"
}

# works_without TREE KERNEL OPTION...
works_without()
{
	without "$@"
	[ -z "$(modinfo -F declines "$1/svcrdma_lag.ko")" ] || modinfo -F declines "$1/svcrdma_lag.ko"
}

# shellcheck disable=SC2086 # a list
ready $MODULE_KERNELS
# Two machines at once, as they wait much; what is made here is found below.
( dkms_item 6.12 "$TREE" ) >/dev/null 2>&1 &
check dkms/conf dkms_conf "$TREE"
check dkms/6.1 dkms_complaints 6.1
wait
check dkms/6.12 dkms_complaints 6.12
check dkms/refuses dkms_tried "$(planted dkms-refuses)" "$DKMS_REFUSES"

# What fails, or leaves something, needs no more than the smallest module.
small() { echo 'svcrdma_lag-y := module/decline.o' >>"$1/Kbuild"; }

# A build that is for the running kernel, and thus fails.
tree=$(planted dkms-running)
small "$tree"
sed -i 's/KDIR=[^ ]*//' "$tree/dkms.conf"
dkms_tried "$tree" 'dkms_install; left' >"$SCRATCH/dkms-running" 2>&1 || true
check dkms/sees-the-running-kernel sees 'make dkms-install ended with status' cat "$SCRATCH/dkms-running"
check dkms/failed-says-so sees '^svcrdma_lag: dkms failed \(above\): nothing of it was left behind' \
	cat "$tree/build.log"
check dkms/failed-leaves-nothing sed -n '/^not as before/p' "$SCRATCH/dkms-running"

tree=$(planted dkms-faults)
small "$tree"
cat >>"$tree/dkms.conf" <<'FAULTS'
POST_INSTALL="left"
MAKE[0]="echo ${kernelver} | grep -v cloud && ${MAKE[0]}"
FAULTS
printf '#!/bin/sh\n: >/usr/lib/left\n' >"$tree/left"
chmod +x "$tree/left"
sed -i 's/Makefile dkms.conf/& left/' "$tree/tools/dkms.sh"
dkms_tried "$tree" "$DKMS_CYCLE$DKMS_END" >"$SCRATCH/dkms-faults" 2>&1 || true
check dkms/sees-left sees 'not as before: /usr/lib/left' cat "$SCRATCH/dkms-faults"
check dkms/sees-apt sees 'apt-get install ended with status 100' cat "$SCRATCH/dkms-faults"
check dkms/sees-half-configured sees 'half configured: .*linux-headers' cat "$SCRATCH/dkms-faults"
check dkms/sees-declines sees 'wanted: .* declines, got: .* declines version' cat "$SCRATCH/dkms-faults"

tree=$(planted dkms-version)
sed -i 's/^PACKAGE_VERSION=.*/PACKAGE_VERSION="0.9"/' "$tree/dkms.conf"
check dkms/sees-version sees 'abi.h has another version' dkms_conf "$tree"

tree=$(planted dkms-without)
# Not the two without which headers are none that this compiler understands.
read -ra options <<<"$(sed -n 's/^NEEDED := //p' "$TREE/Makefile" | sed 's/CONFIG_\(MODULES\|64BIT\)//g')"
for option in "${options[@]}"; do
	check "dkms/without-$option" declines \
		"the kernel was built without $option, which svcrdma_lag needs" "$tree" 6.12 "${option#CONFIG_}"
done
check dkms/without-ftrace works_without "$tree" 6.12 DYNAMIC_FTRACE DYNAMIC_FTRACE_WITH_REGS \
	DYNAMIC_FTRACE_WITH_ARGS FUNCTION_TRACER FUNCTION_GRAPH_TRACER FPROBE
for unknown in 6.1:module/compat/must_pass.c 6.12:module/depth.c 7.3:module/compat/must_pass.c; do
	kernel=${unknown%%:*}
	tree=$(planted "dkms-unknown-$kernel")
	echo '#error such a kernel was never seen' >>"$tree/${unknown#*:}"
	check "dkms/unknown-$kernel" declines 'version .* does not compile for this kernel, .*' "$tree" "$kernel"
done
sed -i 's/^MODULE_INFO(declines/MODULE_INFO(silent/' "$tree/module/decline.c"
check dkms/sees-no-reason sees 'wanted a module that declines: .* got: one that does not' \
	declines 'whatever' "$tree" "$kernel"
