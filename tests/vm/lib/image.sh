# shellcheck shell=bash
# What a guest boots from, besides its kernel: a disk with the userland, and a
# small initrd that reaches it.

readonly VM_INITRD_MODULES="virtio_pci virtio_blk ext4 9p 9pnet_virtio"

# vm_userland KERNEL: the root that its guests run.
vm_userland() { vm_root guest "$1"; }
vm_qemu_root() { vm_root qemu "$1"; }
vm_root() { [ "$(kernel_arch "$2")" = amd64 ] && echo "$1" || echo "$1-$(kernel_arch "$2")"; }

# vm_disk KERNEL: prints the file. Every guest starts from it with snapshot=on.
vm_disk()
{
	local userland root

	userland=$(vm_userland "$1")
	root=$(root_get "$userland")
	printf '%s/disk.img\n' \
		"$(cache_item "image/$userland" "$(hash_of "$root" "$(declare -f vm_disk_make)")" \
			vm_disk_make "$root")"
}

vm_disk_make()
{
	local mb

	say "making the guest's disk"
	# mke2fs -d copies whatever is mounted below, too: nothing may be.
	! grep -F " $2/" /proc/self/mounts || die_infra "something is mounted below $2"
	mb=$(du -sm "$2" | cut -f1)
	quietly mke2fs -q -t ext4 -O ^has_journal -m 0 -d "$2" "$1/disk.img" $((mb * 5 / 4 + 400))M ||
		die_infra "mke2fs failed (disk full?)"
}

# vm_suite ARCHITECTURE: where a guest's userland is from.
vm_suite() { [ "$1" = amd64 ] && echo trixie || echo "trixie@$1"; }

# vm_initrd KERNEL: prints the file.
vm_initrd()
{
	local kernel arch busybox

	kernel=$(kernel_fetch "$1")
	arch=$(kernel_arch "$1")
	busybox=$(apt_files "$(vm_suite "$arch")" download busybox-static)
	printf '%s/initrd\n' \
		"$(cache_item "image/initrd-$1" \
			"$(hash_of "$kernel" "$busybox" "$(cat "$TOP/tests/vm/guest/initrd-init")" \
				"$(declare -f vm_initrd_make)")" \
			vm_initrd_make "$kernel" "$busybox" "$arch")"
}

vm_initrd_make()
{
	local dir=$1 kernel=$2 root=$1/root module modules

	mkdir -p "$root"/{bin,modules,proc,dev,root}
	apt_fetch "$(vm_suite "$4")" download busybox-static
	dpkg-deb -x "$CACHE/debs/${3%% *}" "$dir/busybox"
	cp "$dir/busybox/usr/bin/busybox" "$root/bin/"
	cp "$TOP/tests/vm/guest/initrd-init" "$root/init"
	chmod 755 "$root/init"
	# shellcheck disable=SC2086 # a list
	modules=$(kernel_module_files "$kernel" $VM_INITRD_MODULES)
	for module in $modules; do
		cp "$module" "$root/modules/"
		basename "$module" >>"$root/modules/order"
	done
	( cd "$root" && find . | cpio -o -H newc >"$dir/initrd" ) 2>/dev/null
	rm -rf "$root" "$dir/busybox"
}

# vm_tsc_khz: prints the frequency of the host's TSC, measured once a boot.
vm_tsc_khz()
{
	cat "$(cache_item image/tsc \
		"$(hash_of "$(cat /proc/sys/kernel/random/boot_id "$TOP/tests/vm/lib/tsc.c")")" \
		vm_tsc_make)/khz"
}

vm_tsc_make()
{
	cp "$TOP/tests/vm/lib/tsc.c" "$1/"
	root_run "$(root_get build-trixie)" "$1" "$1" "gcc -O2 -static -o tsc tsc.c"
	"$1/tsc" >"$1/khz"
}

# vm_prepare KERNEL: all that a guest of KERNEL needs besides the tree, side by
# side: one thing is unpacked while the next is downloaded.
vm_prepare()
{
	local pid pids=() rc=0

	apt_open "$(vm_suite "$(kernel_arch "$1")")"
	( kernel_fetch "$1" >/dev/null ) & pids+=($!)
	( root_get "$(kernel_field "$1" 4)" >/dev/null ) & pids+=($!)
	( vm_disk "$1" >/dev/null ) & pids+=($!)
	( root_get "$(vm_qemu_root "$1")" >/dev/null ) & pids+=($!)
	for pid in "${pids[@]}"; do
		wait "$pid" || rc=$?
	done
	[ "$rc" = 0 ] || exit "$rc"
	vm_initrd "$1" >/dev/null
	vm_tsc_khz >/dev/null
}
