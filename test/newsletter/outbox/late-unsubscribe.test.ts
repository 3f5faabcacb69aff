import { afterEach, expect, spyOn, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { maySend } from '../../../src/newsletter/outbox/eligibility.ts'
import { pump } from '../../../src/newsletter/outbox/pump.ts'
import { createTransports } from '../../../src/newsletter/outbox/transports.ts'
import { contacts } from '../../../src/store/tables/audience.ts'
import { events } from '../../../src/store/tables/delivery.ts'
import { eq } from 'drizzle-orm'
import { closeAfterEach, raw } from '../../support/smtp-relay.ts'
import type { RawPeer } from '../../support/smtp-sink.ts'
import { createScene, type OutboxScene } from './support.ts'
import { sendUnevenly } from './uneven-relay.ts'

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

test('With a relay of 100 to 400 ms, nobody gets a message who left more than half a second before.', async () => {
  scene = await createScene(120)
  const left_at = new Map<string, number>()
  const stream = { ...scene.stream, may_send }
  // Before each answer of the relay, somebody leaves whose message is marked and not handed over yet.
  const { written_at } = await sendUnevenly({ ...scene, stream }, async (relay) => {
    const waiting = (await scene.rows()).filter(
      ({ status, email }) => status === 'sending' && !relay.written_at.has(email) && !left_at.has(email),
    )
    const [next] = waiting.slice(left_at.size % Math.max(1, waiting.length))
    if (!next) return
    left_at.set(next.email, relay.now())
    await unsubscribe(next.email)
  })
  const late = [...left_at].filter(([email, at]) => (written_at.get(email) ?? at) - at > 500)
  expect(late).toEqual([])
  const rows = await scene.rows()
  const had = rows.filter(({ email }) => written_at.has(email))
  expect(rows.filter(({ status }) => status === 'sent')).toEqual(had)
  const spared = rows.filter(({ status }) => status === 'skipped').map(({ email }) => email)
  expect(spared.length + had.length).toBe(120)
  expect(spared.filter((email) => !left_at.has(email))).toEqual([])
  expect(spared.length).toBeGreaterThan(30)
})

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
