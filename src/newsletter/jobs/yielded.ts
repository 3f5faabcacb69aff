import { sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { Reader } from '../../store/open.ts'
import { hasRows } from '../../store/rows.ts'

/** Jobs that yielded, each with its handler, which may keep something in memory for the next step. */
export type YieldedJobs = Map<number, { release?(job_id: number): void }>

/** Releases the jobs that wait no more: somebody cancelled them, or another worker took them. */
export async function releaseGone(db: Reader, yielded: YieldedJobs): Promise<void> {
  if (yielded.size === 0) return
  const rows = await db.all<{ id: number }>(sql`
    SELECT id FROM jobs
    WHERE id IN (SELECT value FROM json_each(${jsonText([...yielded.keys()])})) AND status = 'queued'`)
  const waiting = new Set(rows.map(({ id }) => id))
  for (const [job_id, handler] of yielded) {
    if (waiting.has(job_id)) continue
    handler.release?.(job_id)
    yielded.delete(job_id)
  }
}

/** Whether another job is due, so that the running one should yield. */
export async function othersWait(db: Reader, now: number): Promise<boolean> {
  return hasRows(await db.all(sql`SELECT 1 FROM jobs WHERE status = 'queued' AND next_attempt_at <= ${now} LIMIT 1`))
}
