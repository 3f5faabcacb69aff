import { afterEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { mailboxProviders } from '../../../src/newsletter/outbox/mailbox-providers.ts'
import { throttle } from '../../../src/newsletter/outbox/provider-limits.ts'
import { send_buckets } from '../../../src/store/tables/delivery.ts'
import { createScene, OURS, type OutboxScene } from './support.ts'

let scene: OutboxScene
afterEach(() => scene.world.close())

const providers = mailboxProviders(async (domain) =>
  domain === 'school.example' ? [{ exchange: 'aspmx.l.google.com' }] : [{ exchange: 'mx.own.example' }],
)
const store = () => scene.context.store
const buckets = () => store().db.select().from(send_buckets).orderBy(send_buckets.lane)

/** Leases messages to these domains, in this order, and throttles them. */
async function throttled(domains: string[], connection: Partial<OutboxScene['stream']['connection']>) {
  scene = await createScene(domains.length)
  const ids = (await scene.rows()).map(({ id }) => id)
  await store().write(async (tx) => {
    for (const [index, domain] of domains.entries())
      await tx.run(sql`UPDATE deliveries SET email = ${`reader${index}@${domain}`} WHERE id = ${ids[index]!}`)
  })
  const rows = await scene.lease(OURS)
  const batch = { connection: { ...scene.stream.connection, ...connection }, lease: OURS, rows }
  const ready = await throttle(scene.context, batch, providers)
  return ready.map(({ email }) => email)
}

test('Without limits for mailbox providers every message goes, and no bucket is read.', async () => {
  expect(await throttled(['gmail.com', 'gmail.com'], { mailbox_limits: null })).toHaveLength(2)
  expect(await throttled(['gmail.com', 'gmail.com'], { mailbox_limits: {} })).toHaveLength(2)
  expect(await buckets()).toEqual([])
})

test('A provider is limited over all its domains; other messages are not.', async () => {
  const ready = await throttled(['gmail.com', 'own.example', 'school.example', 'outlook.com', 'own.example'], {
    mailbox_limits: { gmail: 1 },
  })
  expect(ready).toEqual(['reader0@gmail.com', 'reader1@own.example', 'reader3@outlook.com', 'reader4@own.example'])
  expect(await scene.statuses()).toEqual({ leased: 4, queued: 1 })
  expect((await buckets()).map(({ lane, tokens }) => [lane, tokens])).toEqual([['gmail', 0]])
})

test('Each limited provider has a bucket of its own.', async () => {
  const ready = await throttled(['gmail.com', 'yahoo.com', 'gmail.com', 'yahoo.com'], {
    mailbox_limits: { gmail: 1, yahoo: 1 },
  })
  expect(ready).toEqual(['reader0@gmail.com', 'reader1@yahoo.com'])
})

test('Deferred messages are due one after the other at the rate of the provider.', async () => {
  await throttled(['gmail.com', 'gmail.com', 'gmail.com', 'gmail.com'], { mailbox_limits: { gmail: 2 } })
  const due = (await scene.rows()).map(({ next_attempt_at }) => next_attempt_at - scene.world.clock.now())
  expect(due.slice(1)).toEqual([500, 1000, 1500])
})

test("Tokens of the connection's own pace go back for messages that are deferred.", async () => {
  await throttled(['gmail.com', 'gmail.com', 'gmail.com'], { mailbox_limits: { gmail: 1 }, max_per_second: 10 })
  expect(await buckets()).toMatchObject([{ lane: 'gmail' }])
  const connection = { ...scene.stream.connection, mailbox_limits: { gmail: 1 }, max_per_second: 10 }
  await store().write((tx) =>
    tx.insert(send_buckets).values({ connection_id: connection.id, lane: '', tokens: -3, refilled_at: 0 }),
  )
  const rows = await scene.lease({ ...OURS, lease_id: 'prc_next' })
  expect(rows).toEqual([])
  await store().write((tx) => tx.run(sql`UPDATE deliveries SET next_attempt_at = 0 WHERE status = 'queued'`))
  const again = await scene.lease(OURS)
  expect(await throttle(scene.context, { connection, lease: OURS, rows: again }, providers)).toEqual([])
  expect((await buckets()).map(({ lane, tokens }) => [lane, tokens])).toEqual([
    ['', -1],
    ['gmail', 0],
  ])
})

test('A transaction that runs again starts from nothing.', async () => {
  scene = await createScene(3)
  await store().write((tx) => tx.run(sql`UPDATE deliveries SET email = 'reader' || id || '@gmail.com'`))
  const rows = await scene.lease(OURS)
  const connection = { ...scene.stream.connection, mailbox_limits: { gmail: 20 } }
  // The first run is rolled back, and before the second another process fills the bucket.
  const write: ReturnType<typeof store>['write'] = async (work) => {
    const rolled_back = await store()
      .write(async (tx) => {
        await work(tx)
        throw new Error('Again.')
      })
      .catch((error: Error) => error.message)
    expect(rolled_back).toBe('Again.')
    const bucket = { connection_id: connection.id, lane: 'gmail', tokens: 5, refilled_at: scene.world.clock.now() }
    await store().write((tx) => tx.insert(send_buckets).values(bucket))
    return store().write(work)
  }
  const context = { ...scene.context, store: { ...store(), write } }
  expect(await throttle(context, { connection, lease: OURS, rows }, providers)).toHaveLength(3)
  expect(await scene.statuses()).toEqual({ leased: 3 })
})
