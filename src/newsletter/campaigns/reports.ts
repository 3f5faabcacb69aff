import { type SQL, sql } from 'drizzle-orm'
import type { Order } from '../../schema.ts'
import { jsonText } from '../../store/json-text.ts'
import { comparison } from '../../store/page.ts'
import { CAMPAIGN_EVENT_TYPES, type deliveries, type DeliveryStatus } from '../../store/tables/delivery.ts'
import { IMPERSONAL_DETAIL } from '../tracking/event-detail.ts'

export interface EventRow {
  id: number
  type: (typeof CAMPAIGN_EVENT_TYPES)[number]
  contact_id: number | null
  /** Null where the contact was deleted. */
  email: string | null
  at: number
  url: string | null
  user_agent: string | null
  machine: number
  detail: string | null
}

/** Whether the contact of a row exists: of others nothing personal is shown (docs/api/consent.md#deleting). */
const IS_KNOWN = sql.raw(`(contact_id IS NULL OR EXISTS (
  SELECT 1 FROM contacts contact WHERE contact.id = contact_id))`)

interface EventsPage {
  /** The last id of the page before. */
  after_id?: number | undefined
  order?: Order | undefined
  type?: EventRow['type'] | undefined
  limit: number
}

/** A page of a campaign's events in the order of their ids. The index holds the type beside them. */
export function eventsQuery(campaign_id: number, { after_id, order, type, limit }: EventsPage): SQL {
  const types = type === undefined ? CAMPAIGN_EVENT_TYPES : [type]
  const after = after_id ?? (order === 'newest' ? Number.MAX_SAFE_INTEGER : 0)
  return sql`
    SELECT id, type, contact_id, iif(${IS_KNOWN}, email, NULL) AS email, at, url, user_agent, machine,
      CASE WHEN ${IS_KNOWN} THEN detail ELSE ${IMPERSONAL_DETAIL} END AS detail
    FROM events
    WHERE campaign_id = ${campaign_id} AND id ${comparison(order)} ${after}
      AND type IN (SELECT value FROM json_each(${jsonText(types)}))
    ORDER BY id ${order === 'newest' ? sql`DESC` : sql`ASC`} LIMIT ${limit}`
}

export type RecipientRow = Pick<
  typeof deliveries.$inferSelect,
  'id' | 'contact_id' | 'status' | 'attempts' | 'last_error' | 'sent_at' | 'message_id'
> & { email: string | null }

/**
 * A page of a campaign's recipients in the order of their ids. The index holds that order within each status, so the
 * statuses are merged. A page costs the same wherever it begins, and the table that sending writes most needs no
 * further index.
 */
export function recipientsQuery(
  campaign_id: number,
  statuses: readonly DeliveryStatus[],
  after_id: number,
  limit: number,
): SQL {
  const withStatus = (status: DeliveryStatus) => sql`
    SELECT id, contact_id, iif(${IS_KNOWN}, email, NULL) AS email, status, attempts,
      iif(${IS_KNOWN}, last_error, NULL) AS last_error, sent_at, message_id FROM deliveries
    WHERE campaign_id = ${campaign_id} AND kind = 'campaign' AND status = ${status} AND id > ${after_id}`
  return sql`${sql.join(statuses.map(withStatus), sql` UNION ALL `)} ORDER BY id LIMIT ${limit}`
}
