import { statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { DAY_MS, MINUTE_MS } from './clock.ts'
import { errorFields } from './log.ts'
import type { Runtime } from './runtime.ts'
import { reachedMilestones, reachMilestone } from './store/milestones.ts'
import { checkTableTask, tablesIn } from './store/table-check.ts'

/** Looks for damage in what nobody reads, a table at a time (docs/operations.md#damage). */

/** How often it is asked whether a check is due. */
const LOOK_MS = 10 * MINUTE_MS
/** The pause after each table, as a multiple of the time that its check took. */
const PAUSES = 4

type Checking = Pick<Runtime, 'store' | 'clock' | 'log'>

/** Damage that a check found. It has the code of what SQLite reports when it comes upon such a page. */
class DamagedTable extends Error {
  readonly code = 'SQLITE_CORRUPT'
}

/** Whether the last process that used a database file did not close it: it left a write-ahead log. */
export function isLeftOpen(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
}

/**
 * Checks the database once a day, and now when it was left open. Damage counts as a fault of the process. Answers a
 * function that ends it.
 */
export function keepChecked(checking: Checking, was_left_open: boolean): () => void {
  const { log } = checking
  const ending = new AbortController()
  let is_running = false
  const look = async (is_due: boolean): Promise<void> => {
    if (is_running) return
    is_running = true
    try {
      if (is_due || (await isDue(checking))) await checkAll(checking, ending.signal)
    } catch (error) {
      if (!ending.signal.aborted) log.warn('the check of the database did not end', errorFields(error))
    } finally {
      is_running = false
    }
  }
  if (was_left_open) void look(true)
  const timer = setInterval(() => void look(false), LOOK_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    ending.abort()
  }
}

async function isDue({ store, clock }: Checking): Promise<boolean> {
  const { database_check } = await reachedMilestones(store.db)
  return database_check === undefined || Math.abs(clock.now() - database_check.at) >= DAY_MS
}

/** Checks each table in a read of its own, so that the write-ahead log is never held for longer than one takes. */
async function checkAll({ store, clock, log }: Checking, ending: AbortSignal): Promise<void> {
  const tables = await tablesIn(store.db)
  for (const table of tables) {
    // A full disk takes no result, and damage that was found is damage enough.
    if (ending.aborted || store.faults.current() !== null) return
    const begun = performance.now()
    const { damage } = await store.heavyTask(checkTableTask, { table })
    if (damage !== null) {
      store.faults.see(new DamagedTable(`${table}: ${damage}`))
      return
    }
    const pause_ms = PAUSES * (performance.now() - begun)
    // Ends early, with an error, when the service ends.
    await pause(pause_ms, null, { signal: ending, ref: false }).catch(() => null)
  }
  if (ending.aborted) return
  const reached = { at: clock.now(), details: { tables: tables.length } }
  await store.write((tx) => reachMilestone(tx, 'database_check', reached), { durable: false })
  log.debug('the database was checked', { tables: tables.length })
}
