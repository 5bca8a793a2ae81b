# shellcheck shell=bash
# Root directories made of Debian packages: one to compile in for each suite, one
# that is a machine with dpkg, apt and dkms for each, one for the guests, one for
# QEMU. A line of the table a root, its packages below.

ROOTS='
# name            suite
build-bookworm    bookworm
build-trixie      trixie
build-arm64       trixie
build-arm64-12    bookworm
build-bpf         trixie
machine-bookworm  bookworm
machine-trixie    trixie
guest             trixie
guest-arm64       trixie@arm64
qemu              trixie
qemu-arm64        trixie
'

# What any root needs to run a script; the first is unpacked first.
readonly ROOT_BASE="base-files base-passwd bash coreutils dash debianutils diffutils findutils
	grep gzip hostname libc-bin mawk perl-base sed tar xz-utils"

# What else is essential, the newest headers, and dkms, which signs where openssl is.
readonly ROOT_MACHINE="apt bsdutils dpkg init-system-helpers login mount ncurses-base
	ncurses-bin sysvinit-utils util-linux dkms openssl linux-headers-amd64"

root_packages()
{
	echo "$ROOT_BASE"
	case $1 in
	# pahole for the modules' BTF, perl for W=1 and checkpatch, mount for /proc, and
	# what tests/build looks at the tree with. The reader is built with libbpf in one of
	# them, and without in the other.
	build-bookworm)
		echo gcc-12 libc6-dev libelf1 make kmod mount pahole perl sparse ;;
	build-trixie)
		echo gcc-14 libc6-dev libelf1t64 make kmod mount pahole perl sparse \
			mandoc shellcheck libbpf-dev pkgconf ;;
	build-arm64)
		echo gcc-14 gcc-14-aarch64-linux-gnu libc6-dev libc6-dev-arm64-cross libelf1t64 \
			make kmod mount pahole perl sparse ;;
	build-arm64-12)
		echo gcc-12 gcc-12-aarch64-linux-gnu libc6-dev libc6-dev-arm64-cross libelf1 \
			make kmod mount pahole perl sparse ;;
	build-bpf)
		echo gcc-bpf libbpf-dev linux-libc-dev ;;
	machine-bookworm)
		echo "$ROOT_MACHINE" ;;
	# And what newer kernels' headers want.
	machine-trixie)
		echo "$ROOT_MACHINE gcc-14-for-host" ;;
	guest | guest-arm64)
		echo nfs-kernel-server nfs-common rpcbind netbase iproute2 ethtool \
			rdma-core ibverbs-providers fio bpftrace bpftool kmod mount util-linux \
			procps psmisc less ncurses-base perl ;;
	# Bookworm's 7.2 translates code without locking its page: while functions are
	# patched, an emulated CPU may keep a breakpoint that is long gone ("Oops: int3").
	qemu)
		echo qemu-system-x86 ;;
	qemu-arm64)
		echo qemu-system-arm ;;
	*)
		die "no root called $1" ;;
	esac
}

# root_get NAME: prints the directory.
root_get()
{
	local suite files packages

	suite=$(awk -v n="$1" '$1 == n { print $2 }' <<<"$ROOTS")
	[ -n "$suite" ] || die "no root called $1"
	apt_open "$suite"
	read -ra packages <<<"$(root_packages "$1" | tr -s '\n\t' ' ')"
	files=$(apt_files "$suite" install "${packages[@]}")
	# fio asks for an interpreter for scripts of its own that we do not run.
	files=$(grep -v '^\(lib\)\?python3' <<<"$files")
	cache_item "root/$1" "$(hash_of "$files" \
		"$(declare -f root_make root_settle root_configure apt_unpack_one)")" \
		root_make "$1" "$suite" "$files" "${packages[@]}"
}

root_make()
{
	local dir=$1 name=$2 suite=$3 files

	say "making the $name root: downloading"
	apt_fetch "$suite" install "${@:5}"
	say "making the $name root: unpacking $(wc -l <<<"$4") packages"
	mapfile -t files < <(cut -d' ' -f1 <<<"$4" | sort -t_ -k1,1 |
		awk '/^base-files_/ { print; next } { rest = rest $0 "\n" } END { printf "%s", rest }')
	# Bookworm's packages do not lay these out themselves.
	mkdir -p "$dir"/usr/{bin,sbin,lib,lib64}
	ln -s usr/{bin,sbin,lib,lib64} "$dir"
	apt_unpack "$dir" "${files[@]}"
	root_settle "$dir"
	[[ $name != machine-* ]] || root_configure "$dir" "${files[@]}"
}

# root_configure DIR FILE...: unpacked once more, by its own dpkg, and configured.
root_configure()
{
	say "making a machine of it: $((${#@} - 1)) packages to configure"
	mkdir "$1/tmp/empty"
	: >"$1/var/lib/dpkg/status"
	# What there is needs no order, and what unpacks first no scripts of others.
	quietly root_in writable "$1" "$1/tmp/empty" "$CACHE/debs" "
		export DEBIAN_FRONTEND=noninteractive
		cd /kernel
		dpkg --force-all --force-unsafe-io --unpack ${*:2}
		dpkg --force-unsafe-io --configure --pending
		[ -z \"\$(dpkg --audit)\" ]" ||
		die_infra "dpkg could not configure its packages (above)"
	rmdir "$1/tmp/empty"
}

# The little of the maintainer scripts' work that is missed.
root_settle()
{
	local dir=$1 cc

	cp "$dir/usr/share/base-passwd/passwd.master" "$dir/etc/passwd"
	cp "$dir/usr/share/base-passwd/group.master" "$dir/etc/group"
	echo "_rpc:x:101:65534::/run/rpcbind:/usr/sbin/nologin" >>"$dir/etc/passwd"
	echo "statd:x:102:65534::/var/lib/nfs:/usr/sbin/nologin" >>"$dir/etc/passwd"
	printf '%s\n' "passwd: files" "group: files" "hosts: files" "protocols: files" \
		"services: files" "rpc: files" >"$dir/etc/nsswitch.conf"
	printf '127.0.0.1 localhost guest\n' >"$dir/etc/hosts"
	ln -sf mawk "$dir/usr/bin/awk"
	[ -e "$dir/usr/bin/sh" ] || ln -s dash "$dir/usr/bin/sh"
	for cc in "$dir"/usr/bin/gcc-[0-9]*; do
		[ -e "$cc" ] || continue
		ln -sf "$(basename "$cc")" "$dir/usr/bin/gcc"
		ln -sf gcc "$dir/usr/bin/cc"
	done
	mkdir -p "$dir"/{proc,sys,dev,run,tmp,src,kernel,tree,job,mnt,srv,usr/lib/modules,var/lib/nfs/v4recovery}
	touch "$dir"/var/lib/nfs/{etab,rmtab,state}
}

# root_run DIR SRC KERNEL SCRIPT: runs SCRIPT by sh in root DIR, with SRC at
# /src (writable) and the kernel's files at /kernel. The mounts live in a mount
# namespace of their own and are gone with the last process, however it ends.
root_run() { root_in locked "$@"; }

# The same, but SCRIPT may write where it likes: it is gone with it.
root_try() { root_in covered "$@"; }

# root_in locked|covered|writable DIR SRC KERNEL SCRIPT
root_in()
{
	unshare --mount --propagation private --fork --pid true 2>/dev/null ||
		die_infra "mounts and processes of our own are not allowed here (a container?)"
	# shellcheck disable=SC2016
	unshare --mount --propagation private --fork --pid --kill-child sh -ec '
		how=$1
		shift
		mount --bind "$1" "$1"
		case $how in
		locked)
			mount -o remount,bind,ro "$1" ;;
		covered)
			mount -t tmpfs tmpfs "$1/mnt"
			mkdir "$1/mnt/upper" "$1/mnt/work"
			mount -t overlay -o "lowerdir=$1,upperdir=$1/mnt/upper,workdir=$1/mnt/work" \
				overlay "$1" ;;
		esac
		mount --bind "$2" "$1/src"
		mount --bind "$3" "$1/kernel"
		mount -t proc proc "$1/proc"
		mount -t tmpfs tmpfs "$1/tmp"
		mount -t tmpfs tmpfs "$1/dev"
		for n in null zero full random urandom; do
			: >"$1/dev/$n"; mount --bind "/dev/$n" "$1/dev/$n"
		done
		ln -s /proc/self/fd "$1/dev/fd"
		exec chroot "$1" /usr/bin/env -i HOME=/tmp LC_ALL=C.UTF-8 \
			PATH=/usr/bin:/usr/sbin MAKEFLAGS="-j$(nproc)" KDIR=/kernel/build \
			sh -ec "cd /src; $4"
	' sh "$@" </dev/null
}
