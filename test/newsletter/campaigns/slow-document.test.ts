import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { createDelivery } from '../../../src/newsletter/campaigns/dispatch.ts'
import { startScheduled } from '../../../src/newsletter/campaigns/schedule.ts'
import { TaskTimeout } from '../../../src/threads/heavy.ts'
import { campaigns, deliveries } from '../../../src/store/tables/delivery.ts'
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.ts'
import { readyToSend } from '../../support/campaigns.ts'
import { createWorld, loopContext, type World } from '../../support/world.ts'
import { addPeople, draft } from './support.ts'

/** A document whose compilation takes longer than its time limit. */

let world: World
let sink: SmtpSink
beforeAll(async () => {
  world = await createWorld()
  sink = await startSmtpSink()
  await readyToSend(world, { name: 'Relay', provider: 'smtp', host: sink.host, port: sink.port, secure: 'none' })
  await addPeople(world, [{ email: 'ada@example.com' }])
})
afterAll(async () => {
  await world.close()
  await sink.close()
})

/** A document that is compiled on another thread. */
const LINK = '<p><a href="https://harbour.example/tides">Tides</a></p>'
const LONG = { version: 1, settings: {}, blocks: [{ id: 'a', type: 'text', props: { html: LINK.repeat(180) } }] }
const longDraft = async () => (await draft(world, { editor_json: LONG })).id
const rowOf = async (id: number) =>
  (await world.service.runtime.store.db.select().from(campaigns).where(eq(campaigns.id, id)))[0]!

/** A loop for which every task takes too long. */
function slowLoop() {
  const { runtime } = world.service
  const heavyTask = ({ name }: { name: string }) => Promise.reject(new TaskTimeout(name))
  const paused: string[] = []
  const context = { ...loopContext(runtime), countPause: (cause: string) => void paused.push(cause) }
  return { context: { ...context, store: { ...runtime.store, heavyTask } }, paused }
}

test('A long campaign is compiled on another thread, with tracked links.', async () => {
  const campaign_id = await longDraft()
  await world.ok('campaigns/send', { campaign_id })
  await world.service.drain('jobs')
  await world.service.drain('delivery')
  expect((await rowOf(campaign_id)).status).toBe('sent')
  const [message] = sink.messages.splice(0)
  expect(message!.raw.toString()).toContain('/newsletter/click/')
})

test('A campaign that takes too long to compile is paused, and says why.', async () => {
  const campaign_id = await longDraft()
  await world.ok('campaigns/send', { campaign_id })
  await world.service.drain('jobs')
  const { context, paused } = slowLoop()
  const delivery = createDelivery()
  while (await delivery.tick(context)) {
    /* the stream still runs */
  }
  expect(await rowOf(campaign_id)).toMatchObject({
    status: 'paused',
    failure: { reason: expect.stringMatching(/^Paused automatically: its document takes too long to process/) },
  })
  expect(paused).toEqual(['content'])
  expect(sink.messages).toEqual([])
})

test('A scheduled campaign that takes too long to compile fails, and says why.', async () => {
  const campaign_id = await longDraft()
  const scheduled_at = new Date(world.clock.now() + 60_000).toISOString()
  await world.ok('campaigns/schedule', { campaign_id, scheduled_at, timezone: 'UTC' })
  world.clock.advance(60_000)
  await startScheduled(slowLoop().context)
  expect(await rowOf(campaign_id)).toMatchObject({
    status: 'failed',
    failure: { reason: 'This document takes too long to process.' },
  })
})

test('A test message that takes too long to compile fails.', async () => {
  const campaign_id = await longDraft()
  await world.ok('campaigns/test-send', { campaign_id, emails: ['ben@example.com'] })
  const { context } = slowLoop()
  const delivery = createDelivery()
  while (await delivery.tick(context)) {
    /* the stream still runs */
  }
  const rows = await world.service.runtime.store.db
    .select()
    .from(deliveries)
    .where(eq(deliveries.campaign_id, campaign_id))
  expect(rows).toMatchObject([{ kind: 'test', status: 'failed', last_error: 'The message could not be composed.' }])
})
