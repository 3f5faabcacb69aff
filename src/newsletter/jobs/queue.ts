import type { ProjectId } from '../../ids.ts'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { errorFields } from '../../log.ts'
import { jsonText } from '../../store/json-text.ts'
import { livingWorkers } from '../../store/lease.ts'
import type { Tx } from '../../store/open.ts'
import type { LoopContext, Runtime } from '../../runtime.ts'
import { type JobKind, jobs } from '../../store/tables/delivery.ts'

/**
 * Work that is too long for a request.
 *
 *   queued ──► running ──► completed    all of it is done
 *     ▲          ├───────► failed       it cannot go on; `jobs/requeue` tries it again
 *     │          ├───────► cancelled    what it worked for was cancelled, also while it is queued
 *     └──────────┘                      its process ended: another goes on at `position`
 *
 * A job goes forward in steps. Each step writes its work and the job's new position in one transaction, so a crash
 * between any two lines repeats nothing and leaves nothing out.
 */
export type Job = typeof jobs.$inferSelect

/** What a step leaves behind. */
export interface Progress {
  state: 'more' | 'completed' | 'cancelled'
  position?: number
  payload?: Record<string, unknown>
  /** Added to `processed`. */
  processed?: number
  total?: number
}

export interface JobKindHandler {
  kind: JobKind
  /** One bounded piece of the work. Throws to fail the job for good. */
  step(tx: Tx, job: Job, runtime: Runtime, now: number): Promise<Progress>
  /** Called in the failing transaction. */
  onFailure?(tx: Tx, job: Job, reason: string, now: number): Promise<void>
  /** Called after the transaction of a step has committed. */
  afterStep?(progress: Progress, runtime: Runtime): void
}

export async function enqueueJob(
  tx: Tx,
  job: { project_id: ProjectId; kind: JobKind; payload: Record<string, unknown>; total?: number; now: number },
): Promise<Job> {
  const { now, ...rest } = job
  const [row] = await tx
    .insert(jobs)
    .values({ ...rest, status: 'queued', next_attempt_at: now, created_at: now, updated_at: now })
    .returning()
  return row!
}

/** Ends a job that has not ended yet; a worker that is on it notices before its next step. Answers the job as it is then. */
export async function cancelJob(tx: Tx, job_id: number, now: number): Promise<Job> {
  await tx
    .update(jobs)
    .set({ status: 'cancelled', worker_id: null, updated_at: now })
    .where(and(eq(jobs.id, job_id), inArray(jobs.status, ['queued', 'running'])))
  const [job] = await tx.select().from(jobs).where(eq(jobs.id, job_id))
  return job!
}

const TRIES = 3
const RETRY_MS = 15_000
/** After so many steps a job lets those go first that wait: nobody's campaign is behind somebody else's million rows. */
const STEPS_IN_A_ROW = 20

/**
 * Takes one job and works on it to its end, until the process stops, or until others have waited long enough; false
 * when there was none.
 * @param job_id only this one
 */
export async function runNextJob(
  context: LoopContext,
  handlers: readonly JobKindHandler[],
  job_id?: number,
): Promise<boolean> {
  const job = await context.store.write((tx) => takeJob(tx, context.worker_id, context.clock.now(), job_id))
  if (!job) return false
  const handler = handlers.find(({ kind }) => kind === job.kind)
  if (!handler) throw new Error(`No handler for jobs of kind ${job.kind}.`)
  let current: Job | null = job
  for (let steps = 0; current; steps++) {
    const stopping = context.stopping()
    if (
      stopping ||
      (steps > 0 && steps % STEPS_IN_A_ROW === 0 && job_id === undefined && (await othersWait(context)))
    ) {
      await context.store.write((tx) => giveBack(tx, job, context.worker_id, context.clock.now()))
      return !stopping
    }
    current = await runStep(context, handler, current)
  }
  return true
}

async function othersWait({ store, clock }: LoopContext): Promise<boolean> {
  const waiting = await store.db.all(
    sql`SELECT 1 FROM jobs WHERE status = 'queued' AND next_attempt_at <= ${clock.now()} LIMIT 1`,
  )
  return waiting.length > 0
}

/** One step and its bookkeeping; the job as it stands when there is more to do. */
async function runStep(context: LoopContext, handler: JobKindHandler, job: Job): Promise<Job | null> {
  const now = context.clock.now()
  try {
    const made = await context.store.write(async (tx) => {
      const [held] = await tx.select({ id: jobs.id }).from(jobs).where(heldBy(job, context.worker_id))
      if (!held) return null
      const progress = await handler.step(tx, job, context, now)
      return { progress, after: await record(tx, job, progress, context.worker_id, now) }
    })
    if (!made) return null
    handler.afterStep?.(made.progress, context)
    return made.progress.state === 'more' ? made.after : null
  } catch (error) {
    context.log.error('a step of a job failed', { job_id: job.id, kind: job.kind, ...errorFields(error) })
    await context.store.write((tx) => failStep(tx, handler, job, context.worker_id, now))
    return null
  }
}

async function takeJob(tx: Tx, worker_id: string, now: number, job_id?: number): Promise<Job | null> {
  // One job at a time: whatever is still marked as this worker's own was left by a failure.
  const living = jsonText((await livingWorkers(tx, now)).filter((id) => id !== worker_id))
  await tx.run(
    sql`UPDATE jobs SET status = 'queued', worker_id = NULL WHERE status = 'running' AND worker_id NOT IN (SELECT value FROM json_each(${living}))`,
  )
  const [due] = await tx
    .select({ id: jobs.id })
    .from(jobs)
    .where(
      and(
        eq(jobs.status, 'queued'),
        sql`${jobs.next_attempt_at} <= ${now}`,
        job_id === undefined ? undefined : eq(jobs.id, job_id),
      ),
    )
    .orderBy(asc(jobs.next_attempt_at), asc(jobs.id))
    .limit(1)
  if (!due) return null
  const [job] = await tx
    .update(jobs)
    .set({ status: 'running', worker_id, updated_at: now })
    .where(eq(jobs.id, due.id))
    .returning()
  return job ?? null
}

/** Writes the step's progress. */
async function record(tx: Tx, job: Job, progress: Progress, worker_id: string, now: number): Promise<Job> {
  const processed = job.processed + (progress.processed ?? 0)
  const [row] = await tx
    .update(jobs)
    .set({
      status: progress.state === 'more' ? 'running' : progress.state,
      worker_id: progress.state === 'more' ? worker_id : null,
      position: progress.position ?? job.position,
      payload: progress.payload ?? job.payload,
      processed,
      total: progress.state === 'completed' ? processed : (progress.total ?? job.total),
      attempts: 0,
      updated_at: now,
    })
    .where(eq(jobs.id, job.id))
    .returning()
  return row!
}

/** A step is tried three times, then the job has failed. The reason told is general: the particular one is in the log. */
async function failStep(tx: Tx, handler: JobKindHandler, job: Job, worker_id: string, now: number): Promise<void> {
  const attempts = job.attempts + 1
  const failed = attempts >= TRIES
  const reason = 'The work stopped on an unexpected error; see the log of the service.'
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
  if (failed && held) await handler.onFailure?.(tx, job, reason, now)
}

async function giveBack(tx: Tx, job: Job, worker_id: string, now: number): Promise<void> {
  await tx
    .update(jobs)
    .set({ status: 'queued', worker_id: null, next_attempt_at: now, updated_at: now })
    .where(heldBy(job, worker_id))
}

/** False for a job that was cancelled, or whose worker was taken for dead so that another has it. */
function heldBy({ id }: Job, worker_id: string) {
  return and(eq(jobs.id, id), eq(jobs.worker_id, worker_id), eq(jobs.status, 'running'))
}
