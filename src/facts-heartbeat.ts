import { sql } from 'drizzle-orm'
import { MINUTE_MS } from './clock.ts'
import { newId } from './ids.ts'
import { errorFields, type Log } from './log.ts'
import { endLine } from './audit/known-ends.ts'
import { lifeLine, type LifeSign } from './store/fact-life.ts'
import type { FactLog } from './store/facts.ts'
import { bootId } from './store/journal.ts'
import { first, one } from './store/rows.ts'
import type { Store } from './store/store.ts'

/** Writes lines into the fact log that say that this process lives and when it ends (docs/operations.md#facts). */
interface Heartbeat {
  /** Appends a line that says that the process lives. To be called each minute; `start` does. */
  beat(): Promise<void>
  start(log: Log): void
  /** Appends a line that says that the process ends. */
  end(): Promise<void>
}

interface Ends {
  last_id: number
  last_hash: string
}

/**
 * Says that a process begins, and with it how far the facts reach and where the audit log ends. Each line has a number
 * that the database knows before the line is written: a database that knows less is older than its facts.
 */
export async function beginHeartbeat(
  store: Pick<Store, 'write'> & { facts: FactLog },
  now: () => number,
  boot_id = bootId(),
): Promise<Heartbeat> {
  const { facts } = store
  const process_id = newId('prc')
  let beat = 0
  let known: Ends | null = null
  let timer: ReturnType<typeof setInterval> | null = null

  const say = async (sign: LifeSign): Promise<void> => {
    const { ends, ...counted } = await store.write(async (tx) => {
      const ends = first(await tx.all<Ends>(sql`SELECT last_id, last_hash FROM audit_chain`))
      const rows = await tx.all<{ beat: number }>(sql`
        UPDATE fact_folders SET beat = beat + 1 WHERE id = ${facts.folder_id} RETURNING beat`)
      return { beat: one(rows).beat, ends }
    })
    beat = counted.beat
    const at = now()
    const lines = [lifeLine({ at, sign, process_id, boot_id, beat })]
    if (ends && ends.last_id !== known?.last_id) lines.push(endLine(at, ends))
    facts.append(at, lines)
    known = ends
    await facts.mark(beat)
  }
  await say('begun')
  facts.headWith((at) => lifeLine({ at, sign: 'begun', process_id, boot_id, beat }))
  return {
    beat: () => say('alive'),
    start(log) {
      timer = setInterval(() => {
        say('alive').catch((error: unknown) => log.error('the heartbeat of the facts failed', errorFields(error)))
      }, MINUTE_MS)
      timer.unref()
    },
    async end() {
      if (timer) clearInterval(timer)
      facts.headWith(null)
      await say('ended')
    },
  }
}
