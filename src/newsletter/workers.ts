import type { ProjectId } from '../ids.ts'
import type { Loop } from '../runtime.ts'
import { bulkJob } from './contacts/bulk-job.ts'
import { segmentMaterialize } from './segments/materialize.operations.ts'
import { createDelivery } from './campaigns/dispatch.ts'
import { prepareCampaign } from './campaigns/expand.ts'
import { startScheduled } from './campaigns/schedule.ts'
import { createExamineJob } from './imports/examine-job.ts'
import { importJob } from './imports/import-job.ts'
import { countDeliveries } from './outbox/delivery-days.ts'
import { runNextJob } from './jobs/queue.ts'
import type { YieldedJobs } from './jobs/yielded.ts'

/** On a full disk jobs wait: what room is left is for outcomes and opt-outs (docs/operations.md#full-disk). */
function jobLoop(): Loop {
  const handlers = [bulkJob, importJob, createExamineJob(), segmentMaterialize, prepareCampaign]
  const turns = new Set<ProjectId>()
  const yielded: YieldedJobs = new Map()
  return {
    name: 'jobs',
    pattern: '* * * * * *',
    tick: async (context) =>
      context.store.faults.current() !== 'full' && runNextJob(context, handlers, { turns, yielded }),
  }
}

/** The scheduled loops of the newsletter, each with a state of its own. */
export const newsletterLoops = (): Loop[] => [
  { name: 'schedule', pattern: '* * * * * *', tick: startScheduled },
  jobLoop(),
  { name: 'delivery', pattern: '* * * * * *', ...createDelivery() },
  { name: 'delivery_days', pattern: '*/20 * * * * *', tick: countDeliveries },
]
