import { sql } from 'drizzle-orm'
import type { ProjectId } from '../../ids.ts'
import type { Tx } from '../../store/open.ts'
import { valuesOf, withRows } from '../../store/rows.ts'
import { recordFacts } from '../facts.ts'

/** How a consent was withdrawn: stored as evidence (docs/api/consent.md#evidence). */
export interface Withdrawal {
  now: number
  source: string
  /** The client address and user agent of the person; left out where somebody else did it. */
  address?: string
  user_agent?: string
  /** The campaign whose message was used. */
  campaign_id?: number
  /** The status stays that of a bounce: the fact of the suppression tells of the opt-out, and keeps the status. */
  is_hidden?: boolean
}

/** Adds evidence that contacts withdrew their consent to a list, or to everything where `list_id` is null. */
export async function recordWithdrawals(
  tx: Tx,
  from: readonly { project_id: ProjectId; contact_id: number; list_id: number | null }[],
  { now, source, address, user_agent, campaign_id, is_hidden }: Withdrawal,
): Promise<void> {
  if (from.length === 0) return
  const rows = from.map(({ project_id, contact_id, list_id }) => [project_id, contact_id, list_id])
  await tx.run(sql`
    ${withRows(rows)}
    INSERT INTO consents (project_id, contact_id, list_id, action, source, at, address, user_agent, campaign_id)
    SELECT ${valuesOf(0, 3)}, 'withdrawn', ${source}, ${now}, ${address ?? null}, ${user_agent ?? null},
      ${campaign_id ?? null} FROM r`)
  if (is_hidden) return
  recordFacts(
    tx,
    from.map((left) => ({ ...left, what: 'left', at: now })),
  )
}
