import { type Static, Type } from '@sinclair/typebox'
import { iso, isoOrNull } from '../../clock.ts'
import { read } from '../../operation/declare.ts'
import { enumOf, Id, Limit, nullable, obj, Order, Timestamp } from '../../schema.ts'
import { DEFAULT_LIMIT } from '../../store/page.ts'
import { CAMPAIGN_EVENT_TYPES, DELIVERY_STATUSES } from '../../store/tables/delivery.ts'
import { type EventRow, eventsQuery, type RecipientRow, recipientsQuery } from './reports.ts'
import { getCampaign } from './resource.ts'

const AfterId = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'The last id of the previous page. An empty page is the end.',
})

const Bounce = obj({ kind: enumOf(['hard', 'soft']), response: Type.Optional(Type.String()) })

const CampaignEvent = obj({
  id: Id,
  type: enumOf(CAMPAIGN_EVENT_TYPES),
  contact_id: nullable(Id),
  email: nullable(Type.String({ description: 'Null where the contact was deleted.' })),
  at: Timestamp,
  url: Type.Optional(Type.String({ description: 'The address of the clicked link.' })),
  user_agent: Type.Optional(Type.String()),
  machine: Type.Optional(Type.Literal(true, { description: 'A known prefetcher, not a person.' })),
  detail: Type.Optional(
    Type.Union([Bounce, Type.String()], { description: 'The reason; for a bounce its kind and the server response.' }),
  ),
})

export const campaignEvents = read({
  path: '/campaigns/events',
  scope: 'read',
  summary: 'Lists the events of a campaign, oldest first unless asked otherwise.',
  request: obj({
    campaign_id: Id,
    type: Type.Optional(enumOf(CAMPAIGN_EVENT_TYPES)),
    order: Type.Optional(Order),
    after_id: Type.Optional(AfterId),
    limit: Type.Optional(Limit),
  }),
  response: obj({ items: Type.Array(CampaignEvent) }),
  async run({ campaign_id, limit = DEFAULT_LIMIT, ...page }, { db, project_id }) {
    await getCampaign(db, project_id, campaign_id)
    return { items: (await db.all<EventRow>(eventsQuery(campaign_id, { ...page, limit }))).map(eventItem) }
  },
})

function eventItem({ at, url, user_agent, machine, detail, ...row }: EventRow): Static<typeof CampaignEvent> {
  return {
    ...row,
    at: iso(at),
    ...(url === null ? {} : { url }),
    ...(user_agent === null ? {} : { user_agent }),
    ...(machine ? { machine: true } : {}),
    ...(detail === null ? {} : { detail: row.type === 'bounce' ? bounceOf(detail) : detail }),
  }
}

/** Bounces store their kind and the server's response as JSON; other events store plain text. */
function bounceOf(detail: string): Static<typeof Bounce> | string {
  return detail.startsWith('{') ? (JSON.parse(detail) as Static<typeof Bounce>) : detail
}

const Recipient = obj({
  id: Id,
  contact_id: nullable(Id),
  email: nullable(Type.String({ description: 'Null where the contact was deleted.' })),
  status: enumOf(DELIVERY_STATUSES),
  attempts: Type.Integer({ minimum: 0 }),
  last_error: nullable(Type.String()),
  sent_at: nullable(Timestamp),
  message_id: nullable(Type.String({ description: 'The value of the Message-ID header.' })),
})

export const campaignRecipients = read({
  path: '/campaigns/recipients',
  scope: 'read',
  summary: "Lists a campaign's recipients and the status of their messages.",
  request: obj({
    campaign_id: Id,
    status: Type.Optional(enumOf(DELIVERY_STATUSES)),
    after_id: Type.Optional(AfterId),
    limit: Type.Optional(Limit),
  }),
  response: obj({ items: Type.Array(Recipient) }),
  async run({ campaign_id, status, after_id = 0, limit = DEFAULT_LIMIT }, { db, project_id }) {
    await getCampaign(db, project_id, campaign_id)
    const query = recipientsQuery(campaign_id, status ? [status] : DELIVERY_STATUSES, after_id, limit)
    return {
      items: (await db.all<RecipientRow>(query)).map(({ sent_at, message_id, ...row }) => ({
        ...row,
        sent_at: isoOrNull(sent_at),
        message_id: message_id && `<${message_id}>`,
      })),
    }
  },
})
