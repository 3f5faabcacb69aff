import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type SQL, sql } from 'drizzle-orm'
import { pauseUnwelcome } from '../../../src/newsletter/campaigns/reputation.ts'
import { createWorld, loopContext, type World } from '../../support/world.ts'
import { draft } from './support.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ log_level: 'error' })
})
afterAll(() => world.close())

const run = (statement: SQL) => world.service.runtime.store.write((tx) => tx.run(statement))
const get = async (campaign_id: number) => (await world.ok('campaigns/get', { campaign_id })).campaign
const check = (campaign_id: number) => pauseUnwelcome(loopContext(world.service.runtime), campaign_id)

interface SettledCounts {
  handed_over: number
  bounced?: number
  complained?: number
  /** Handed over, without an answer yet. */
  sending?: number
}

/** A sending campaign with these outcomes. Each complaint is reported twice. */
async function campaignWith({ handed_over, bounced = 0, complained = 0, sending = 0 }: SettledCounts): Promise<number> {
  const { id } = await draft(world)
  await run(sql`UPDATE campaigns SET status = 'sending', handed_over = ${handed_over} WHERE id = ${id}`)
  await addDeliveries(id, 'bounced', bounced)
  await addDeliveries(id, 'sending', sending)
  await addDeliveries(id, 'sent', complained)
  await run(sql`
    INSERT INTO events (project_id, type, campaign_id, delivery_id, email, at)
    SELECT delivery.project_id, 'complaint', delivery.campaign_id, delivery.id, '', twice.value
    FROM deliveries delivery, json_each('[1, 2]') twice
    WHERE delivery.campaign_id = ${id} AND delivery.status = 'sent'`)
  return id
}

const addDeliveries = (id: number, status: string, count: number) =>
  run(sql`
    INSERT INTO deliveries (project_id, kind, campaign_id, email, status, next_attempt_at, created_at)
    SELECT ${world.project.id}, 'campaign', ${id}, '', ${status}, 0, 0
    FROM json_each(${JSON.stringify(Array(count).fill(0))})`)

test.each<[string, SettledCounts, string]>([
  ['more than five percent of hard bounces', { handed_over: 500, bounced: 26 }, 'paused'],
  ['exactly five percent of hard bounces', { handed_over: 500, bounced: 25 }, 'sending'],
  ['more than 0.3 percent of complaints, each counted once', { handed_over: 500, complained: 2 }, 'paused'],
  ['one complaint in five hundred', { handed_over: 500, complained: 1 }, 'sending'],
  ['fewer than 500 messages', { handed_over: 499, bounced: 200 }, 'sending'],
  ['fewer than 500 messages with a known outcome', { handed_over: 600, bounced: 200, sending: 101 }, 'sending'],
])('The state of a campaign follows from its outcome: %s.', async (_, outcome, status) => {
  const id = await campaignWith(outcome)
  await check(id)
  expect((await get(id)).status).toBe(status)
})

test('The reason names the worse of both shares.', async () => {
  const bounces = await campaignWith({ handed_over: 1000, bounced: 100, complained: 4 })
  await check(bounces)
  expect((await get(bounces)).failure.reason).toBe(
    'Paused automatically: 10 % of the addresses do not exist (limit 5 %). Check the source of the list.',
  )
  const complaints = await campaignWith({ handed_over: 1000, bounced: 60, complained: 10 })
  await check(complaints)
  expect((await get(complaints)).failure.reason).toContain('1 % of the recipients complained (limit 0.3 %)')
})

test('A resumed campaign is paused again only when its share has grown by half.', async () => {
  const id = await campaignWith({ handed_over: 1000, bounced: 60 })
  await check(id)
  await run(sql`UPDATE campaigns SET status = 'sending' WHERE id = ${id}`)
  await addDeliveries(id, 'bounced', 30)
  await check(id)
  expect((await get(id)).status).toBe('sending')
  await addDeliveries(id, 'bounced', 1)
  await check(id)
  expect((await get(id)).status).toBe('paused')
})

test('Test messages that bounced do not count.', async () => {
  const id = await campaignWith({ handed_over: 1000, bounced: 400 })
  await run(sql`UPDATE deliveries SET kind = 'test' WHERE campaign_id = ${id}`)
  await check(id)
  expect((await get(id)).status).toBe('sending')
})

test('A campaign that is not sending is left alone.', async () => {
  const id = await campaignWith({ handed_over: 500, bounced: 400 })
  await run(sql`UPDATE campaigns SET status = 'cancelled' WHERE id = ${id}`)
  await check(id)
  expect((await get(id)).status).toBe('cancelled')
})
