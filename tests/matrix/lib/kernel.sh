# shellcheck shell=bash disable=SC2153 # TREE and RUN are of tests/matrix/run
# One kernel of the matrix.

# matrix_build KERNEL: complaints; what was built is what the guest gets.
matrix_build()
{
	local tree=$RUN/tree-$1

	source_copy "$TREE" "$tree"
	modules_build "$1" "$tree"
	modules_answers tests/build/answers.list "$1" "$tree"
}

# matrix_kernel KERNEL: its line.
matrix_kernel()
{
	local name=matrix/$1 newest complaints

	newest=$(kernel_newest "$1")
	if [ -z "$newest" ]; then
		suite_skip "$name" "no $(kernel_field "$1" 3) with headers in $(kernel_field "$1" 2)"
		return
	fi
	kernel_fetch "$1" >/dev/null
	say "$name: building"
	complaints=$(matrix_build "$1" || true)
	if [ -n "$complaints" ]; then
		suite_not_ok "$name" "build: $(head -n1 <<<"$complaints")"
		sed -n '2,$s/^/    /p' <<<"$complaints" | head -n 60 >&2
		return
	fi
	vm_prepare "$1"
	case_run "$TREE/tests/matrix/$(kernel_field "$1" 5).sh" "$name" "$1"
}
