// SPDX-License-Identifier: GPL-2.0
/*
 * The workqueue era: a Send completion queues a work item, a worker releases.
 */
#include "era.h"

#include <linux/completion.h>
#include <linux/moduleparam.h>
#include <linux/workqueue.h>

#include "infos.h"
#include "release.h"

const char * const era_name = "workqueue";
const bool era_is_deferred = true;
const bool era_is_queued = true;

static struct workqueue_struct *release_wq;

/* Its one worker waits in the plug; what is queued behind it never runs. */
static struct workqueue_struct *stuck_wq;
static struct work_struct plug;
static DECLARE_COMPLETION(unplug);

static unsigned int workers;

static int workers_set(const char *val, const struct kernel_param *kp)
{
	int err = param_set_uint(val, kp);

	if (!err && workers > WQ_MAX_ACTIVE)
		return -EINVAL;
	if (!err && release_wq)
		workqueue_set_max_active(release_wq, workers ?: WQ_DFL_ACTIVE);
	return err;
}

static const struct kernel_param_ops workers_ops = { .set = workers_set, .get = param_get_uint };
module_param_cb(workers, &workers_ops, &workers, 0644);
MODULE_PARM_DESC(workers, "releases at once, at most; 0: as many as svcrdma_wq has, 256");

target_function void svc_rdma_reply_chunk_release(struct svcxprt_rdma *rdma,
						  struct svc_rdma_send_ctxt *sc)
{
}

static target_function void svc_rdma_send_ctxt_put_async(struct work_struct *work)
{
	struct target_ctxt *ctxt = container_of(work, struct target_ctxt, target_work);

	target_entered(svc_rdma_send_ctxt_put_async);
	if (ctxt->bare)
		return;
	infos_release(ctxt);
	svc_rdma_reply_chunk_release(&ctxt->conn->rdma, &ctxt->sc);
	release_ctxt(ctxt);
}

void era_connect(struct target_conn *conn)
{
}

void era_prepare(struct target_ctxt *ctxt)
{
	INIT_WORK(&ctxt->target_work, svc_rdma_send_ctxt_put_async);
}

void era_put(struct target_ctxt *ctxt)
{
	INIT_WORK(&ctxt->target_work, svc_rdma_send_ctxt_put_async);
	queue_work(release_wq, &ctxt->target_work);
}

void era_stick(struct target_ctxt *ctxt)
{
	INIT_WORK(&ctxt->target_work, svc_rdma_send_ctxt_put_async);
	queue_work(stuck_wq, &ctxt->target_work);
}

void era_unstick(struct target_ctxt *ctxt)
{
	cancel_work_sync(&ctxt->target_work);
}

void era_queue(struct work_struct *work)
{
	queue_work(release_wq, work);
}

/* Twice, for what releases have queued meanwhile. */
void era_flush(struct target_conn *conn)
{
	flush_workqueue(release_wq);
	flush_workqueue(release_wq);
}

void era_call_release(struct target_ctxt *ctxt)
{
	svc_rdma_send_ctxt_put_async(&ctxt->target_work);
}

static void plug_work(struct work_struct *work)
{
	wait_for_completion_state(&unplug, TASK_IDLE);
}

int era_init(void)
{
	release_wq = alloc_workqueue(KBUILD_MODNAME, WQ_UNBOUND, workers);
	stuck_wq = alloc_ordered_workqueue(KBUILD_MODNAME "_stuck", 0);
	if (!release_wq || !stuck_wq) {
		if (release_wq)
			destroy_workqueue(release_wq);
		if (stuck_wq)
			destroy_workqueue(stuck_wq);
		return -ENOMEM;
	}
	INIT_WORK(&plug, plug_work);
	queue_work(stuck_wq, &plug);
	return 0;
}

void era_exit(void)
{
	complete(&unplug);
	destroy_workqueue(stuck_wq);
	destroy_workqueue(release_wq);
}
