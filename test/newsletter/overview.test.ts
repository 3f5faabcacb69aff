import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { inDoubtQuery } from '../../src/newsletter/campaigns/in-doubt.ts'
import { deliveries } from '../../src/store/tables/delivery.ts'
import { SAMPLE_DOCUMENT, readyToSend } from '../support/campaigns.ts'
import { createWorld, type World } from '../support/world.ts'
import { planOf } from './campaigns/support.ts'

let world: World
const DAY_MS = 24 * 3_600_000

beforeAll(async () => {
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
afterAll(() => world.close())

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
  expect(seen.sending).toEqual({ last_24_hours: 3, this_month: 3, monthly_limit: null })
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
