import { iso } from '../../clock.ts'
import type { Store, Tx } from '../../store/open.ts'
import { missingFacts, reachedUntil, sourcesSince } from './completeness.ts'
import { skipIds } from './ids.ts'
import { replayFacts, type Report } from './replay.ts'
import { setAside, type SetAside } from './set-aside.ts'

/** The outcome of replaying the facts since a backup into the restored database (docs/operations.md#facts). */
export interface Settled {
  /** The time of the backup. */
  as_of: string
  facts: Report
  /** Until when the facts reach; null when there are none. */
  reach: string | null
  /** Why facts may be missing; null when none is. */
  missing: string | null
  /** Null when the facts are complete, or a person says that they are. */
  set_aside: SetAside | null
}

interface Restored {
  /** The folders of facts. */
  folders: readonly string[]
  since: number
  now: number
  /** Whether a person says that the facts are complete. */
  taken_as_complete: boolean
  /** Why the facts count as missing, whatever the folders show. */
  doubt?: string | null
  /** The folder that the replaced database used last. */
  also?: string | null
}

/**
 * Replays the facts of these folders in a restored database, sets aside what they cannot decide, ends sessions and
 * skips ids.
 */
export async function settleRestored(store: Store, restored: Restored): Promise<Settled> {
  const { folders, since, now, taken_as_complete, doubt = null, also = null } = restored
  const missing = doubt ?? (await missingFacts(store, folders, since, also))
  const is_complete = missing === null || taken_as_complete
  const reach = reachedUntil(folders)
  const as_of = iso(since)
  await store.write(endSessions)
  await store.write(skipIds)
  const facts = await replayFacts(store, sourcesSince(folders, since), { since, is_complete })
  const set_aside = is_complete ? null : await setAside(store, { as_of, reach, now })
  return { as_of, facts, reach, missing, set_aside }
}

/** Sessions and reset links that people ended after the backup, because they were stolen, would work again. */
function endSessions(tx: Tx): Promise<void> {
  return tx.script('DELETE FROM sessions; DELETE FROM password_resets')
}

/** The sentences that tell the operator the outcome of the restore. */
export function settledText({ as_of, facts, missing, set_aside }: Settled): string[] {
  return [
    `The backup is of ${as_of}. Facts since then: messages handed over: ${facts.handed_over}; ` +
      `people who left, complained or bounced: ${facts.left}.`,
    ...(missing ? [missing] : []),
    ...(missing && !set_aside ? ['They were taken as complete, because --facts-are-complete says so.'] : []),
    ...(set_aside
      ? [
          `People decide: ${set_aside.paused} campaigns are paused, ${set_aside.drafts} scheduled ones are drafts ` +
            `again, and the confirmations of ${set_aside.held} projects are held (confirmations_held of ` +
            `settings/update). If nothing was sent and nobody left since then, do the same again with ` +
            `--facts-are-complete: then nothing waits.`,
        ]
      : []),
  ]
}
