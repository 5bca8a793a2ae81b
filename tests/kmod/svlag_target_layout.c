// SPDX-License-Identifier: GPL-2.0
/*
 * svlag_target_layout - as svlag_target_infos, but a vendor's kernel whose struct
 * svc_rdma_send_ctxt has its members in other places than that of the headers.
 * Its BTF says where, and so does the parameter layout.
 */
#define TARGET_OWN_LAYOUT
#define TARGET_INFOS_BY_RELEASE
#include "target/era_workqueue.c"
#include "target/engine.c"
