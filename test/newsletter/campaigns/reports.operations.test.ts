import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { eventsQuery, recipientsQuery } from '../../../src/newsletter/campaigns/reports.ts'
import {
  bounceQuery,
  linkQuery,
  engagementQuery,
  statusQuery,
  timelineQuery,
} from '../../../src/newsletter/campaigns/stats.ts'
import { deliveries, DELIVERY_STATUSES, type DeliveryStatus, events } from '../../../src/store/tables/delivery.ts'
import { createWorld, START, type World } from '../../support/world.ts'
import { draft, planOf } from './support.ts'

const HOUR_MS = 3_600_000

let world: World
let campaign_id: number
let recipients: { id: number; email: string }[]
beforeAll(async () => {
  world = await createWorld()
  campaign_id = (await draft(world)).id
  const other_id = (await draft(world)).id
  const statuses: DeliveryStatus[] = [
    'sent',
    'sent',
    'sent',
    'bounced',
    'failed',
    'skipped',
    'queued',
    'leased',
    'sending',
    'uncertain',
    'cancelled',
    'queued',
  ]
  const row = (status: DeliveryStatus, at: number, campaign: number, kind: 'campaign' | 'test' = 'campaign') => ({
    project_id: world.project.id,
    kind,
    campaign_id: campaign,
    contact_id: kind === 'test' ? null : 100 + at,
    email: `r${at}@harbour.example`,
    status,
    attempts: status === 'queued' ? 0 : 1,
    next_attempt_at: START,
    message_id: status === 'sent' ? `m${at}@harbour.example` : null,
    last_error: status === 'failed' ? '552 Mailbox full' : null,
    sent_at: status === 'sent' ? START : null,
    created_at: START,
  })
  await world.service.runtime.store.write(async (tx) => {
    await tx.run(sql`UPDATE campaigns SET status = 'sent' WHERE id IN (${campaign_id}, ${other_id})`)
    for (const at of [...statuses.keys(), 51])
      await tx.run(sql`
        INSERT INTO contacts (id, project_id, email, email_key, search_key, global_status, created_at, updated_at)
        VALUES (${100 + at}, ${world.project.id}, 'r', ${`r${at}`}, '', 'subscribed', 0, 0)`)
    recipients = await tx
      .insert(deliveries)
      .values(statuses.map((status, at) => row(status, at, campaign_id)))
      .returning({ id: deliveries.id, email: deliveries.email })
    await tx.insert(deliveries).values([row('queued', 50, campaign_id, 'test'), row('sent', 51, other_id)])
    const of = (at: number) => ({
      project_id: world.project.id,
      campaign_id,
      delivery_id: recipients[at]!.id,
      contact_id: 100 + at,
      email: recipients[at]!.email,
    })
    const click = (at: number, url: string, hours: number, machine = false) => ({
      ...of(at),
      type: 'click' as const,
      url,
      at: START + hours * HOUR_MS,
      machine,
      user_agent: 'Mail 1.0',
    })
    await tx.insert(events).values([
      { ...of(0), type: 'sent', at: START + 1 },
      { ...of(1), type: 'sent', at: START + HOUR_MS - 1 },
      { ...of(2), type: 'sent', at: START + HOUR_MS },
      {
        ...of(3),
        type: 'bounce',
        at: START + 5,
        detail: JSON.stringify({ kind: 'hard', response: '550 5.1.1 No such user' }),
      },
      { ...of(1), type: 'bounce', at: START + 6, detail: JSON.stringify({ kind: 'soft' }) },
      { ...of(4), type: 'failed', at: START + 7, detail: '552 Mailbox full' },
      { ...of(0), type: 'open', at: START + HOUR_MS },
      { ...of(0), type: 'open', at: START + 2 * HOUR_MS },
      { ...of(1), type: 'open', at: START + 2 * HOUR_MS },
      { ...of(2), type: 'open', at: START + HOUR_MS, machine: true, user_agent: 'Prefetcher' },
      click(0, 'https://harbour.example/a', 2),
      click(0, 'https://harbour.example/a', 3),
      click(1, 'https://harbour.example/a', 3),
      click(1, 'https://harbour.example/b', 3),
      click(2, 'https://harbour.example/b', 1, true),
      click(2, 'https://harbour.example/a', 1, true),
      { ...of(1), type: 'unsubscribe', at: START + 4 * HOUR_MS },
      { ...of(1), type: 'unsubscribe', at: START + 4 * HOUR_MS },
      { ...of(2), type: 'complaint', at: START + 4 * HOUR_MS, delivery_id: null },
      { ...of(0), type: 'left_list', at: START + 4 * HOUR_MS },
      { ...of(0), type: 'open', at: START, campaign_id: other_id },
    ])
  })
})
afterAll(() => world.close())

test('The numbers of campaigns/stats add up.', async () => {
  const stats = await world.ok('campaigns/stats', { campaign_id })
  expect(stats).toEqual({
    recipients: 12,
    sent: 4,
    in_sandbox: 0,
    reached: 2,
    failed: 1,
    skipped: 1,
    queued: 4,
    uncertain: 1,
    cancelled: 1,
    opens: 3,
    unique_opens: 2,
    clicks: 4,
    unique_clicks: 2,
    machine_opens: 1,
    machine_clicks: 2,
    unsubscribes: 1,
    bounces: { hard: 1, soft: 1 },
    complaints: 1,
    links: [
      { url: 'https://harbour.example/a', clicks: 3, unique_clicks: 2 },
      { url: 'https://harbour.example/b', clicks: 1, unique_clicks: 1 },
    ],
    timeline: [
      { at: '2026-01-15T09:00:00.000Z', sent: 2, opens: 0, clicks: 0 },
      { at: '2026-01-15T10:00:00.000Z', sent: 1, opens: 1, clicks: 0 },
      { at: '2026-01-15T11:00:00.000Z', sent: 0, opens: 2, clicks: 1 },
      { at: '2026-01-15T12:00:00.000Z', sent: 0, opens: 0, clicks: 3 },
    ],
    minutes: [],
    waiting: null,
  })
  expect(stats.recipients).toBe(
    stats.sent + stats.failed + stats.skipped + stats.queued + stats.uncertain + stats.cancelled,
  )
})

test('A campaign has a timeline by minute for six hours, and the same one by hour.', async () => {
  const { timeline } = await world.ok('campaigns/stats', { campaign_id })
  const { store } = world.service.runtime
  const begin = (at: number | null) =>
    store.write((tx) => tx.run(sql`UPDATE campaigns SET started_at = ${at} WHERE id = ${campaign_id}`))
  await begin(world.clock.now() - 6 * HOUR_MS + 1)
  const young = await world.ok('campaigns/stats', { campaign_id })
  expect(young.timeline).toEqual(timeline)
  expect(young.minutes.slice(0, 3)).toEqual([
    { at: '2026-01-15T09:00:00.000Z', sent: 1, opens: 0, clicks: 0 },
    { at: '2026-01-15T09:59:00.000Z', sent: 1, opens: 0, clicks: 0 },
    { at: '2026-01-15T10:00:00.000Z', sent: 1, opens: 1, clicks: 0 },
  ])
  await begin(world.clock.now() - 6 * HOUR_MS)
  expect(await world.ok('campaigns/stats', { campaign_id })).toMatchObject({ timeline, minutes: [] })
  await begin(null)
})

test('The numbers of a campaign that was never sent are all zero.', async () => {
  const stats = await world.ok('campaigns/stats', { campaign_id: (await draft(world)).id })
  expect(stats).toMatchObject({
    recipients: 0,
    sent: 0,
    opens: 0,
    bounces: { hard: 0, soft: 0 },
    links: [],
    timeline: [],
  })
})

test('campaigns/list with stats has the same counts for each campaign, and none for a draft.', async () => {
  await draft(world)
  const { items } = await world.ok('campaigns/list', { include: ['stats'], limit: 3 })
  expect(items.map(({ status }: { status: string }) => status)).toEqual(['sent', 'sent', 'draft'])
  for (const { id, stats } of items) {
    expect(await world.ok('campaigns/stats', { campaign_id: id })).toMatchObject(stats)
    expect(Object.keys(stats)).toHaveLength(18)
  }
  expect([items[0].stats.recipients, items[1].stats.unique_opens, items[2].stats.sent]).toEqual([12, 1, 0])
  expect(Object.keys((await world.ok('campaigns/list', {})).items[0])).not.toContain('stats')
  // A campaign that ended otherwise, or has not ended, counts as one that was sent.
  const numbers = items.find(({ id }: { id: number }) => id === campaign_id).stats
  const { store } = world.service.runtime
  for (const status of ['preparing', 'sending', 'paused', 'cancelled', 'failed', 'sent']) {
    await store.write((tx) => tx.run(sql`UPDATE campaigns SET status = ${status} WHERE id = ${campaign_id}`))
    const listed = await world.ok('campaigns/list', { include: ['stats'], status })
    expect(listed.items.find(({ id }: { id: number }) => id === campaign_id).stats).toEqual(numbers)
  }
  const answer = await world.call('campaigns/list', { include: ['stats'], limit: 1 })
  const before = Number(answer.headers.get('ratelimit-remaining'))
  const after = Number((await world.call('campaigns/list', { include: ['stats'] })).headers.get('ratelimit-remaining'))
  expect(before - after).toBe(5)
})

describe('campaigns/events', () => {
  const page = async (more: Record<string, unknown> = {}) =>
    (await world.ok('campaigns/events', { campaign_id, ...more })).items

  test('campaigns/events lists the events in order, each with its own fields.', async () => {
    const items = await page()
    expect(items.map(({ type }: { type: string }) => type)).toEqual([
      'sent',
      'sent',
      'sent',
      'bounce',
      'bounce',
      'failed',
      'open',
      'open',
      'open',
      'open',
      'click',
      'click',
      'click',
      'click',
      'click',
      'click',
      'unsubscribe',
      'unsubscribe',
      'complaint',
    ])
    expect(items[0]).toEqual({
      id: expect.any(Number),
      type: 'sent',
      contact_id: 100,
      email: 'r0@harbour.example',
      at: '2026-01-15T09:00:00.001Z',
    })
    expect(items[3].detail).toEqual({ kind: 'hard', response: '550 5.1.1 No such user' })
    expect(items[5].detail).toBe('552 Mailbox full')
    expect(items[9]).toMatchObject({ machine: true, user_agent: 'Prefetcher' })
    expect(items[10]).toMatchObject({ url: 'https://harbour.example/a', user_agent: 'Mail 1.0' })
    expect(items[10]).not.toHaveProperty('machine')
  })

  test('campaigns/events lists the latest first, and one type alone.', async () => {
    const all = await page()
    const [first, second] = [await page({ order: 'newest', limit: 5 }), all.toReversed().slice(0, 5)]
    expect(first).toEqual(second)
    const rest = await page({ order: 'newest', after_id: first.at(-1).id })
    expect([...first, ...rest]).toEqual(all.toReversed())
    const clicks = all.filter(({ type }: { type: string }) => type === 'click')
    expect(await page({ type: 'click', order: 'newest', limit: 6 })).toEqual(clicks.toReversed())
  })

  test('campaigns/events pages by the last id until a page is empty.', async () => {
    const all = await page()
    const found: unknown[] = []
    for (
      let after_id = 0, items = await page({ limit: 5 });
      items.length > 0;
      items = await page({ limit: 5, after_id })
    ) {
      found.push(...items)
      after_id = items.at(-1).id
    }
    expect(found).toEqual(all)
    for (const wrong of [
      { limit: 0 },
      { limit: 201 },
      { after_id: -1 },
      { after_id: 'a' },
      { cursor: 'x' },
      { type: 'subscribed' },
    ]) {
      expect((await world.call('campaigns/events', { campaign_id, ...wrong })).status).toBe(400)
    }
  })
})

describe('campaigns/recipients', () => {
  const page = async (more: Record<string, unknown> = {}) =>
    (await world.ok('campaigns/recipients', { campaign_id, ...more })).items

  test('campaigns/recipients lists every recipient with the status of the message, and no test messages.', async () => {
    const items = await page()
    expect(items.map(({ email }: { email: string }) => email)).toEqual(recipients.map(({ email }) => email))
    expect(items[0]).toEqual({
      id: recipients[0]!.id,
      contact_id: 100,
      email: 'r0@harbour.example',
      status: 'sent',
      attempts: 1,
      last_error: null,
      sent_at: '2026-01-15T09:00:00.000Z',
      message_id: '<m0@harbour.example>',
    })
    expect(items[4]).toMatchObject({
      status: 'failed',
      last_error: '552 Mailbox full',
      sent_at: null,
      message_id: null,
    })
  })

  test('campaigns/recipients pages by the last id, with and without a status.', async () => {
    for (const filter of [{}, { status: 'queued' }]) {
      const all = await page(filter)
      const found: unknown[] = []
      for (
        let after_id = 0, items = await page({ ...filter, limit: 1 });
        items.length > 0;
        items = await page({ ...filter, limit: 1, after_id })
      ) {
        found.push(...items)
        after_id = items.at(-1).id
      }
      expect(found).toEqual(all)
    }
    expect((await page({ status: 'queued' })).map(({ id }: { id: number }) => id)).toEqual([
      recipients[6]!.id,
      recipients[11]!.id,
    ])
    expect((await page({ status: 'sent' })).every(({ status }: { status: string }) => status === 'sent')).toBe(true)
    expect((await world.call('campaigns/recipients', { campaign_id, status: 'lost' })).body.error.details[0].path).toBe(
      '/status',
    )
  })
})

test.each([
  [
    'status counts',
    () => statusQuery([campaign_id]),
    /^SEARCH deliveries USING COVERING INDEX deliveries_by_status \(campaign_id=\?\)$/,
  ],
  [
    'reactions',
    () => engagementQuery([campaign_id]),
    /^SEARCH events USING COVERING INDEX events_by_campaign_type \(campaign_id=\? AND type=\?\)$/,
  ],
  [
    'bounces',
    () => bounceQuery([campaign_id]),
    /^SEARCH events USING INDEX events_by_campaign_type \(campaign_id=\? AND type=\?\)$/,
  ],
  [
    'links',
    () => linkQuery(campaign_id),
    /^SEARCH events USING INDEX events_by_campaign_type \(campaign_id=\? AND type=\?\)$/,
  ],
  [
    'the timeline',
    () => timelineQuery(campaign_id, HOUR_MS),
    /^SEARCH events USING COVERING INDEX events_by_campaign \(campaign_id=\?\)$/,
  ],
  [
    'events',
    () => eventsQuery(campaign_id, { after_id: 5, limit: 50 }),
    /^SEARCH events USING INDEX events_by_campaign \(campaign_id=\? AND id>\?\)$/,
  ],
  [
    'events, the latest first',
    () => eventsQuery(campaign_id, { order: 'newest', type: 'click', limit: 50 }),
    /^SEARCH events USING INDEX events_by_campaign \(campaign_id=\? AND id<\?\)$/,
  ],
  [
    'recipients',
    () => recipientsQuery(campaign_id, DELIVERY_STATUSES, 5, 50),
    /^SEARCH deliveries USING INDEX deliveries_by_status \(campaign_id=\? AND status=\? AND id>\?\)$/,
  ],
  [
    'recipients of one status',
    () => recipientsQuery(campaign_id, ['sent'], 5, 50),
    /^SEARCH deliveries USING INDEX deliveries_by_status \(campaign_id=\? AND status=\? AND id>\?\)$/,
  ],
])('The query of %s reads through one index.', async (name, query, expected) => {
  const plan = await planOf(world, query())
  const reads = plan.filter((step) => /^(SEARCH|SCAN) (events|deliveries)/.test(step))
  expect(reads.length).toBeGreaterThan(0)
  for (const step of reads) expect(step).toMatch(expected)
  if (/^(events|recipients)/.test(name)) expect(plan.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
})
