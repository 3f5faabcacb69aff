import { note } from '../../audit/record.ts'
import { systemClock } from '../../clock.ts'
import { databaseUrl, factsFolder } from '../../instance.ts'
import type { Runtime } from '../../runtime.ts'
import { factFolder, isLive, renameFolder } from '../../store/fact-folder.ts'
import { timesOfBeat } from '../../store/fact-life.ts'
import { factLines } from '../../store/facts.ts'
import { filePath } from '../../store/file-path.ts'
import type { Store } from '../../store/open.ts'
import { timeOf } from './completeness.ts'
import { comparePast, type Found, isInStep, type LastUse } from './doubt.ts'
import { setOverdueAside } from './set-aside.ts'
import { type Settled, settledText, settleRestored } from './settle.ts'
import { nameAfter, recordUse, renameRestored } from './use.ts'

/**
 * Repairs at the start of the service, for a database or facts that somebody put back without the command `restore`
 * (docs/operations.md#facts).
 */

interface Past extends Pick<Runtime, 'config' | 'log' | 'clock'> {
  /** Whether a person says that the facts are complete. */
  taken_as_complete?: boolean
}

/** Runs the repair, and turns scheduled campaigns that are long overdue into drafts. Logs what it did as warnings. */
export async function settlePast(store: Store, { config, log, clock, taken_as_complete = false }: Past): Promise<void> {
  const now = clock.now()
  const report = await settleAtStart(store, {
    folder: factsFolder(config),
    file: store.kind === 'file' ? filePath(databaseUrl(config)) : null,
    now,
    is_machine_time: clock === systemClock,
    taken_as_complete,
  })
  if (report) log.warn([report.why, ...(report.settled ? settledText(report.settled) : [])].join(' '))
  const overdue = await setOverdueAside(store, now)
  if (overdue > 0) log.warn('scheduled campaigns are drafts again, because they are overdue', { count: overdue })
}

interface Started extends Found {
  /** Whether a person says that the facts are complete. */
  taken_as_complete: boolean
}

/** The reason and the result of a repair at the start of the service. */
interface StartReport {
  why: string
  /** Null when nothing had to be replayed. */
  settled: Settled | null
}

/**
 * Checks whether the database and its facts are those of the last use, and otherwise does what a restore does. Null
 * when they are. Must run before anything is appended to the facts.
 */
async function settleAtStart(store: Store, started: Started): Promise<StartReport | null> {
  const { folder, now, taken_as_complete } = started
  const { used, reach, place, doubt } = await comparePast(store, started)
  const beat = Math.max(reach?.beat ?? 0, used.beat ?? 0)
  if (doubt === null) {
    // A folder that came from elsewhere to a server may lack what its processes appended there.
    const id = factFolder(folder)?.id
    const named = nameAfter(folder, isLive(folder) || isInStep(used, reach) || used.isNew, now)
    if (!isLive(folder)) renameFolder(folder, named)
    if (used.beat === null || factFolder(folder)?.id !== id || used.place !== place)
      await store.write((tx) => recordUse(tx, store.kind, { folder: named, beat, place, now }))
    return null
  }
  // Database and facts are of the same moment, and a person confirmed that nothing was written later.
  const isMoved = taken_as_complete && isInStep(used, reach)
  const settled = isMoved
    ? null
    : await settleRestored(store, {
        folders: [folder],
        since: await knownUntil(store.query, folder, used),
        now,
        taken_as_complete,
        doubt: doubt.is_missing ? doubt.why : null,
      })
  const named = nameAfter(folder, settled === null || settled.set_aside === null, now)
  await store.write(async (tx) => {
    const details = { why: doubt.why, ...(settled?.missing && { missing: settled.missing }) }
    note(tx, { action: 'restore', target: null, details })
    await recordUse(tx, store.kind, { folder: named, beat, place, now })
  })
  // The facts record a restore only when they hold lines that the database does not know. Otherwise its audit log
  // continues.
  if ((reach?.beat ?? 0) > (used.beat ?? 0)) await renameRestored(folder, named, now)
  else renameFolder(folder, named)
  return { why: doubt.why, settled }
}

/**
 * The time until which the database has what the facts have: that of the last heartbeat that it knows, a minute before
 * its newest row at most. The newest row itself may be later than the backup: a command, a migration or a replay that
 * was cut off may have written it.
 */
async function knownUntil(query: Store['query'], folder: string, used: LastUse): Promise<number> {
  const newest = await timeOf(query)
  const { last, next } = timesOfBeat(factLines(folder, 0), used.beat ?? 0)
  if (last !== null) return Math.min(last, newest)
  if (next === null || newest <= next) return newest
  // Without a number the database is of an earlier release, or does not know the folder: all facts may be new to it.
  return factFolder(folder)?.since ?? newest
}
