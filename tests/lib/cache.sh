# shellcheck shell=bash
# The cache outside the tree. An item is a directory named by what it holds,
# NAME-KEY, where KEY is a hash of everything that went in. It is made under
# another name and renamed when complete, so a directory that exists is whole,
# and nobody ever writes to it again.

CACHE=${SVLAG_CACHE:-/var/cache/svcrdma_lag}

# An image, two roots, a kernel and the packages they came from.
readonly CACHE_NEEDS_MB=4000

cache_open()
{
	local free_mb

	[ "$(id -u)" = 0 ] || die_infra "root is needed (chroot, mounts, packages): use sudo"
	mkdir -p "$CACHE"/{locks,tmp,debs/partial} 2>/dev/null ||
		die_infra "cannot write to $CACHE; SVLAG_CACHE names another place"
	[ -e "$CACHE/root" ] && return
	free_mb=$(df -Pm "$CACHE" | awk 'NR == 2 { print $4 }')
	[ "$free_mb" -ge "$CACHE_NEEDS_MB" ] ||
		die_infra "$CACHE has $free_mb MB free and needs $CACHE_NEEDS_MB; SVLAG_CACHE names another place"
}

# hash_of TEXT...: a short key.
hash_of() { printf '%s\n' "$@" | sha256sum | cut -c1-12; }

# with_lock NAME COMMAND...: one process at a time, over all runs. A subshell, so
# that the lock goes with it however it ends.
with_lock()
(
	exec 9>"$CACHE/locks/${1//\//-}"
	flock -w 5 9 || { say "waiting for a turn at $1"; flock 9; }
	"${@:2}" 9>&-
)

# cache_item NAME KEY MAKER [ARG...]: prints the item's directory. If it is not
# there yet, "MAKER DIR ARG..." is called to fill the new directory DIR.
cache_item()
{
	local item=$CACHE/$1-$2

	[ -d "$item" ] || with_lock "$1-$2" cache_make "$item" "${@:3}" >&2
	: >"$item/.used"
	printf '%s\n' "$item"
}

cache_make()
{
	local item=$1 maker=$2 tmp

	[ ! -d "$item" ] || return 0	# another run made it while we waited
	tmp=$(mktemp -d "$CACHE/tmp/XXXXXXXX")
	# shellcheck disable=SC2064 # tmp is local
	trap "rm -rf --one-file-system '$tmp'" EXIT	# of with_lock's subshell
	chmod 755 "$tmp"
	"$maker" "$tmp" "${@:3}"
	mkdir -p "$(dirname "$item")"
	cache_drop_old "$item"
	mv -T "$tmp" "$item"
}

# What NAME-KEY held before, with other keys, unless somebody used it in the last two days.
cache_drop_old()
{
	local old

	for old in "${1%-*}"-????????????; do
		[ -e "$old/.used" ] || continue
		[ -z "$(find "$old/.used" -mmin +2880)" ] || rm -rf --one-file-system "$old"
	done
	# Not by mtime, which unpacking sets to what the package says.
	find "$CACHE/tmp" -mindepth 1 -maxdepth 1 -cmin +2880 \
		-exec rm -rf --one-file-system {} +
}
