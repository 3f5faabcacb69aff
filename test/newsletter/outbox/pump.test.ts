import { afterEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { pump } from '../../../src/newsletter/outbox/pump.ts'
import type { SmtpOutcome } from '../../../src/mail/smtp-outcome.ts'
import { ACCEPTED, createScene, fakeTransport, type OutboxScene } from './support.ts'

/** The pump called directly, with a relay that answers as it is told. */

let scene: OutboxScene
afterEach(() => scene?.world.close())

const DOWN: SmtpOutcome = { kind: 'temporary', scope: 'connection', stage: 'connect', message: 'connection refused' }

test('Every message is handed over once and settled, and its page of the journal is closed.', async () => {
  scene = await createScene(30)
  const transport = fakeTransport()
  const { journal } = scene.context
  const pages: ('open' | 'closed')[] = []
  const open: typeof journal.open = (...given) => {
    const page = journal.open(...given)
    const place = pages.push('open') - 1
    return {
      ...page,
      close() {
        pages[place] = 'closed'
        page.close()
      },
    }
  }
  const context = { ...scene.context, journal: { ...journal, open } }
  const result = await pump({ context, stream: scene.stream, transport, down_since: null })
  expect(pages).toEqual(['closed'])
  expect(result).toEqual({ paced_ms: null, relay_down: null, handed_over: 30, braked: false })
  expect(await scene.statuses()).toEqual({ sent: 30 })
  expect(new Set(transport.sent_to).size).toBe(30)
  expect(transport.sent_to).toHaveLength(30)
})

test.each([1, 2, 3, 4])(
  'When write %i of the store fails, no known outcome is lost and no row stays leased.',
  async (failing) => {
    scene = await createScene(12)
    const transport = fakeTransport()
    const context = scene.failingAt(failing)
    await pump({ context, stream: scene.stream, transport, down_since: null }).catch((error: Error) => {
      expect(error.message).toBe('The disk is full.')
    })
    const rows = await scene.rows()
    const sent = rows.filter(({ status }) => status === 'sent').map(({ email }) => email)
    // What the relay accepted is known, so none of it is in doubt.
    expect(sent.toSorted()).toEqual(transport.sent_to.toSorted())
    expect(rows.every(({ status }) => status === 'sent' || status === 'queued')).toBe(true)
    expect(rows.every(({ lease_id }) => lease_id === null)).toBe(true)

    await pump({ context: scene.context, stream: scene.stream, transport, down_since: null })
    expect(await scene.statuses()).toEqual({ sent: 12 })
    expect(new Set(transport.sent_to).size).toBe(transport.sent_to.length)
  },
)

test('An unreachable relay stops the batch: marked rows lose no attempt, the rest is released.', async () => {
  scene = await createScene(20)
  const transport = fakeTransport(() => DOWN)
  const result = await pump({ context: scene.context, stream: scene.stream, transport, down_since: null })
  expect(result.relay_down).toBe('connection refused')
  expect(transport.sent_to.length).toBeLessThanOrEqual(2 * transport.parallel)
  expect((await scene.rows()).every(({ status, attempts }) => status === 'queued' && attempts === 0)).toBe(true)
})

test('A message that cannot be composed fails alone.', async () => {
  scene = await createScene(10)
  const [broken, empty] = await scene.rows()
  const compose = await scene.stream.compose([])
  const stream = {
    ...scene.stream,
    compose: async () => (message: Parameters<typeof compose>[0]) => {
      if (message.id === broken!.id) throw new Error('No such merge tag.')
      return message.id === empty!.id ? null : compose(message)
    },
  }
  const context = { ...scene.context, log: { ...scene.context.log, error: () => undefined } }
  await pump({ context, stream, transport: fakeTransport(), down_since: null })
  expect((await scene.rows()).slice(0, 3).map(({ status }) => status)).toEqual(['failed', 'failed', 'sent'])
  expect(await scene.statuses()).toEqual({ failed: 2, sent: 8 })
})

test('A transport that throws leaves the message in doubt.', async () => {
  scene = await createScene(3)
  const transport = fakeTransport(() => Promise.reject(new Error('broken')))
  await pump({ context: scene.context, stream: scene.stream, transport, down_since: null })
  expect(await scene.statuses()).toEqual({ uncertain: 3 })
})

test('A stream that stops running in mid-batch hands over what is marked and releases the rest.', async () => {
  scene = await createScene(40)
  const { store } = scene.world.service.runtime
  const stream = {
    ...scene.stream,
    running: sql`EXISTS (SELECT 1 FROM campaigns WHERE id = ${scene.campaign_id} AND status = 'sending')`,
  }
  let paused: Promise<unknown> | null = null
  const transport = fakeTransport(async () => {
    await (paused ??= store.write((tx) =>
      tx.run(sql`UPDATE campaigns SET status = 'paused' WHERE id = ${scene.campaign_id}`),
    ))
    return ACCEPTED
  })
  await pump({ context: scene.context, stream, transport, down_since: null })
  const sent = transport.sent_to.length
  expect(sent).toBeLessThan(40)
  expect(await scene.statuses()).toEqual({ sent, queued: 40 - sent })
})

test('A process that stops finishes what is in flight and releases the rest.', async () => {
  scene = await createScene(40)
  const transport = fakeTransport()
  const context = { ...scene.context, stopping: () => transport.sent_to.length >= 5 }
  await pump({ context, stream: scene.stream, transport, down_since: null })
  const sent = transport.sent_to.length
  expect(sent).toBeLessThan(40)
  expect(await scene.statuses()).toEqual({ sent, queued: 40 - sent })
})

test.each([null, 100])(
  'No message is handed over while the disk is full, with the pace %p.',
  async (max_per_second) => {
    scene = await createScene(5, { max_per_second })
    scene.context.store.faults.see(Object.assign(new Error('full'), { code: 'SQLITE_FULL' }))
    const transport = fakeTransport()
    await pump({ context: scene.context, stream: scene.stream, transport, down_since: null })
    expect([transport.sent_to, await scene.statuses()]).toEqual([[], { queued: 5 }])
  },
)

test('A paced connection sends nothing under limits that changed since the stream was opened.', async () => {
  scene = await createScene(5, { max_per_second: 100 })
  const stream = { ...scene.stream, connection: { ...scene.stream.connection, updated_at: 1 } }
  const transport = fakeTransport()
  const result = await pump({ context: scene.context, stream, transport, down_since: null })
  expect([result.paced_ms, transport.sent_to]).toEqual([100, []])
  expect(await scene.statuses()).toEqual({ queued: 5 })
})

test("Messages above a mailbox provider's limit are deferred to their own time and keep their attempts.", async () => {
  scene = await createScene(10, { mailbox_limits: { gmail: 2 } })
  const { store } = scene.world.service.runtime
  await store.write((tx) => tx.run(sql`UPDATE deliveries SET email = 'reader' || id || '@gmail.com'`))
  const transport = fakeTransport()
  const result = await pump({ context: scene.context, stream: scene.stream, transport, down_since: null })
  expect(result.paced_ms).toBe(200)
  const queued = (await scene.rows()).filter(({ status }) => status === 'queued')
  expect([transport.sent_to.length, queued.length]).toEqual([1, 9])
  const times = queued.map(({ next_attempt_at }) => next_attempt_at - scene.world.clock.now())
  expect(times).toEqual(times.toSorted((one, other) => one - other))
  expect(new Set(times).size).toBe(9)
  expect(queued.every(({ attempts, lease_id }) => attempts === 0 && lease_id === null)).toBe(true)
  // A batch of which none may go does not stop the stream for good.
  await store.write((tx) => tx.run(sql`UPDATE deliveries SET next_attempt_at = 0 WHERE status = 'queued'`))
  const again = await pump({ context: scene.context, stream: scene.stream, transport, down_since: null })
  expect([again.paced_ms, transport.sent_to.length]).toEqual([200, 1])
})
