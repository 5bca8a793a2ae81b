# shellcheck shell=bash
# Debian's kernels: image, modules and headers, unpacked side by side in one
# directory, and how to build a module for them. A line of the table a kernel;
# the newest that matches is taken, and none is pinned. The last column is the case
# of tests/matrix that its guest runs there.

KERNELS='
# name      suite                   image package, K in parentheses               root to build in   in the matrix
6.1         bookworm                linux-image-(6\.1\.0-[0-9]+)-amd64            build-bookworm     server
6.1-arm64   bookworm@arm64          linux-image-(6\.1\.0-[0-9]+)-arm64            build-arm64-12     stand-in
6.12-deb12  bookworm-backports      linux-image-(6\.12\.[0-9.]+\+deb12)-amd64     build-bookworm     server
6.12        trixie                  linux-image-(6\.12\.[0-9.]+\+deb13)-amd64     build-trixie       server
6.12-rt     trixie                  linux-image-(6\.12\.[0-9.]+\+deb13)-rt-amd64  build-trixie       server
6.12-arm64  trixie@arm64            linux-image-(6\.12\.[0-9.]+\+deb13)-arm64     build-arm64        server
7.2         trixie-backports        linux-image-(7\.2\.[0-9.]+\+deb13)-amd64      build-trixie       server
7.3         trixie-backports        linux-image-(7\.3\.[0-9.]+\+deb13)-amd64      build-trixie       server
7.3-arm64   trixie-backports@arm64  linux-image-(7\.3\.[0-9.]+\+deb13)-arm64      build-arm64        stand-in
'

# Modules that every guest loads: unpacked beforehand, since xz takes seconds
# under emulation.
readonly KERNEL_LAB_MODULES="virtio_pci virtio_blk ext4 9p 9pnet_virtio veth rdma_rxe
	sunrpc rpcrdma nfsd nfs nfsv4 nfsv3 rpcsec_gss_krb5 rdma_cm ib_umad rdma_ucm"

# kernel_arch NAME
kernel_arch() { apt_arch "$(kernel_field "$1" 2)"; }

kernel_names() { awk '/^[^#]/ { print $1 }' <<<"$KERNELS"; }

# kernel_field NAME N: column N of the table.
kernel_field()
{
	awk -v n="$1" -v f="$2" '$1 == n { print $f; found = 1 } END { exit !found }' \
		<<<"$KERNELS" || die "no kernel called $1; there are: $(kernel_names | xargs)"
}

# kernel_newest NAME: prints K of the newest image that has headers too; nothing if
# the mirror has none.
kernel_newest()
{
	local suite

	suite=$(kernel_field "$1" 2)
	apt_open "$suite"
	apt_answer "$suite" kernel_newest_ask "$suite" "$(kernel_field "$1" 3)"
}

kernel_newest_ask()
{
	local names flavour=${2##*)-} k

	names=$(apt_in "$1" apt-cache pkgnames linux-)
	sed -nE "s/^$2\$/\\1/p" <<<"$names" | sort -rV | while read -r k; do
		grep -qx "linux-headers-$k-$flavour" <<<"$names" || continue
		echo "$k"
		break
	done
}

# kernel_fetch NAME: prints a directory with
#   release   the kernel's own name, as uname -r has it (a file)
#   vmlinuz   build/ (for KDIR)   lib/modules/RELEASE/
kernel_fetch()
{
	local suite pattern newest packages files

	suite=$(kernel_field "$1" 2)
	pattern=$(kernel_field "$1" 3)
	newest=$(kernel_newest "$1")
	[ -n "$newest" ] || die_infra "no kernel like $pattern with headers in $suite"
	packages=$(apt_answer "$suite" kernel_packages "$suite" "$newest" "${pattern##*)-}")
	# shellcheck disable=SC2086 # a list
	files=$(apt_files "$suite" download $packages)
	cache_item "kernel/$1" "$(hash_of "$files" "$(declare -f kernel_make)" "$KERNEL_LAB_MODULES")" \
		kernel_make "$suite" "$files" "$packages"
}

# kernel_packages SUITE K FLAVOUR: the image and what belongs to it.
kernel_packages()
{
	local names package

	names=$(apt_in "$1" apt-cache pkgnames linux-)
	# Which of these exist depends on the series.
	for package in "image-$2-$3" "binary-$2-$3" "modules-$2-$3" "base-$2-$3" "headers-$2-$3" \
		"headers-$2-common" "headers-$2-common-rt" "kbuild-$2" "kbuild-${2%.*}"; do
		[[ $package != *-common-rt || $3 = rt-* ]] || continue
		! grep -Fx "linux-$package" <<<"$names" || true
	done | sed '/^linux-kbuild-/s/$/:amd64/'
}

kernel_make()
{
	local dir=$1 files release lib module

	say "kernel: downloading $(head -n1 <<<"$4")"
	# shellcheck disable=SC2086
	apt_fetch "$2" download $4
	say "kernel: unpacking"
	mapfile -t files < <(cut -d' ' -f1 <<<"$3")
	mkdir -p "$dir/usr/lib"
	ln -s usr/lib "$dir/lib"	# before usrmerge the image has lib/modules
	apt_unpack "$dir" "${files[@]}"

	lib=$(find "$dir/usr/lib/modules" -mindepth 1 -maxdepth 1)
	release=$(basename "$lib")
	printf '%s\n' "$release" >"$dir/release"
	# From 7.x on vmlinuz lies beside the modules.
	ln -s "$(cd "$dir" && find boot usr/lib/modules -name 'vmlinuz*' 2>/dev/null | head -n1)" "$dir/vmlinuz"
	ln -s "usr/src/linux-headers-$release" "$dir/build"
	sed -i 's,\([ =]\)/usr/src/,\1/kernel/usr/src/,' "$dir/build/Makefile"
	rm -f "$lib"/{build,source}

	# Sound, graphics and real network cards are most of the package, and no
	# guest has them.
	find "$lib/kernel/drivers" -mindepth 1 -maxdepth 1 -regextype posix-extended \
		! -regex '.*/(block|char|dax|dca|infiniband|md|net|nvme|virtio)' -exec rm -rf {} +
	rm -rf "$lib"/kernel/{sound,net/{wireless,mac80211,bluetooth},drivers/infiniband/hw}
	rm -rf "$lib"/kernel/drivers/net/{ethernet,wireless,usb,phy,can,wwan,hamradio}
	depmod -b "$dir" "$release"
	# shellcheck disable=SC2086 # a list
	kernel_module_files "$dir" $KERNEL_LAB_MODULES | sed -n '/\.xz$/p' | xargs -r xz -d
	depmod -b "$dir" "$release"
}

# kernel_module_files DIR MODULE...: the files to load, in order.
kernel_module_files()
{
	local dir=$1 release module

	release=$(cat "$dir/release")
	shift
	for module in "$@"; do
		modprobe -d "$dir" -S "$release" --show-depends "$module" 2>/dev/null
	done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }'
}

# kernel_sh NAME DIR SCRIPT: runs SCRIPT where NAME's modules are compiled, in
# DIR, with KDIR set.
kernel_sh()
{
	local root kernel

	root=$(root_get "$(kernel_field "$1" 4)")
	kernel=$(kernel_fetch "$1")
	root_run "$root" "$2" "$kernel" "$(kernel_cross "$1")$3"
}

# kernel_cross NAME: before a script there, where it is compiled for another machine.
# The headers of 6.1 name no compiler for that; the reader goes by CC.
kernel_cross()
{
	[ "$(kernel_arch "$1")" = arm64 ] || return 0
	echo "export CROSS_COMPILE=aarch64-linux-gnu- CC=\$(echo /usr/bin/aarch64-linux-gnu-gcc-[0-9]*);"
}

# The part of the tree that modules and reader are built from.
readonly KERNEL_SOURCES="Kbuild Makefile module include tools tests/kmod tests/vm/selftest"

# kernel_build NAME SRCDIR [make argument...]: "make KDIR=... module" (or the
# arguments given) in a copy of SRCDIR; prints the copy's directory.
kernel_build()
{
	local args=("${@:3}")

	[ $# -gt 2 ] || args=(module)
	kernel_build_sh "$1" "$2" "make KDIR=\$KDIR $(printf '%q ' "${args[@]}")"
}

# kernel_build_sh NAME SRCDIR SCRIPT: the same with a script, which finds the
# kernel in $KDIR. The copy has the compiler's words in build.log. Built once
# for the same sources, kernel and script.
kernel_build_sh()
{
	local kernel root key path paths=()

	for path in $KERNEL_SOURCES; do
		[ ! -e "$2/$path" ] || paths+=("$path")
	done
	kernel=$(kernel_fetch "$1")
	root=$(root_get "$(kernel_field "$1" 4)")
	key=$(hash_of "$(source_hash "$2" "${paths[@]}")" "$kernel" "$root" "$3" \
		"$(kernel_cross "$1")" "$(declare -f root_in)")
	cache_item "build/$1" "$key" kernel_build_make "$1" "$2" "$3" "${paths[@]}"
}

kernel_build_make()
{
	local dir=$1 name=$2 src=$3 script=$4

	say "building modules and reader for $name"
	source_copy "$src" "$dir" "${@:5}"
	kernel_sh "$name" "$dir" "$script" >"$dir/build.log" 2>&1 ||
		{ cat "$dir/build.log" >&2; return 1; }
	grep -i 'warning:' "$dir/build.log" >&2 || true
}
