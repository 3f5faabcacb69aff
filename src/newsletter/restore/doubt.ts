import { HOUR_MS, iso } from '../../clock.ts'
import { factFolder, isLive } from '../../store/fact-folder.ts'
import { changedAfter_ms, isOverwritten, type Reach, reachOf } from '../../store/fact-life.ts'
import { isSamePlace, placeOf } from '../../store/place.ts'
import type { Store } from '../../store/open.ts'

/** Whether database and facts are as their last use left them (docs/operations.md#how-far-facts-reach). */

export interface Found {
  /** The folder of facts. */
  folder: string
  /** The database file; null for a server. */
  file: string | null
  now: number
  /** Whether `now` is the machine's own time, so that it can be compared with the times of files. */
  is_machine_time: boolean
}

/** The record of its last use that a database holds. */
export interface LastUse {
  /** The folder it used last; null for none. */
  id: string | null
  /** The heartbeat of the present folder that it knows; null when it does not know the folder. */
  beat: number | null
  place: string | null
  /** Whether no release that records places has used it. */
  isNew: boolean
}

interface Doubt {
  why: string
  /** Whether the facts count as missing, whatever their folder shows. */
  is_missing: boolean
}

interface Present {
  used: LastUse
  reach: Reach | null
  place: string | null
  /** Null when database and facts are as they were left. */
  doubt: Doubt | null
}

/** Compares database and facts with their last use. It changes nothing. */
export async function comparePast(store: Pick<Store, 'query' | 'kind'>, found: Found): Promise<Present> {
  // The service counts in the database first, so beside a running one the facts are never ahead in this order.
  const reach = reachOf(found.folder)
  const used = await lastUse(store, found.folder)
  const place = found.file === null ? null : placeOf(found.file)
  return { used, reach, place, doubt: doubtOf(found, used, { reach, place, kind: store.kind }) }
}

async function lastUse({ query }: Pick<Store, 'query'>, folder: string): Promise<LastUse> {
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

/** Whether the last line of the facts is the end of a process, and the database knows it. */
export function isInStep({ beat }: LastUse, reach: Reach | null): boolean {
  return reach !== null && reach.is_ended && reach.beat === beat
}

/**
 * The facts count as incomplete when they have no end and stop longer ago than this, or when their file was changed
 * this long after its last line. A campaign that was under way then does not continue by itself.
 */
const LONG_AGO_MS = HOUR_MS

function doubtOf(
  { folder, now, is_machine_time }: Found,
  used: LastUse,
  { reach, place, kind }: Pick<Present, 'reach' | 'place'> & Pick<Store, 'kind'>,
): Doubt | null {
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
  if (isOverwritten(folder, reach ?? undefined))
    return doubt(`An earlier state was written over the facts in ${folder}.`, true)
  if (reach === null || !is_machine_time) return null
  const until = `The facts in ${folder} reach until ${iso(reach.at)}`
  if (!reach.is_ended && now - reach.at > LONG_AGO_MS)
    return doubt(`${until} and have no end: the machine may have been put back to an earlier state.`, true)
  if (changedAfter_ms(folder) > LONG_AGO_MS)
    return doubt(`${until} and were changed later: a copy may have been put in their place.`, true)
  return null
}
