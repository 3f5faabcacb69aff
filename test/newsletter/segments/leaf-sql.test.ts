import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { createWorld, type World } from '../../support/world.ts'
import { addPeople } from '../campaigns/support.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const matching = async (rule: object): Promise<number> =>
  (await world.ok('segments/preview', { rules: { op: 'and', rules: [rule] } })).count

test('A rule "ends with" counts characters as people do, also emoji.', async () => {
  for (const [email, last_name] of [
    ['ada@example.com', 'Sunny 😀😀'],
    ['bo@example.com', 'Rainy'],
  ])
    await world.ok('contacts/upsert', { email, last_name, consent_text: 'Yes' })
  for (const value of ['😀', '😀😀', 'ny 😀😀'])
    expect(await matching({ field: 'last_name', operator: 'ends_with', value })).toBe(1)
})

test('A contact that got a test message or a confirmation has received no campaign.', async () => {
  const [id] = await addPeople(world, [{ email: 'cy@example.com' }])
  const { store } = world.service.runtime
  const now = world.clock.now()
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Tides',
    audience_spec: { include: [{ type: 'all' }] },
  })
  const send = (kind: string) =>
    store.write((tx) =>
      tx.run(sql`
        INSERT INTO deliveries (project_id, kind, campaign_id, contact_id, email, status, next_attempt_at, created_at,
          sent_at)
        VALUES (${world.project.id}, ${kind}, ${campaign.id}, ${id}, 'cy@example.com', 'sent', ${now}, ${now},
          ${now})`),
    )
  await send('test')
  await send('confirmation')
  expect(await matching({ field: 'received' })).toBe(0)
  await send('campaign')
  expect(await matching({ field: 'received' })).toBe(1)
})
