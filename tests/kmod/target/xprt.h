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

unsigned int xprt_count(void);
struct target_xprt *xprt_at(unsigned int id);

/* As a client that goes and comes again: flush, destroy, free, and a new connection. */
int xprt_reconnect(struct target_xprt *xprt);

/* A connection by itself, for the hammer; NULL without memory. */
struct target_conn *conn_new(struct target_xprt *xprt);
void conn_free(struct target_conn *conn);

#endif
