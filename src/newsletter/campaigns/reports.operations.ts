import { type Static, Type } from '@sinclair/typebox'
import { type SQL, sql } from 'drizzle-orm'
import { iso, isoOrNull } from '../../clock.ts'
import { read } from '../../operation/declare.ts'
import { Id, Limit, nullable, obj, Timestamp, enumOf } from '../../schema.ts'
import { jsonText } from '../../store/json-text.ts'
import { DEFAULT_LIMIT } from '../../store/page.ts'
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../store/tables/delivery.ts'
import { getCampaign } from './resource.ts'

/** What happened in a campaign, in the order in which it happened, and what became of each recipient. */

const AfterId = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'The last id of the page before; an empty page is the end.',
})

const REPORTED = [
  'sent',
  'failed',
  'uncertain',
  'open',
  'click',
  'unsubscribe',
  'bounce',
  'complaint',
  'skipped',
] as const

const Bounce = obj({ kind: enumOf(['hard', 'soft']), response: Type.Optional(Type.String()) })

const CampaignEvent = obj({
  id: Id,
  type: enumOf(REPORTED),
  contact_id: nullable(Id),
  email: Type.String(),
  at: Timestamp,
  url: Type.Optional(Type.String({ description: 'What was clicked.' })),
  user_agent: Type.Optional(Type.String()),
  machine: Type.Optional(Type.Literal(true, { description: 'A known prefetcher, not a person.' })),
  detail: Type.Optional(
    Type.Union([Bounce, Type.String()], { description: 'Why; of a bounce, its kind and what the server said.' }),
  ),
})

export const campaignEvents = read({
  path: '/campaigns/events',
  scope: 'read',
  summary: 'Tells what happened in a campaign, oldest first.',
  request: obj({ campaign_id: Id, after_id: Type.Optional(AfterId), limit: Type.Optional(Limit) }),
  response: obj({ items: Type.Array(CampaignEvent) }),
  async run({ campaign_id, after_id = 0, limit = DEFAULT_LIMIT }, { db, project_id }) {
    await getCampaign(db, project_id, campaign_id)
    return { items: (await db.all<EventRow>(eventsQuery(campaign_id, after_id, limit))).map(eventItem) }
  },
})

interface EventRow {
  id: number
  type: (typeof REPORTED)[number]
  contact_id: number | null
  email: string
  at: number
  url: string | null
  user_agent: string | null
  machine: number
  detail: string | null
}

/** A page of a campaign's events. */
export function eventsQuery(campaign_id: number, after_id: number, limit: number): SQL {
  return sql`
    SELECT id, type, contact_id, email, at, url, user_agent, machine, detail FROM events
    WHERE campaign_id = ${campaign_id} AND id > ${after_id} AND type IN (SELECT value FROM json_each(${jsonText(REPORTED)}))
    ORDER BY id LIMIT ${limit}`
}

function eventItem({
  id,
  type,
  contact_id,
  email,
  at,
  url,
  user_agent,
  machine,
  detail,
}: EventRow): Static<typeof CampaignEvent> {
  return {
    id,
    type,
    contact_id,
    email,
    at: iso(at),
    ...(url === null ? {} : { url }),
    ...(user_agent === null ? {} : { user_agent }),
    ...(machine ? { machine: true } : {}),
    ...(detail === null ? {} : { detail: type === 'bounce' ? bounceOf(detail) : detail }),
  }
}

/** A bounce keeps its kind and the server's words as JSON. */
function bounceOf(detail: string): Static<typeof Bounce> | string {
  return detail.startsWith('{') ? (JSON.parse(detail) as Static<typeof Bounce>) : detail
}

const Recipient = obj({
  id: Id,
  contact_id: nullable(Id),
  email: Type.String(),
  status: enumOf(DELIVERY_STATUSES),
  attempts: Type.Integer({ minimum: 0 }),
  last_error: nullable(Type.String()),
  sent_at: nullable(Timestamp),
  message_id: nullable(Type.String({ description: 'As it stands in the header Message-ID.' })),
})

export const campaignRecipients = read({
  path: '/campaigns/recipients',
  scope: 'read',
  summary: "Lists a campaign's recipients and what became of their messages.",
  request: obj({
    campaign_id: Id,
    status: Type.Optional(enumOf(DELIVERY_STATUSES)),
    after_id: Type.Optional(AfterId),
    limit: Type.Optional(Limit),
  }),
  response: obj({ items: Type.Array(Recipient) }),
  async run({ campaign_id, status, after_id = 0, limit = DEFAULT_LIMIT }, { db, project_id }) {
    await getCampaign(db, project_id, campaign_id)
    const rows = await db.all<RecipientRow>(
      recipientsQuery(campaign_id, status ? [status] : DELIVERY_STATUSES, after_id, limit),
    )
    return {
      items: rows.map(({ sent_at, message_id, ...row }) => ({
        ...row,
        sent_at: isoOrNull(sent_at),
        message_id: message_id && `<${message_id}>`,
      })),
    }
  },
})

interface RecipientRow extends Omit<Static<typeof Recipient>, 'sent_at'> {
  sent_at: number | null
}

/**
 * A page of a campaign's recipients. The index has them in order within each status, so the statuses are merged: a
 * page costs the same wherever it stands, without another index on the table that sending writes most.
 */
export function recipientsQuery(
  campaign_id: number,
  statuses: readonly DeliveryStatus[],
  after_id: number,
  limit: number,
): SQL {
  const ofOne = (status: DeliveryStatus) => sql`
    SELECT id, contact_id, email, status, attempts, last_error, sent_at, message_id FROM deliveries
    WHERE campaign_id = ${campaign_id} AND kind = 'campaign' AND status = ${status} AND id > ${after_id}`
  return sql`${sql.join(statuses.map(ofOne), sql` UNION ALL `)} ORDER BY id LIMIT ${limit}`
}
