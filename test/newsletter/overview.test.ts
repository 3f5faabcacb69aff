import { afterEach, beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { inDoubtQuery } from '../../src/newsletter/campaigns/in-doubt.ts'
import { contacts } from '../../src/store/tables/audience.ts'
import { deliveries, events, sending_hours } from '../../src/store/tables/delivery.ts'
import { SAMPLE_DOCUMENT, readyToSend } from '../support/campaigns.ts'
import { createWorld, type World } from '../support/world.ts'
import { planOf } from './campaigns/support.ts'

let world: World
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

beforeEach(async () => {
  world = await createWorld()
  const { list_id } = await readyToSend(world)
  const people: number[] = []
  for (const name of ['ada', 'bo', 'cy'])
    people.push(
      (await world.ok('contacts/upsert', { email: `${name}@example.com`, list_ids: [list_id], consent_text: 'Yes' }))
        .contact.id,
    )
  world.clock.advance(DAY_MS)
  const { list } = await world.ok('lists/create', { name: 'Double', double_opt_in: true })
  await world.ok('contacts/upsert', { email: 'di@example.com', list_ids: [list.id], consent_text: 'Yes' })
  await world.ok('contacts/upsert', { email: 'ed@example.com', consent_text: 'Yes' })
  await world.ok('contacts/unsubscribe', { contact_id: people[0]! })
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Tides',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  await world.ok('campaigns/send', { campaign_id: campaign.id })
  await world.settle()
  await world.ok('campaigns/create', { subject: 'Draft', audience_spec: { include: [{ type: 'all' }] } })
})
afterEach(() => world.close())

test('Overview counts contacts, lists, campaigns, growth by day and sent messages.', async () => {
  const seen = await world.ok('overview')
  expect(seen.contacts).toEqual({
    total: 5,
    by_status: { pending: 1, subscribed: 3, unsubscribed: 1, bounced: 0, complained: 0 },
  })
  expect(seen.lists.map(({ name, subscribed, pending }: any) => [name, subscribed, pending])).toEqual([
    ['Tides', 2, 0],
    ['Double', 0, 1],
  ])
  expect(seen.campaigns).toMatchObject({ total: 2, by_status: { draft: 1, sent: 1, sending: 0 } })
  // The sandbox kept the messages of the campaign.
  expect(seen.sending).toEqual({ last_24_hours: 0, this_month: 0, monthly_limit: null })
  expect(seen.growth).toHaveLength(30)
  expect(seen.growth.slice(-2)).toEqual([
    { date: '2026-01-15', subscribed: 3, unsubscribed: 0 },
    { date: '2026-01-16', subscribed: 1, unsubscribed: 1 },
  ])
  expect(seen.recent_campaigns.map(({ subject }: any) => subject)).toEqual(['Draft', 'Tides'])
})

test('Overview names the campaigns of 30 days with messages in doubt, each read through an index.', async () => {
  const { store } = world.service.runtime
  const { campaign } = await world.ok('campaigns/create', { subject: 'Doubt', audience_spec: { include: [] } })
  const begin = (status: string, started_at: number) =>
    store.write((tx) =>
      tx.run(sql`UPDATE campaigns SET status = ${status}, started_at = ${started_at} WHERE id = ${campaign.id}`),
    )
  const now = world.clock.now()
  const row = { project_id: world.project.id, kind: 'campaign', campaign_id: campaign.id } as const
  const message = { ...row, email: 'a@x.example', next_attempt_at: now, created_at: now }
  await store.write((tx) => tx.insert(deliveries).values([{ ...message, status: 'uncertain' }]))
  const seen = async () => (await world.ok('overview')).campaigns_in_doubt
  for (const status of ['sent', 'paused', 'cancelled']) {
    await begin(status, now - 30 * DAY_MS)
    expect(await seen()).toEqual([{ id: campaign.id, name: 'Doubt', uncertain: 1, finished_at: null }])
  }
  await begin('sent', now - 30 * DAY_MS - 1)
  expect(await seen()).toEqual([])
  const plan = await planOf(world, inDoubtQuery(world.project.id, now))
  expect(plan.filter((step) => /^(SCAN|SEARCH) (campaigns|message)/.test(step))).toEqual([
    expect.stringMatching(/^SEARCH campaigns USING INDEX campaigns_sent \(project_id=\? AND started_at>\?\)$/),
    expect.stringMatching(/^SEARCH campaigns USING INDEX campaigns_by_status \(status=\? AND project_id=\?\)$/),
    expect.stringMatching(
      /^SEARCH message USING COVERING INDEX deliveries_by_status \(campaign_id=\? AND status=\?\)$/,
    ),
  ])
})

test('The overview of another project is empty.', async () => {
  const seen = await world.ok('overview', {}, { as: world.keys.other })
  expect([
    seen.contacts.total,
    seen.lists,
    seen.campaigns.total,
    seen.sending.this_month,
    seen.recent_campaigns,
  ]).toEqual([0, [], 0, 0, []])
})

test('The monthly limit is that of the project.', async () => {
  const { store } = world.service.runtime
  const limitOf = async (key: string) => (await world.ok('overview', {}, { as: key })).sending.monthly_limit
  await store.write((tx) => tx.run(sql`UPDATE projects SET monthly_limit = 100 + id`))
  const ids = await store.db.all<{ id: number }>(sql`SELECT id FROM projects ORDER BY id`)
  expect(ids.length).toBeGreaterThan(1)
  const limits = [await limitOf(world.keys.owner), await limitOf(world.keys.other)]
  expect(limits[0]).toBe(100 + world.project.id)
  expect(limits[0]).not.toBe(limits[1]!)
  await store.write((tx) => tx.run(sql`UPDATE projects SET monthly_limit = NULL`))
})

/** The other project has none of what the tests above made. */
const seenByOther = () => world.ok('overview', {}, { as: world.keys.other })

test('Overview counts the messages of this hour and the 23 before it, and never less than none.', async () => {
  const { store } = world.service.runtime
  const hour = Math.floor(world.clock.now() / HOUR_MS)
  const sent = (connection_id: number, ago: number, count: number) =>
    store.write((tx) =>
      tx.insert(sending_hours).values({ project_id: world.other.id, connection_id, hour: hour - ago, sent: count }),
    )
  await sent(1, 0, 1)
  await sent(2, 0, 10)
  await sent(1, 23, 100)
  await sent(1, 24, 1000)
  expect((await seenByOther()).sending).toEqual({ last_24_hours: 111, this_month: 1111, monthly_limit: null })
  await sent(1, 1, -5000)
  expect((await seenByOther()).sending).toMatchObject({ last_24_hours: 0, this_month: 0 })
})

test('The growth of 30 days tells who joined, and once of each who left and is not back.', async () => {
  const { store } = world.service.runtime
  const today = Math.floor(world.clock.now() / DAY_MS) * DAY_MS
  const first = today - 29 * DAY_MS
  const project_id = world.other.id
  const person = (name: string, created_at: number, global_status: (typeof contacts.$inferInsert)['global_status']) => {
    const email = `${name}@example.com`
    const at = { created_at, updated_at: created_at }
    return { project_id, email, email_key: email, search_key: email, global_status, ...at }
  }
  await store.write(async (tx) => {
    const made = await tx
      .insert(contacts)
      .values([
        person('is back', first - 1, 'subscribed'),
        person('gone', first - 1, 'unsubscribed'),
        person('joined and complained', first, 'complained'),
        person('had left before the import', first, 'unsubscribed'),
        person('waits', first, 'pending'),
        person('last', today + DAY_MS - 1, 'subscribed'),
      ])
      .returning({ id: contacts.id })
    const [back, gone, complained, , , last] = made.map(({ id }) => id)
    const left = (contact_id: number | undefined, at: number) => ({
      ...{ project_id, type: 'unsubscribe' as const, contact_id: contact_id!, at },
    })
    await tx.insert(events).values([left(back, first), left(gone, first - 1), left(gone, first), left(gone, today)])
    await tx.insert(events).values({ ...left(complained, today), type: 'suppressed' })
    await tx.insert(events).values({ ...left(last, today), type: 'left_list' })
  })
  const { growth } = await seenByOther()
  const counted = growth.filter((day: any) => day.subscribed + day.unsubscribed > 0)
  const day = (time: number) => new Date(time).toISOString().slice(0, 10)
  expect([growth.length, counted]).toEqual([
    30,
    [
      { date: day(first), subscribed: 1, unsubscribed: 0 },
      { date: day(today), subscribed: 1, unsubscribed: 2 },
    ],
  ])
})

test('Overview shows the five newest campaigns and the lists in use, without deleted and archived ones.', async () => {
  const as = world.keys.other
  const name = async (subject: string) =>
    (await world.ok('campaigns/create', { subject, audience_spec: { include: [] } }, { as })).campaign.id
  const ids: number[] = []
  for (const subject of ['1', '2', '3', '4', '5', '6', '7']) {
    ids.push(await name(subject))
    if (subject === '3') world.clock.advance(1)
  }
  await world.ok('campaigns/delete', { campaign_id: ids[5]! }, { as })
  const list = async (title: string) => (await world.ok('lists/create', { name: title }, { as })).list.id
  const archived = await list('Archived')
  await list('B')
  await list('A')
  await world.ok('lists/update', { list_id: archived, archived: true }, { as })
  const seen = await seenByOther()
  expect(seen.recent_campaigns.map(({ subject }: any) => subject)).toEqual(['7', '5', '4', '3', '2'])
  expect(seen.campaigns).toMatchObject({ total: 6, by_status: { draft: 6 } })
  expect(seen.lists.map((one: any) => one.name)).toEqual(['B', 'A'])
})
