import { afterEach, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { deliveries } from '../../../src/store/tables/delivery.ts'
import { manyContacts, readyToSend, SAMPLE_DOCUMENT } from '../../support/campaigns.ts'
import { type SinkAnswer, type SmtpSink, startSmtpSink } from '../../support/smtp-sink.ts'
import { createWorld, type World } from '../../support/world.ts'

/** The machine's clock is set back while messages wait. */

const HOUR_MS = 3_600_000
let world: World
let sink: SmtpSink
let answer: SinkAnswer
let list_id: number
beforeEach(async () => {
  answer = undefined
  sink = await startSmtpSink({ onRcpt: () => answer })
  world = await createWorld()
  const relay = { name: 'Relay', provider: 'smtp', host: sink.host, port: sink.port, secure: 'none' }
  list_id = (await readyToSend(world, relay)).list_id
  await manyContacts(world.service.runtime.store, world.project.id, list_id, 3, world.clock.now())
})
afterEach(async () => {
  await world.close()
  await sink.close()
})

async function send(): Promise<void> {
  const { campaign } = await world.ok('campaigns/create', {
    subject: 'Tides',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  await world.ok('campaigns/send', { campaign_id: campaign.id })
  await world.service.drain('jobs')
}
const setDue = (due_at: number, attempts: number) =>
  world.service.runtime.store.write((tx) =>
    tx.update(deliveries).set({ next_attempt_at: due_at, attempts }).where(eq(deliveries.status, 'queued')),
  )

test('The first attempts of a campaign are due although the clock went back an hour.', async () => {
  await send()
  world.clock.advance(-HOUR_MS)
  await world.service.drain('delivery')
  expect(sink.messages).toHaveLength(3)
})

test('A confirmation that is due leaves although the clock went back an hour.', async () => {
  const { list } = await world.ok('lists/create', { name: 'Careful', double_opt_in: true })
  await world.ok('contacts/upsert', { email: 'ada@example.com', list_ids: [list.id], consent_text: 'Yes' })
  world.clock.advance(-HOUR_MS)
  await world.settle()
  expect(sink.messages.map(({ to }) => to)).toEqual([['ada@example.com']])
})

test.each([
  ['A retry', 1, 72 * HOUR_MS],
  ['A first attempt that waits for its mailbox provider', 0, 15 * 60_000],
])('%s is due now when it is due later than it can be, and waits when it is not.', async (_, attempts, longest_ms) => {
  await send()
  await setDue(world.clock.now() + longest_ms, attempts)
  await world.service.drain('delivery')
  expect(sink.messages).toHaveLength(0)
  world.clock.advance(-1)
  await world.service.drain('delivery')
  expect(sink.messages).toHaveLength(3)
})

test('A confirmation may be due an hour ahead, and is due now when it is later.', async () => {
  const { list } = await world.ok('lists/create', { name: 'Careful', double_opt_in: true })
  await world.ok('contacts/upsert', { email: 'ada@example.com', list_ids: [list.id], consent_text: 'Yes' })
  await setDue(world.clock.now() + HOUR_MS, 0)
  await world.service.drain('delivery')
  expect(sink.messages).toHaveLength(0)
  world.clock.advance(-1)
  await world.service.drain('delivery')
  expect(sink.messages).toHaveLength(1)
})

test('A retry waits for its pause while the clock goes on.', async () => {
  answer = { code: 451, text: '4.3.0 later' }
  await send()
  await world.service.drain('delivery')
  answer = undefined
  world.clock.advance(60_000)
  await world.service.drain('delivery')
  expect(sink.messages).toHaveLength(3)
})
