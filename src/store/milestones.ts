import type { Reader, Tx } from './store.ts'
import { type Milestone, milestones } from './tables/operation.ts'

/** When service-wide tasks such as backups last succeeded, for operators (docs/api/operator.md#health). */
interface Reached {
  at: number
  details: Record<string, string | number>
}

export async function reachMilestone(tx: Tx, name: Milestone, reached: Reached): Promise<void> {
  await tx
    .insert(milestones)
    .values({ name, ...reached })
    .onConflictDoUpdate({ target: milestones.name, set: reached })
}

/** As `reachedMilestones`, for rows that were read as they are. */
export function milestonesOf(rows: readonly Record<string, unknown>[]): Partial<Record<Milestone, Reached>> {
  return Object.fromEntries(
    rows.map(({ name, at, details }) => [name, { at: Number(at), details: JSON.parse(String(details)) }]),
  )
}

/** The milestones that were reached at least once. */
export async function reachedMilestones(db: Reader): Promise<Partial<Record<Milestone, Reached>>> {
  const rows = await db.select().from(milestones)
  return Object.fromEntries(rows.map(({ name, ...reached }) => [name, reached]))
}
