import { DAY_MS, iso } from '../../clock.ts'
import { type FactFolder, factFolder, isLive } from '../../store/fact-folder.ts'
import { changedAfter_ms, isOverwritten, isTorn, reachOf } from '../../store/fact-life.ts'
import { factLines } from '../../store/facts.ts'
import { ALIVE_MS } from '../../store/lease.ts'
import type { Store } from '../../store/open.ts'

/** Checks whether fact folders hold every fact since a time (docs/operations.md#facts). */

/**
 * A line has the time of the write that it belongs to, moments before it is appended, so only a copy or a person
 * changes a file so long after its last line.
 */
const APPENDED_MS = 15_000

/**
 * Why the folders can not be shown to have all facts since a time; null when they can.
 * @param also the folder that a database that is replaced used last
 */
export async function missingFacts(
  store: Pick<Store, 'query' | 'kind'>,
  folders: readonly string[],
  since: number,
  also: string | null = null,
): Promise<string | null> {
  const shown = folders.join(', ')
  const found = folders.flatMap((path): Found[] => {
    const named = factFolder(path)
    return named ? [{ path, ...named }] : []
  })
  if (found.length < folders.length) return `There are no facts in ${shown}.`
  const what = await flawOf(store, found, since, also)
  const reach = reachedUntil(folders)
  return what === null ? null : `The facts in ${shown} ${what}${reach === null ? '' : ` They reach until ${reach}.`}`
}

interface Found extends FactFolder {
  path: string
}

async function flawOf(
  store: Pick<Store, 'query' | 'kind'>,
  folders: readonly Found[],
  since: number,
  also: string | null,
): Promise<string | null> {
  const known = await store.query('SELECT id, beat FROM fact_folders ORDER BY first_used_at DESC')
  // A database file has one folder at a time, the processes on a server one each.
  const used = (store.kind === 'file' ? known.slice(0, 1) : known).map(({ id }) => id)
  const needed = also === null ? used : [...used, also]
  if (used.length === 0 || !needed.every((id) => folders.some((folder) => folder.id === id)))
    return 'are not those of the service that made the backup, or not all of them.'
  if (folders.some((folder) => folder.since > since)) return 'begin after the backup.'
  if (!folders.every(({ path }) => isLive(path))) return 'are a copy, which may lack what followed.'
  if (folders.some(({ path }) => changedAfter_ms(path) > APPENDED_MS))
    return 'were changed after their last line: a copy may have been put in their place.'
  if (folders.some(({ path }) => isOverwritten(path, reachOf(path) ?? undefined)))
    return 'were written over by an earlier state of them.'
  const beats = new Map(known.map(({ id, beat }) => [id, Number(beat)]))
  // The database knows the number of a line right before the line is written.
  if (folders.some(({ id, path }) => beats.get(id)! > (reachOf(path)?.beat ?? 0) + 1)) return 'end before the backup.'
  // Reads all lines, because a process that lost facts may have begun long before the backup.
  if (folders.some(({ path }) => isTorn(factLines(path, 0), since)))
    return 'may lack the last second before a power cut.'
  return null
}

/** The time until which all folders have facts; null when the lines of one of them do not tell. */
export function reachedUntil(folders: readonly string[]): string | null {
  const reached = folders.map((folder) => reachOf(folder)?.at ?? 0)
  const least = Math.min(...reached)
  return least > 0 ? iso(least) : null
}

/** The lines of folders that a backup of `since` may not have. The margins of a replay are less than a day. */
export function sourcesSince(folders: readonly string[], since: number): Iterable<string>[] {
  return folders.map((folder) => factLines(folder, since - DAY_MS))
}

/** The time of a backup: the newest that it can be proved to know of. */
export async function timeOf(query: Store['query']): Promise<number> {
  const [row] = await query(
    `SELECT max(coalesce((SELECT at FROM audit_log ORDER BY id DESC LIMIT 1), 0),
      coalesce((SELECT at FROM events ORDER BY id DESC LIMIT 1), 0),
      coalesce((SELECT max(alive_until) - ? FROM workers), 0)) AS at`,
    [ALIVE_MS],
  )
  return Number(row?.at ?? 0)
}
