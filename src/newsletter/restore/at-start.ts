import { note } from '../../audit/record.ts'
import { HOUR_MS, iso, systemClock } from '../../clock.ts'
import { databaseUrl, factsFolder } from '../../instance.ts'
import type { Runtime } from '../../runtime.ts'
import { factFolder, isLive, renameFolder } from '../../store/fact-folder.ts'
import { changedAfter_ms, type Reach, reachOf, timesOfBeat } from '../../store/fact-life.ts'
import { factLines } from '../../store/facts.ts'
import { filePath } from '../../store/file-path.ts'
import { isSamePlace, placeOf } from '../../store/place.ts'
import type { Store } from '../../store/open.ts'
import { timeOf } from './completeness.ts'
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

interface Started {
  /** The folder of facts. */
  folder: string
  /** The database file; null for a server. */
  file: string | null
  now: number
  /** Whether `now` is the machine's own time, so that it can be compared with the times of files. */
  is_machine_time: boolean
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
  const { folder, file, now, taken_as_complete } = started
  const used = await lastUse(store, folder)
  const reach = reachOf(folder)
  const place = file === null ? null : placeOf(file)
  const beat = Math.max(reach?.beat ?? 0, used.beat ?? 0)
  const doubt = doubtOf(started, used, { reach, place, kind: store.kind })
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

/** The record of its last use that a database holds. */
interface LastUse {
  /** The folder it used last; null for none. */
  id: string | null
  /** The heartbeat of the present folder that it knows; null when it does not know the folder. */
  beat: number | null
  place: string | null
  /** Whether no release that records places has used it. */
  isNew: boolean
}

async function lastUse({ query }: Store, folder: string): Promise<LastUse> {
  const rows = await query('SELECT id, beat FROM fact_folders ORDER BY first_used_at DESC')
  const [at] = await query('SELECT place FROM database_place')
  const named = factFolder(folder)
  const own = rows.find(({ id }) => id === named?.id)
  return {
    id: rows[0] ? String(rows[0].id) : null,
    beat: own ? Number(own.beat) : null,
    place: at ? String(at.place) : null,
    isNew: named?.place === null,
  }
}

/**
 * The time until which the database has what the facts have. Its newest row may be later: a command or a migration may
 * have written to an older database before the service started.
 */
async function knownUntil(query: Store['query'], folder: string, used: LastUse): Promise<number> {
  const newest = await timeOf(query)
  const { last, next } = timesOfBeat(factLines(folder, 0), used.beat ?? 0)
  if (next === null || newest <= next) return newest
  // Without a number the database is of an earlier release, or does not know the folder: all facts may be new to it.
  return last ?? factFolder(folder)?.since ?? newest
}

/** Whether the last line of the facts is the end of a process, and the database knows it. */
function isInStep({ beat }: LastUse, reach: Reach | null): boolean {
  return reach !== null && reach.is_ended && reach.beat === beat
}

interface Doubt {
  why: string
  /** Whether the facts count as missing, whatever their folder shows. */
  is_missing: boolean
}

interface Present {
  reach: Reach | null
  place: string | null
  kind: Store['kind']
}

/**
 * The facts count as incomplete when they have no end and stop longer ago than this, or when their file was changed
 * this long after its last line. A campaign that was under way then does not continue by itself.
 */
const LONG_AGO_MS = HOUR_MS

function doubtOf({ folder, now, is_machine_time }: Started, used: LastUse, present: Present): Doubt | null {
  const { reach, place, kind } = present
  const doubt = (why: string, is_missing = false): Doubt => ({ why, is_missing })
  if (used.place !== null && place !== null && !isSamePlace(used.place, place))
    return doubt('The database is a copy of the one that was used last, or was moved to another disk or machine.')
  // Each process on a server has its own folder, which may be new.
  if (kind === 'file' && used.id !== null && used.beat === null)
    return doubt(`The database was used with other facts than those in ${folder}.`)
  if ((reach?.beat ?? 0) > (used.beat ?? 0)) return doubt('The database is older than its facts.')
  if (kind === 'file') {
    if ((used.beat ?? 0) > (reach?.beat ?? 0) + 1) return doubt(`The facts in ${folder} end before the database does.`)
    if (!used.isNew && !isLive(folder))
      return doubt(`The facts in ${folder} are a copy of those that were used last, or were moved.`)
  }
  if (reach === null || !is_machine_time) return null
  const until = `The facts in ${folder} reach until ${iso(reach.at)}`
  if (!reach.is_ended && now - reach.at > LONG_AGO_MS)
    return doubt(`${until} and have no end: the machine may have been put back to an earlier state.`, true)
  if (changedAfter_ms(folder) > LONG_AGO_MS)
    return doubt(`${until} and were changed later: a copy may have been put in their place.`, true)
  return null
}
