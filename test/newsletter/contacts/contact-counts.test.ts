import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { createWorld, type World } from '../../support/world.ts'

let home: World
let world: World
let list: number
let other: number
let archived: number
let tag: number

beforeAll(async () => {
  home = await createWorld()
})
beforeEach(async () => {
  world = await home.fresh()
  list = (await world.ok('lists/create', { name: 'Weekly' })).list.id
  other = (await world.ok('lists/create', { name: 'Daily', double_opt_in: true })).list.id
  archived = (await world.ok('lists/create', { name: 'Old' })).list.id
  await world.ok('lists/create', { name: 'Empty' })
  tag = (await world.ok('tags/create', { name: 'VIP' })).tag.id
  const upsert = async (email: string, more: Record<string, unknown> = {}): Promise<number> =>
    (await world.ok('contacts/upsert', { email, consent_text: 'Yes', ...more })).contact.id
  await upsert('ada@example.com', { list_ids: [list, other, archived], tag_ids: [tag] })
  await upsert('bo@example.org', { list_ids: [list] })
  await upsert('cy@example.org', { list_ids: [other] })
  await world.ok('contacts/unsubscribe', { contact_id: await upsert('di@example.com', { list_ids: [list] }) })
  await world.ok('lists/update', { list_id: archived, archived: true })
  await world.ok('contacts/upsert', { email: 'stranger@example.com', consent_text: 'Yes' }, { as: world.keys.other })
})
afterAll(() => home.close())

const EMPTY = expect.any(Number)
const at = (list_id: unknown, subscribed: number, pending = 0, unsubscribed = 0) => ({
  list_id,
  pending,
  subscribed,
  unsubscribed,
})

test('All contacts are counted without a filter.', async () => {
  expect(await world.ok('contacts/stats')).toEqual({
    total: 4,
    by_status: { pending: 1, subscribed: 2, unsubscribed: 1, bounced: 0, complained: 0 },
    by_list: [at(list, 2, 0, 1), at(other, 0, 2), at(EMPTY, 0)],
  })
  expect(await world.ok('contacts/stats', {}, { as: world.keys.other })).toMatchObject({ total: 1, by_list: [] })
})

test('The contacts that match a filter are counted, with all their lists.', async () => {
  const domain = { op: 'and', rules: [{ field: 'email_domain', operator: 'eq', value: 'example.com' }] }
  expect(await world.ok('contacts/stats', { filter: domain })).toEqual({
    total: 2,
    by_status: { pending: 0, subscribed: 1, unsubscribed: 1, bounced: 0, complained: 0 },
    by_list: [at(list, 1, 0, 1), at(other, 0, 1), at(EMPTY, 0)],
  })
  expect(await world.ok('contacts/stats', { filter: { op: 'and', rules: [] } })).toEqual(
    await world.ok('contacts/stats'),
  )
})

test('Each filter counts the contacts that contacts/list returns for it.', async () => {
  for (const filters of [
    { search: 'example.org' },
    { status: 'unsubscribed' },
    { list_id: list },
    { list_id: list, list_status: 'subscribed' },
    { list_status: 'pending' },
    { tag_id: tag },
    { search: 'ada', tag_id: tag, filter: { op: 'not', rules: [] } },
    { search: 'nobody' },
  ]) {
    const { items } = await world.ok('contacts/list', filters)
    const stats = await world.ok('contacts/stats', filters)
    expect([filters, stats.total]).toEqual([filters, items.length])
    for (const { list_id, subscribed } of stats.by_list) {
      expect(subscribed).toBe(
        items.filter(({ lists }: { lists: { list_id: number; status: string }[] }) =>
          lists.some((one) => one.list_id === list_id && one.status === 'subscribed'),
        ).length,
      )
    }
  }
})

test('A filter that contacts/list refuses is refused.', async () => {
  const refused = async (body: Record<string, unknown>) => {
    const {
      status,
      body: { error },
    } = await world.call('contacts/stats', body)
    return [status, error.details[0].path]
  }
  expect(await refused({ list_id: 999_999 })).toEqual([404, '/list_id'])
  expect(await refused({ tag_id: 999_999 })).toEqual([404, '/tag_id'])
  expect(await refused({ filter: { op: 'and', rules: [{ field: 'nope', operator: 'eq', value: 1 }] } })).toEqual([
    400,
    '/filter/rules/0/field',
  ])
  expect(await refused({ limit: 5 })).toEqual([400, '/limit'])
})

test('Contacts whose ids lie far apart are counted together.', async () => {
  const domain = { op: 'and', rules: [{ field: 'email_domain', operator: 'eq', value: 'far.example' }] }
  for (const name of ['eve', 'flo', 'gus']) {
    const email = `${name}@far.example`
    const { contact } = await world.ok('contacts/upsert', { email, consent_text: 'Yes', list_ids: [list] })
    await world.service.runtime.store.write((tx) =>
      tx.run(sql`UPDATE sqlite_sequence SET seq = ${contact.id + 150_000} WHERE name = 'contacts'`),
    )
  }
  const { total, by_status, by_list } = await world.ok('contacts/stats', { filter: domain })
  expect([total, by_status.subscribed, by_list[0]]).toEqual([3, 3, at(list, 3)])
})
