import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { findSuppression, liftSuppression, suppress } from '../../../src/newsletter/suppressions/suppression.ts'
import { createWorld, START, type World } from '../../support/world.ts'

let world: World
let news: number
let club: number
beforeAll(async () => {
  world = await createWorld()
  news = (await world.ok('lists/create', { name: 'News' })).list.id
  club = (await world.ok('lists/create', { name: 'Club', double_opt_in: true })).list.id
})
afterAll(() => world.close())

const upsert = async (email: string) =>
  (await world.ok('contacts/upsert', { email, consent_text: 'x', list_ids: [news, club] })).contact
const get = (email: string) => world.ok('contacts/get', { email })
const add = async (email: string, body: object = {}) =>
  (await world.ok('suppressions/add', { email, ...body })).suppression

test('An address without a contact can be suppressed; the default reason is manual.', async () => {
  const entry = await add(' Nobody@Example.com ', { note: 'by phone' })
  expect(entry).toEqual({
    id: expect.any(Number),
    email: 'Nobody@Example.com',
    reason: 'manual',
    note: 'by phone',
    created_at: new Date(START).toISOString(),
  })
  expect((await world.ok('suppressions/list', { search: 'nobody@' })).items).toEqual([entry])
  expect((await world.call('suppressions/add', { email: 'x@example.com', reason: 'spam' })).status).toBe(400)
})

test('Each reason gives the contact its status; a complaint or opt-out ends every membership.', async () => {
  for (const [reason, global_status, status] of [
    ['manual', 'subscribed', ['subscribed', 'pending']],
    ['hard_bounce', 'bounced', ['subscribed', 'pending']],
    ['unsubscribe', 'unsubscribed', ['unsubscribed', 'unsubscribed']],
    ['complaint', 'complained', ['unsubscribed', 'unsubscribed']],
  ] as const) {
    await upsert(`by-${reason}@example.com`)
    await add(`By-${reason}@example.com`, { reason })
    const { contact, suppression, activity } = await get(`by-${reason}@example.com`)
    expect({ global_status: contact.global_status, status: contact.lists.map((list: any) => list.status) }).toEqual({
      global_status,
      status: [...status],
    })
    expect(suppression.reason).toBe(reason)
    expect(activity[0]).toMatchObject({ type: 'suppressed', detail: reason })
  }
})

test('A suppression does not apply in other projects.', async () => {
  await world.ok('suppressions/add', { email: 'shared@example.com' }, { as: world.keys.other })
  expect((await upsert('shared@example.com')).lists).toHaveLength(2)
  expect((await world.call('suppressions/remove', { email: 'shared@example.com' })).status).toBe(404)
})

test('suppressions/remove ends the suppression and does not change the contact.', async () => {
  for (const [reason, status] of [
    ['manual', 'subscribed'],
    ['hard_bounce', 'bounced'],
    ['unsubscribe', 'unsubscribed'],
  ] as const) {
    const email = `free-${reason}@example.com`
    await upsert(email)
    const entry = await add(email, { reason })
    expect((await world.ok('suppressions/remove', { email: email.toUpperCase() })).suppression).toEqual(entry)
    const { contact, suppression, activity } = await get(email)
    expect(suppression).toBeNull()
    expect(contact.global_status).toBe(status)
    expect(activity[0]).toMatchObject({ type: 'unsuppressed', detail: reason })
    const missing = await world.call('suppressions/remove', { email })
    expect(missing.body.error).toMatchObject({ code: 'NOT_FOUND', details: [{ path: '/email' }] })
  }
})

test('A complaint needs confirm: true.', async () => {
  await add('angry@example.com', { reason: 'complaint' })
  for (const confirm of [undefined, false]) {
    const answer = await world.call('suppressions/remove', { email: 'angry@example.com', confirm })
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path: '/confirm' }] })
  }
  await world.ok('suppressions/remove', { email: 'angry@example.com', confirm: true })
})

test('Suppressions are paged in the order of creation and filtered by reason and part of the address.', async () => {
  const emails = Array.from({ length: 7 }, (_, index) => `list-${index}@domain.test`)
  for (const [index, email] of emails.entries()) await add(email, { reason: index % 2 ? 'hard_bounce' : 'manual' })
  const found: string[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await world.ok('suppressions/list', {
      search: '@DOMAIN.test',
      limit: 2,
      ...(cursor ? { cursor } : {}),
    })
    found.push(...page.items.map(({ email }: any) => email))
    cursor = page.next_cursor
  }
  expect(found).toEqual(emails)
  expect(
    (await world.ok('suppressions/list', { search: '@domain.test', reason: 'hard_bounce' })).items.map(
      ({ email }: any) => email,
    ),
  ).toEqual(emails.filter((_, index) => index % 2))
  const { next_cursor: cursor } = await world.ok('suppressions/list', { reason: 'manual', limit: 1 })
  expect((await world.call('suppressions/list', { reason: 'hard_bounce', cursor })).body.error.code).toBe(
    'INVALID_CURSOR',
  )
})

test('The suppression of a deleted contact is found by its whole address only.', async () => {
  const { id: contact_id } = await upsert('gone@example.com')
  await add('gone@example.com')
  await world.ok('contacts/delete', { contact_id })
  const ids = async (search: string) =>
    (await world.ok('suppressions/list', { search, limit: 200 })).items.map(({ id }: any) => id)
  const [{ id, email_key }] = (await world.service.runtime.store.db.all(
    sql`SELECT id, email_key FROM suppressions WHERE email = ''`,
  )) as [{ id: number; email_key: string }]
  expect(await ids('Gone@example.com')).toEqual([id])
  for (const part of ['gone', '#', email_key.slice(1, 5), email_key]) expect(await ids(part)).not.toContain(id)
})

test('Suppress and findSuppression give what the API shows.', async () => {
  const { store } = world.service.runtime
  const of = { project_id: world.project.id, email: 'Engine@Example.com', now: START }
  await upsert('engine@example.com')
  expect(await store.write((tx) => suppress(tx, { ...of, reason: 'hard_bounce', note: '550 5.1.1' }))).toMatchObject({
    reason: 'hard_bounce',
    note: '550 5.1.1',
  })
  expect(await findSuppression(store.db, of.project_id, 'ENGINE@example.com')).toMatchObject({
    reason: 'hard_bounce',
    email_key: 'engine@example.com',
  })
  expect((await get('engine@example.com')).contact.global_status).toBe('bounced')
  expect(await store.write((tx) => liftSuppression(tx, of))).toMatchObject({ reason: 'hard_bounce' })
  expect(await store.write((tx) => liftSuppression(tx, of))).toBeNull()
})

test('Callers add up to five million suppressions to a project, and an opt-out beyond them is stored.', async () => {
  const { store } = world.service.runtime
  const fill = (rows: number) =>
    store.write((tx) =>
      tx.run(sql`
        UPDATE project_usage SET rows = ${rows} WHERE project_id = ${world.other.id} AND kind = 'suppressions'`),
    )
  const as = world.keys.other
  await world.ok('suppressions/add', { email: 'first@full.example' }, { as })
  await fill(4_999_999)
  await world.ok('suppressions/add', { email: 'last@full.example' }, { as })
  expect((await world.call('suppressions/add', { email: 'more@full.example' }, { as })).body.error).toMatchObject({
    ...{ code: 'INVALID_STATE', details: { limit: 5_000_000 } },
  })
  const project_id = world.other.id
  const optOut = { project_id, email: 'more@full.example', reason: 'unsubscribe' as const, now: START }
  expect(await store.write((tx) => suppress(tx, optOut))).toMatchObject({ reason: 'unsubscribe' })
  await fill(3)
})
