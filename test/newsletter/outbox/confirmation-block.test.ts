import { afterEach, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { projects } from '../../../src/store/tables/accounts.ts'
import { connections, sending_hours } from '../../../src/store/tables/delivery.ts'
import { closeWorlds, createWorld, type World } from '../../support/world.ts'

/** When confirmations leave, and what answers say when they cannot (docs/api/consent.md#double-opt-in). */

afterEach(closeWorlds)

const MINUTE = 60_000

async function worldWithList(): Promise<{ world: World; club: number; upsert: (email: string) => Promise<any> }> {
  const world = await createWorld()
  const club = (await world.ok('lists/create', { name: 'Club', double_opt_in: true })).list.id
  const upsert = (email: string) => world.ok('contacts/upsert', { email, consent_text: 'Yes', list_ids: [club] })
  return { world, club, upsert }
}

async function mailbox(world: World): Promise<string[]> {
  await world.settle()
  const { messages } = (await (await world.fetch('/general/sandbox/mailbox')).json()) as { messages: { to: string }[] }
  return messages.map(({ to }) => to)
}

const connect = async (world: World) =>
  (await world.ok('connections/create', { name: 'Sandbox', provider: 'sandbox' })).connection.id as number
const changeConnection = (world: World, set: Partial<typeof connections.$inferInsert>) =>
  world.service.runtime.store.write((tx) => tx.update(connections).set(set).where(eq(connections.provider, 'sandbox')))
const nameSender = (world: World) => world.ok('settings/update', { from_email: 'news@harbour.example' })

test('A confirmation waits for a connection, its test and a sender, says so, and leaves by itself then.', async () => {
  const { world, club, upsert } = await worldWithList()
  const waiting = async (email: string, reason: string) => {
    expect(await upsert(email)).toMatchObject({
      contact: { global_status: 'pending' },
      confirmations_queued: 0,
      confirmations_blocked: [{ list_id: club, reason }],
    })
    expect(await mailbox(world)).toEqual([])
    world.clock.advance(MINUTE)
  }
  await waiting('ada@example.com', 'no_connection')
  await connect(world)
  await changeConnection(world, { verified_at: null })
  await waiting('bo@example.com', 'connection_untested')
  await changeConnection(world, { verified_at: world.clock.now() })
  await waiting('cy@example.com', 'no_sender')
  await nameSender(world)
  const { confirmations_queued, confirmations_blocked } = await upsert('di@example.com')
  expect([confirmations_queued, confirmations_blocked]).toEqual([1, undefined])
  expect((await mailbox(world)).toSorted()).toEqual([
    'ada@example.com',
    'bo@example.com',
    'cy@example.com',
    'di@example.com',
  ])
})

test('contacts/membership says what blocks a confirmation as well.', async () => {
  const { world, club } = await worldWithList()
  const { contact } = await world.ok('contacts/upsert', { email: 'ada@example.com', consent_text: 'Yes' })
  const body = { contact_id: contact.id, list_id: club, action: 'subscribe', consent_text: 'Yes' }
  expect(await world.ok('contacts/membership', body)).toMatchObject({
    confirmations_queued: 0,
    confirmations_blocked: [{ list_id: club, reason: 'no_connection' }],
  })
})

test('Of several connections only the chosen one sends confirmations, and never that of another project.', async () => {
  const { world, upsert } = await worldWithList()
  await nameSender(world)
  await world.ok('connections/create', { name: 'Theirs', provider: 'sandbox' }, { as: world.keys.other })
  const reasonOf = async (name: string) => (await upsert(`${name}@example.com`)).confirmations_blocked?.[0].reason
  expect(await reasonOf('ada')).toBe('no_connection')
  await connect(world)
  expect(await reasonOf('bo')).toBeUndefined()
  const { connection } = await world.ok('connections/create', { name: 'Second', provider: 'sandbox' })
  await world.ok('settings/update', { default_connection_id: null })
  expect(await reasonOf('cy')).toBe('no_connection')
  await world.ok('settings/update', { default_connection_id: connection.id })
  expect(await reasonOf('di')).toBeUndefined()
})

test('Confirmations leave although a campaign used up the day, and may take a tenth beyond its limit.', async () => {
  const { world, club, upsert } = await worldWithList()
  const connection_id = await connect(world)
  await nameSender(world)
  await changeConnection(world, { max_per_day: 20 })
  const hour = Math.floor(world.clock.now() / 3_600_000)
  const { store } = world.service.runtime
  await store.write((tx) =>
    tx.insert(sending_hours).values({ project_id: world.project.id, connection_id, hour, sent: 20 }),
  )
  for (const email of ['ada@example.com', 'bo@example.com']) {
    expect((await upsert(email)).confirmations_queued).toBe(1)
    expect(await mailbox(world)).toContain(email)
  }
  expect(await upsert('cy@example.com')).toMatchObject({
    confirmations_queued: 0,
    confirmations_blocked: [{ list_id: club, reason: 'limit' }],
  })
  expect(await mailbox(world)).toHaveLength(2)
  const [counted] = await store.db.all<{ sent: number }>(sql`SELECT sum(sent) AS sent FROM sending_hours`)
  expect(counted).toEqual({ sent: 22 })
  world.clock.advance(25 * 60 * MINUTE)
  expect(await mailbox(world)).toContain('cy@example.com')
})

test('A step of the warm-up leaves confirmations a tenth as well.', async () => {
  const { world, upsert } = await worldWithList()
  const connection_id = await connect(world)
  await nameSender(world)
  await changeConnection(world, { warm_up_started_at: world.clock.now() })
  const hour = Math.floor(world.clock.now() / 3_600_000)
  await world.service.runtime.store.write((tx) =>
    tx.insert(sending_hours).values({ project_id: world.project.id, connection_id, hour, sent: 219 }),
  )
  expect((await upsert('ada@example.com')).confirmations_queued).toBe(1)
  expect(await mailbox(world)).toEqual(['ada@example.com'])
  expect((await upsert('bo@example.com')).confirmations_blocked).toHaveLength(1)
})

test('A project that used up its month sends no confirmation before the next one, and says so.', async () => {
  const { world, club, upsert } = await worldWithList()
  const connection_id = await connect(world)
  await nameSender(world)
  const hour = Math.floor(world.clock.now() / 3_600_000)
  await world.service.runtime.store.write(async (tx) => {
    await tx.update(projects).set({ monthly_limit: 5 }).where(eq(projects.id, world.project.id))
    await tx.insert(sending_hours).values({ project_id: world.project.id, connection_id, hour, sent: 4 })
  })
  expect((await upsert('ada@example.com')).confirmations_queued).toBe(1)
  expect(await mailbox(world)).toEqual(['ada@example.com'])
  expect(await upsert('bo@example.com')).toMatchObject({
    confirmations_queued: 0,
    confirmations_blocked: [{ list_id: club, reason: 'limit' }],
  })
  expect(await mailbox(world)).toHaveLength(1)
})
