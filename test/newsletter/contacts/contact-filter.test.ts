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
import {
  commonOf,
  contactsOf,
  contactsPage,
  fastestSource,
  type PageRow,
} from '../../../src/newsletter/contacts/contact-page.ts'
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
  const { condition } = await requireFilters(db, world.project.id, settledFilters(filters), world.clock.now())
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
  expect(mayScan({}, null)).toBe(false)
  expect(mayScan({ status: 'pending' }, null)).toBe(false)
  for (const filters of [{ search: 'a' }, { list_id }, { list_status: 'pending' as const }, { tag_id }])
    expect(mayScan(filters, null)).toBe(true)
  expect(mayScan({ filter: { op: 'and', rules: [] } }, null)).toBe(true)
})

test('A search has at most 320 characters, and another filter is none.', () => {
  const fits = (filters: object) => checker(obj(contactFilters)).Check(filters)
  expect([fits({ search: 'x'.repeat(320) }), fits({ search: 'x'.repeat(321) })]).toEqual([true, false])
  expect([fits({}), fits({ status: 'gone' }), fits({ list_status: 'pending' }), fits({ email: 'x' })]).toEqual([
    ...[true, false, true, false],
  ])
})

test.each([
  [
    { field: 'email', operator: 'eq', value: 'ADA@example.com' },
    'SEARCH contacts USING COVERING INDEX sqlite_autoindex_contacts_1',
  ],
  [{ field: 'email', operator: 'in', value: ['ada@example.com', 'cy@example.com'] }, '(project_id=? AND email_key=?'],
  [{ field: 'created_at', operator: 'gte', value: '2026-01-01' }, 'contacts_in_order (project_id=? AND created_at>?'],
  [{ field: 'created_at', operator: 'in_last_days', value: 30 }, 'contacts_in_order (project_id=? AND created_at>?'],
])('The rule %j of a page of contacts is looked up in an index, beside other rules.', async (rule, index) => {
  const { store } = world.service.runtime
  const others = [
    { field: 'first_name', operator: 'is_set' },
    { op: 'or' as const, rules: [] },
  ]
  const filters = { filter: { op: 'and' as const, rules: [...others, rule] } }
  const { condition, indexed } = await requireFilters(store.db, world.project.id, filters, world.clock.now())
  const common = commonOf(world.project.id, filters, indexed)
  const query = contactsPage(condition, common, await fastestSource(store.db, common), { after: null, most: 50 })
  expect(contactsOf(await store.db.all<PageRow>(query))).not.toEqual([])
  const plan = await store.db.all<{ detail: string }>(sql`EXPLAIN QUERY PLAN ${query}`)
  expect(plan.map(({ detail }) => detail).join('\n')).toContain(index)
})

test('A rule about a list or tag names its few members, and one about an address needs no thread.', async () => {
  const { db } = world.service.runtime.store
  const indexedBy = async (rule: object, op: 'and' | 'or' = 'and') => {
    const filter = { op, rules: [rule] } as ContactFilters['filter']
    return (await requireFilters(db, world.project.id, { filter }, world.clock.now())).indexed
  }
  const listed = await indexedBy({ field: 'list', operator: 'in', value: [list_id] })
  expect(commonOf(world.project.id, {}, listed)).toMatchObject({ list_id, tag_id: undefined })
  const tagged = await indexedBy({ field: 'tag', operator: 'in', value: [tag_id] })
  expect(commonOf(world.project.id, {}, tagged)).toMatchObject({ tag_id })
  expect(await indexedBy({ field: 'tag', operator: 'not_in', value: [tag_id] })).toBeNull()
  const address = { field: 'email', operator: 'eq', value: 'ada@example.com' }
  expect(mayScan({ filter: { op: 'and', rules: [address] } }, await indexedBy(address))).toBe(false)
  expect(await indexedBy(address, 'or')).toBeNull()
})
