import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { readyToSend } from '../../support/campaigns.ts'
import { createWorld, type World } from '../../support/world.ts'

let world: World
let news: number
let club: number
beforeAll(async () => {
  world = await createWorld()
  await readyToSend(world)
  news = (await world.ok('lists/create', { name: 'News' })).list.id
  club = (await world.ok('lists/create', { name: 'Club', double_opt_in: true })).list.id
})
afterAll(() => world.close())

let made = 0
const person = async (more: Record<string, unknown> = {}) =>
  (await world.ok('contacts/upsert', { email: `p${++made}@example.com`, consent_text: 'Yes', ...more })).contact
const refused = async (operation: string, body: Record<string, unknown>) => {
  const {
    status,
    body: { error },
  } = await world.call(operation, body)
  return [status, error.code, error.details?.state ?? error.details?.[0]?.path]
}
const subscribe = (contact_id: number, list_id: number) => ({
  contact_id,
  list_id,
  action: 'subscribe',
  consent_text: 'I agree',
})
const leave = (contact_id: number, list_id: number) => ({ contact_id, list_id, action: 'unsubscribe' })

test('A contact is subscribed with the consent as evidence, and again without any change.', async () => {
  const { id } = await person()
  world.clock.advance(1000)
  const answer = await world.ok('contacts/membership', subscribe(id, news))
  expect(answer).toEqual({
    contact: expect.objectContaining({
      id,
      consent_text: 'I agree',
      lists: [expect.objectContaining({ list_id: news, status: 'subscribed' })],
    }),
    confirmations_queued: 0,
  })
  expect(await world.ok('contacts/membership', subscribe(id, news))).toEqual(answer)
  expect((await world.ok('contacts/get', { contact_id: id })).activity[0]).toMatchObject({
    type: 'subscribed',
    list_id: news,
  })
})

test('Archiving only hides a list: it can still be joined and left.', async () => {
  const { id } = await person()
  const list_id = (await world.ok('lists/create', { name: 'Hidden' })).list.id
  await world.ok('lists/update', { list_id, archived: true })
  for (const [change, status] of [
    [subscribe(id, list_id), 'subscribed'],
    [leave(id, list_id), 'unsubscribed'],
  ] as const)
    expect((await world.ok('contacts/membership', change)).contact.lists).toMatchObject([{ list_id, status }])
})

test('A double opt-in list asks for confirmation.', async () => {
  const { id } = await person()
  expect(await world.ok('contacts/membership', subscribe(id, club))).toMatchObject({
    confirmations_queued: 1,
    contact: { lists: [{ list_id: club, status: 'pending' }] },
  })
  expect(await world.ok('contacts/membership', subscribe(id, club))).toMatchObject({ confirmations_queued: 0 })
})

test('A contact is unsubscribed from one list and nothing else changes.', async () => {
  const { id } = await person({ list_ids: [news, club] })
  expect((await world.ok('contacts/membership', leave(id, news))).contact).toMatchObject({
    global_status: 'subscribed',
    lists: [
      { list_id: news, status: 'unsubscribed' },
      { list_id: club, status: 'pending' },
    ],
  })
  expect((await world.ok('contacts/membership', leave((await person()).id, news))).contact.lists).toEqual([])
})

test('A contact that left only this list is subscribed again, with a confirmation.', async () => {
  const { id } = await person({ list_ids: [news, club] })
  for (const list_id of [news, club]) await world.ok('contacts/membership', leave(id, list_id))
  expect((await world.ok('contacts/membership', subscribe(id, news))).contact.lists[0].status).toBe('subscribed')
  expect(await world.ok('contacts/membership', subscribe(id, club))).toMatchObject({ confirmations_queued: 1 })
})

test('A membership is a 409 for a contact that opted out of everything, and for a suppressed address.', async () => {
  const { id } = await person()
  await world.ok('contacts/unsubscribe', { contact_id: id })
  expect(await refused('contacts/membership', subscribe(id, news))).toEqual([409, 'INVALID_STATE', 'unsubscribed'])
  const other = await person()
  await world.ok('suppressions/add', { email: other.email, reason: 'manual' })
  expect(await refused('contacts/membership', subscribe(other.id, news))).toEqual([409, 'INVALID_STATE', 'suppressed'])
  expect((await world.ok('contacts/membership', leave(other.id, news))).contact.id).toBe(other.id)
})

test('A membership needs consent to subscribe, and none to leave.', async () => {
  const { id } = await person()
  expect(await refused('contacts/membership', { ...subscribe(id, news), consent_text: undefined })).toEqual([
    400,
    'VALIDATION_FAILED',
    '/consent_text',
  ])
  expect(await refused('contacts/membership', { ...leave(id, news), consent_text: 'Yes' })).toEqual([
    400,
    'VALIDATION_FAILED',
    '/consent_text',
  ])
  expect(await refused('contacts/membership', { ...subscribe(id, news), consent_text: '  ' })).toEqual([
    400,
    'VALIDATION_FAILED',
    '/consent_text',
  ])
})

test('A membership is a 404 for an unknown contact or list and for one of another project.', async () => {
  const { id } = await person()
  const foreign = {
    list: (await world.ok('lists/create', { name: 'Foreign' }, { as: world.keys.other })).list.id,
    contact: (
      await world.ok('contacts/upsert', { email: 'f@example.com', consent_text: 'Yes' }, { as: world.keys.other })
    ).contact.id,
  }
  const tag_id = (await world.ok('tags/create', { name: 'Kept' })).tag.id
  for (const list_id of [999_999, foreign.list])
    expect(await refused('contacts/membership', subscribe(id, list_id))).toEqual([404, 'NOT_FOUND', '/list_id'])
  for (const contact_id of [999_999, foreign.contact]) {
    expect(await refused('contacts/membership', leave(contact_id, news))).toEqual([404, 'NOT_FOUND', '/contact_id'])
    expect(await refused('contacts/tags', { contact_id, add: [tag_id] })).toEqual([404, 'NOT_FOUND', '/contact_id'])
    expect(await refused('contacts/reset-status', { contact_id })).toEqual([404, 'NOT_FOUND', '/contact_id'])
  }
})

test('Tags are added and removed; adding one twice or removing a missing one is no error.', async () => {
  const [a, b, c] = await Promise.all(
    ['a', 'b', 'c'].map(async (name) => (await world.ok('tags/create', { name })).tag.id as number),
  )
  const { id } = await person({ tag_ids: [a, b] })
  expect((await world.ok('contacts/tags', { contact_id: id, add: [c, b], remove: [a] })).contact.tag_ids).toEqual([
    b,
    c,
  ])
  expect((await world.ok('contacts/tags', { contact_id: id, remove: [a, b, c] })).contact.tag_ids).toEqual([])
  expect(await refused('contacts/tags', { contact_id: id })).toEqual([400, 'VALIDATION_FAILED', ''])
  expect(await refused('contacts/tags', { contact_id: id, add: [a, b], remove: [c, b] })).toEqual([
    400,
    'VALIDATION_FAILED',
    '/remove/1',
  ])
  expect(await refused('contacts/tags', { contact_id: id, add: [a, 999_999] })).toEqual([404, 'NOT_FOUND', '/add/1'])
  expect(await refused('contacts/tags', { contact_id: id, remove: [999_999] })).toEqual([404, 'NOT_FOUND', '/remove/0'])
  expect((await world.ok('contacts/get', { contact_id: id })).contact.tag_ids).toEqual([])
})

test('contacts/reset-status makes a bounced contact subscribed again and ends the suppression.', async () => {
  const { id, email } = await person({ list_ids: [news] })
  await world.ok('suppressions/add', { email, reason: 'hard_bounce' })
  expect((await world.ok('contacts/get', { contact_id: id })).contact.global_status).toBe('bounced')
  expect((await world.ok('contacts/reset-status', { contact_id: id })).contact).toMatchObject({
    global_status: 'subscribed',
    lists: [{ list_id: news, status: 'subscribed' }],
  })
  expect((await world.ok('contacts/get', { contact_id: id })).suppression).toBeNull()
  expect(await refused('contacts/reset-status', { contact_id: id })).toEqual([409, 'INVALID_STATE', 'subscribed'])
})

test('contacts/reset-status answers 409 to a contact that complained.', async () => {
  const { id, email } = await person()
  await world.ok('suppressions/add', { email, reason: 'complaint' })
  expect(await refused('contacts/reset-status', { contact_id: id })).toEqual([409, 'INVALID_STATE', 'complained'])
  expect((await world.ok('contacts/get', { contact_id: id })).suppression.reason).toBe('complaint')
})

test('contacts/reset-status does not reverse an opt-out from before or after the bounce.', async () => {
  const before = await person({ list_ids: [news] })
  await world.ok('contacts/unsubscribe', { contact_id: before.id })
  await world.ok('suppressions/add', { email: before.email, reason: 'hard_bounce' })
  const after = await person({ list_ids: [news] })
  await world.ok('suppressions/add', { email: after.email, reason: 'hard_bounce' })
  await world.ok('suppressions/add', { email: after.email, reason: 'unsubscribe' })
  const reported = await person({ list_ids: [news] })
  for (const reason of ['unsubscribe', 'hard_bounce'])
    await world.ok('suppressions/add', { email: reported.email, reason })
  for (const { id } of [before, after, reported]) {
    expect((await world.ok('contacts/get', { contact_id: id })).contact.global_status).toBe('bounced')
    expect((await world.ok('contacts/reset-status', { contact_id: id })).contact).toMatchObject({
      global_status: 'unsubscribed',
      lists: [{ status: 'unsubscribed' }],
    })
  }
})

test('contacts/reset-status does not replace a missing confirmation.', async () => {
  const { id, email } = await person({ list_ids: [club] })
  await world.ok('suppressions/add', { email, reason: 'hard_bounce' })
  expect((await world.ok('contacts/reset-status', { contact_id: id })).contact).toMatchObject({
    global_status: 'pending',
    lists: [{ status: 'pending' }],
  })
})

test('The audit log says what became of a membership, and which tags were added and removed.', async () => {
  const { tag } = await world.ok('tags/create', { name: 'Audited' })
  const { contact } = await world.ok('contacts/upsert', { email: 'audited@example.com', consent_text: 'Yes' })
  const contact_id: number = contact.id
  await world.ok('contacts/tags', { contact_id, add: [tag.id] })
  await world.ok('contacts/tags', { contact_id, remove: [tag.id] })
  const { list } = await world.ok('lists/create', { name: 'Audited' })
  await world.ok('contacts/membership', { contact_id, list_id: list.id, action: 'subscribe', consent_text: 'Yes' })
  const rows = await world.service.runtime.store.db.all<{ details: string }>(sql`
    SELECT details FROM audit_log WHERE target = ${`contact:${contact_id}`}
      AND action IN ('contacts/tags', 'contacts/membership') ORDER BY id`)
  expect(rows.map(({ details }) => JSON.parse(details) as object)).toMatchObject([
    { add: [tag.id] },
    { remove: [tag.id] },
    { action: 'subscribe' },
  ])
})
