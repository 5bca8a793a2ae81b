# shellcheck shell=bash
# What the tests need of the host itself. Only Debian packages are installed,
# and each is named with its reason first.

# host_needs "COMMAND PACKAGE REASON"...: installs the package where the command
# (or, with a slash, the file) is missing.
host_needs()
{
	local want command package reason missing=()

	for want in "$@"; do
		read -r command package reason <<<"$want"
		if [[ $command = */* ]]; then
			[ ! -e "$command" ] || continue
		elif command -v "$command" >/dev/null; then
			continue
		fi
		say "the host lacks $package ($reason)"
		missing+=("$package")
	done
	[ "${#missing[@]}" = 0 ] || host_install "${missing[@]}"
}

host_install()
{
	local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -y
		-o DPkg::Lock::Timeout=600 -o Acquire::Retries=3)

	[ "$(id -u)" = 0 ] || die_infra "root is needed to install packages: use sudo"
	command -v apt-get >/dev/null || die_infra "no apt-get here: the tests want Debian 12 or 13"
	say "installing: $*"
	quietly "${apt[@]}" install --no-install-recommends "$@" 2>/dev/null || {
		quietly "${apt[@]}" update &&
			quietly "${apt[@]}" install --no-install-recommends "$@"
	} || die_infra "could not install: $*"
}

# A fresh machine may never have asked for its package lists; they also tell us
# which mirror to use.
host_lists()
{
	[ -n "$(apt-get indextargets 2>/dev/null | head -n1)" ] ||
		quietly apt-get update || die_infra "apt-get update failed"
}

# What the cache needs to be filled.
host_needs_for_cache()
{
	host_lists
	host_needs "git git to tell the tree's own files" \
		"depmod kmod to prepare a kernel's modules for the guest" \
		"xz xz-utils to unpack modules" \
		"cpio cpio to pack the guest's initrd" \
		"mke2fs e2fsprogs to make the guest's disk" \
		"dpkg-deb dpkg to unpack packages"
}
