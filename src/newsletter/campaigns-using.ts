import type { ProjectId } from '../ids.ts'
import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../store/open.ts'
import { campaigns, type CampaignStatus } from '../store/tables/delivery.ts'

/** Campaigns that may still send a message. A draft has not started. */
const STARTED: readonly CampaignStatus[] = ['scheduled', 'preparing', 'sending', 'paused']

/** Largest number of ids in an error. */
const MAX_IDS = 20

/**
 * The campaigns that use a list, segment or connection, for the error when it cannot be deleted.
 * @param needs a condition over a row of `campaigns`: the campaign uses it
 * @param drafts whether drafts count
 */
export async function campaignsUsing(
  db: Reader,
  project_id: ProjectId,
  needs: SQL | undefined,
  { drafts }: { drafts: boolean },
): Promise<number[]> {
  const rows = await db
    .select({ id: campaigns.id })
    .from(campaigns)
    .where(
      and(
        inArray(campaigns.status, drafts ? ['draft', ...STARTED] : [...STARTED]),
        eq(campaigns.project_id, project_id),
        isNull(campaigns.deleted_at),
        needs,
      ),
    )
    .orderBy(campaigns.id)
    .limit(MAX_IDS)
  return rows.map(({ id }) => id)
}

/** Condition: the include or exclude part of the campaign's audience names this list or segment. */
export function audienceNames(type: 'list' | 'segment', id: number): SQL {
  const { audience_spec } = campaigns
  const part = (path: string) => sql`json_extract(${audience_spec}, ${path})`
  return sql`EXISTS (
    SELECT 1 FROM json_each(json_array(${part('$.include')}, ${part('$.exclude')})) part, json_each(part.value) entry
    WHERE entry.value ->> 'type' = ${type} AND entry.value ->> 'id' = ${id})`
}
