# shellcheck shell=bash
# A real NFS server over RDMA and its clients, all in one guest: soft-RoCE on a
# veth pair, an export on tmpfs.

LAB_NET=10.11.12
LAB_FILE_MB=64

lab_net()
{
	[ ! -e /sys/class/infiniband/rxe0 ] || return 0
	modprobe rdma_rxe
	ip link add veth0 mtu 4200 type veth peer name veth1 mtu 4200
	ip address add "$LAB_NET.1/24" dev veth0
	ip link set veth0 up
	ip link set veth1 up
	rdma link add rxe0 type rxe netdev veth0
}

# The server, listening for RDMA; brings rpcrdma with it.
lab_up()
{
	lab_net
	if ! mountpoint -q /srv; then
		mount -t tmpfs -o size=1g tmpfs /srv
		head -c "${LAB_FILE_MB}M" /dev/zero >/srv/data
		echo "/srv *(rw,fsid=0,insecure,no_root_squash,no_subtree_check)" >/etc/exports
	fi
	modprobe nfsd
	mountpoint -q /proc/fs/nfsd || mount -t nfsd nfsd /proc/fs/nfsd
	echo 10 >/proc/fs/nfsd/nfsv4gracetime
	pgrep -x rpcbind >/dev/null || rpcbind -w
	exportfs -ra
	pgrep -x rpc.mountd >/dev/null || rpc.mountd -N 2
	rpc.nfsd -N 3 --rdma=20049 8
	# Else the first open waits out the grace time, as it does on 7.x, which may
	# refuse this.
	(echo Y >/proc/fs/nfsd/v4_end_grace) 2>/dev/null || true
}

# lab_mount N [OPTION,...]: /mnt/1 ... /mnt/N. An address each, and max_connect,
# give each a connection of its own; they serve all mounts in turn.
lab_mount()
{
	local i options=proto=rdma,port=20049,vers=4.2,nosharecache,max_connect=16

	for ((i = 1; i <= $1; i++)); do
		! mountpoint -q "/mnt/$i" || continue
		[ "$i" = 1 ] || ip address replace "$LAB_NET.$i/24" dev veth0
		mkdir -p "/mnt/$i"
		mount -t nfs -o "$options${2:+,$2}" "$LAB_NET.$i:/" "/mnt/$i" || return
	done
}

lab_mounts() { findmnt -rno TARGET -t nfs4 | sort; }

lab_umount()
{
	local dir

	for dir in $(lab_mounts); do
		umount "$dir" || return
	done
}

# Stops the server, so that rpcrdma can be unloaded.
lab_down()
{
	lab_umount
	rpc.nfsd 0
	wait_until 30 lab_rpcrdma_unused
}

lab_rpcrdma_unused() { [ "$(cat /sys/module/rpcrdma/refcnt 2>/dev/null || echo 0)" = 0 ]; }

lab_has() { grep -q " $1\s.*\[rpcrdma\]" /proc/kallsyms; }

# lab_era: of the rpcrdma that is loaded, by its symbols.
lab_era()
{
	if lab_has svc_rdma_send_ctxt_put_async; then
		echo workqueue
	elif lab_has svc_rdma_send_ctxts_drain; then
		echo release_list
	else
		echo synchronous
	fi
}
