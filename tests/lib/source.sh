# shellcheck shell=bash
# The tree under test as a copy: what git tracks, as it is in the work tree,
# and what is new and not ignored. Builds happen in copies, so the tree itself
# stays clean.

# source_files DIR [PATH...]: the files, NUL-terminated.
source_files()
{
	local dir=$1

	shift
	# Root may read a tree that somebody else owns (sudo).
	if [ -e "$dir/.git" ]; then
		git -c safe.directory='*' -C "$dir" ls-files -z --cached --others --exclude-standard -- "$@" |
			source_existing "$dir"
	else
		( cd "$dir" && find "${@:-.}" -name .git -prune -o -type f -print0 ) | sed -z 's,^\./,,'
	fi | sort -zu
}

# Drops what was deleted in the work tree but not yet in git.
source_existing()
{
	local file

	while IFS= read -rd '' file; do
		[ ! -f "$1/$file" ] || printf '%s\0' "$file"
	done
}

# source_copy DIR TO [PATH...]
source_copy()
{
	mkdir -p "$2"
	source_files "$1" "${@:3}" | tar -C "$1" --null -T - -cf - | tar -C "$2" --no-same-owner -xf -
}

# source_hash DIR [PATH...]: a key of names, contents and modes.
source_hash()
{
	( cd "$1" && source_files . "${@:2}" | xargs -0r stat -c '%n %A' -- &&
		source_files . "${@:2}" | xargs -0r sha256sum -- ) | sha256sum | cut -c1-12
}
