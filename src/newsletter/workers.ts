import type { Loop } from '../store/runtime.ts'
import { segmentMaterialize } from './audience/segment-materialize.ts'
import { closeDelivery, deliveryTick } from './campaigns/dispatch.ts'
import { prepareCampaign } from './campaigns/expand.ts'
import { startScheduled } from './campaigns/schedule.ts'
import { runNextJob } from './jobs/queue.ts'

/** What works on each kind of job. */
export const jobHandlers = [prepareCampaign, segmentMaterialize]

/** What the newsletter does on its own, each with its time. */
export const newsletterLoops: readonly Loop[] = [
  { name: 'schedule', pattern: '* * * * * *', tick: startScheduled },
  { name: 'jobs', pattern: '* * * * * *', tick: (context) => runNextJob(context, jobHandlers) },
  { name: 'delivery', pattern: '* * * * * *', tick: deliveryTick, close: closeDelivery },
]
