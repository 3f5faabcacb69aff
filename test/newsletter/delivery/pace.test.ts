import { afterEach, beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { domainOf, mailboxProviders } from '../../../src/newsletter/delivery/mailbox-providers.ts'
import { dailyLimit } from '../../../src/newsletter/delivery/quota.ts'
import { LETTER, manyContacts, readyToSend } from '../../support/campaigns.ts'
import { createWorld, START, type World } from '../../support/world.ts'

const DAY_MS = 24 * 3_600_000

test('mailboxes are told apart by their domain, else by where its mail goes', async () => {
  const asked: string[] = []
  const providers = mailboxProviders(async (domain) => {
    asked.push(domain)
    if (domain === 'gone.example') throw new Error('ENOTFOUND')
    return [{ exchange: ({ 'school.example': 'aspmx.l.google.com', 'firm.example': 'firm-example.mail.protection.outlook.com', 'club.example': 'mta5.am0.YahooDNS.net' } as Record<string, string>)[domain] ?? 'mail.own.example' }]
  })
  const domains = ['gmail.com', 'hotmail.co.uk', 'yahoo.fr', 'school.example', 'firm.example', 'club.example', 'own.example', 'gone.example', 'notgmail.com']
  const found = await providers.of(new Set(domains), START)
  expect(domains.map((domain) => found.get(domain))).toEqual(['gmail', 'outlook', 'yahoo', 'gmail', 'outlook', 'yahoo', null, null, null])
  expect(asked).not.toContain('gmail.com')
  asked.length = 0
  await providers.of(new Set(domains), START + 60_000)
  expect(asked).toEqual([])
  await providers.of(new Set(domains), START + 20 * 60_000)
  expect(asked).toEqual(['gone.example'])
  expect(domainOf('A@B@Example.COM')).toBe('example.com')
})

test('a warm-up grows from 200 to 200,000 messages a day, and ends', () => {
  const on = (day: number, max_per_day: number | null = null) => dailyLimit({ max_per_day, warm_up_started_at: START }, START + day * DAY_MS)
  expect([on(0), on(41), on(42), on(0, 50), on(30, 1000)]).toEqual([200, 200_000, null, 50, 1000])
  for (let day = 1; day < 42; day++) expect(on(day)! / on(day - 1)!).toBeWithin(1.1, 1.25)
  expect(dailyLimit({ max_per_day: 7, warm_up_started_at: null }, START)).toBe(7)
})

let world: World
let list_id: number
let connection_id: number
beforeEach(async () => {
  world = await createWorld()
  ;({ list_id, connection_id } = await readyToSend(world))
})
afterEach(() => world.close())

const sent = async (like: string): Promise<number> => {
  const [row] = await world.service.runtime.store.db.all<{ n: number }>(sql`SELECT count(*) AS n FROM deliveries WHERE status = 'sent' AND email LIKE ${like}`)
  return row!.n
}

test('a held-back provider gets its pace and holds up nobody else', async () => {
  await manyContacts(world.service.runtime.store, world.project.id, list_id, 60, world.clock.now())
  await world.service.runtime.store.write(async (tx) => {
    await tx.run(sql`UPDATE contacts SET email = replace(email, 'example.com', 'gmail.com'), email_key = replace(email_key, 'example.com', 'gmail.com') WHERE id % 2 = 0`)
    await tx.run(sql`UPDATE contacts SET email = replace(email, 'example.com', 'yahoo.com'), email_key = replace(email_key, 'example.com', 'yahoo.com') WHERE id % 2 = 1`)
  })
  const { connection } = await world.ok('connections/update', { connection_id, mailbox_limits: { gmail: 4 } })
  expect(connection.mailbox_limits).toEqual({ gmail: 4 })
  const { campaign } = await world.ok('campaigns/create', { subject: 'Tides', editor_json: LETTER, audience_spec: { include: [{ type: 'list', id: list_id }] } })
  await world.ok('campaigns/send', { campaign_id: campaign.id })
  await world.settle()
  expect([await sent('%yahoo.com'), await sent('%gmail.com')]).toEqual([30, 1])
  for (let quarter = 0; quarter < 8; quarter++) {
    world.clock.advance(250)
    await world.service.drain('delivery')
  }
  expect(await sent('%gmail.com')).toBe(9)
  world.clock.advance(10_000)
  await world.service.drain('delivery')
  expect((await world.ok('campaigns/get', { campaign_id: campaign.id })).campaign.status).toBe('sending')
})

test('a warm-up spreads a campaign over days', async () => {
  await manyContacts(world.service.runtime.store, world.project.id, list_id, 300, world.clock.now())
  expect((await world.ok('connections/update', { connection_id, warm_up: true })).connection.warm_up).toBe(true)
  const { campaign } = await world.ok('campaigns/create', { subject: 'Tides', editor_json: LETTER, audience_spec: { include: [{ type: 'list', id: list_id }] } })
  await world.ok('campaigns/send', { campaign_id: campaign.id })
  await world.settle()
  expect(await sent('%')).toBe(200)
  world.clock.advance(DAY_MS)
  await world.settle()
  expect([await sent('%'), (await world.ok('campaigns/get', { campaign_id: campaign.id })).campaign.status]).toEqual([300, 'sent'])
})
