# shellcheck shell=bash
# Tools that the roots lack.

readonly SCRIPTS="checkpatch.pl spelling.txt const_structs.checkpatch checker-valid.sh"

# kernel_scripts: prints a directory with scripts of the newest kernel that Debian
# ships with its whole source alone.
kernel_scripts()
{
	local suite=trixie-backports package files

	apt_open "$suite"
	package=$(apt_answer "$suite" newest_source "$suite")
	files=$(apt_files "$suite" download "$package")
	cache_item scripts "$(hash_of "$files" "$(declare -f kernel_scripts_make)" "$SCRIPTS")" \
		kernel_scripts_make "$suite" "$package" "${files%% *}"
}

newest_source()
{
	apt_in "$1" apt-cache pkgnames linux-source- | grep -x 'linux-source-[0-9.]*' | sort -V | tail -n1
}

kernel_scripts_make()
{
	local dir=$1 script patterns=()

	for script in $SCRIPTS; do patterns+=("*/scripts/$script"); done
	say "$3: downloading and unpacking for checkpatch (a minute)"
	apt_fetch "$2" download "$3"
	# The archive is most of the download, and nothing else wants it.
	dpkg-deb --fsys-tarfile "$CACHE/debs/$4" | tar -xOf - --wildcards '*.tar.xz' |
		tar -C "$dir" -xJf - --strip-components=2 --wildcards "${patterns[@]}"
	rm "$CACHE/debs/$4"
}

# new_sparse: prints a directory with sid's sparse; those of bookworm and trixie
# do not understand the headers from 7.2 on.
new_sparse()
{
	local files

	apt_open sid
	files=$(apt_files sid download sparse)
	cache_item sparse "$(hash_of "$files")" new_sparse_make "${files%% *}"
}

new_sparse_make()
{
	apt_fetch sid download sparse
	apt_unpack_one "$1" "$CACHE/debs/$2"
}
