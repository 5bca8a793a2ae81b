# shellcheck shell=bash
# Where the module cannot be built, make says why in one sentence and fails.
# shellcheck disable=SC2153 # TREE is of tests/build/run

# refuses SENTENCE TREE ARGUMENT...: "make ARGUMENT..." has this to say on stderr,
# besides what make itself says, and nothing was built.
refuses()
{
	local said rc=0

	said=$(make -C "$2" --no-print-directory "${@:3}" 2>&1 >/dev/null) || rc=$?
	said=$(grep -v '^make\(\[[0-9]*\]\)\?: ' <<<"$said" || true)
	[[ $said =~ ^$1$ && $said != *$'\n'* ]] || echo "wanted '$1', got: ${said:-nothing}"
	[ "$rc" != 0 ] || echo "make $* returned 0"
	[ -z "$(cd "$2" && find . -name '*.o' -o -name '*.ko')" ] || echo "something was built"
}

# fake_kernel OPTION...: a build directory of a kernel that has these options.
fake_kernel()
{
	local dir

	dir=$(mktemp -d "$SCRATCH/kernel.XXXXXX")
	mkdir -p "$dir/include/config"
	printf '%s=y\n' "$@" >"$dir/include/config/auto.conf"
	printf 'modules:\n\ttouch %s/called\n' "$dir" >"$dir/Makefile"
	echo "$dir"
}

# nothing_lacks TREE: with all options make gets as far as the kernel's Makefile,
# so that each refusal below is about its own option.
nothing_lacks()
{
	local dir

	# shellcheck disable=SC2086 # a list
	dir=$(fake_kernel $NEEDED)
	make -C "$1" KDIR="$dir" module >/dev/null
	[ -e "$dir/called" ] || echo "make did not call the kernel's Makefile"
}

host_needs "make make to build"
NEEDED=$(sed -n 's/^NEEDED := //p' "$TREE/Makefile")

check sentences/no-headers refuses \
	'svcrdma_lag: no kernel to build for in /nonexistent: install its headers, or give KDIR=DIR' \
	"$TREE" KDIR=/nonexistent module
check sentences/no-headers-of-a-package refuses \
	'svcrdma_lag: no kernel .*: install its headers \(Debian: apt install linux-headers-6\.9-x\), or give KDIR=DIR' \
	"$TREE" KDIR=/lib/modules/6.9-x/build
check sentences/all-options nothing_lacks "$TREE"
for option in $NEEDED; do
	# shellcheck disable=SC2086 # a list
	check "sentences/no-$option" refuses \
		"svcrdma_lag: the kernel in .* was built without $option, which svcrdma_lag needs: build the kernel with it" \
		"$TREE" KDIR="$(fake_kernel ${NEEDED/$option/CONFIG_OTHER})" module
done

tree=$(planted sentences)
sed -i 's,=y\$\$//p,=.*//p,' "$tree/Makefile"
# shellcheck disable=SC2086 # a list
check sentences/sees-a-careless-look sees 'returned 0' refuses 'svcrdma_lag: .*' \
	"$tree" KDIR="$(fake_kernel ${NEEDED/CONFIG_KPROBES/} CONFIG_KPROBES=n)" module
tree=$(planted sentences-two)
sed -i 's/^module: headers/&\n\t@echo "svcrdma_lag: and more" >\&2/; s/exit 1; }$/}/' "$tree/Makefile"
check sentences/sees-two-sentences sees 'wanted .*, got:' refuses 'svcrdma_lag: .*' \
	"$tree" KDIR=/nonexistent module
