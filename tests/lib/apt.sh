# shellcheck shell=bash
# Packages of any Debian suite - SUITE, or SUITE@ARCHITECTURE -, without touching what the host has installed:
# an apt configuration of our own for each suite, with the host's mirror, its
# keyring and its way through to the network (proxies, certificates). Packages
# are downloaded into one pool and unpacked by dpkg-deb -x; their maintainer
# scripts never run, which is several times faster than debootstrap.

# The host's first mirror of Debian itself (main) or of its security updates
# (security), as apt understood one-line and deb822 sources.
apt_mirror()
{
	# shellcheck disable=SC2016 # the fields are apt's
	apt-get indextargets --format '$(TARGET_OF) $(RELEASE) $(SITE)' 2>/dev/null |
	awk -v want="$1" '
		$1 != "deb" || $2 !~ /^(bookworm|trixie|forky|sid|(old)?stable|testing|unstable)/ { next }
		($2 ~ /security/ ? "security" : "main") == want && !n++ { print $3 }'
}

# The lines of sources.list for suite $1.
apt_sources()
{
	local main security deb=deb keyring=/usr/share/keyrings/debian-archive-keyring.gpg

	main=$(apt_mirror main)
	security=$(apt_mirror security)
	[ -n "$main" ] ||
		die_infra "no Debian mirror among the host's apt sources (or no apt-get update yet)"
	[ ! -e "$keyring" ] || deb="deb [signed-by=$keyring]"
	printf '%s %s %s main\n' "$deb" "$main" "$1"
	case $1 in
	sid | *-backports) return ;;
	esac
	printf '%s %s %s-updates main\n' "$deb" "$main" "$1"
	[ -z "$security" ] || printf '%s %s %s-security main\n' "$deb" "$security" "$1"
}

# apt_in SUITE COMMAND...: runs an apt tool under the configuration of SUITE.
apt_in() { APT_CONFIG=$CACHE/apt/$1/apt.conf "${@:2}"; }

# apt_arch SUITE: of what is packaged there; programs to build with are amd64's.
apt_arch() { [[ $1 = *@* ]] && echo "${1#*@}" || echo amd64; }

# Makes or refreshes the package lists of a suite. Lists younger than a day are
# taken as they are (SVLAG_REFRESH=1 asks again); older ones serve if the
# network is away.
apt_open()
{
	with_lock "apt-$1" apt_refresh "$1"
}

apt_refresh()
{
	local dir=$CACHE/apt/$1 minutes=${SVLAG_REFRESH:+5} arch

	arch=$(apt_arch "$1")
	[ -z "$(find "$dir/fresh" -mmin "-${minutes:-1440}" 2>/dev/null)" ] || return 0
	say "package lists of $1"
	mkdir -p "$dir"/{lists/partial,cache}
	: >"$dir/status"
	apt_sources "${1%@*}" >"$dir/sources.list"
	{
		# The way to the network is the host's; its hooks and pins are not ours.
		apt-config dump | grep '^Acquire::' | grep -v '::Changelogs\|IndexTargets'
		cat <<-EOF
		Dir::State "$dir"; Dir::State::Lists "lists"; Dir::State::status "$dir/status";
		Dir::Cache "$dir/cache"; Dir::Cache::archives "$CACHE/debs";
		Dir::Etc::sourcelist "$dir/sources.list"; Dir::Etc::sourceparts "/dev/null";
		Dir::Etc::main "/dev/null"; Dir::Etc::parts "/dev/null";
		Dir::Etc::preferences "/dev/null"; Dir::Etc::preferencesparts "/dev/null";
		APT::Architecture "$arch"; APT::Architectures { "$arch"; "amd64"; }; APT::Install-Recommends "false";
		APT::Sandbox::User "root"; APT::Keep-Downloaded-Packages "true";
		Acquire::Languages "none"; Acquire::Retries "3";
		EOF
	} >"$dir/apt.conf"
	if quietly apt_in "$1" apt-get update -o APT::Update::Error-Mode=any; then
		: >"$dir/fresh"
	elif [ -e "$dir/fresh" ]; then
		say "the mirror does not answer; going on with the package lists of $(date -r "$dir/fresh" +%F)"
	else
		die_infra "the package lists of $1 could not be downloaded"
	fi
}

# apt_answer SUITE COMMAND...: what COMMAND prints, remembered until the package
# lists are fresh: each question to apt takes half a second.
apt_answer()
{
	local known

	known=$CACHE/apt/$1/known-$(hash_of "${@:2}" "$(declare -f "$2")")
	if [ ! "$known" -nt "$CACHE/apt/$1/fresh" ]; then
		"${@:2}" >"$known.$BASHPID"
		mv "$known.$BASHPID" "$known"
	fi
	cat "$known"
}

# apt_files SUITE install|download PACKAGE...: "FILE HASH BYTES" a line, sorted; with
# "install" of all that PACKAGE... depend on too. A hash of it is a good key.
apt_files() { apt_answer "$1" apt_files_ask "$@"; }

apt_files_ask()
{
	local out

	# Against an empty archive: apt leaves out what it need not download.
	out=$(cd "$CACHE/apt/$1/cache" && apt_in "$1" apt-get -y --print-uris \
		-o Dir::Cache::archives="$CACHE/apt/$1/cache" "${@:2}" 2>&1) ||
		die_infra "packages not to be had in $1: $out"
	awk '/^\x27/ { print $2, $4, $3 }' <<<"$out" | sort
}

# apt_fetch SUITE install|download PACKAGE...: downloads them into the pool.
apt_fetch() { with_lock debs apt_fetch_locked "$@"; }

apt_fetch_locked()
{
	local suite=$1 how=$2 files ticker rc=0

	shift 2
	files=$(apt_files "$suite" "$how" "$@")
	cd "$CACHE/debs" || exit
	apt_progress "$files" &
	ticker=$!
	[ "$how" = download ] || set -- --download-only "$@"
	quietly apt_in "$suite" apt-get -y "$how" "$@" || rc=$?
	kill "$ticker" 2>/dev/null || true
	wait "$ticker" 2>/dev/null || true
	[ "$rc" != 0 ] || return 0
	# The mirror may have gone on since: ask it anew the next time.
	rm -f "$CACHE/apt/$suite/fresh"
	die_infra "download from $suite failed, try again: $*"
}

# Says every few seconds how much of FILES is there.
apt_progress()
{
	local all

	all=$(awk '{ n += $3 } END { printf "%d", n / 1e6 }' <<<"$1")
	while sleep 4 >/dev/null 2>&1; do
		# shellcheck disable=SC2046 # a list
		say "  $(du -cB1000000 $(cut -d' ' -f1 <<<"$1") partial 2>/dev/null |
			tail -n1 | cut -f1) of $all MB downloaded"
	done
}

# apt_unpack DIR FILE...: packages of the pool into DIR, two at a time. The first
# goes alone: it must be the one that lays out /bin -> usr/bin and the like,
# which dpkg-deb -x would replace with a directory where a package has one.
apt_unpack()
{
	local dir=$1

	shift
	cd "$CACHE/debs" || exit
	apt_unpack_one "$dir" "$1"
	shift
	export -f apt_unpack_one
	printf '%s\0' "$@" | xargs -0 -P2 -I{} bash -o pipefail -c 'apt_unpack_one "$@"' - "$dir" {} ||
		die_infra "unpacking packages into $dir failed (disk full?)"
}

apt_unpack_one()
{
	dpkg-deb --fsys-tarfile "$2" | tar -C "$1" --keep-directory-symlink -xpf -
}
