import { DAY_MS } from '../../clock.ts'
import { note } from '../../audit/record.ts'
import type { ProjectId } from '../../ids.ts'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { requireRoom } from '../../errors.ts'
import { errorFields } from '../../log.ts'
import { jobsFailed } from '../../metrics.ts'
import type { Fault } from '../../store/faults.ts'
import { jsonText } from '../../store/json-text.ts'
import { livingWorkers } from '../../store/lease.ts'
import type { Tx } from '../../store/open.ts'
import type { LoopContext, Runtime } from '../../runtime.ts'
import { deleteWhere, type RetentionRule, surplusOf } from '../../store/retention.ts'
import { one, first } from '../../store/rows.ts'
import { type JobKind, type JobPayloads, jobs } from '../../store/tables/jobs.ts'
import { failureOf } from './failure.ts'
import { othersWait, releaseGone, type YieldedJobs } from './yielded.ts'

/**
 * Work that takes too long for a request.
 *
 *   queued ──► running ──► completed   all steps are done
 *     ▲ │         ├──────► failed      a step failed three times in a row; `jobs/requeue` queues the job again
 *     │ └─────────┼──────► cancelled   by a person, or with the import, campaign or segment that it works for
 *     └───────────┘                    a step failed, or the worker stopped or yielded; continues at `position`
 *
 * A job runs in steps. Each step writes its work and the job's new position in one transaction. A crash therefore
 * neither repeats a step nor skips one.
 */
export type Job<Kind extends JobKind = JobKind> = Omit<typeof jobs.$inferSelect, 'payload'> & {
  payload: JobPayloads[Kind]
}

/** The outcome of one step. */
export interface Progress {
  state: 'more' | 'completed' | 'cancelled'
  position?: number
  payload?: JobPayloads[JobKind]
  /** Added to `processed`. */
  processed?: number
  total?: number
}

export interface JobKindHandler<Kind extends JobKind = JobKind, Prepared extends object = object> {
  kind: Kind
  /** Runs before the transaction of a step and may take its time: every other write waits for that transaction. */
  prepare?(job: Job<Kind>, runtime: Runtime, now: number): Promise<Prepared>
  /** One bounded step. When it throws, its writes are rolled back; it is prepared and run again, three times in all. */
  step(tx: Tx, job: Job<Kind>, runtime: Runtime & Prepared, now: number): Promise<Progress>
  /** Runs in the transaction that marks the job as failed. */
  onFailure?(tx: Tx, job: Job<Kind>, reason: string, now: number): Promise<void>
  /** Drops what `prepare` keeps between steps: the job ended, its step failed, or it is no longer this worker's. */
  release?(job_id: number): void
  /** Runs after the transaction of a step has committed. */
  afterStep?(progress: Progress, runtime: Runtime, job: Pick<Job<Kind>, 'total' | 'processed' | 'payload'>): void
}

export async function enqueueJob<Kind extends JobKind>(
  tx: Tx,
  job: { project_id: ProjectId; kind: Kind; payload: JobPayloads[Kind]; total?: number; now: number },
): Promise<Job> {
  const { now, ...rest } = job
  return one(
    await tx
      .insert(jobs)
      .values({ ...rest, status: 'queued', next_attempt_at: now, created_at: now, updated_at: now })
      .returning(),
  )
}

const MAX_WAITING = 1000

/** INVALID_STATE when too many jobs of the project wait. */
export async function requireRoomForJob(tx: Tx, project_id: ProjectId): Promise<void> {
  const { waiting } = one(
    await tx.all<{ waiting: number }>(sql`
      SELECT count(*) AS waiting FROM jobs INDEXED BY jobs_waiting
      WHERE status = 'queued' AND project_id = ${project_id}`),
  )
  requireRoom(waiting, MAX_WAITING, 'waiting jobs')
}

const hasEnded = sql`status IN ('completed', 'failed', 'cancelled')`
const MAX_ENDED = 10_000
const ENDED_RETENTION_MS = 90 * DAY_MS

export const jobRetention: RetentionRule = {
  rows: 'ended jobs',
  kept: '90 days, at most 10,000 of a project',
  statement: (now, limit) =>
    deleteWhere(
      'jobs',
      'id',
      sql`${hasEnded} AND (updated_at <= ${now - ENDED_RETENTION_MS} OR ${surplusOf('jobs', hasEnded, MAX_ENDED)})`,
      limit,
    ),
}

/**
 * Cancels a job that is queued or running, and returns its row. A worker that runs the job notices before its next
 * step. A job that has ended stays as it is.
 */
export async function cancelJob(tx: Tx, job_id: number, now: number): Promise<Job> {
  await tx
    .update(jobs)
    .set({ status: 'cancelled', worker_id: null, updated_at: now })
    .where(and(eq(jobs.id, job_id), inArray(jobs.status, ['queued', 'running'])))
  return one(await tx.select().from(jobs).where(eq(jobs.id, job_id)))
}

const RETRY_MS = 15_000
/** Steps after which a job yields to waiting jobs, so that a large import does not delay another project's campaign. */
const STEPS_IN_A_ROW = 20

interface Choice {
  /** Run only this job. */
  job_id?: number
  /** The projects whose jobs ran before, the latest last. */
  turns?: Set<ProjectId>
  yielded?: YieldedJobs
}

/**
 * Takes one job and runs it until it ends, a step fails, the process stops, or it yields to waiting jobs. Answers false
 * when no job was due or the process is stopping.
 */
export async function runNextJob(
  context: LoopContext,
  handlers: readonly JobKindHandler[],
  { job_id, turns = new Set(), yielded = new Map() }: Choice = {},
): Promise<boolean> {
  const now = () => context.clock.now()
  await releaseGone(context.store.db, yielded)
  const job = await context.store.write((tx) => takeJob(tx, { worker_id: context.worker_id, job_id, turns }, now()))
  if (!job) return false
  yielded.delete(job.id)
  turns.delete(job.project_id)
  turns.add(job.project_id)
  if (turns.size > MAX_TURNS) turns.delete(turns.values().next().value!)
  const handler = handlers.find(({ kind }) => kind === job.kind)
  if (!handler) throw new Error(`No handler for jobs of kind ${job.kind}.`)
  let current: Job | null = job
  for (let steps = 0; current; steps++) {
    const stopping = context.stopping()
    const mayYield = steps > 0 && steps % STEPS_IN_A_ROW === 0 && job_id === undefined
    if (stopping || (mayYield && (await othersWait(context.store.db, now())))) {
      await context.store.write((tx) => giveBack(tx, job, context.worker_id, context.clock.now()))
      yielded.set(job.id, handler)
      return !stopping
    }
    current = await runStep(context, handler, current)
  }
  handler.release?.(job.id)
  return true
}

/** Runs one step and records it. Returns the job when more steps follow, else null. */
async function runStep(context: LoopContext, handler: JobKindHandler, job: Job): Promise<Job | null> {
  const now = context.clock.now()
  try {
    const prepared = await handler.prepare?.(job, context, now)
    const recorded = await context.store.write(async (tx) => {
      const [held] = await tx.select({ id: jobs.id }).from(jobs).where(heldBy(job, context.worker_id))
      if (!held) return null
      const progress = await handler.step(tx, job, { ...context, ...prepared }, now)
      const after = await recordStep(tx, job, progress, now)
      if (progress.state !== 'more') noteEnd(tx, after, progress.state)
      return { progress, after }
    })
    if (!recorded) return null
    handler.afterStep?.(recorded.progress, context, job)
    return recorded.progress.state === 'more' ? recorded.after : null
  } catch (error) {
    // The error of a reading thread has no code any more, but that thread has noted the fault.
    const fault = context.store.faults.see(error) ?? context.store.faults.current()
    context.log.error('a step of a job failed', { job_id: job.id, kind: job.kind, ...errorFields(error) })
    const failing = { handler, job, worker_id: context.worker_id, now, fault }
    if (await context.store.write((tx) => recordFailure(tx, failing))) jobsFailed.add({ kind: job.kind })
    return null
  }
}

const MAX_TURNS = 1000

interface Taking {
  worker_id: string
  /** Take only this job. */
  job_id: number | undefined
  turns: ReadonlySet<ProjectId>
}

/**
 * Takes the job that has waited longest, of the project whose jobs have not run for longest: a thousand jobs of one
 * project must not delay another project's campaign.
 */
async function takeJob(tx: Tx, { worker_id, job_id, turns }: Taking, now: number): Promise<Job | null> {
  // A worker runs one job at a time, so a running job under its own id is left over from an error.
  const living = jsonText((await livingWorkers(tx, now)).filter((id) => id !== worker_id))
  await tx.run(sql`
    UPDATE jobs SET status = 'queued', worker_id = NULL
    WHERE status = 'running' AND worker_id NOT IN (SELECT value FROM json_each(${living}))`)
  const due = await firstDue(tx, job_id, now)
  const place = new Map([...turns].map((project_id, at) => [project_id, at]))
  const turnOf = ({ project_id }: { project_id: ProjectId }) => place.get(project_id) ?? -1
  const next = due.toSorted((a, b) => turnOf(a) - turnOf(b))[0]
  if (!next) return null
  return first(
    await tx
      .update(jobs)
      .set({ status: 'running', worker_id, updated_at: now })
      .where(eq(jobs.id, next.id))
      .returning(),
  )
}

/** The job of each project that has been due longest, or the one that is asked for; the longest due first. */
function firstDue(tx: Tx, job_id: number | undefined, now: number): Promise<{ id: number; project_id: ProjectId }[]> {
  const isDue = sql`status = 'queued' AND next_attempt_at <= ${now}`
  if (job_id !== undefined) return tx.all(sql`SELECT id, project_id FROM jobs WHERE id = ${job_id} AND ${isDue}`)
  // Goes from project to project in the index, however many jobs each of them has.
  return tx.all(sql`
    WITH RECURSIVE waiting(project_id) AS (
      SELECT min(project_id) FROM jobs WHERE status = 'queued'
      UNION ALL
      SELECT (SELECT min(project_id) FROM jobs WHERE status = 'queued' AND project_id > waiting.project_id)
      FROM waiting WHERE waiting.project_id IS NOT NULL)
    SELECT job.id, job.project_id FROM waiting JOIN jobs AS job ON job.id = (
      SELECT id FROM jobs WHERE project_id = waiting.project_id AND ${isDue} ORDER BY next_attempt_at, id LIMIT 1)
    ORDER BY job.next_attempt_at, job.id`)
}

/** A step that succeeded clears the count of failures: only failures in a row end a job. */
async function recordStep(tx: Tx, job: Job, progress: Progress, now: number): Promise<Job> {
  const { state } = progress
  const processed = job.processed + (progress.processed ?? 0)
  const rows = await tx
    .update(jobs)
    .set({
      status: state === 'more' ? 'running' : state,
      worker_id: state === 'more' ? job.worker_id : null,
      position: progress.position ?? job.position,
      payload: progress.payload ?? job.payload,
      processed,
      total: state === 'completed' ? processed : (progress.total ?? job.total),
      attempts: 0,
      updated_at: now,
    })
    .where(eq(jobs.id, job.id))
    .returning()
  return one(rows)
}

interface Failing {
  handler: JobKindHandler
  job: Job
  worker_id: string
  now: number
  /** The disk fault that made the step fail, or null. */
  fault: Fault | null
}

/** Queues the job for another try or fails it, and answers whether. The stored reason is general; the log has more. */
async function recordFailure(tx: Tx, { handler, job, worker_id, now, fault }: Failing): Promise<boolean> {
  const { attempts, failed, reason } = failureOf(job.attempts, fault)
  const [held] = await tx
    .update(jobs)
    .set({
      status: failed ? 'failed' : 'queued',
      attempts,
      worker_id: null,
      next_attempt_at: now + RETRY_MS,
      updated_at: now,
      error: failed ? reason : null,
    })
    .where(heldBy(job, worker_id))
    .returning({ id: jobs.id })
  if (!failed || !held) return false
  noteEnd(tx, job, 'failed')
  await handler.onFailure?.(tx, job, reason, now)
  return true
}

/** The row of the audit log at the end of a job. The operation that ordered it has a row of its own. */
function noteEnd(tx: Tx, { id, project_id, kind, processed }: Job, state: 'completed' | 'cancelled' | 'failed'): void {
  note(tx, { action: `jobs/${state}`, target: `job:${id}`, project_id, details: { kind, processed } })
}

async function giveBack(tx: Tx, job: Job, worker_id: string, now: number): Promise<void> {
  await tx
    .update(jobs)
    .set({ status: 'queued', worker_id: null, next_attempt_at: now, updated_at: now })
    .where(heldBy(job, worker_id))
}

/** Matches only while this worker runs the job: a cancelled job or one that another worker took over does not match. */
function heldBy({ id }: Job, worker_id: string) {
  return and(eq(jobs.id, id), eq(jobs.worker_id, worker_id), eq(jobs.status, 'running'))
}
