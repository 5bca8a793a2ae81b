# shellcheck shell=bash
# The stand-in for rpcrdma, tests/kmod: what it plays, and its ledger.

TARGET=/sys/module/svlag_target/parameters

target_load() { insmod /tree/tests/kmod/svlag_target.ko "$@"; }

# target_unload: not while it plays.
target_unload() { target_wait 120 && rmmod svlag_target; }

# target_run "KIND [NAME=VALUE]...": returns at once.
target_run() { echo "$1" >$TARGET/run; }

# target_ledger NAME: a value of the truth.
target_ledger() { awk -v n="$1" '$1 == n { print $2; ok = 1 } END { exit !ok }' $TARGET/ledger; }

# target_wait [SECONDS]: until all jobs are over.
target_wait() { wait_until "${1:-120}" target_is_done; }

target_is_done() { [ "$(target_ledger jobs)" = 0 ]; }
