import { afterEach, beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { countDeliveries } from '../../../src/newsletter/outbox/delivery-days.ts'
import { reportedProvider } from '../../../src/newsletter/outbox/reported-providers.ts'
import { type NewEvent, recordEvents } from '../../../src/newsletter/tracking/events.ts'
import { deliveries, type DeliveryStatus } from '../../../src/store/tables/delivery.ts'
import { delivery_days } from '../../../src/store/tables/delivery-days.ts'
import { createSiteWorld, type SiteWorld } from '../../http/site-world.ts'
import { START } from '../../support/world.ts'
import { draft } from '../campaigns/support.ts'

const DAY_MS = 86_400_000

let world: SiteWorld
let campaign_id: number
beforeEach(async () => {
  world = await createSiteWorld()
  campaign_id = (await draft(world)).id
})
afterEach(() => world.close())

const store = () => world.service.runtime.store
const record = (...given: (Pick<NewEvent, 'type' | 'email'> & Partial<NewEvent>)[]) =>
  store().write((tx) =>
    recordEvents(
      tx,
      given.map((event) => ({ project_id: world.project.id, campaign_id, at: START, ...event })),
    ),
  )
const count = () => world.service.drain('delivery_days')
const get = async (days?: number) =>
  (await world.as('member', '/project/deliverability/get', { days })).body.deliverability
const providers = async () =>
  Object.fromEntries(
    (await get()).providers.map(({ provider, sent, bounced, soft_bounced, complained, unsubscribed, opened }: any) => [
      provider,
      [sent, bounced, soft_bounced, complained, unsubscribed, opened],
    ]),
  )
async function deliver(rows: { email: string; status: DeliveryStatus; sent_at?: number | null; of?: number }[]) {
  const values = rows.map(({ of = campaign_id, ...row }) => ({
    ...row,
    project_id: world.project.id,
    kind: 'campaign' as const,
    campaign_id: of,
    next_attempt_at: START,
    created_at: START,
  }))
  return store().write((tx) => tx.insert(deliveries).values(values).returning({ id: deliveries.id }))
}

test('Events are counted once, by provider and day, and of the opens of a message the first by a person.', async () => {
  const [ada, bo, cy] = await deliver([
    { email: 'ada@gmail.com', status: 'sent', sent_at: START },
    { email: 'bo@hotmail.com', status: 'bounced', sent_at: null },
    { email: 'cy@shop.example', status: 'bounced', sent_at: START },
  ])
  const of = (row: { id: number } | undefined, email: string) => ({ email, delivery_id: row!.id })
  await record(
    { ...of(ada, 'Ada@GMail.com'), type: 'sent', at: START - DAY_MS },
    { ...of(ada, 'ada@gmail.com'), type: 'open', machine: true },
    { ...of(ada, 'ada@gmail.com'), type: 'open' },
    { ...of(ada, 'ada@gmail.com'), type: 'click', url: '/' },
    // The server refused the address; the relay never took the message.
    { ...of(bo, 'bo@hotmail.com'), type: 'bounce', detail: '{"kind":"hard"}' },
    { ...of(cy, 'cy@shop.example'), type: 'sent' },
    { ...of(cy, 'cy@shop.example'), type: 'bounce', detail: '{"kind":"soft"}' },
    { ...of(cy, 'cy@shop.example'), type: 'bounce' },
    { email: 'di@gmail.com', type: 'sent', project_id: world.other.id, campaign_id: null },
    // Two domains of one provider.
    { email: 'ed@me.com', type: 'sent' },
    { email: 'fay@icloud.com', type: 'sent' },
  )
  const first = {
    gmail: [1, 0, 0, 0, 0, 1],
    outlook: [1, 1, 0, 0, 0, 0],
    other: [1, 1, 1, 0, 0, 0],
    icloud: [2, 0, 0, 0, 0, 0],
  }
  // Two processes at once.
  await Promise.all([countDeliveries({ store: store() }), countDeliveries({ store: store() })])
  expect(await providers()).toEqual(first)
  await count()
  expect(await providers()).toEqual(first)
  await record(
    { ...of(ada, 'ada@gmail.com'), type: 'open' },
    { ...of(ada, 'ada@gmail.com'), type: 'complaint' },
    { ...of(cy, 'cy@shop.example'), type: 'unsubscribe' },
  )
  await count()
  expect(await providers()).toEqual({ ...first, gmail: [1, 0, 0, 1, 0, 1], other: [1, 1, 1, 0, 1, 0] })
  const { total, providers: shown } = await get()
  expect(total).toMatchObject({ sent: 5, bounced: 2, opened: 1 })
  expect(
    shown.find(({ provider }: any) => provider === 'gmail').by_day.map(({ date, sent }: any) => [date, sent]),
  ).toEqual([
    ['2026-01-14', 1],
    ['2026-01-15', 0],
  ])
  expect((await get(1)).total.sent).toBe(4)
})

test('Events whose detail is plain text are counted like others.', async () => {
  await record(
    { type: 'unsubscribe', email: 'ada@plain.example', detail: 'lists' },
    { type: 'complaint', email: 'bo@plain.example', detail: 'SpamComplaint' },
    { type: 'bounce', email: 'cy@plain.example', detail: 'Mailbox full' },
  )
  await count()
  expect((await providers()).other).toEqual([1, 1, 0, 1, 1, 0])
})

test('Many events are counted in steps.', async () => {
  const before = (await get()).total.sent
  await store().write((tx) =>
    tx.run(sql`
      WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 2001)
      INSERT INTO events (project_id, type, campaign_id, email, at)
      SELECT ${world.project.id}, 'sent', ${campaign_id}, 'x@icloud.com', ${START} FROM n`),
  )
  expect(await countDeliveries({ store: store() })).toBe(true)
  expect((await get()).total.sent).toBe(before + 2_000)
  await count()
  expect((await get()).total.sent).toBe(before + 2_001)
})

test('Waiting messages are told by provider, with the words of a server that refused for now.', async () => {
  const { id } = await draft(world)
  const later = START + 60_000
  await deliver([
    { email: 'a@gmail.com', status: 'queued', of: id },
    { email: 'b@gmail.com', status: 'queued', of: id },
    { email: 'c@outlook.de', status: 'queued', of: id },
    { email: 'd@shop.example', status: 'queued', of: id },
  ])
  await store().write(async (tx) => {
    await tx.run(sql`UPDATE campaigns SET status = 'sending' WHERE id = ${id}`)
    const set = (email: string, columns: ReturnType<typeof sql>) =>
      tx.run(sql`UPDATE deliveries SET ${columns} WHERE campaign_id = ${id} AND email LIKE ${email}`)
    await set('%@gmail.com', sql`next_attempt_at = ${later}`)
    await set('%@outlook.de', sql`next_attempt_at = ${later + 1}, attempts = 1, last_error = '421 Too many'`)
  })
  expect((await get()).held_back).toEqual([
    { provider: 'gmail', messages: 2, reason: 'limit', until: '2026-01-15T09:01:00.000Z', error: null },
    {
      provider: 'outlook',
      messages: 1,
      reason: 'refused_for_now',
      until: '2026-01-15T09:01:00.001Z',
      error: '421 Too many',
    },
  ])
})

test('Suppressions are counted by reason, and campaigns above a threshold are named.', async () => {
  for (const [email, reason] of [
    ['a@x.example', 'manual'],
    ['b@x.example', 'manual'],
    ['c@x.example', 'complaint'],
  ])
    await world.ok('suppressions/add', { email, reason })
  const made = [await draft(world, { name: 'Bad' }), await draft(world, { name: 'Fair' }), await draft(world)]
  const handed = [100, 1000, 49]
  await store().write(async (tx) => {
    for (const [at, { id }] of made.entries())
      await tx.run(sql`
        UPDATE campaigns SET status = 'sent', started_at = ${START}, handed_over = ${handed[at]} WHERE id = ${id}`)
  })
  await deliver(
    [0, 0, 0, 0, 0, 2, 2, 2].map((at, n) => ({ email: `n${n}@x.example`, status: 'bounced', of: made[at]!.id })),
  )
  await record({ type: 'complaint', email: 'y@x.example', campaign_id: made[1]!.id })
  const { suppressions, campaigns } = await get()
  expect(suppressions).toEqual([
    { reason: 'complaint', addresses: 1 },
    { reason: 'manual', addresses: 2 },
  ])
  expect(
    campaigns.map(({ name, sent, bounced, complained, level }: any) => [name, sent, bounced, complained, level]),
  ).toEqual([
    ['Fair', 1000, 0, 1, 'watch'],
    ['Bad', 100, 5, 0, 'act'],
  ])
})

test('Counts of deliveries are removed after 400 days.', async () => {
  world.clock.advance(401 * DAY_MS)
  await world.service.drain('maintenance')
  expect(await store().db.$count(delivery_days)).toBe(0)
})

test.each([
  ['googlemail.com', 'gmail'],
  ['live.co.uk', 'outlook'],
  ['me.com', 'icloud'],
  ['gmx.net', 'gmx'],
  ['proton.me', 'proton'],
  ['notgmail.com', 'other'],
  ['', 'other'],
])('Mail to %j goes to %s.', (domain, provider) => {
  expect(reportedProvider(domain)).toBe(provider)
})
