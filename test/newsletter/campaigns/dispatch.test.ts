import { expect, spyOn, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { createDelivery } from '../../../src/newsletter/campaigns/dispatch.ts'
import { deliveries } from '../../../src/store/tables/delivery.ts'
import { readyToSend } from '../../support/campaigns.ts'
import { startSmtpSink } from '../../support/smtp-sink.ts'
import { createWorld, loopContext } from '../../support/world.ts'
import * as transports from '../../../src/newsletter/outbox/transports.ts'
import { createScene, fakeTransport } from '../outbox/support.ts'
import { addPeople, draft } from './support.ts'

test('An unreachable relay is tried again after pauses that double, up to five minutes.', async () => {
  const world = await createWorld()
  const sink = await startSmtpSink()
  await readyToSend(world, { name: 'Relay', provider: 'smtp', host: sink.host, port: sink.port, secure: 'none' })
  await sink.close()
  await addPeople(world, [{ email: 'ada@example.com' }])
  const { id } = await draft(world)
  await world.ok('campaigns/send', { campaign_id: id })
  await world.service.drain('jobs')
  const pauses: unknown[] = []
  const { runtime } = world.service
  const warn = (_: string, fields?: Record<string, unknown>) => void pauses.push(fields?.pause_ms)
  const context = { ...loopContext(runtime), log: { ...runtime.log, warn } }
  const delivery = createDelivery()
  for (let hour = 0; hour < 8; hour++) {
    while (await delivery.tick(context)) {
      /* the stream still runs */
    }
    world.clock.advance(3_600_000)
  }
  expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000])
  // A pause ends at its time, or when a clock that was set back makes it longer than any.
  const tries = async (advance_ms: number) => {
    pauses.length = 0
    world.clock.advance(advance_ms)
    while (await delivery.tick(context)) {
      /* the stream still runs */
    }
    return pauses.length
  }
  expect(await tries(0)).toBe(1)
  expect([await tries(299_999), await tries(1), await tries(-3_600_000)]).toEqual([0, 1, 1])
  await world.close()
})

test('The delivery is woken as soon as the rate of a mailbox provider allows the next message.', async () => {
  const { world, statuses } = await createScene(3, { mailbox_limits: { gmail: 2 } })
  const { runtime } = world.service
  await runtime.store.write((tx) =>
    tx.script(`
      UPDATE contacts SET email = 'a' || id || '@gmail.com', email_key = 'a' || id || '@gmail.com';
      UPDATE deliveries SET email = 'a' || contact_id || '@gmail.com'`),
  )
  const woken = Promise.withResolvers<string>()
  const context = { ...loopContext(runtime), wake: woken.resolve }
  const delivery = createDelivery()
  while (await delivery.tick(context)) {
    /* the stream still runs */
  }
  expect(await statuses()).toEqual({ sent: 1, queued: 2 })
  expect(await woken.promise).toBe('delivery')
  await world.close()
})

test('The error of a relay that answers again is cleared, and a campaign that is resumed tolerates more.', async () => {
  const world = await createWorld()
  let refused = 0
  const sink = await startSmtpSink({
    onRcpt: () => (refused-- > 0 ? { code: 550, text: 'account suspended' } : undefined),
  })
  const relay = { name: 'Relay', provider: 'smtp', host: sink.host, port: sink.port, secure: 'none' }
  const { connection_id } = await readyToSend(world, relay)
  await addPeople(
    world,
    Array.from({ length: 60 }, (_, at) => ({ email: `a${at}@example.com` })),
  )
  const other = await world.ok('connections/create', { name: 'Other', provider: 'sandbox' })
  const { store } = world.service.runtime
  /** What the connection says after a campaign at a relay that refuses so many recipients. */
  const errorAfter = async (refusals: number) => {
    refused = refusals
    await store.write((tx) => tx.run(sql`UPDATE connections SET last_error = 'The relay fails: before'`))
    await world.ok('campaigns/send', { campaign_id: (await draft(world)).id })
    await world.settle()
    const { items } = await world.ok('connections/list', {})
    return items.find(({ id }: { id: number }) => id === connection_id).last_error
  }
  expect(await errorAfter(0)).toBeNull()
  expect(await errorAfter(1_000)).toContain('account suspended')
  const { items } = await world.ok('connections/list', {})
  expect(items.find(({ id }: { id: number }) => id === other.connection.id).last_error).not.toContain('account')
  // Ten stopped the campaign; after people resumed it, twelve do not.
  refused = 12
  const [stopped] = (await world.ok('campaigns/list', { status: 'paused' })).items
  await world.ok('campaigns/resume', { campaign_id: stopped.id })
  await world.settle()
  expect((await world.ok('campaigns/get', { campaign_id: stopped.id })).campaign.status).toBe('sent')
  await world.close()
  await sink.close()
})

test('While a relay holds an answer back, tests of each campaign and links of each project go on.', async () => {
  const world = await createWorld()
  const reached = new Set<string>()
  const released = Promise.withResolvers<void>()
  const onData = async ({ to }: { to: string[] }) => {
    reached.add(to[0]!)
    await released.promise
  }
  const sink = await startSmtpSink({ onData })
  const relay = { name: 'Relay', provider: 'smtp', host: sink.host, port: sink.port, secure: 'none' }
  const projects = [
    { as: world.keys.owner, id: world.project.id, of: 'one' },
    { as: world.keys.other, id: world.other.id, of: 'two' },
  ]
  const { store } = world.service.runtime
  for (const { as, id, of } of projects) {
    await readyToSend({ ok: (operation, body) => world.ok(operation, body, { as }) }, relay)
    const [contact_id] = await addPeople(world, [{ email: `reader@${of}.example` }], id)
    for (const name of ['a', 'b']) {
      const { id: campaign_id } = await draft(world, {}, as)
      await world.ok('campaigns/test-send', { campaign_id, emails: [`${name}@${of}.example`] }, { as })
    }
    const at = world.clock.now()
    const link = { project_id: id, kind: 'link', status: 'queued', contact_id, email: `reader@${of}.example` } as const
    await store.write((tx) => tx.insert(deliveries).values({ ...link, next_attempt_at: at, created_at: at }))
  }
  const context = loopContext(world.service.runtime)
  const delivery = createDelivery()
  for (let tick = 0; tick < 40 && reached.size < 6; tick++) await delivery.tick(context)
  expect([...reached].toSorted()).toEqual(
    projects.flatMap(({ of }) => ['a', 'b', 'reader'].map((name) => `${name}@${of}.example`)).toSorted(),
  )
  released.resolve()
  while (await delivery.tick(context)) {
    /* a stream still runs */
  }
  expect(sink.messages).toHaveLength(6)
  await world.close()
  await sink.close()
})

test('The messages that still wait take the new name, slug and settings of their project.', async () => {
  const { world, rows } = await createScene(4)
  const { store } = world.service.runtime
  const context = loopContext(world.service.runtime)
  const delivery = createDelivery()
  for (const [place, { id }] of (await rows()).entries())
    await store.write((tx) =>
      tx.run(sql`UPDATE deliveries SET next_attempt_at = ${world.clock.now() + place * 60_000} WHERE id = ${id}`),
    )
  for (const change of [
    'SELECT 1',
    `UPDATE projects SET name = 'Lighthouse' WHERE id = ${world.project.id}`,
    `UPDATE projects SET slug = 'beacon' WHERE id = ${world.project.id}`,
    "UPDATE newsletter_settings SET company_name = 'Foghorn Ltd'",
  ]) {
    await store.write((tx) => tx.script(change))
    while (await delivery.tick(context)) {
      /* the stream still runs */
    }
    world.clock.advance(60_000)
  }
  const messages = await store.query('SELECT raw FROM sandbox_messages ORDER BY id')
  const says = (words: string) => messages.map(({ raw }) => String(raw).includes(words))
  expect(says('List-ID: Lighthouse <')).toEqual([false, true, true, true])
  expect(says('.beacon.')).toEqual([false, false, true, true])
  expect(says('Foghorn Ltd')).toEqual([false, false, false, true])
  await world.close()
})

test("A campaign with a stream leaves through Postmark's host for broadcasts, its test messages do not.", async () => {
  const world = await createWorld()
  const { connection_id } = await readyToSend(world)
  await addPeople(world, [{ email: 'ada@example.com' }])
  await world.service.runtime.store.write((tx) =>
    tx.run(sql`
      UPDATE connections SET provider = 'postmark', host = 'smtp.postmarkapp.com', message_stream = 'news'
      WHERE id = ${connection_id}`),
  )
  const hosts: string[] = []
  const created = spyOn(transports, 'createTransports').mockImplementation(() => ({
    async of({ host }) {
      const transport = fakeTransport()
      return { ...transport, send: (...message) => (hosts.push(host), transport.send(...message)) }
    },
    close: async () => undefined,
  }))
  const context = loopContext(world.service.runtime)
  const delivery = createDelivery()
  const tick = async () => {
    while (await delivery.tick(context)) {
      /* the stream still runs */
    }
  }
  try {
    const { id } = await draft(world)
    await world.ok('campaigns/test-send', { campaign_id: id, emails: ['bo@example.com'] })
    await tick()
    await world.ok('campaigns/send', { campaign_id: id })
    await world.service.drain('jobs')
    await tick()
    expect(hosts).toEqual(['smtp.postmarkapp.com', 'smtp-broadcasts.postmarkapp.com'])
  } finally {
    created.mockRestore()
    await world.close()
  }
})
