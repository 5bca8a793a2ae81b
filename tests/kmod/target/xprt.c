// SPDX-License-Identifier: GPL-2.0
/*
 * Transports.
 */
#include "xprt.h"

#include <linux/in.h>
#include <linux/slab.h>

#include "ctxt.h"
#include "era.h"
#include "target.h"

static struct target_xprt *xprts;
static unsigned int nr_xprts;
static atomic64_t serials;

unsigned int xprt_count(void)
{
	return nr_xprts;
}

struct target_xprt *xprt_at(unsigned int id)
{
	return &xprts[id];
}

__be32 xprt_peer(const struct target_xprt *xprt)
{
	return htonl(XPRT_NETWORK + xprt->id + 1);
}

struct target_conn *conn_new(struct target_xprt *xprt)
{
	struct target_conn *conn = kzalloc(sizeof(*conn), GFP_KERNEL);
	struct sockaddr_in peer = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = xprt_peer(xprt),
		.sin_port = htons(XPRT_PORT),
	};

	if (!conn)
		return NULL;
	conn->xprt = xprt;
	conn->serial = atomic64_inc_return(&serials);
	conn->cq.cq_context = &conn->rdma;
	conn->cq.res.id = conn->serial;
	conn->rdma.sc_sq_cq = &conn->cq;
	spin_lock_init(&conn->rdma.sc_send_lock);
	init_llist_head(&conn->rdma.sc_send_ctxts);
	svc_xprt_set_remote(&conn->rdma.sc_xprt, (struct sockaddr *)&peer, sizeof(peer));
	era_connect(conn);
	return conn;
}

void conn_free(struct target_conn *conn)
{
	/* The hammer's has nothing queued or idle, and counts its calls by itself. */
	if (!conn->bare) {
		era_flush(conn);
		svc_rdma_send_ctxts_destroy(&conn->rdma);
	}
	kfree(conn);
}

int xprt_reconnect(struct target_xprt *xprt)
{
	struct target_conn *next = conn_new(xprt);

	if (!next)
		return -ENOMEM;
	down_write(&xprt->alive);
	conn_free(xprt->conn);
	xprt->conn = next;
	up_write(&xprt->alive);
	return 0;
}

int xprts_init(unsigned int n)
{
	xprts = kvcalloc(n, sizeof(*xprts), GFP_KERNEL);
	if (!xprts)
		return -ENOMEM;
	for (; nr_xprts < n; nr_xprts++) {
		struct target_xprt *xprt = &xprts[nr_xprts];

		xprt->id = nr_xprts;
		init_rwsem(&xprt->alive);
		xprt->conn = conn_new(xprt);
		if (!xprt->conn) {
			xprts_exit();
			return -ENOMEM;
		}
	}
	return 0;
}

void xprts_exit(void)
{
	while (nr_xprts)
		conn_free(xprts[--nr_xprts].conn);
	kvfree(xprts);
	xprts = NULL;
}
