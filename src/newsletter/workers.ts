import type { Loop } from '../runtime.ts'
import { bulkJob } from './contacts/bulk-job.ts'
import { segmentMaterialize } from './segments/materialize.operations.ts'
import { closeDelivery, deliveryTick } from './campaigns/dispatch.ts'
import { prepareCampaign } from './campaigns/expand.ts'
import { startScheduled } from './campaigns/schedule.ts'
import { examineJob } from './imports/examine-job.ts'
import { importJob } from './imports/import-job.ts'
import { countDeliveries } from './outbox/delivery-days.ts'
import { runNextJob } from './jobs/queue.ts'

/** The handler of each kind of job. */
const jobHandlers = [bulkJob, importJob, examineJob, segmentMaterialize, prepareCampaign]

/** The scheduled loops of the newsletter. */
export const newsletterLoops: readonly Loop[] = [
  { name: 'schedule', pattern: '* * * * * *', tick: startScheduled },
  { name: 'jobs', pattern: '* * * * * *', tick: (context) => runNextJob(context, jobHandlers) },
  { name: 'delivery', pattern: '* * * * * *', tick: deliveryTick, close: closeDelivery },
  { name: 'delivery_days', pattern: '*/20 * * * * *', tick: countDeliveries },
]
