#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The module by DKMS: called by the Makefile, at the top of the tree.
#
#   dkms.sh sources DIR       lays out what dkms builds from, below DIR
#   dkms.sh check KERNEL      is there what "install" needs?
#   dkms.sh install KERNEL    installs it for KERNEL, in place of any version there was
#   dkms.sh uninstall         removes all versions, for all kernels
set -eu
umask 022

name=svcrdma_lag
version=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' dkms.conf)
where=/usr/src/$name-$version

refuse() { echo "$name: $*" >&2; exit 1; }

# What a build has made here stays here.
sources()
{
	mkdir -p "$1$where"
	find Kbuild Makefile dkms.conf include module \( -name '*.[ch]' -o -name '*.sh' \
		-o -type f ! -path '*/*' \) ! -name answers.h -exec cp --parents -t "$1$where" {} +
}

# What dkms has, also where it cannot say so because somebody took the sources away.
versions()
{
	for source in "/var/lib/dkms/$name"/*/source; do
		[ ! -h "$source" ] || basename "${source%/source}"
	done
}

# The kernels for which a version is installed, from all that dkms ever printed.
kernels()
{
	dkms status $name | tr -s '/:, ' ' ' | awk '$5 == "installed" { print $3 }' | sort -u
}

check()
{
	command -v dkms >/dev/null || refuse "dkms is not there: install it (Debian: apt install dkms)"
	[ "$(id -u)" = 0 ] || refuse "DKMS installs for root alone: sudo make dkms-install"
	[ "$(pwd -P)" != "$where" ] || refuse "this is the copy that DKMS has: call make dkms-install" \
		"where it came from"
	[ -e "/lib/modules/$1/build/Makefile" ] || refuse "no headers of kernel $1: install them" \
		"(Debian: apt install linux-headers-$1), or name another kernel with KERNELVER=..."
}

uninstall()
{
	if command -v dkms >/dev/null; then
		for old in $(versions); do
			dir=/usr/src/$name-$old
			# dkms removes nothing of which it has no dkms.conf.
			mkdir -p "$dir"
			[ -e "$dir/dkms.conf" ] ||
				sed "s/^PACKAGE_VERSION=.*/PACKAGE_VERSION=\"$old\"/" dkms.conf >"$dir/dkms.conf"
			dkms remove "$name/$old" --all
			rm -rf "$dir"
		done
	fi
	rm -rf "$where"
}

install()
{
	others=$(kernels | grep -vxF "$1" || true)
	uninstall
	trap 'exit 1' INT TERM
	trap 'uninstall; refuse "dkms failed (above): nothing of it was left behind"' EXIT
	sources ''
	dkms add "$name/$version"
	dkms install "$name/$version" -k "$1"
	trap - EXIT INT TERM
	for kernel in $others; do
		dkms install "$name/$version" -k "$kernel" ||
			echo "$name: no longer there for kernel $kernel, which had it" >&2
	done
	[ -n "$(find "/lib/modules/$1/" -name "$name.ko*" -exec modinfo -F signer {} +)" ] ||
		echo "$name: not signed, which dkms does where openssl is: under Secure Boot or" \
			"lockdown the kernel will refuse it" >&2
	echo "$name $version is installed for $1: modprobe $name"
}

"$@"
