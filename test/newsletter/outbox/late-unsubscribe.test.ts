import { afterEach, expect, spyOn, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { maySend } from '../../../src/newsletter/outbox/consent-check.ts'
import { pump } from '../../../src/newsletter/outbox/pump.ts'
import { createTransports } from '../../../src/newsletter/outbox/transports.ts'
import { contacts } from '../../../src/store/tables/audience.ts'
import { events } from '../../../src/store/tables/delivery.ts'
import { eq } from 'drizzle-orm'
import { startFastSink, unevenDelays } from '../../support/fast-sink.ts'
import { closeAfterEach, raw } from '../../support/smtp-relay.ts'
import type { RawPeer } from '../../support/smtp-sink.ts'
import { createScene, type OutboxScene } from './support.ts'

/** Recipients who unsubscribe after their message was marked and before it is handed over. */

closeAfterEach()
let scene: OutboxScene
afterEach(() => scene.world.close())

const may_send = sql`EXISTS (SELECT 1 FROM contacts contact WHERE contact.id = delivery.contact_id AND ${maySend()})`
const unsubscribe = (email: string) =>
  scene.context.store.write((tx) =>
    tx.update(contacts).set({ global_status: 'unsubscribed' }).where(eq(contacts.email, email)),
  )

/** Runs the scene's stream against a relay on this machine. */
async function send(host: string, port: number, max_connections: number) {
  const connection = { ...scene.stream.connection, provider: 'smtp' as const, host, port, max_connections }
  const transports = createTransports(scene.context)
  const transport = await transports.of({ ...connection, secure: 'none', username: '' })
  const stream = { ...scene.stream, connection, may_send }
  const result = await pump({ context: scene.context, stream, transport, down_since: null })
  await transports.close()
  return result
}

test('With a relay of 100 to 400 ms, nobody is written to who left a second before.', async () => {
  scene = await createScene(40)
  const left_at = new Map<string, number>()
  const late: string[] = []
  const sink = startFastSink(unevenDelays(3))
  const waiting = async (): Promise<void> => {
    // Everybody whose message is marked and not yet handed over leaves, again and again.
    for (let round = 0; round < 5; round++) {
      await sink.waitFor(Math.min(40, sink.recipients.length + 3))
      const marked = (await scene.rows()).filter(
        ({ status, email }) => status === 'sending' && !sink.recipients.includes(email),
      )
      for (const { email } of marked.slice(0, 3)) {
        await unsubscribe(email)
        left_at.set(email, performance.now())
      }
    }
  }
  const arrivals = new Map<string, number>()
  const original = sink.recipients.push.bind(sink.recipients)
  sink.recipients.push = (...emails) => {
    for (const email of emails) arrivals.set(email, performance.now())
    return original(...emails)
  }
  const leaving = waiting().catch(() => undefined)
  await send(sink.host, sink.port, 10)
  await Promise.race([leaving, Promise.resolve()])
  for (const [email, at] of left_at) if ((arrivals.get(email) ?? at) - at > 1_000) late.push(email)
  expect(left_at.size).toBeGreaterThan(3)
  expect(late).toEqual([])
  sink.close()
}, 30_000)

test('A relay that stalls before it asks for the content gets nothing for whoever left meanwhile.', async () => {
  scene = await createScene(2)
  const content: string[] = []
  const asked = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  let messages = 0
  // The relay answers DATA when the first recipient has left.
  const server = await raw(async (peer: RawPeer) => {
    peer.say('220 relay')
    for (;;) {
      const line = await peer.hear()
      if (/^EHLO/i.test(line)) peer.say('250 relay')
      else if (/^DATA/i.test(line)) {
        if (messages++ === 0) {
          asked.resolve()
          await left.promise
        }
        peer.say('354 go on')
        content.push((await peer.hearUntil('.')).join('\n'))
        peer.say('250 taken')
      } else peer.say('250 ok')
    }
  })
  const sending = send(server.host, server.port, 1)
  await asked.promise
  const first = (await scene.rows()).find(({ status }) => status === 'sending')
  await unsubscribe(first!.email)
  const now = performance.now()
  const time = spyOn(performance, 'now').mockImplementation(() => now + 600)
  left.resolve()
  await sending
  time.mockRestore()
  await pump({
    context: scene.context,
    stream: scene.stream,
    transport: { parallel: 1, send: async () => ({ kind: 'sent', response: '' }), close: async () => undefined },
    down_since: null,
  })
  const row = (await scene.rows()).find(({ id }) => id === first!.id)!
  expect([row.status, row.last_error, row.lease_id]).toEqual(['skipped', expect.stringContaining('unsubscribed'), null])
  expect(content.filter((text) => text.includes(first!.email))).toEqual([])
  const skipped = await scene.context.store.db.select().from(events).where(eq(events.type, 'skipped'))
  expect(skipped.map(({ delivery_id }) => delivery_id)).toEqual([first!.id])
})
