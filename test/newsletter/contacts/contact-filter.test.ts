import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import {
  type ContactFilters,
  contactFilters,
  filterCondition,
  mayScan,
  requireFilters,
  settledFilters,
} from '../../../src/newsletter/contacts/contact-filter.ts'
import { checker, obj } from '../../../src/schema.ts'
import { createWorld, type World } from '../../support/world.ts'

let world: World
let list_id: number
let other_list_id: number
let tag_id: number
beforeAll(async () => {
  world = await createWorld()
  list_id = (await world.ok('lists/create', { name: 'Tides' })).list.id
  other_list_id = (await world.ok('lists/create', { name: 'Storms' })).list.id
  tag_id = (await world.ok('tags/create', { name: 'Sailor' })).tag.id
  const save = (email: string, more: object) => world.ok('contacts/upsert', { email, consent_text: 'Yes', ...more })
  await save('ada@example.com', { first_name: 'Ada', list_ids: [list_id], tag_ids: [tag_id] })
  const { contact } = await save('bo@example.com', { first_name: 'Bo', list_ids: [list_id, other_list_id] })
  await world.ok('contacts/membership', { contact_id: contact.id, list_id, action: 'unsubscribe' })
  const other_tag = (await world.ok('tags/create', { name: 'Captain' })).tag.id
  await save('cy@example.com', { first_name: 'Cy', tag_ids: [other_tag] })
  const dan = await save('dan@example.com', { first_name: 'Dan', list_ids: [other_list_id] })
  await world.ok('contacts/unsubscribe', { contact_id: dan.contact.id })
})
afterAll(() => world.close())

const matching = async (filters: ContactFilters): Promise<string> => {
  const { db } = world.service.runtime.store
  const condition = await requireFilters(db, world.project.id, settledFilters(filters), world.clock.now())
  const rows = await db.all<{ first_name: string }>(
    sql`SELECT first_name FROM contacts contact WHERE ${condition} ORDER BY first_name`,
  )
  return rows.map(({ first_name }) => first_name).join(' ')
}
const refusal = (filters: ContactFilters) =>
  matching(filters).then(
    () => null,
    (error: unknown) => error,
  )

test('Each filter alone selects its contacts.', async () => {
  expect(await matching({})).toBe('Ada Bo Cy Dan')
  expect(await matching({ search: ' BO@EX ' })).toBe('Bo')
  expect(await matching({ search: 'dan' })).toBe('Dan')
  expect(await matching({ search: '  ' })).toBe('Ada Bo Cy Dan')
  expect(await matching({ status: 'unsubscribed' })).toBe('Dan')
  expect(await matching({ list_id })).toBe('Ada Bo')
  expect(await matching({ tag_id })).toBe('Ada')
  expect(await matching({ list_status: 'unsubscribed' })).toBe('Bo Dan')
  const named = { op: 'not' as const, rules: [{ field: 'first_name', operator: 'eq', value: 'cy' }] }
  expect(await matching({ filter: named })).toBe('Ada Bo Dan')
})

test('A contact must match all filters, and list and status must hold for the same membership.', async () => {
  expect(await matching({ list_id, list_status: 'subscribed' })).toBe('Ada')
  expect(await matching({ list_id, list_status: 'unsubscribed' })).toBe('Bo')
  expect(await matching({ list_id: other_list_id, list_status: 'subscribed' })).toBe('Bo')
  expect(await matching({ list_id, status: 'subscribed', search: 'b' })).toBe('Bo')
  expect(await matching({ list_id: other_list_id, tag_id })).toBe('')
})

test('A list or tag that the project does not have is not found, and rules that do not fit are refused.', async () => {
  expect(await refusal({ list_id: 999 })).toMatchObject({ code: 'NOT_FOUND', details: [{ path: '/list_id' }] })
  expect(await refusal({ tag_id: 999 })).toMatchObject({ code: 'NOT_FOUND', details: [{ path: '/tag_id' }] })
  expect(await refusal({ list_id: 999, tag_id: 999 })).toMatchObject({ details: [{ path: '/list_id' }] })
  const filter = { op: 'and' as const, rules: [{ field: 'custom.gone', operator: 'eq', value: 'x' }] }
  expect(await refusal({ filter })).toMatchObject({
    code: 'VALIDATION_FAILED',
    details: [{ path: '/filter/rules/0/field' }],
  })
})

test('The filters of one project select no contact of another.', async () => {
  const { db } = world.service.runtime.store
  const condition = filterCondition(world.other.id, { list_id, list_status: 'subscribed', tag_id })
  expect(await db.all(sql`SELECT 1 FROM contacts contact WHERE ${condition}`)).toEqual([])
})

test('Only the status and no filter at all are answered without reading every contact.', () => {
  expect(mayScan({})).toBe(false)
  expect(mayScan({ status: 'pending' })).toBe(false)
  for (const filters of [{ search: 'a' }, { list_id }, { list_status: 'pending' as const }, { tag_id }])
    expect(mayScan(filters)).toBe(true)
  expect(mayScan({ filter: { op: 'and', rules: [] } })).toBe(true)
})

test('A search has at most 320 characters, and another filter is none.', () => {
  const fits = (filters: object) => checker(obj(contactFilters)).Check(filters)
  expect([fits({ search: 'x'.repeat(320) }), fits({ search: 'x'.repeat(321) })]).toEqual([true, false])
  expect([fits({}), fits({ status: 'gone' }), fits({ list_status: 'pending' }), fits({ email: 'x' })]).toEqual([
    ...[true, false, true, false],
  ])
})
