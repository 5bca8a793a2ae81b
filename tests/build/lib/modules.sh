# shellcheck shell=bash
# Building with all warnings and under sparse.

# The oldest kernel, the one in the field, and the newest.
# shellcheck disable=SC2034 # of the cases
readonly MODULE_KERNELS="6.1 6.12 7.3"

# Before make. From 7.2 on Kbuild asks a script of its own whether sparse is good
# enough; no package of headers has it, and then nothing at all is checked, in
# silence. /kernel is in the cache: the script goes into a copy of the directory.
# shellcheck disable=SC2016 # for the shell there
SPARSE_READY='scripts=$(realpath $KDIR/scripts) sparse=sparse
if grep -q checker-valid $(dirname $(realpath $KDIR))/*common*/Makefile; then
	cp -a $scripts /tmp/scripts
	cp /src/.sparse/checker-valid.sh /tmp/scripts
	mount --bind /tmp/scripts $scripts
	sparse=/src/.sparse/sparse
fi
'

# build_checked KERNEL TREE SCRIPT: SCRIPT there, with $CHECKED for the make
# arguments; complains if it fails. Its words are in TREE/build.log.
build_checked()
{
	mkdir "$2/.sparse"
	cp "$(kernel_scripts)/checker-valid.sh" "$(new_sparse)/usr/bin/sparse" "$2/.sparse"
	built_in "$1" "$2" "$SPARSE_READY CHECKED=\"W=1 C=2 CHECK=\$sparse\"; $3"
}

# clean_log LOG TREE: complaints about warnings in LOG, and about every source of
# a module that sparse was not run on.
clean_log()
{
	local source

	grep -iE 'warning|\<error\>|undefined' "$1" || true
	while read -r source; do
		grep -qE "^ *CHECK +(.*/)?$source\$" "$1" || echo "sparse did not read $source"
	done < <(cd "$2" && find module tests/kmod -maxdepth 1 -name '*.c' ! -name '*.mod.c' -printf '%f\n')
}

# answers TREE: "PROBE yes|no" a line, as modinfo has them of the module built there.
answers()
{
	modinfo -F probes "$1/svcrdma_lag.ko" | tr ' =' '\n ' | sort
}

# answers_wanted LIST KERNEL
answers_wanted()
{
	awk -v kernel="$2" '
		/^#/ { next }
		$1 == "probe" { for (i = 2; i <= NF; i++) if ($i == kernel) column = i; next }
		{ print $1, $column }' "$1" | sort
}

# modules_build KERNEL TREE: the modules, and the reader.
modules_build()
{
	# shellcheck disable=SC2016 # for the shell there
	build_checked "$1" "$2" '
		make KDIR=$KDIR $CHECKED module tool
		make -C $KDIR M=/src $CHECKED module/decline.o
		make -C $KDIR M=/src/tests/kmod $CHECKED modules'
	clean_log "$2/build.log" "$2"
	[ -e "$2/svcrdma_lag.ko" ] || echo "there is no svcrdma_lag.ko"
}

# modules_answers LIST KERNEL TREE
modules_answers()
{
	diff <(answers_wanted "$1" "$2") <(answers "$3") |
		sed -n 's/^</wanted:/p; s/^>/answered:/p'
}

# modules_plant TREE: faults that W=1 and sparse are there for.
modules_plant()
{
	cat >>"$1/module/counters.c" <<-'EOF'
	void planted(int __user *p);
	void planted(int __user *p)
	{
		int set;

		set = 1;
		*p = 2;
	}
	EOF
}
