#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Usage: ask.sh DIR ANSWERS COMPILER FLAG…
# Compiles each probe in DIR and writes the answers to ANSWERS, each as a macro, and
# all as the string SVLAG_ANSWERS. Fails where a must_ probe shows that the compiler or
# its flags cannot tell yes from no.
set -eu

dir=$1
answers=$2
shift 2

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

compiles()
{
	"$@" -c -o "$scratch/probe.o" "$probe" >"$scratch/log" 2>&1
}

echo '/* Made by ask.sh for the kernel that was built for; the probes are beside it. */' \
	>"$scratch/answers.h"
all=
for probe in "$dir"/*.c; do
	name=$(basename "$probe" .c)
	if compiles "$@"; then answer=yes; else answer=no; fi
	case $name:$answer in
	must_pass*:no)
		cat "$scratch/log" >&2
		echo "svcrdma_lag: the kernel's headers do not compile $name.c (above): they are" \
			"incomplete, or this compiler is not the one they ask for" >&2
		exit 1 ;;
	must_fail*:yes)
		echo "svcrdma_lag: this compiler accepts $name.c, which no compiler must: are" \
			"warnings switched off by CFLAGS?" >&2
		exit 1 ;;
	have_*:yes)
		echo "#define SVLAG_$(echo "$name" | tr '[:lower:]' '[:upper:]') 1" \
			>>"$scratch/answers.h" ;;
	esac
	case $name in
	have_*) all="$all $name=$answer" ;;
	esac
done
echo "#define SVLAG_ANSWERS \"${all# }\"" >>"$scratch/answers.h"
mv "$scratch/answers.h" "$answers"
