# shellcheck shell=bash
# Includes and their direction, over any tree.

# c_files TREE: C files and headers, relative.
c_files() { ( cd "$1" && find . -name '*.[ch]' -printf '%P\n' | sort ); }

# includes TREE: "FILE TARGET" a line for each include of a file of the tree. A
# target that is nowhere is given as it stands, after a "?".
includes()
{
	local file kind target dir found

	( cd "$1" && grep -oHE '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<][^">]+' \
		-r --include='*.[ch]' . ) |
	sed -E 's,^\./,,; s/:[[:space:]]*#[[:space:]]*include[[:space:]]*(["<])/ \1 /' |
	while read -r file kind target; do
		case $kind$target in
		'<svcrdma_lag/'*) found=include/$target ;;
		'<'*) continue ;;
		*)
			found="?$target"
			for dir in "${file%/*}" module tools tests/kmod/target; do
				[ -e "$1/$dir/$target" ] || [ "$target" = answers.h ] || continue
				found=$dir/$target
				[[ $found != *./* ]] ||
					found=$(realpath -m --relative-to="$1" "$1/$found")
				break
			done ;;
		esac
		printf '%s %s\n' "$file" "$found"
	done
}

# rooms TREE: complaints about files and includes.
rooms()
{
	local all circle

	all=$(includes "$1")
	{ c_files "$1"; printf '%s\n' "$all"; } |
		awk -f tests/build/lib/rooms.awk "$1/tests/build/rooms.list" -
	sed -n 's/ ?/ includes a file that is nowhere: /p' <<<"$all"
	circle=$(tsort <<<"$all" 2>&1 >/dev/null | sed -n 's/^tsort: \(.*\/\)/\1/p' | xargs) || true
	[ -z "$circle" ] || echo "includes in a circle: $circle"
}

# rooms_of TREE PART: the names, in order.
rooms_of() { awk -v part="$2" '$1 == "part" { on = $2 == part; next } on && NF { print $1 }' "$1/tests/build/rooms.list"; }

# same_order TREE PART FILE NAME...: names of PART's rooms as FILE has them.
same_order()
{
	local listed given

	given=$(printf '%s\n' "${@:4}")
	listed=$(rooms_of "$1" "$2" | grep -Fx -f <(printf '%s\n' "$given") || true)
	[ "$listed" = "$given" ] || {
		echo "$3 has another order than tests/build/rooms.list:" "${@:4}"
		diff <(echo "$listed") <(echo "$given") | grep '^[<>]' || true
	}
}

# own_header_first TREE: x.c includes x.h before all else, so that x.h is seen to
# stand by itself.
own_header_first()
{
	local file own first

	while read -r file; do
		own=${file%.c}.h
		[ -e "$1/$own" ] || continue
		first=$(grep -m1 -E '^#[[:space:]]*include' "$1/$file" || true)
		[ "$first" = "#include \"${own##*/}\"" ] || echo "$file does not begin with $own"
	done < <(c_files "$1" | grep '\.c$')
}
