import type { ProjectId } from '../../ids.ts'
import { Type } from '@sinclair/typebox'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { invalidState } from '../../errors.ts'
import { mutation, read } from '../../operation/declare.ts'
import { Cursor, Id, Limit, nullable, obj, enumOf, Order } from '../../schema.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Reader, Tx } from '../../store/open.ts'
import { inOrder, page, rowsAfter } from '../../store/page.ts'
import { JOB_KINDS, JOB_STATUSES, type JobKind, jobs } from '../../store/tables/jobs.ts'
import { JobResource, jobResource, jobResources } from './job.ts'
import { cancelJob, type Job } from './queue.ts'
import { oneOrNotFound } from '../../store/rows.ts'

export const listJobs = read({
  path: '/jobs/list',
  scope: 'read',
  summary: 'Lists jobs: work that continues in the background after its request was answered.',
  request: obj({
    kinds: Type.Optional(Type.Array(enumOf(JOB_KINDS), { minItems: 1, maxItems: JOB_KINDS.length })),
    statuses: Type.Optional(Type.Array(enumOf(JOB_STATUSES), { minItems: 1, maxItems: JOB_STATUSES.length })),
    order: Type.Optional(Order),
    limit: Type.Optional(Limit),
    cursor: Type.Optional(Cursor),
  }),
  response: obj({ items: Type.Array(JobResource), next_cursor: nullable(Type.String()) }),
  async run({ kinds, statuses, order, limit, cursor }, { db, keys, project_id }) {
    const filters = { kinds: kinds?.toSorted(), statuses: statuses?.toSorted() }
    const wanted = sql.join(
      [sql`project_id = ${project_id}`, ...oneOf('kind', kinds), ...oneOf('status', statuses)],
      sql` AND `,
    )
    const { items, next_cursor } = await page(
      { keys, operation: '/jobs/list', project_id, filters, order, cursor, limit },
      (after, most) =>
        db
          .select({ job: jobs, created_at: jobs.created_at, id: jobs.id })
          .from(jobs)
          .innerJoin(sql`(${rowsAfter('jobs', wanted, { after, most, order })}) AS place`, sql`${jobs.id} = place.id`)
          .orderBy(inOrder(jobs, order)),
      ({ job }) => job,
    )
    return { items: await jobResources(db, project_id, items), next_cursor }
  },
})

export const showJob = read({
  path: '/jobs/get',
  scope: 'read',
  summary: 'Shows a job and its progress.',
  request: obj({ job_id: Id }),
  response: obj({ job: JobResource }),
  async run({ job_id }, { db, project_id }) {
    return { job: await jobResource(db, await getJob(db, project_id, job_id)) }
  },
})

export const requeueJob = mutation({
  path: '/jobs/requeue',
  scope: 'send',
  audit: { target: { kind: 'job', input: 'job_id' } },
  errors: ['INVALID_STATE'],
  status: 202,
  summary: 'Queues a failed job again. It continues where it stopped.',
  request: obj({ job_id: Id }),
  response: obj({ job: JobResource }),
  async run({ job_id }, { tx, project_id, now, afterCommit, wake }) {
    const [job] = await tx
      .update(jobs)
      .set({ status: 'queued', attempts: 0, error: null, next_attempt_at: now, updated_at: now })
      .where(and(eq(jobs.id, job_id), eq(jobs.project_id, project_id), eq(jobs.status, 'failed')))
      .returning()
    if (!job)
      throw invalidState('Only a failed job can be queued again.', (await getJob(tx, project_id, job_id)).status)
    afterCommit(() => wake('jobs'))
    return { job: await jobResource(tx, job) }
  },
})

/** Kinds of jobs that are canceled by themselves. The others end with their import or campaign. */
const CANCELABLE: ReadonlySet<JobKind> = new Set(['bulk', 'segment_materialize'])

/**
 * Cancels a job between two of its steps: what is done stays. NOT_FOUND; INVALID_STATE once it has ended, and for work
 * that is canceled with its import or campaign.
 */
export async function stopJob(tx: Tx, project_id: ProjectId, job_id: number, now: number): Promise<Job> {
  const { kind, status } = await getJob(tx, project_id, job_id)
  if (!CANCELABLE.has(kind)) throw invalidState('It is canceled with the import or the campaign it works for.', status)
  if (status !== 'queued' && status !== 'running') throw invalidState('The job has ended.', status)
  return cancelJob(tx, job_id, now)
}

async function getJob(db: Reader, project_id: ProjectId, job_id: number): Promise<Job> {
  return oneOrNotFound(
    await db
      .select()
      .from(jobs)
      .where(and(eq(jobs.id, job_id), eq(jobs.project_id, project_id))),
    'job',
    '/job_id',
  )
}

const oneOf = (column: 'kind' | 'status', choices: readonly string[] | undefined): SQL[] =>
  choices ? [sql`${sql.raw(column)} IN (SELECT value FROM json_each(${jsonText(choices)}))`] : []
