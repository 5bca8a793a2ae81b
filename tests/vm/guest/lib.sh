# shellcheck shell=bash
# What a case can use, by file:
#   check.sh  check, check_eq, note, wait_until
#   flood.sh  flood_load, flood_leak, flood_backlog, flood_mixed: the stand-in's floods
#   lab.sh    lab_up, lab_mount, lab_umount, lab_down, lab_era: NFS over RDMA
#   load.sh   load_start, load_stop, read_n: READs
#   stats.sh  svlag_load, svlag_unload, stat_get, stats_now, hook_of: the module
#   target.sh target_load, target_run, target_ledger, target_unload: the stand-ins
#   truth.sh  truth_start, truth_mark, truth_check, truth_now, truth_stop: the
#             kernel's own count

# shellcheck disable=SC2034
TREE=/tree
for guest_part in check flood lab load stats target truth; do
	# shellcheck source=/dev/null
	. "/tree/tests/vm/guest/$guest_part.sh"
done
unset guest_part
if [ -n "${PS1:-}" ]; then
	PS1='guest:\w# '
	cat <<-'EOF'

	The tree is /tree (read-only), what you put in /job stays with the host.
	lab_up; lab_mount 1; load_start; ... see /tree/tests/vm/guest/lib.sh. ^D powers off.

	EOF
fi
