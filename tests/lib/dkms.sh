# shellcheck shell=bash
# A machine with dkms and apt of its own, on which the module is installed, a second
# kernel's headers come, and all of it goes again. It is a root of tests/lib/root.sh
# for which this is tried: nothing of it stays.

# dkms_root KERNEL: the machine whose headers are that kernel's.
dkms_root() { echo "machine-$(kernel_field "$1" 2)"; }

# What the second kernel is: one with fewer options, and the newest.
dkms_packages()
{
	local second=7.3 packages

	case $1 in
	6.1)
		echo bookworm "linux-headers-$(sed 's/-amd64$/-cloud&/' "$(kernel_fetch 6.1)/release")" ;;
	6.12)
		set -- "$(kernel_field $second 2)" "$(kernel_newest $second)" amd64
		apt_open "$1"
		packages=$(apt_answer "$1" kernel_packages "$@")
		echo "$1" "$(grep -- '-\(headers\|kbuild\|base\)-' <<<"$packages" | xargs)" ;;
	esac
}

# On the machine. What is not as it should be is a line on file descriptor 3.
# shellcheck disable=SC2016 # for the shell there
DKMS_MACHINE='
unset KDIR
export DEBIAN_FRONTEND=noninteractive
release=$(cat /kernel/release)
modules=/usr/lib/modules/$release
complain() { echo "$*" >&3; }

# Headers are here; image and modules are those that the guest will boot.
build=$(readlink $modules/build)
mkdir /tmp/upper /tmp/work
mount -t overlay -o lowerdir=/kernel$modules,upperdir=/tmp/upper,workdir=/tmp/work overlay $modules
ln -s $build $modules/build

depmod $release

# files: all there are, but for what dpkg and apt keep for themselves.
files()
{
	find / $modules -xdev \( -path /tmp -o -path /src -o -path /kernel -o -path /proc \
		-o -path "/var/*/apt" -o -path /var/lib/dpkg -o -path /var/cache/debconf -o -path /var/log \
		\) -prune -o -print | sort
}
files >/tmp/before

# moved PACKAGE...: they came, or will go: their files are no business of ours.
moved() { dpkg -L "$@" | sed "s,^/lib/,/usr/lib/," >>/tmp/allowed; }

# left: what is there now and was not, or the other way round. The key to sign with
# stays, for other modules.
left()
{
	printf "%s\n" /var/lib/dkms/mok.key /var/lib/dkms/mok.pub >>/tmp/allowed
	files | diff /tmp/before - | sed -n "s/^[<>] //p" | grep -vxFf /tmp/allowed |
		while read -r file; do complain "not as before: $file"; done
	[ -z "$(dkms status)" ] || complain "dkms knows: $(dkms status)"
}

# installed KERNEL: what is to be known of the module for it, in a line.
installed()
{
	for field in version vermagic signer declines; do
		echo $field $(modinfo -F $field /usr/lib/modules/$1/updates/dkms/svcrdma_lag.ko* | cut -d" " -f1)
	done | xargs
}
version=$(sed -n "s/^PACKAGE_VERSION=\"\(.*\)\"/\1/p" dkms.conf)
wanted() { [ "$1" = "$2" ] || complain "wanted: $2, got: $1"; }
dkms_install() { make dkms-install KERNELVER=$release || complain "make dkms-install ended with status $?"; }
dkms_uninstall() { make dkms-uninstall || complain "make dkms-uninstall ended with status $?"; }
'

# From nothing to nothing.
# shellcheck disable=SC2016 # for the shell there
DKMS_CYCLE='
dkms_install
wanted "$(installed $release)" "version $version vermagic $release signer DKMS declines"
# For a guest: what is to be found at installing, and a module that declines.
cp -a /tmp/upper /src/modules
mkdir /src/declines
cp -r /usr/src/svcrdma_lag-*/. /src/declines
make -C $modules/build M=/src/declines SVLAG_DECLINE=yes SVLAG_LACKING=CONFIG_KPROBES modules

# apt, as anybody has it: what it installs dkms builds for.
apt-get install -y /src/debs/*.deb || complain "apt-get install ended with status $?"
dpkg --audit | sed "/^ /!d; s/^/half configured:/" >&3
second=$(ls /usr/lib/modules | grep -v "^$release\$")
[ -n "$second" ] || complain "no second kernel came"
moved $(ls /src/debs | cut -d_ -f1)
find /usr/lib/modules/$second -name "modules.*" >>/tmp/allowed
wanted "$(installed $second)" "version $version vermagic $second signer DKMS declines"
'

# Once more with other sources, for both kernels, where there is neither a key nor what
# makes one.
# shellcheck disable=SC2016 # for the shell there
DKMS_AGAIN='
moved openssl
apt-get remove -y openssl
rm /var/lib/dkms/mok.*
echo "svcrdma_lag-y := module/decline.o" >>Kbuild
dkms_install 2>&1 | tee /tmp/said
grep -q "^svcrdma_lag: not signed, " /tmp/said || complain "not a word about the missing signature"
wanted "$(installed $release)" "version $version vermagic $release signer declines version"
wanted "$(installed $second)" "version $version vermagic $second signer declines version"
'

# Or somebody takes the sources away, and dkms can no longer remove what it built.
# shellcheck disable=SC2016 # for the shell there
DKMS_BROKEN='
rm -r /usr/src/svcrdma_lag-$version
! dkms remove svcrdma_lag/$version --all || complain "dkms has changed: it did remove it"
'

# shellcheck disable=SC2016 # for the shell there
DKMS_END='
dkms_uninstall
left
dkms_uninstall
'

# dkms_machine KERNEL DIR SCRIPT: on KERNEL's machine, with the tree in DIR. Complaints
# on stdout, all words in DIR/build.log.
dkms_machine()
{
	local suite packages files root kernel

	kernel=$(kernel_fetch "$1")
	root=$(root_get "$(dkms_root "$1")")
	read -r suite packages <<<"$(dkms_packages "$1")"
	apt_open "$suite"
	# shellcheck disable=SC2086 # a list
	{
		files=$(apt_files "$suite" download $packages)
		apt_fetch "$suite" download $packages
	}
	mkdir "$2/debs"
	cut -d' ' -f1 <<<"$files" | ( cd "$CACHE/debs" && xargs cp -t "$2/debs" )
	root_try "$root" "$2" "$kernel" "exec 3>/src/complaints; $DKMS_MACHINE $3" \
		>"$2/build.log" 2>&1 || echo "the machine stopped: $(tail -n1 "$2/build.log")"
	cat "$2/complaints"
}

# dkms_item KERNEL TREE: prints a directory with
#   modules/    what dkms has put into /lib/modules of KERNEL
#   declines/   with a svcrdma_lag.ko for it that declines
# of a cycle without any complaint; else these are on stderr.
dkms_item()
{
	local key script

	case $1 in
	6.1) script=$DKMS_CYCLE$DKMS_AGAIN$DKMS_END ;;
	6.12) script=$DKMS_CYCLE$DKMS_BROKEN$DKMS_END ;;
	esac
	# shellcheck disable=SC2086 # a list
	key=$(hash_of "$(source_hash "$2" $DKMS_SOURCES)" "$(kernel_fetch "$1")" \
		"$(root_get "$(dkms_root "$1")")" "$(dkms_packages "$1")" "$DKMS_MACHINE $script" \
		"$(declare -f root_in)")
	cache_item "dkms/$1" "$key" dkms_item_make "$1" "$2" "$script"
}

readonly DKMS_SOURCES="Kbuild Makefile dkms.conf include module tools/dkms.sh"

dkms_item_make()
{
	local complaints

	say "a machine with DKMS for $2"
	# shellcheck disable=SC2086 # a list
	source_copy "$3" "$1" $DKMS_SOURCES
	complaints=$(dkms_machine "$2" "$1" "$4")
	rm -rf "$1/debs"
	[ -z "$complaints" ] || { printf '%s\n' "$complaints" >&2; return 1; }
}
