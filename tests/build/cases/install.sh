# shellcheck shell=bash
# What make leaves in the tree, what install leaves on the machine, and that both
# are gone after clean and uninstall.
# shellcheck disable=SC2016,SC2153 # scripts are for the shell there; TREE is of tests/build/run

# at_work DIR SCRIPT [KERNEL]: SCRIPT in DIR/tree, in the build root of KERNEL.
# DIR/dest is at /src/dest.
at_work() { built_in "${3:-6.12}" "$1" "cd tree; $2"; }

git_says() { git -c safe.directory='*' -C "$1/tree" "${@:2}"; }

# work NAME: a copy of the tree as a fresh clone.
work()
{
	local dir=$SCRATCH/install/$1

	mkdir -p "$dir/dest"
	source_copy "$TREE" "$dir/tree"
	git_says "$dir" init -q
	git_says "$dir" add -A
	git_says "$dir" -c user.name=t -c user.email=t@localhost commit -qm t
	echo "$dir"
}

# make_all DIR
make_all()
{
	at_work "$1" 'make KDIR=$KDIR'
	git_says "$1" status --porcelain
}

# make_install DIR
make_install()
{
	at_work "$1" 'make KDIR=$KDIR DESTDIR=/src/dest install'
	diff - <(cd "$1/dest" && find . -type f -printf '%m %P\n' | sort -k2) <<-EOF |
	644 lib/modules/$(cat "$(kernel_fetch 6.12)/release")/updates/svcrdma_lag.ko.xz
	755 usr/local/sbin/svcrdma-lag
	644 usr/local/share/man/man8/svcrdma-lag.8
	EOF
		sed -n 's/^</missing:/p; s/^>/not expected:/p'
	git_says "$1" status --porcelain
}

# make_uninstall DIR
make_uninstall()
{
	at_work "$1" 'make DESTDIR=/src/dest uninstall'
	( cd "$1/dest" && find . ! -type d -printf 'left: %P\n' )
}

# make_clean DIR
make_clean()
{
	at_work "$1" 'make clean'
	git_says "$1" status --porcelain --ignored
}

# On the machine itself, modprobe finds it after install, and not after uninstall.
# real_install DIR KERNEL
real_install()
{
	at_work "$1" '
		mount -t tmpfs none /usr/lib/modules
		release=$(cat /kernel/release)
		mkdir /usr/lib/modules/$release
		cp /kernel/lib/modules/$release/modules.* /usr/lib/modules/$release
		ln -s /kernel/build /usr/lib/modules/$release/build
		export PREFIX=/tmp/usr KDIR=/lib/modules/$release/build
		try() { modprobe -n -S $release svcrdma_lag; }
		make
		! try || { echo "error: found before it was installed"; exit 1; }
		make install
		try || { echo "error: not found by modprobe after install"; exit 1; }
		make uninstall
		! try || { echo "error: found by modprobe after uninstall"; exit 1; }' "$2"
	grep -E 'SSL error|sign-file' "$1/build.log" || true
}

ready 6.1 6.12
dir=$(work plain)
check install/make make_all "$dir"
check install/install make_install "$dir"
check install/real-6.12 real_install "$dir" 6.12
planted=$SCRATCH/install/planted
cp -a "$dir" "$planted"
check install/uninstall make_uninstall "$dir"
check install/clean make_clean "$dir"

# 6.1 would put it elsewhere.
dir=$(work oldest)
check install/real-6.1 real_install "$dir" 6.1
sed -i 's/depmod/: depmod/' "$dir/tree/Makefile"
check install/sees-no-depmod sees 'not found by modprobe' real_install "$dir" 6.1

sed -i 's/answers.h/answers/; s/^clean:.*/&\n\ttouch left-behind/' "$planted/tree/Makefile"
sed -i 's/^install:.*/&\n\ttouch $(DESTDIR)\/usr\/local\/more/' "$planted/tree/tools/Makefile"
git_says "$planted" -c user.name=t -c user.email=t@localhost commit -qam planted
check install/sees-more-installed sees 'not expected: 644 usr/local/more' make_install "$planted"
check install/sees-left-installed sees 'left: usr/local/more' make_uninstall "$planted"
check install/sees-left-in-the-tree sees '\?\? left-behind' make_clean "$planted"
check install/sees-left-and-ignored sees '!! module/compat/answers.h' \
	git_says "$planted" status --porcelain --ignored
