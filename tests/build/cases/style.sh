# shellcheck shell=bash
# How the sources are written. The tools are those of the build root, whatever the
# host has.
# shellcheck disable=SC2016,SC2153 # plants are literal; TREE is of tests/build/run

# in_root TREE COMMAND: what COMMAND, a shell's, says there.
in_root() { root_run "$STYLE_ROOT" "$1" "$STYLE_SCRIPTS" "$2" || true; }

# kernel_style TREE [FILE...]
kernel_style()
{
	local files=("${@:2}")

	[ $# -gt 1 ] || mapfile -t files < <(cd "$1" &&
		find module include tools tests/kmod tests/vm/selftest -name '*.[ch]' | sort)
	in_root "$1" "perl /kernel/checkpatch.pl --no-tree --root=/src --strict \
		--max-line-length=100 --show-types --terse -f ${files[*]}" |
		awk -f tests/build/lib/checkpatch.awk "$1/tests/build/checkpatch.list" -
}

# scripts TREE: every file that is a shell's.
scripts()
{
	( cd "$1" && grep -rlE --exclude-dir=.git \
		'^(#!.*[/ ](ba|da)?sh\>|# shellcheck shell=)' . | sort )
}

shell_style()
{
	in_root "$1" "shellcheck -f gcc $(scripts "$1" | xargs)"
}

man_style()
{
	local pages

	pages=$(cd "$1" && find . -name '*.[1-9]' -printf '%P ')
	[ -n "$pages" ] || echo "there is no manual page"
	# It may refer to manual pages that the build root has not, and have sections of its own.
	in_root "$1" "mandoc -T lint -W style $pages 2>&1" |
		sed '/referenced manual not found/d; /mandoc.db lacks/d; /typo in section name/d'
}

plant_columns()	{ echo "int a_variable_with_a_name_so_long_that_the_line_$(printf '%060d' 7 | tr 0 x);" >>"$1/module/depth.c"; }
plant_braces()	{ printf 'int f(int *p){ return* p ; }\n' >>"$1/tools/judge.c"; }
plant_allowed()	{ echo 'module/depth.c LONG_LINE' >>"$1/tests/build/checkpatch.list"; }
plant_quotes()	{ printf '#!/bin/sh\nrm -rf $1/*\n' >"$1/tests/x"; }
plant_page()	{ printf '.Xx nothing\n' >>"$1/tools/svcrdma-lag.8"; }

# style_plant FAULT PATTERN CHECK [FILE]
style_plant()
{
	local tree

	tree=$(planted "$1")
	"plant_$1" "$tree"
	check "style/sees-$1" sees "$2" "$3" "$tree" "${@:4}"
}

ready 6.12
STYLE_ROOT=$(root_get build-trixie)
STYLE_SCRIPTS=$(kernel_scripts)

check style/checkpatch kernel_style "$TREE"
check style/shellcheck shell_style "$TREE"
check style/man man_style "$TREE"

style_plant columns 'module/depth.c:[0-9]+: .*LONG_LINE' kernel_style module/depth.c
style_plant braces 'tools/judge.c:[0-9]+: ERROR:' kernel_style tools/judge.c
style_plant allowed 'nothing to allow any more: module/depth.c LONG_LINE' kernel_style module/depth.c
style_plant quotes 'tests/x:2:.*SC2086' shell_style
style_plant page 'svcrdma-lag.8:.*unknown macro' man_style
