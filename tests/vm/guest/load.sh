# shellcheck shell=bash
# READs: direct, so that each is an RPC, and of one Write chunk each.

load_fio()
{
	local args=() dir

	for dir in $(lab_mounts); do
		args+=(--name="${dir//\//-}" --filename="$dir/data" "$@")
	done
	[ "${#args[@]}" -gt 0 ] || { echo "load: nothing is mounted"; return 1; }
	fio --output-format=normal --group_reporting --ioengine=libaio --rw=randread \
		--bs=16k --direct=1 --iodepth="${LOAD_DEPTH:-32}" --thread \
		--invalidate=0 --fallocate=none "${args[@]}"
}

# load_start [SECONDS]: on all mounts, until load_stop.
load_start()
{
	load_fio --time_based --runtime="${1:-3600}" --size="${LAB_FILE_MB}m" >/run/load.out 2>&1 &
	load_pid=$!
}

load_stop()
{
	# fio ends its jobs and waits for what is in flight.
	pkill -INT -x fio || true
	wait "$load_pid" || true
	wait_until 60 load_idle
}

load_idle() { ! pgrep -x fio; }

# read_n COUNT: COUNT READs from each mount, and no more.
read_n()
{
	load_fio --size="${LAB_FILE_MB}m" --io_size=$(($1 * 16))k --norandommap=1 >/run/read.out 2>&1 ||
		{ cat /run/read.out; return 1; }
}
