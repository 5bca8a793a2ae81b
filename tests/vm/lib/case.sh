# shellcheck shell=bash
# Cases: their files, their headers, and running one.

# case_files [NAME...]: the scripts, as named; or all, those that may take longest
# first, so that the last ones end together.
case_files()
{
	local name file

	if [ $# = 0 ]; then
		for file in tests/vm/{cases,selftest}/*.sh; do
			printf '%s %s\n' "$(case_key "$file" timeout 300)" "$file"
		done | sort -srn -k1,1 | cut -d' ' -f2
		return
	fi
	for name in "$@"; do
		name=${name%.sh}
		file=tests/vm/cases/${name#cases/}.sh
		[ -e "$file" ] || file=tests/vm/selftest/${name#selftest/}.sh
		[ -e "$file" ] || die "no case $name in tests/vm/cases or tests/vm/selftest"
		printf '%s\n' "$file"
	done
}

# case_name FILE: as it is called in the results.
case_name()
{
	local name=${1#tests/vm/}

	name=${name#cases/}
	printf 'vm/%s\n' "${name%.sh}"
}

# case_key FILE KEY [DEFAULT]: from the header, which ends with the comments.
case_key()
{
	local value

	value=$(sed -n "/^[^#]/q; s/^# $2: *//p" "$1")
	printf '%s\n' "${value:-${3:-}}"
}

# case_prepare FILE...: what is shared is made before the first guest boots, so
# that all cases of a run see one tree.
case_prepare()
{
	local file kernel

	RUN=$(vm_directory run)
	for kernel in $(for file; do case_key "$file" kernel 6.12; done | sort -u); do
		vm_prepare "$kernel"
		vm_tree "$kernel" "$RUN/tree-$kernel"
	done
	for file; do
		kernel=$(case_key "$file" kernel 6.12)
		[ -z "$(case_key "$file" dkms)" ] || cp -a "$(dkms_item "$kernel" "$TOP")" "$RUN/tree-$kernel/dkms"
	done
}

case_cleanup() { rm -rf "$RUN"/tree-*; }

# case_run FILE [NAME KERNEL]: boots the guest, prints the result's line. Name and
# kernel are the file's own unless others are given.
case_run()
{
	local file=$1 name dir kernel expect verdict start=$SECONDS

	name=${2:-$(case_name "$file")}
	kernel=${3:-$(case_key "$file" kernel 6.12)}
	export VM_MEM VM_CPUS VM_APPEND VM_ICOUNT VM_QEMU
	VM_MEM=$(case_key "$file" mem)
	VM_CPUS=$(case_key "$file" cpus)
	VM_APPEND=$(case_key "$file" append)
	VM_ICOUNT=$(case_key "$file" icount)
	VM_QEMU=$(case_key "$file" qemu)
	expect=$(case_key "$file" expect passed)
	dir=$RUN/$(basename "$name")

	say "$name: $(case_key "$file" about)"
	mkdir -p "$dir/job"
	cp "$file" "$dir/job/script"
	vm_qemu "$dir" "$kernel" "$RUN/tree-$kernel"
	vm_run "$dir" "$(case_key "$file" timeout 300)"
	if vm_died_of_qemu "$dir"; then
		say "$name: the guest died of its emulation, which is kept in $dir/console-1.log; once more"
		mv "$dir/console.log" "$dir/console-1.log"
		rm -f "$dir/timeout" "$dir/job/begun"
		vm_run "$dir" "$(case_key "$file" timeout 300)"
	fi
	verdict=$(vm_judge "$dir") || true

	if [ "${verdict%%:*}" = "$expect" ]; then
		suite_ok "$name" $((SECONDS - start)) "$verdict"
		return
	fi
	suite_not_ok "$name" "wanted $expect, got $verdict"
	case_show "$dir"
}

# case_show DIR: what a person wants to see first.
case_show()
{
	{
		grep -a '^not ok\|^#\|^verdict' "$1/verdict.log" | tail -n 40 | sed 's/^/    /'
		! grep -aE -A12 -m1 "$VM_RED" "$1/console.log" | sed 's/^/    console: /'
		echo "    all of it in $1"
	} >&2
}
