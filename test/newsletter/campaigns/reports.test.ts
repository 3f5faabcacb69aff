import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  type EventRow,
  eventsQuery,
  type RecipientRow,
  recipientsQuery,
} from '../../../src/newsletter/campaigns/reports.ts'
import {
  deliveries,
  DELIVERY_STATUSES,
  type DeliveryKind,
  type DeliveryStatus,
  EVENT_TYPES,
  events,
} from '../../../src/store/tables/delivery.ts'
import { createWorld, START, type World } from '../../support/world.ts'
import { draft } from './support.ts'

let world: World
let campaign_id: number
/** Ids by the order of insertion. */
let ids: number[]
beforeAll(async () => {
  world = await createWorld()
  campaign_id = (await draft(world)).id
  const other_id = (await draft(world)).id
  const row = (status: DeliveryStatus, of = campaign_id, kind: DeliveryKind = 'campaign') => ({
    project_id: world.project.id,
    kind,
    campaign_id: of,
    email: `${status}@harbour.example`,
    status,
    next_attempt_at: START,
    created_at: START,
  })
  await world.service.runtime.store.write(async (tx) => {
    const rows = await tx
      .insert(deliveries)
      .values([
        row('sent'),
        row('failed'),
        row('sent'),
        row('sent', other_id),
        row('sent', campaign_id, 'test'),
        row('queued'),
        row('failed'),
      ])
      .returning({ id: deliveries.id })
    ids = rows.map(({ id }) => id)
    await tx.insert(events).values(
      [...EVENT_TYPES, 'sent' as const].map((type, index) => ({
        project_id: world.project.id,
        type,
        campaign_id: index === EVENT_TYPES.length ? other_id : campaign_id,
        at: START,
      })),
    )
  })
})
afterAll(() => world.close())

const recipients = async (statuses: readonly DeliveryStatus[], after = 0, limit = 50) => {
  const rows = await world.service.runtime.store.db.all<RecipientRow>(
    recipientsQuery(campaign_id, statuses, after, limit),
  )
  return rows.map(({ id }) => ids.indexOf(id))
}
const listed = async (after = 0, limit = 50) =>
  world.service.runtime.store.db.all<EventRow>(eventsQuery(campaign_id, { after_id: after, limit }))

test('Recipients of all statuses are merged by id, without those of tests and other campaigns.', async () => {
  expect(await recipients(DELIVERY_STATUSES)).toEqual([0, 1, 2, 5, 6])
})

test('Recipients are limited to the statuses that are asked for.', async () => {
  expect(await recipients(['failed'])).toEqual([1, 6])
  expect(await recipients(['sent', 'queued'])).toEqual([0, 2, 5])
  expect(await recipients(['bounced'])).toEqual([])
})

test('A page of recipients begins after an id and ends at the limit, across statuses.', async () => {
  expect(await recipients(DELIVERY_STATUSES, ids[0], 2)).toEqual([1, 2])
  expect(await recipients(DELIVERY_STATUSES, ids[2], 2)).toEqual([5, 6])
  expect(await recipients(DELIVERY_STATUSES, ids[6], 2)).toEqual([])
})

test('Events of the campaign are listed by id, without the ones that only a contact shows.', async () => {
  expect((await listed()).map(({ type }) => type)).toEqual([
    'sent',
    'failed',
    'uncertain',
    'open',
    'click',
    'unsubscribe',
    'bounce',
    'complaint',
    'skipped',
  ])
})

test('A page of events begins after an id and ends at the limit.', async () => {
  const all = await listed()
  expect((await listed(all[2]!.id, 2)).map(({ type }) => type)).toEqual(['open', 'click'])
  expect(await listed(all.at(-1)!.id)).toEqual([])
})

test('Of a contact that was deleted nothing personal is shown, and of others all.', async () => {
  const { store } = world.service.runtime
  const { id } = (await world.ok('contacts/upsert', { email: 'ada@harbour.example', consent_text: 'Yes' })).contact
  const own = (await draft(world)).id
  const of = (contact_id: number | null) => ({
    ...{ project_id: world.project.id, campaign_id: own, contact_id, email: 'ada@harbour.example' },
  })
  const all = [of(id), of(null), of(999_999)]
  await store.write(async (tx) => {
    const message = { kind: 'campaign', status: 'failed', last_error: 'ada?', next_attempt_at: 0 } as const
    await tx.insert(deliveries).values(all.map((row) => ({ ...row, ...message, created_at: START })))
    await tx.insert(events).values(all.map((row) => ({ ...row, type: 'failed' as const, at: START, detail: 'ada?' })))
  })
  const rows = await store.db.all<RecipientRow>(recipientsQuery(own, ['failed'], 0, 9))
  const shown = [
    [id, 'ada@harbour.example', 'ada?'],
    [null, 'ada@harbour.example', 'ada?'],
    [999_999, null, null],
  ]
  expect(rows.map(({ contact_id, email, last_error }) => [contact_id, email, last_error])).toEqual(shown)
  const noted = await store.db.all<EventRow>(eventsQuery(own, { limit: 9 }))
  expect(noted.map(({ contact_id, email, detail }) => [contact_id, email, detail])).toEqual(shown)
  const newest = await store.db.all<EventRow>(eventsQuery(own, { limit: 2, order: 'newest' }))
  expect(newest.map(({ contact_id }) => contact_id)).toEqual([999_999, null])
})
