import { DAY_MS, iso, systemClock } from '../clock.ts'
import { entriesOf } from '../setting-kinds.ts'
import { factsFolder } from '../instance.ts'
import { skipIds } from '../newsletter/restore/ids.ts'
import { replayFacts, type Report } from '../newsletter/restore/replay.ts'
import { setAside, type SetAside } from '../newsletter/restore/set-aside.ts'
import { factFolder, factLines, isTorn } from '../store/facts.ts'
import { ALIVE_MS } from '../store/lease.ts'
import type { Store } from '../store/open.ts'
import { command, UsageError } from './command.ts'
import { withStore } from './open.ts'

/** What a restored database learned of the time after its backup (docs/operations.md#facts). */
interface Settled {
  /** The time of the backup. */
  as_of: string
  facts: Report
  /** Why facts are missing; null when none is. */
  missing: string | null
  set_aside: SetAside | null
}

/** Replays the facts of these folders in a restored database, sets aside what they cannot decide, and skips ids. */
export async function settleRestored(store: Store, folders: readonly string[], since: number): Promise<Settled> {
  const missing = await missingFacts(store, folders, since)
  // The margins of a replay reach back for less than a day.
  const sources = folders.map((folder) => factLines(folder, since - DAY_MS))
  await store.write(skipIds)
  const facts = await replayFacts(store, sources, { since, is_complete: missing === null })
  const as_of = iso(since)
  const set_aside = missing === null ? null : await setAside(store, { as_of, now: systemClock.now() })
  return { as_of, facts, missing, set_aside }
}

/** Why the folders do not have all facts since a time; null when they do. */
async function missingFacts(store: Store, folders: readonly string[], since: number): Promise<string | null> {
  const shown = folders.join(', ')
  const named = folders.map(factFolder)
  if (named.includes(null)) return `There are no facts in ${shown}.`
  // A database file has one folder at a time, the processes on a server one each.
  const used = await store.query('SELECT id FROM fact_folders ORDER BY first_used_at DESC')
  const needed = store.kind === 'file' ? used.slice(0, 1) : used
  if (needed.length === 0 || !needed.every(({ id }) => named.some((folder) => folder?.id === id)))
    return `The facts in ${shown} are not those of the service that made the backup, or not all of them.`
  if (named.some((folder) => folder!.since > since)) return `The facts in ${shown} begin after the backup.`
  // A service may have begun long before the backup.
  if (folders.some((folder) => isTorn(factLines(folder, 0), since)))
    return `The facts in ${shown} may lack the last second before a power cut, or before they were copied.`
  return null
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

/** What the operator has to know about the restore. */
export function settledText({ as_of, facts, missing, set_aside }: Settled): string[] {
  return [
    `The backup is of ${as_of}. Facts since then: messages handed over: ${facts.handed_over}; ` +
      `people who left, complained or bounced: ${facts.left}.`,
    ...(missing ? [missing] : []),
    ...(set_aside
      ? [
          `People decide: ${set_aside.paused} campaigns are paused, ${set_aside.drafts} scheduled ones are drafts ` +
            `again, and the confirmations of ${set_aside.held} projects are held (confirmations_held of ` +
            `settings/update).`,
        ]
      : []),
  ]
}

export const factsReplay = command({
  name: 'facts replay',
  summary: 'Replay facts after a libSQL server was restored by its own tools. Stop all processes first.',
  flags: {
    since: { takes: 'TIME', required: true, help: 'The time of the backup, such as 2026-11-22T09:00:00Z.' },
    folders: { takes: 'LIST', help: 'Folders of facts of all processes, separated by commas. Default: facts/ in DIR.' },
  },
  run({ flags, settings }) {
    const since = Date.parse(flags.since)
    if (Number.isNaN(since)) throw new UsageError('--since expects a time such as 2026-11-22T09:00:00Z.')
    return withStore(settings, async ({ loop_store, config }) => {
      const folders = flags.folders ? entriesOf(flags.folders) : [factsFolder(config)]
      const settled = await settleRestored(loop_store, folders, since)
      return { text: settledText(settled).join('\n'), data: settled }
    })
  },
})
