# shellcheck shell=bash
# One guest: its directory, its QEMU, and what became of it.
#
# A guest's directory holds
#   job/          shared with the guest, which runs job/script
#   console.log   the kernel's console
#   verdict.log   what the job said, and its verdict

# Nothing here ever means that a case passed.
readonly VM_LEAK='Objects remaining|still has objects'
readonly VM_RED='Kernel panic|BUG:|WARNING:|Oops|Call Trace'

# What a guest needs built. A person's guest gets what can be built.
# shellcheck disable=SC2016 # for the shell there
VM_ARTEFACTS='make KDIR=$KDIR module tool
make -C $KDIR M=/src/tests/kmod modules
make -C $KDIR M=/src/tests/vm/selftest modules'

# vm_tree KERNEL DIR: makes DIR the tree under test as it is at this moment, with
# what is built from it in place.
vm_tree()
{
	local built

	source_copy "$TOP" "$2"
	[ -z "${VM_NOBUILD:-}" ] || return 0
	built=$(kernel_build_sh "$1" "$2" "${VM_LENIENT:+set +e; }$VM_ARTEFACTS")
	[ -z "${VM_LENIENT:-}" ] || grep -iE '\<error\>|warning' "$built/build.log" >&2 || true
	( cd "$built" && find . -name '*.ko' -o -path ./tools/svcrdma-lag ) |
		tar -C "$built" -cf - -T - | tar -C "$2" -xf -
}

# vm_qemu DIR KERNEL TREE: sets the array QEMU, but for the serial ports.
# VM_MEM, VM_CPUS, VM_APPEND, VM_ICOUNT come from the case's header.
vm_qemu()
{
	local dir=$1 kernel disk initrd arch qemu lib accel=tcg,thread=multi cpus=${VM_CPUS:-2}
	local append khz console=ttyS0 machine=(x86_64 -cpu max)

	arch=$(kernel_arch "$2")
	kernel=$(kernel_fetch "$2")
	disk=$(vm_disk "$2")
	initrd=$(vm_initrd "$2")
	# A /dev/kvm that is there may hang the machine: only on demand.
	[ "${VM_ACCEL:-tcg}" = tcg ] || accel=$VM_ACCEL
	# Exact instruction counts want one thread.
	[ -z "${VM_ICOUNT:-}" ] || { accel=tcg,thread=single; cpus=${VM_CPUS:-1}; }

	# The verdict's port: the second one, or where a machine has only one, one more.
	VM_PORT=(-serial chardev:verdict)
	# QEMU of a root of ours, with the libraries and modules it was built with.
	qemu=$(root_get "$(vm_qemu_root "$2")")
	if [ "$arch" = arm64 ]; then
		console=ttyAMA0
		machine=(aarch64 -M virt -cpu cortex-a72)
		# shellcheck disable=SC2054 # the comma is QEMU's
		VM_PORT=(-device pci-serial,chardev=verdict)
	fi

	# A host that stalls must not read as a failure of the module; a warning must.
	append="console=$console panic=-1 oops=panic panic_on_warn=1 slab_nomerge"
	append+=" rcupdate.rcu_cpu_stall_timeout=120 nosoftlockup"
	# Nor a TSC that a busy host makes look unstable, nor one that was calibrated
	# while the guest was kept waiting; under icount it counts nanoseconds.
	khz=1000000
	[ -n "${VM_ICOUNT:-}" ] || khz=$(vm_tsc_khz)
	append+=" tsc=reliable tsc_early_khz=$khz ${VM_APPEND:-}"

	lib=usr/lib/x86_64-linux-gnu
	QEMU=(env "QEMU_MODULE_DIR=$qemu/$lib/qemu" "$qemu/$lib/ld-linux-x86-64.so.2"
		--argv0 "qemu-system-${machine[0]}" --library-path "$qemu/$lib"
		"$qemu/usr/bin/qemu-system-${machine[0]}"
		-L "$qemu/usr/share/qemu" -L "$qemu/usr/share/seabios" "${machine[@]:1}"
		-accel "$accel" -smp "$cpus" -m "${VM_MEM:-2048}"
		-nodefaults -no-user-config -no-reboot -display none
		-kernel "$kernel/vmlinuz" -initrd "$initrd" -append "$append"
		-drive "if=virtio,format=raw,snapshot=on,file=$disk"
		-virtfs "local,mount_tag=modules,security_model=none,readonly=on,path=$kernel/usr/lib/modules"
		-virtfs "local,mount_tag=tree,security_model=none,readonly=on,path=$3"
		-virtfs "local,mount_tag=job,security_model=none,path=$dir/job")
	[ -z "${VM_ICOUNT:-}" ] || QEMU+=(-icount "shift=0,sleep=off")
	# shellcheck disable=SC2206 # words; of options given twice QEMU takes the last
	QEMU+=(${VM_QEMU:-})
}

# vm_directory NAME: a new directory for guests; old ones are cleared away.
vm_directory()
{
	mkdir -p "$CACHE/guests"
	find "$CACHE/guests" -mindepth 1 -maxdepth 1 -mtime +3 -exec rm -rf {} +
	mktemp -d "$CACHE/guests/$1-$(date +%m%d-%H%M%S)-XXXX"
}

# vm_run DIR SECONDS [follow]: boots the guest of vm_qemu and waits for its end,
# passing on what the job says. QEMU's own exit status says nothing.
vm_run()
{
	local dir=$1 qemu tail=

	# The verdict is written before the guest has begun.
	echo "verdict: FAILED, the guest said nothing" >"$dir/verdict.log"
	# However this shell ends, its guest ends with it.
	setpriv --pdeathsig KILL "${QEMU[@]}" \
		-chardev "file,id=console,path=$dir/console.log" -serial chardev:console \
		-chardev "file,id=verdict,path=$dir/verdict.log,append=on" "${VM_PORT[@]}" \
		</dev/null >"$dir/qemu.log" 2>&1 &
	qemu=$!
	if [ -n "${3:-}" ]; then
		vm_watch_boot "$dir" "$qemu"
		tail -n +2 -F --pid="$qemu" "$dir/verdict.log" 2>/dev/null &
		tail=$!
	fi
	vm_wait "$dir" "$qemu" "$2"
	[ -z "$tail" ] || wait "$tail" || true
}

# Says how far the kernel is, until the job has said something itself.
vm_watch_boot()
{
	local at said=

	while kill -0 "$2" 2>/dev/null && [ "$(wc -l <"$1/verdict.log")" = 1 ]; do
		sleep 1
		at=$(sed -n 's/^\[ *\([0-9]*\)\..*/\1/p' "$1/console.log" 2>/dev/null | tail -n1)
		[ "${at:-0}" = "${said:-0}" ] || say "  the guest's kernel is at $at s"
		said=$at
	done
}

vm_wait()
{
	local end=$((SECONDS + $3))

	while kill -0 "$2" 2>/dev/null; do
		if [ "$SECONDS" -ge "$end" ]; then
			echo "still running after $3 s" >"$1/timeout"
			kill -9 "$2"
			break
		fi
		sleep 0.3
	done
	wait "$2" 2>/dev/null || true
}

# vm_died_of_qemu DIR: it tells of the emulation alone. The kernel died before its job
# had begun; or of an int3 that is not there: QEMU now and then runs one that the
# kernel has patched away, and the byte before the one at RIP, in <>, is then no cc.
vm_died_of_qemu()
{
	[ -e "$1/job/begun" ] || return 0
	grep -aA20 -m1 'Oops: int3' "$1/console.log" | grep -a -m1 'Code: ' | grep -qv 'cc <'
}

# vm_judge DIR: one word and why; succeeds for "passed" alone. The verdict must
# say so, and the console must be clean, and the guest must have powered off.
vm_judge()
{
	local verdict red

	verdict=$(tail -n1 "$1/verdict.log")
	red=$(grep -aEm1 "$VM_RED" "$1/console.log" 2>/dev/null || true)
	if [ ! -s "$1/console.log" ]; then
		echo "noboot: $(tail -n1 "$1/qemu.log")"
	elif grep -aqE "$VM_LEAK" "$1/console.log"; then
		echo "leak: $(grep -aEm1 "$VM_LEAK" "$1/console.log")"
	elif grep -aq 'Kernel panic' "$1/console.log"; then
		echo "crash: $red"
	elif [ -e "$1/timeout" ]; then
		echo "hang: $(cat "$1/timeout")"
	elif [ -n "$red" ]; then
		echo "warn: $red"
	elif ! grep -aq 'reboot: Power down' "$1/console.log"; then
		echo "crash: the guest did not power off"
	elif [[ $verdict = "verdict: passed"* || $verdict = "verdict: exit 0" ]]; then
		echo "passed: ${verdict#verdict: }"
		return 0
	else
		echo "failed: ${verdict#verdict: }"
	fi
	return 1
}
