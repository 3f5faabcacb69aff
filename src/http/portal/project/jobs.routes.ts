import { JobResource, jobResource } from '../../../newsletter/jobs/job.ts'
import { stopJob } from '../../../newsletter/jobs/jobs.operations.ts'
import { Id, obj } from '../../../schema.ts'
import { route } from '../../core/route.ts'

/** `/project/jobs/…` (docs/api/resources.md#jobs). */
export const jobRoutes = [
  route({
    method: 'POST',
    path: '/project/jobs/cancel',
    summary: 'Cancels a change of many contacts between two of its steps. What is done stays.',
    auth: 'session',
    role: 'editor',
    audit: { target: { kind: 'job', input: 'job_id' } },
    body: obj({ job_id: Id }),
    response: obj({ job: JobResource }),
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    write: async ({ job_id }, { tx, project_id, now }) => ({
      job: await jobResource(tx, await stopJob(tx, project_id, job_id, now)),
    }),
  }),
]
