# shellcheck shell=bash
# DKMS builds, signs and installs the module, and removes all of it again. Its
# directories are tmpfs over those of the build root: neither the root in the cache
# nor the host sees any of it.
# shellcheck disable=SC2016,SC2153 # scripts are for the shell there; TREE is of tests/build/run

# The machine that dkms finds: one kernel with its headers and a module, another
# kernel running.
DKMS_MACHINE='
unset KDIR MAKEFLAGS
ln -s /proc/self/fd /dev/fd
for dir in /usr/src /usr/lib/modules /var/lib/dkms; do mount -t tmpfs none $dir; done
release=$(cat /kernel/release)
mkdir -p /usr/lib/modules/$release/kernel
cp /kernel/lib/modules/$release/modules.* /usr/lib/modules/$release
cp $(find /kernel/lib/modules/$release/kernel -name "rpcrdma.ko*") /usr/lib/modules/$release/kernel
ln -s /kernel/build /usr/lib/modules/$release/build
depmod $release
machine() { find /usr/src /usr/lib/modules /var/lib/dkms | sort; }
machine >/tmp/before
'

# dkms_cycle KERNEL TREE: add, build, install, remove.
dkms_cycle()
{
	built_in "$1" "$2" "$DKMS_MACHINE"'
	module=svcrdma_lag/$(sed -n "s/^PACKAGE_VERSION=\"\(.*\)\"/\1/p" dkms.conf)
	dkms add /src
	dkms build $module -k $release || {
		cat /var/lib/dkms/$module/build/make.log
		echo "error: dkms build failed"; exit 1; }
	dkms install $module -k $release
	{
		find /usr/lib/modules -path "*/updates/dkms/svcrdma_lag.ko*" | wc -l
		modinfo -k $release -F version svcrdma_lag
		modinfo -k $release -F signer svcrdma_lag
		modinfo -k $release -F vermagic svcrdma_lag | cut -d" " -f1
	} >/src/installed
	dkms remove $module --all
	{ dkms status; machine | diff /tmp/before - || true; } >/src/removed'
	diff - "$2/installed" <<-EOF | sed -n 's/^</wanted:/p; s/^>/installed:/p'
	1
	$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' "$2/dkms.conf")
	DKMS module signing key
	$(cat "$(kernel_fetch "$1")/release")
	EOF
	# The sources go with the package they came from, the key stays for the next module.
	grep '^[^0-9]' "$2/removed" |
		sed -n 's/^[<>] //; \,/usr/src/svcrdma_lag-,d; \,/var/lib/dkms/mok\.,d; s/^/not as before: /p'
}

# One version, wherever it is said; and nothing in dkms.conf that breaks apt on
# Debian 12 or rebuilds the initrd.
dkms_conf()
{
	local version file

	version=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' "$1/dkms.conf")
	grep -q "^#define SVLAG_VERSION.*\"$version\"" "$1/include/svcrdma_lag/abi.h" ||
		echo "abi.h has another version than dkms.conf, $version"
	for file in README.md CHANGELOG.md; do
		grep -qF "$version" "$1/$file" || echo "$file does not know version $version"
	done
	grep -nE '^(BUILD_EXCLUSIVE|REMAKE_INITRD|CLEAN)' "$1/dkms.conf" || true
}

ready 6.1 6.12
check dkms/conf dkms_conf "$TREE"
for kernel in 6.1 6.12; do
	check "dkms/$kernel" dkms_cycle "$kernel" "$(planted "dkms-$kernel")"
done

tree=$(planted dkms-left)
echo 'POST_INSTALL="left"' >>"$tree/dkms.conf"
printf '#!/bin/sh\n: >/usr/lib/modules/left\n' >"$tree/left"
chmod +x "$tree/left"
check dkms/sees-left sees 'not as before: /usr/lib/modules/left' dkms_cycle 6.12 "$tree"

# Only where another kernel runs is it seen.
kernel=6.12
[ "$(uname -r)" != "$(cat "$(kernel_fetch 6.12)/release")" ] || kernel=6.1
tree=$(planted dkms-running)
sed -i 's/KDIR=[^ ]*//' "$tree/dkms.conf"
check dkms/sees-the-running-kernel sees 'error: dkms build failed' \
	dkms_cycle "$kernel" "$tree"
tree=$(planted dkms-version)
sed -i 's/^PACKAGE_VERSION=.*/PACKAGE_VERSION="0.9"/' "$tree/dkms.conf"
check dkms/sees-version sees 'abi.h has another version' dkms_conf "$tree"
