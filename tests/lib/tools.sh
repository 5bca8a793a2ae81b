# shellcheck shell=bash
# Tools that the roots lack.

# Of the kernel's source; the directory above is left out.
readonly SCRIPTS="scripts/checkpatch.pl scripts/spelling.txt scripts/const_structs.checkpatch
	scripts/checker-valid.sh
	tools/memory-model/linux-kernel.bell tools/memory-model/linux-kernel.cat
	tools/memory-model/linux-kernel.cfg tools/memory-model/linux-kernel.def
	tools/memory-model/lock.cat"

# kernel_scripts: prints a directory with scripts, and the memory model, of the newest
# kernel that Debian ships with its whole source alone.
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

	for script in $SCRIPTS; do patterns+=("*/$script"); done
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

# herd: prints a directory with herd7, which only sid has, and what it is linked to.
herd()
{
	local packages=(herdtools7 libc6 libgmp10) files

	apt_open sid
	files=$(apt_files sid download "${packages[@]}")
	cache_item herd "$(hash_of "$files")" herd_make "$files" "${packages[@]}"
}

herd_make()
{
	local file

	say "herd7: downloading and unpacking"
	apt_fetch sid download "${@:3}"
	while read -r file _; do
		apt_unpack_one "$1" "$CACHE/debs/$file"
	done <<<"$2"
}
