import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { recordUnsubscribe, type UnsubscribingContact } from '../../../src/newsletter/consent/unsubscribe.ts'
import { SAMPLE_DOCUMENT } from '../../support/campaigns.ts'
import { createWorld, type World } from '../../support/world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

test("A campaign's report counts each message once, and every message.", async () => {
  const { store, clock } = world.service.runtime
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Tides',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'all' }] },
  })
  const campaign_id: number = campaign.id
  const through = async (email: string, delivery_id: number, times: number) => {
    const { contact } = await world.ok('contacts/upsert', { email, consent_text: 'Yes' })
    const leaving: UnsubscribingContact = { ...contact, project_id: world.project.id }
    for (let time = 0; time < times; time++)
      await store.write((tx) => recordUnsubscribe(tx, leaving, clock.now(), { through: { campaign_id, delivery_id } }))
  }
  await through('ada@example.com', 1, 2)
  await through('bea@example.com', 2, 1)
  expect(
    await store.db.all(sql`
      SELECT email, campaign_id, delivery_id FROM events WHERE type = 'unsubscribe' ORDER BY id`),
  ).toEqual([
    { email: 'ada@example.com', campaign_id, delivery_id: 1 },
    { email: 'ada@example.com', campaign_id: null, delivery_id: null },
    { email: 'bea@example.com', campaign_id, delivery_id: 2 },
  ])
})

test('A contact that complained stays so when it unsubscribes, also after the suppression was lifted.', async () => {
  const email = 'cleo@example.com'
  const { contact } = await world.ok('contacts/upsert', { email, consent_text: 'Yes' })
  await world.ok('suppressions/add', { email, reason: 'complaint' })
  await world.ok('suppressions/remove', { email, confirm: true })
  const { contact: left } = await world.ok('contacts/unsubscribe', { contact_id: contact.id })
  expect(left.global_status).toBe('complained')
})

test('A contact that unsubscribes from everything gets no confirmation request that still waits.', async () => {
  const { list } = await world.ok('lists/create', { name: 'Confirmed', double_opt_in: true })
  const { contact } = await world.ok('contacts/upsert', { email: 'dora@example.com', consent_text: 'Yes' })
  const waiting = () =>
    world.service.runtime.store.db.all(sql`
      SELECT status FROM deliveries WHERE contact_id = ${contact.id} AND kind = 'confirmation'`)
  const membership = { contact_id: contact.id, list_id: list.id }
  await world.ok('contacts/membership', { ...membership, action: 'subscribe', consent_text: 'Yes' })
  expect(await waiting()).toEqual([{ status: 'queued' }])
  await world.ok('contacts/unsubscribe', { contact_id: contact.id })
  expect(await waiting()).toEqual([])
})
