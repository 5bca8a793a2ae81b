# shellcheck shell=bash disable=SC2034,SC2153 # TREE, RUN and SUITE_RESULTS are not of this file
# What the matrix must not pass. sees_FAULT plants it in the tree, or in the table, runs
# the matrix over it, and prints what of it was not seen.

sees_warning()
{
	modules_plant "$TREE"
	matrix_says '^not ok - matrix/6.12: build: .*set but not used'
}

# An era of another name, and of a thousand releases one that is not counted.
sees_guest()
{
	sed -i 's/\(X(WORKQUEUE,\s*\)"workqueue"/\1"synchronous"/' "$TREE/include/svcrdma_lag/abi.h"
	sed -i -e 's/^static .* put_async_hit(/static unsigned int planted;\n\n&/' \
		-e '/ put_async_hit(/,/^}/s/svlag_count(/if (++planted % 1000)\n\t\t&/' "$TREE/module/rpcrdma.c"
	matrix_says '^not ok - matrix/6.12: wanted passed, got failed'
	words '^not ok - .*: the era$' "$RUN/6.12/verdict.log"
	words '^not ok - READs: released_total equals the truth$' "$RUN/6.12/verdict.log"
	words '^ok - READs: wc_send_total equals the truth' "$RUN/6.12/verdict.log"
}

sees_missing()
{
	KERNELS=${KERNELS//'linux-image-(6\.12\.'/'linux-image-(6\.99\.'}
	matrix_says '^ok - matrix/6.12 # SKIP no linux-image-.*6.*99.* with headers in trixie$'
}

# matrix_says PATTERN: and nothing else.
matrix_says()
{
	matrix_kernel 6.12 >"$RUN/result" 2>"$RUN/log"
	words "$1" "$RUN/result"
	[ "$(wc -l <"$RUN/result")" = 1 ] || echo "more than one line: $(xargs <"$RUN/result")"
}

words() { grep -qE -- "$1" "$2" || echo "no line like '$1' in $2"; }

# matrix_sees FAULT: its line. With a directory of its own, and a tree of its own there.
matrix_sees()
{
	local name=matrix/$1 start=$SECONDS complaints

	say "$name"
	complaints=$(
		SUITE_RESULTS=/dev/null
		RUN=$RUN/$1
		mkdir "$RUN"
		source_copy "$TREE" "$RUN/tree"
		TREE=$RUN/tree
		"${1/-/_}"
	)
	if [ -z "$complaints" ]; then
		suite_ok "$name" $((SECONDS - start))
	else
		suite_not_ok "$name" "$(head -n1 <<<"$complaints")"
	fi
}

# matrix_item KERNEL|sees-FAULT
matrix_item()
{
	case $1 in
	sees-*) matrix_sees "$1" ;;
	*) matrix_kernel "$1" ;;
	esac
}
