/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Transports and the connections that they have one after another.
 */
#ifndef TARGET_XPRT_H
#define TARGET_XPRT_H

#include <linux/types.h>

struct target_conn;
struct target_xprt;

int xprts_init(unsigned int n);
void xprts_exit(void);

/* 198.18.0.0/15 is set aside for such games; the port is that of NFS/RDMA. */
#define XPRT_NETWORK	0xc6120000
#define XPRT_PORT	20049

unsigned int xprt_count(void);
struct target_xprt *xprt_at(unsigned int id);

/* The address of the client, an own one for each transport. */
__be32 xprt_peer(const struct target_xprt *xprt);

/* As a client that goes and comes again: flush, destroy, free, and a new connection. */
int xprt_reconnect(struct target_xprt *xprt);

/* A connection by itself, for the hammer; NULL without memory. */
struct target_conn *conn_new(struct target_xprt *xprt);
void conn_free(struct target_conn *conn);

#endif
