import { type SQL, sql } from 'drizzle-orm'
import type { ProjectId } from '../../ids.ts'

export interface InDoubt {
  id: number
  name: string
  uncertain: number
  finished_at: number | null
}

/** Most campaigns in doubt that the overview names. */
export const MAX_IN_DOUBT = 50

/**
 * The campaigns begun since then with messages that may or may not have arrived, the newest first. Those that were sent
 * are found by their start, the others by their status; the messages of each by their status.
 */
export function inDoubtQuery(project_id: ProjectId, since: number): SQL {
  const begun = (status: SQL) => sql`
    SELECT id, coalesce(nullif(name, ''), subject) AS name, started_at, finished_at FROM campaigns
    WHERE project_id = ${project_id} AND ${status} AND deleted_at IS NULL AND started_at >= ${since}`
  return sql`
    SELECT campaign.id, campaign.name, campaign.finished_at, count(*) AS uncertain
    FROM (
      ${begun(sql`status = 'sent'`)}
      UNION ALL
      ${begun(sql`status IN ('sending', 'paused', 'cancelled')`)}) campaign
    CROSS JOIN deliveries message
      ON message.campaign_id = campaign.id AND message.kind = 'campaign' AND message.status = 'uncertain'
    GROUP BY campaign.id ORDER BY campaign.started_at DESC LIMIT ${MAX_IN_DOUBT}`
}
