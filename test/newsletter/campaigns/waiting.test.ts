import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type SQL, sql } from 'drizzle-orm'
import { manyContacts, readyToSend, SAMPLE_DOCUMENT } from '../../support/campaigns.ts'
import { createWorld, START, type World } from '../../support/world.ts'

/** What campaigns/get and campaigns/stats say about a campaign that does not go on. */

const HOUR = 3_600_000
let world: World
let connection_id: number
let campaign_id: number
beforeAll(async () => {
  world = await createWorld()
  const ready = await readyToSend(world)
  connection_id = ready.connection_id
  await manyContacts(world.service.runtime.store, world.project.id, ready.list_id, 5, START)
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Tides',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: ready.list_id }] },
  })
  campaign_id = campaign.id
  await world.ok('campaigns/send', { campaign_id })
  await world.service.drain('jobs')
})
beforeEach(async () => {
  await run(sql`UPDATE projects SET monthly_limit = NULL`)
  await run(sql`
    UPDATE connections SET max_per_day = NULL, warm_up_started_at = NULL, last_error = NULL, mailbox_limits = NULL`)
  await run(sql`DELETE FROM sending_hours`)
  await run(sql`UPDATE deliveries SET status = 'queued', next_attempt_at = ${START}, attempts = 0`)
})
afterAll(() => world.close())

const run = (statement: SQL) => world.service.runtime.store.write((tx) => tx.run(statement))
const sent = (messages: number, hours_ago: number, through = connection_id) =>
  run(sql`
    INSERT INTO sending_hours (project_id, connection_id, hour, sent)
    VALUES (${world.project.id}, ${through}, ${Math.floor(START / HOUR) - hours_ago}, ${messages})`)
async function waiting(): Promise<unknown> {
  const { campaign } = await world.ok('campaigns/get', { campaign_id })
  const stats = await world.ok('campaigns/stats', { campaign_id })
  expect(stats.waiting).toEqual(campaign.waiting)
  return campaign.waiting
}

test('A campaign whose messages are due waits for nothing, and neither does one that is not being sent.', async () => {
  expect(await waiting()).toBeNull()
  await run(sql`UPDATE deliveries SET status = 'sent'`)
  expect(await waiting()).toBeNull()
  await run(sql`UPDATE deliveries SET status = 'queued', next_attempt_at = ${START + HOUR}`)
  await run(sql`UPDATE campaigns SET status = 'paused'`)
  expect(await waiting()).toBeNull()
  await run(sql`UPDATE campaigns SET status = 'sending'`)
})

test('A campaign waits for the limit of a day until its oldest hour no longer counts.', async () => {
  await run(sql`UPDATE connections SET max_per_day = 10`)
  await sent(4, 30)
  await sent(9, 20)
  expect(await waiting()).toBeNull()
  await sent(1, 2)
  // Neither an hour without a message counts, nor what another connection sent.
  await sent(0, 23)
  await sent(7, 22, connection_id + 1)
  const until = '2026-01-15T14:00:00.000Z'
  expect(await waiting()).toEqual({ reason: 'daily_limit', until, error: null, held_back: {} })
  await sent(1, 24)
  expect(await waiting()).toMatchObject({ until: '2026-01-15T10:00:00.000Z' })
})

test('A campaign of a new sender waits for the warm-up, and one of a full plan for the next month.', async () => {
  await run(sql`UPDATE connections SET warm_up_started_at = ${START}`)
  await sent(200, 1)
  expect(await waiting()).toMatchObject({ reason: 'warm_up', until: '2026-01-16T09:00:00.000Z' })
  // The smaller of both limits is the reason.
  await run(sql`UPDATE connections SET max_per_day = 150`)
  expect(await waiting()).toMatchObject({ reason: 'daily_limit' })
  await run(sql`UPDATE projects SET monthly_limit = 200`)
  expect(await waiting()).toMatchObject({ reason: 'plan_limit', until: '2026-02-01T00:00:00.000Z' })
})

test('A campaign waits for a relay that cannot be reached, and for the time of the next attempt.', async () => {
  await run(sql`UPDATE deliveries SET next_attempt_at = ${START + HOUR}, attempts = 1, last_error = '451 later'`)
  const until = '2026-01-15T10:00:00.000Z'
  expect(await waiting()).toEqual({ reason: 'retry', until, error: '451 later', held_back: {} })
  // Neither a message that left nor a test counts, and the first one that waits does.
  await run(sql`
    UPDATE deliveries SET next_attempt_at = next_attempt_at + id, last_error = 'later: ' || id WHERE id > 1`)
  await run(sql`UPDATE deliveries SET kind = 'test', next_attempt_at = 1 WHERE id = 2`)
  await run(sql`UPDATE deliveries SET status = 'sent', next_attempt_at = 1 WHERE id = 3`)
  expect(await waiting()).toEqual({ reason: 'retry', until, error: '451 later', held_back: {} })
  await run(sql`UPDATE deliveries SET kind = 'campaign'`)
  await run(sql`UPDATE connections SET last_error = 'Connection refused.'`)
  expect(await waiting()).toEqual({ reason: 'relay', until: null, error: 'Connection refused.', held_back: {} })
})

test('Messages that a mailbox provider limits are counted by provider.', async () => {
  await run(sql`UPDATE connections SET mailbox_limits = '{"gmail":1,"yahoo":1}'`)
  await run(sql`
    UPDATE deliveries SET next_attempt_at = ${START + 60_000},
      email = id || iif(id % 2, '@GoogleMail.com', '@hotmail.com')`)
  const row = { n: 0 }
  Object.assign(row, (await world.service.runtime.store.query(`SELECT sum(id % 2) AS n FROM deliveries`))[0])
  const gmail = row.n
  const until = '2026-01-15T09:01:00.000Z'
  expect(await waiting()).toEqual({ reason: 'mailbox_limit', until, error: null, held_back: { gmail } })
  // Of two domains of one provider the messages are counted together.
  await run(sql`UPDATE deliveries SET email = replace(email, '@hotmail.com', '@gmail.com')`)
  expect(await waiting()).toMatchObject({ held_back: { gmail: 5 } })
  // What was tried already waits for its next attempt, not for the limit.
  await run(sql`UPDATE deliveries SET attempts = 1, last_error = '451 later'`)
  expect(await waiting()).toEqual({ reason: 'retry', until, error: '451 later', held_back: {} })
})

test('A campaign waits for room on a full disk.', async () => {
  const { faults } = world.service.runtime.store
  faults.see(Object.assign(new Error('No room.'), { code: 'ENOSPC' }))
  expect(await waiting()).toEqual({ reason: 'disk', until: null, error: null, held_back: {} })
  faults.hasRoom()
  expect(await waiting()).toBeNull()
})
