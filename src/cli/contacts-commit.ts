import { note } from '../audit/record.ts'
import { hostname } from 'node:os'
import { eq } from 'drizzle-orm'
import { newId } from '../ids.ts'
import { journalFolder } from '../instance.ts'
import { createClaims } from '../shared-claims.ts'
import { countedAlone } from '../shared-counts.ts'
import { createLog } from '../log.ts'
import { commit } from '../newsletter/imports/commit.ts'
import { discard } from '../newsletter/imports/file.ts'
import { importJob } from '../newsletter/imports/import-job.ts'
import type { ImportRow } from '../newsletter/imports/states.ts'
import { runNextJob } from '../newsletter/jobs/queue.ts'
import { createJournal } from '../store/journal.ts'
import { registerWorker, HEARTBEAT_MS, keepAlive, removeWorker } from '../store/lease.ts'
import type { LoopContext } from '../runtime.ts'
import { one } from '../store/rows.ts'
import { jobs } from '../store/tables/jobs.ts'
import { Failure } from './command.ts'
import type { Opened } from './open.ts'
import { progressBar } from './progress.ts'

const POLL_MS = 200

/**
 * Commits an import and runs its job in this process. When a service on the same database leases the job first, this
 * waits until that service has finished it. After an interrupt the job stays queued for the next running service.
 */
export async function commitHere(
  { store, loop_store, clock, config, keys }: Opened,
  examined: ImportRow,
): Promise<'completed' | 'failed' | 'cancelled'> {
  const from = { address: '', user_agent: 'masthead contacts import' }
  const { job } = await store
    .write((tx) => {
      note(tx, { target: `import:${examined.id}`, project_id: examined.project_id })
      return commit(tx, examined, from, { ...config, now: clock.now() })
    })
    .catch(async (error: unknown) => {
      await discard(loop_store, clock, examined)
      throw error
    })
  const worker = { id: newId('prc'), host: hostname(), pid: process.pid }
  await loop_store.write((tx) => registerWorker(tx, worker, store.kind, clock.now()))
  const beat = setInterval(() => {
    loop_store.write((tx) => keepAlive(tx, worker.id, clock.now()), { durable: false }).catch(() => undefined)
  }, HEARTBEAT_MS)
  let interrupted = false
  const interrupt = (): void => {
    interrupted = true
  }
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)

  const bar = progressBar('Importing', examined.summary!.rows)
  const handler: typeof importJob = {
    ...importJob,
    afterStep(progress, runtime, job) {
      importJob.afterStep?.(progress, runtime, job)
      bar.advance(progress.processed ?? 0)
    },
  }
  const context: LoopContext = {
    config,
    store: loop_store,
    disk: { last: null },
    claims: createClaims(null),
    counts: countedAlone,
    clock,
    keys,
    base_url: config.base_url,
    log: createLog('warn', config.log_format, () => clock.now()),
    worker_id: worker.id,
    journal: createJournal(journalFolder(config), worker.id),
    writeLogs: async () => undefined,
    wake: () => undefined,
    countPause: () => undefined,
    stopping: () => interrupted,
    ending: new AbortController().signal,
  }
  try {
    for (;;) {
      const worked = await runNextJob(context, [handler], { job_id: job.id })
      const now = one(
        await store.db.select({ status: jobs.status, processed: jobs.processed }).from(jobs).where(eq(jobs.id, job.id)),
      )
      if (now.status !== 'queued' && now.status !== 'running') return now.status
      if (interrupted)
        throw new Failure(
          `Interrupted after ${now.processed} rows. A service on this database continues with the rest.`,
        )
      if (!worked) await Bun.sleep(POLL_MS)
    }
  } finally {
    bar.end()
    clearInterval(beat)
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
    await loop_store.write((tx) => removeWorker(tx, worker.id))
  }
}
