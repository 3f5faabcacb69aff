import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import { type SQL, sql } from 'drizzle-orm'
import { filterCondition } from '../../../src/newsletter/contacts/contact-filter.ts'
import {
  contactsOf,
  contactsPage,
  type PageRow,
  type PageSource,
} from '../../../src/newsletter/contacts/contact-page.ts'
import type { ContactFilters } from '../../../src/newsletter/contacts/contact-filter.ts'
import { createWorld, START, type World } from '../../support/world.ts'

let home: World
let world: World
let news: number
let club: number
beforeAll(async () => {
  home = await createWorld()
})
beforeEach(async () => {
  world = await home.fresh()
  news = (await world.ok('lists/create', { name: 'News' })).list.id
  club = (await world.ok('lists/create', { name: 'Club', double_opt_in: true })).list.id
})
afterAll(() => home.close())

const upsert = async (email: string, body: Record<string, unknown> = {}) =>
  (await world.ok('contacts/upsert', { email, consent_text: 'yes', ...body })).contact
const query = <T>(statement: SQL) => world.service.runtime.store.db.all<T>(statement)
const emailsOf = (page: { items: { email: string }[] }) => page.items.map(({ email }) => email)

test('contacts/get requires either an id or an address.', async () => {
  const contact = await upsert('get@example.com', { list_ids: [news] })
  expect((await world.ok('contacts/get', { contact_id: contact.id })).contact).toEqual(contact)
  expect((await world.ok('contacts/get', { email: ' GET@example.com' })).contact).toEqual(contact)
  for (const body of [{}, { contact_id: contact.id, email: 'get@example.com' }]) {
    const answer = await world.call('contacts/get', body)
    expect(answer.body.error).toMatchObject({ code: 'VALIDATION_FAILED' })
  }
})

test('An unknown contact is not found, nor one of another project.', async () => {
  const contact = await upsert('mine@example.com')
  for (const [body, path] of [
    [{ contact_id: 999_999 }, '/contact_id'],
    [{ email: 'nobody@example.com' }, '/email'],
  ] as const) {
    const answer = await world.call('contacts/get', body)
    expect(answer.status).toBe(404)
    expect(answer.body.error).toMatchObject({ code: 'NOT_FOUND', details: [{ path }] })
  }
  expect((await world.call('contacts/get', { contact_id: contact.id }, { as: world.keys.other })).status).toBe(404)
  expect((await world.call('contacts/get', { email: 'mine@example.com' }, { as: world.keys.other })).status).toBe(404)
})

test('contacts/get shows the suppression and the latest hundred entries of the history.', async () => {
  const contact = await upsert('busy@example.com', { list_ids: [news] })
  await world.ok('suppressions/add', { email: 'busy@example.com', note: 'asked on the phone' })
  await world.service.runtime.store.write((tx) =>
    tx.run(sql`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)
    INSERT INTO events (project_id, type, campaign_id, contact_id, email, at, url, machine)
    SELECT ${world.project.id}, 'click', 7, ${contact.id}, 'busy@example.com', ${world.clock.now() + 10_000} + i,
      'https://example.com/' || i, i = 120 FROM n`),
  )
  const { suppression, activity, consents } = await world.ok('contacts/get', { contact_id: contact.id })
  expect(suppression).toEqual({
    reason: 'manual',
    note: 'asked on the phone',
    created_at: new Date(world.clock.now()).toISOString(),
  })
  expect(activity).toHaveLength(100)
  expect(activity[0]).toEqual({
    id: expect.any(Number),
    type: 'click',
    at: new Date(world.clock.now() + 10_120).toISOString(),
    list_id: null,
    campaign_id: 7,
    url: 'https://example.com/120',
    machine: true,
  })
  expect(activity.at(-1)).toMatchObject({ url: 'https://example.com/21' })
  const page = { contact_id: contact.id, activity_after_id: activity.at(-1).id }
  const rest = (await world.ok('contacts/get', page)).activity
  expect(rest.map(({ type, url }: any) => url ?? type)).toEqual([
    ...Array.from({ length: 20 }, (_, index) => `https://example.com/${20 - index}`),
    'suppressed',
    'subscribed',
  ])
  expect(consents.map(({ action, list_id }: any) => [action, list_id])).toEqual([['given', news]])
})

test('All evidence of a contact can be read, 200 entries at a time, the newest first.', async () => {
  const contact = await upsert('evidence@example.com', { list_ids: [] })
  const { store } = world.service.runtime
  await store.write((tx) =>
    tx.run(sql`
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
      INSERT INTO consents (project_id, contact_id, source, at)
      SELECT ${world.project.id}, ${contact.id}, 'given ' || i, ${START} + i FROM n`),
  )
  const first = (await world.ok('contacts/get', { contact_id: contact.id })).consents
  expect(first).toHaveLength(200)
  const page = { contact_id: contact.id, consents_after_id: first.at(-1).id }
  const { consents: rest, contact: same } = await world.ok('contacts/get', page)
  expect([first[0].source, first.at(-1).source, rest[0].source, rest.length]).toEqual([
    'given 250',
    'given 51',
    'given 50',
    51,
  ])
  expect(same.id).toBe(contact.id)
  const last = { contact_id: contact.id, consents_after_id: rest.at(-1).id }
  expect((await world.ok('contacts/get', last)).consents).toEqual([])
})

test('An update changes the profile and subscribes to nothing.', async () => {
  await world.ok('custom-fields/create', { key: 'city', label: 'City', type: 'text' })
  const contact = await upsert('update@example.com', {
    first_name: 'A',
    last_name: 'B',
    custom_fields: { city: 'Rome' },
  })
  world.clock.advance(1000)
  const answer = await world.ok('contacts/update', {
    contact_id: contact.id,
    first_name: 'Z',
    custom_fields: { city: null },
  })
  expect(answer).toEqual({
    contact: {
      ...contact,
      first_name: 'Z',
      full_name: 'Z B',
      custom_fields: {},
      updated_at: new Date(world.clock.now()).toISOString(),
    },
  })
  await world.ok('contacts/update', { contact_id: contact.id, custom_fields: { city: 'Oslo' } })
  const inOslo = { op: 'and', rules: [{ field: 'custom.city', operator: 'eq', value: 'oslo' }] }
  expect(emailsOf(await world.ok('contacts/list', { filter: inOslo }))).toEqual(['update@example.com'])
  const refused = await world.call('contacts/update', { contact_id: contact.id, list_ids: [news] })
  expect(refused.body.error).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path: '/list_ids' }] })
})

test('A new address is found by search and recorded in the history; one in use is refused.', async () => {
  const contact = await upsert('old@example.com')
  await upsert('taken@example.com')
  const taken = await world.call('contacts/update', { contact_id: contact.id, email: 'TAKEN@example.com' })
  expect(taken.status).toBe(409)
  expect(taken.body.error).toMatchObject({ code: 'CONFLICT', details: [{ path: '/email' }] })
  await world.ok('contacts/update', { contact_id: contact.id, email: ' New@Example.com ' })
  expect(emailsOf(await world.ok('contacts/list', { search: 'new@ex' }))).toEqual(['New@Example.com'])
  expect((await world.ok('contacts/get', { email: 'new@example.com' })).activity[0]).toMatchObject({
    type: 'address_changed',
    detail: 'old@example.com',
  })
  expect((await world.call('contacts/get', { email: 'old@example.com' })).status).toBe(404)
  expect((await world.ok('contacts/update', { contact_id: contact.id, email: 'NEW@example.com' })).contact.email).toBe(
    'NEW@example.com',
  )
})

test('A new address that is suppressed gives its status, if that is stronger.', async () => {
  await world.ok('suppressions/add', { email: 'dead@example.com', reason: 'hard_bounce' })
  await world.ok('suppressions/add', { email: 'left@example.com', reason: 'unsubscribe' })
  await world.ok('suppressions/add', { email: 'held@example.com' })
  const contact = await upsert('moving@example.com', { list_ids: [news] })
  const move = async (email: string) => (await world.ok('contacts/update', { contact_id: contact.id, email })).contact
  expect(await move('held@example.com')).toMatchObject({
    global_status: 'subscribed',
    lists: [{ status: 'subscribed' }],
  })
  expect(await move('dead@example.com')).toMatchObject({
    global_status: 'bounced',
    lists: [{ status: 'subscribed' }],
  })
  expect(await move('left@example.com')).toMatchObject({
    global_status: 'bounced',
    lists: [{ status: 'unsubscribed' }],
  })
  expect(await move('clean@example.com')).toMatchObject({ global_status: 'bounced' })
})

test('A contact who complained stays complained at a new address, which is suppressed as well.', async () => {
  const contact = await upsert('complaining@example.com', { list_ids: [news] })
  await world.ok('suppressions/add', { email: contact.email, reason: 'complaint' })
  const email = 'complaining-anew@example.com'
  await world.ok('contacts/update', { contact_id: contact.id, email })
  const { contact: moved, suppression } = await world.ok('contacts/get', { contact_id: contact.id })
  expect([moved.email, moved.global_status, suppression?.reason]).toEqual([email, 'complained', 'complaint'])
})

test('The old address of an opted-out contact stays suppressed, so an import cannot subscribe it.', async () => {
  const contact = await upsert('opted-out@example.com', { list_ids: [news] })
  await world.ok('contacts/unsubscribe', { contact_id: contact.id })
  await world.ok('contacts/update', { contact_id: contact.id, email: 'opted-out-new@example.com' })
  expect((await world.ok('suppressions/list', { search: 'opted-out@' })).items).toMatchObject([
    { email: 'opted-out@example.com', reason: 'unsubscribe' },
  ])
  const again = await world.ok('contacts/upsert', {
    email: 'opted-out@example.com',
    consent_text: 'yes',
    list_ids: [news],
  })
  expect(again.skipped).toEqual([{ list_id: news, reason: 'suppressed' }])
})

test('A pending contact gets a new confirmation message at the new address.', async () => {
  const contact = await upsert('typo@gmial.com', { list_ids: [club] })
  await world.ok('contacts/update', { contact_id: contact.id, email: ' typo@gmail.com ' })
  const messages = await query(
    sql`SELECT email, status, content FROM deliveries WHERE contact_id = ${contact.id} ORDER BY id`,
  )
  expect(messages).toEqual([
    { email: 'typo@gmail.com', status: 'queued', content: JSON.stringify({ list_ids: [club] }) },
  ])
  await world.ok('contacts/update', { contact_id: contact.id, email: 'Typo@Gmail.com' })
  expect(await query(sql`SELECT email FROM deliveries WHERE contact_id = ${contact.id}`)).toHaveLength(1)
})

test('Unsubscribing ends every membership and suppresses nothing; the second time changes nothing.', async () => {
  const contact = await upsert('bye@example.com', { list_ids: [news, club] })
  world.clock.advance(1000)
  const first = await world.ok('contacts/unsubscribe', { contact_id: contact.id })
  const at = new Date(world.clock.now()).toISOString()
  expect(first.contact).toMatchObject({
    global_status: 'unsubscribed',
    updated_at: at,
    lists: [
      { list_id: news, status: 'unsubscribed', unsubscribed_at: at, subscribed_at: contact.lists[0].subscribed_at },
      { list_id: club, status: 'unsubscribed', unsubscribed_at: at, subscribed_at: null },
    ],
  })
  expect(await query(sql`SELECT 1 FROM deliveries WHERE contact_id = ${contact.id}`)).toEqual([])
  world.clock.advance(1000)
  expect(await world.ok('contacts/unsubscribe', { contact_id: contact.id })).toEqual(first)
  const { suppression, activity, consents } = await world.ok('contacts/get', { contact_id: contact.id })
  expect(suppression).toBeNull()
  expect(consents[0]).toMatchObject({ action: 'withdrawn', source: 'api', list_id: null, at })
  expect(activity.filter(({ type }: any) => type === 'unsubscribe')).toHaveLength(1)
})

test('A bounced contact that unsubscribes is unsubscribed; status complained stays.', async () => {
  for (const [reason, status] of [
    ['hard_bounce', 'unsubscribed'],
    ['complaint', 'complained'],
  ] as const) {
    const contact = await upsert(`bye-${reason}@example.com`, { list_ids: [news] })
    await world.ok('suppressions/add', { email: contact.email, reason })
    expect((await world.ok('contacts/unsubscribe', { contact_id: contact.id })).contact).toMatchObject({
      global_status: status,
      lists: [{ status: 'unsubscribed' }],
    })
  }
})

test('Deletion removes the contact and keeps its opt-out as a suppression.', async () => {
  for (const [reason, left] of [
    [null, null],
    ['manual', 'manual'],
    ['unsubscribe', 'unsubscribe'],
    ['hard_bounce', 'hard_bounce'],
    ['complaint', 'complaint'],
  ] as const) {
    const email = `Gone-${reason}@example.com`
    const contact = await upsert(email, { list_ids: [news, club] })
    if (reason) await world.ok('suppressions/add', { email, reason })
    expect((await world.ok('contacts/delete', { contact_id: contact.id })).contact.id).toBe(contact.id)
    expect((await world.call('contacts/get', { contact_id: contact.id })).status).toBe(404)
    expect((await world.call('contacts/delete', { contact_id: contact.id })).status).toBe(404)
    const { items } = await world.ok('suppressions/list', { search: email })
    expect(items.map((item: any) => item.reason)).toEqual(left ? [left] : [])
    expect(
      await query(
        sql`
          SELECT 1 FROM memberships WHERE contact_id = ${contact.id} UNION ALL SELECT 1 FROM consents
          WHERE contact_id = ${contact.id} UNION ALL SELECT 1 FROM deliveries WHERE contact_id = ${contact.id}`,
      ),
    ).toEqual([])
  }
})

test('Deleting a bounced contact suppresses its address, even if its suppression was removed before.', async () => {
  const contact = await upsert('bounced@example.com', { list_ids: [news] })
  await world.ok('suppressions/add', { email: 'bounced@example.com', reason: 'hard_bounce' })
  await world.ok('suppressions/remove', { email: 'bounced@example.com' })
  world.clock.advance(1000)
  await world.ok('contacts/delete', { contact_id: contact.id })
  expect((await world.ok('suppressions/list', { search: 'bounced@example.com' })).items).toMatchObject([
    { email: null, reason: 'hard_bounce', created_at: new Date(world.clock.now()).toISOString() },
  ])
})

test('Deleting a contact that unsubscribed suppresses its address.', async () => {
  const contact = await upsert('self@example.com', { list_ids: [news] })
  await world.ok('contacts/unsubscribe', { contact_id: contact.id })
  await world.ok('contacts/delete', { contact_id: contact.id })
  const again = await world.ok('contacts/upsert', {
    email: 'self@example.com',
    consent_text: 'yes',
    list_ids: [news],
  })
  expect(again).toMatchObject({
    created: true,
    skipped: [{ list_id: news, reason: 'suppressed' }],
    contact: { global_status: 'unsubscribed' },
  })
})

test('A contact of another project cannot be changed or deleted.', async () => {
  const contact = await upsert('theirs@example.com')
  for (const operation of ['contacts/update', 'contacts/delete', 'contacts/unsubscribe']) {
    expect((await world.call(operation, { contact_id: contact.id }, { as: world.keys.other })).status).toBe(404)
  }
  expect((await world.ok('contacts/get', { contact_id: contact.id })).contact).toEqual(contact)
})

describe('contacts/list', () => {
  let other: World
  let list: number
  let tag: number
  beforeEach(async () => {
    other = await createWorld()
    list = (await other.ok('lists/create', { name: 'L' })).list.id
    tag = (await other.ok('tags/create', { name: 'T' })).tag.id
    for (let index = 0; index < 25; index++) {
      if (index % 5 === 0) other.clock.advance(1)
      await other.ok('contacts/upsert', {
        email: `p${String(index).padStart(2, '0')}@example.com`,
        consent_text: 'x',
        first_name: index === 7 ? 'Ünal' : 'P',
        last_name: index === 7 ? '100%_sure' : '',
        list_ids: index % 2 ? [list] : [],
        tag_ids: index % 3 ? [] : [tag],
      })
    }
    const { contact } = await other.ok('contacts/get', { email: 'p01@example.com' })
    await other.ok('contacts/unsubscribe', { contact_id: contact.id })
  })
  afterEach(() => other.close())

  const all = async (filters: Record<string, unknown>, limit = 200): Promise<string[]> => {
    const found: string[] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await other.ok('contacts/list', { ...filters, limit, ...(cursor ? { cursor } : {}) })
      found.push(...emailsOf(page))
      cursor = page.next_cursor
    }
    return found
  }
  const people = (choose: (index: number) => boolean) =>
    Array.from({ length: 25 }, (_, index) => index)
      .filter(choose)
      .map((index) => `p${String(index).padStart(2, '0')}@example.com`)

  test('contacts/list is in the order of creation with every page size.', async () => {
    for (const limit of [1, 4, 5, 24, 25, 26]) expect(await all({}, limit)).toEqual(people(() => true))
  })

  test('contacts/list has no empty page after a full last one, and 50 contacts a page by default.', async () => {
    expect((await other.ok('contacts/list', { limit: 25 })).next_cursor).toBeNull()
    expect((await other.ok('contacts/list', {})).items).toHaveLength(25)
    expect((await other.ok('contacts/list', { limit: 24 })).next_cursor).toBeString()
    for (const limit of [0, 201, '10', 1.5, null])
      expect((await other.call('contacts/list', { limit })).status).toBe(400)
  })

  test('contacts/list shows a contact created between two pages once, and skips none after a deletion.', async () => {
    const first = await other.ok('contacts/list', { limit: 10 })
    const victim = (await other.ok('contacts/upsert', { email: 'z-new@example.com', consent_text: 'x' })).contact
    const removed = first.items.at(-1)
    await other.service.runtime.store.write((tx) =>
      tx.run(sql`UPDATE contacts SET first_name = 'changed' WHERE id = ${removed.id}`),
    )
    const rest = await other.ok('contacts/list', { limit: 200, cursor: first.next_cursor })
    expect([...emailsOf(first), ...emailsOf(rest)]).toEqual([...people(() => true), 'z-new@example.com'])
    await other.ok('contacts/delete', { contact_id: victim.id })
  })

  test('contacts/list returns the contacts that match each filter, alone and combined.', async () => {
    expect(await all({ status: 'unsubscribed' })).toEqual(['p01@example.com'])
    expect(await all({ status: 'bounced' })).toEqual([])
    expect(await all({ list_id: list }, 3)).toEqual(people((index) => index % 2 === 1))
    expect(await all({ list_id: list, list_status: 'subscribed' }, 5)).toEqual(
      people((index) => index % 2 === 1 && index !== 1),
    )
    expect(await all({ list_status: 'unsubscribed' })).toEqual(['p01@example.com'])
    expect(await all({ tag_id: tag }, 2)).toEqual(people((index) => index % 3 === 0))
    expect(await all({ tag_id: tag, list_id: list })).toEqual(people((index) => index % 3 === 0 && index % 2 === 1))
    expect(await all({ search: 'p1', tag_id: tag, status: 'subscribed' })).toEqual(
      people((index) => index >= 10 && index < 20 && index % 3 === 0),
    )
  })

  test('contacts/list searches address and names without case and without wildcards.', async () => {
    for (const search of ['ÜNAL', 'u\u0308nal', ' ünal 100%', '%_S', 'p07@'])
      expect(await all({ search })).toEqual(['p07@example.com'])
    expect(await all({ search: '%' })).toEqual(['p07@example.com'])
    expect(await all({ search: "'; DROP TABLE contacts; --" })).toEqual([])
    expect(await all({ search: '  ' })).toHaveLength(25)
    expect((await other.call('contacts/list', { search: 'x'.repeat(321) })).status).toBe(400)
  })

  test('A cursor is valid for its filters and project only, and the limit may change.', async () => {
    const { next_cursor: cursor } = await other.ok('contacts/list', { limit: 2, search: 'P' })
    expect(emailsOf(await other.ok('contacts/list', { limit: 1, search: ' p ', cursor }))).toEqual(['p02@example.com'])
    for (const body of [
      { cursor },
      { cursor, search: 'p0' },
      { cursor, search: 'p', status: 'subscribed' },
      { cursor: `${cursor}x`, search: 'P' },
      { cursor: 'nonsense', search: 'P' },
    ]) {
      const answer = await other.call('contacts/list', body)
      expect({ status: answer.status, code: answer.body.error?.code }).toEqual({ status: 400, code: 'INVALID_CURSOR' })
    }
    expect((await other.call('contacts/list', { cursor, search: 'P' }, { as: other.keys.other })).body.error.code).toBe(
      'INVALID_CURSOR',
    )
    expect((await other.call('suppressions/list', { cursor, search: 'P' })).body.error.code).toBe('INVALID_CURSOR')
  })

  test("A list or tag that is not the project's is not found.", async () => {
    const theirs = (await other.ok('lists/create', { name: 'theirs' }, { as: other.keys.other })).list.id
    expect((await other.call('contacts/list', { list_id: theirs })).body.error).toMatchObject({
      code: 'NOT_FOUND',
      details: [{ path: '/list_id' }],
    })
    expect((await other.call('contacts/list', { tag_id: 999 })).body.error).toMatchObject({
      code: 'NOT_FOUND',
      details: [{ path: '/tag_id' }],
    })
    expect((await other.ok('contacts/list', {}, { as: other.keys.other })).items).toEqual([])
  })

  test('contacts/list has the same result when a long list is read in the order of creation.', async () => {
    const dialect = new SQLiteAsyncDialect()
    const run = async (filters: ContactFilters, way: PageSource) => {
      const { sql: text, params } = dialect.sqlToQuery(
        contactsPage(filterCondition(other.project.id, filters), filters, way, {
          after: { created_at: START + 2, id: 6 },
          most: 5,
        }),
      )
      const { store } = other.service.runtime
      const plan = await store.query(`EXPLAIN QUERY PLAN ${text}`, params)
      const rows = await store.query(text, params)
      return {
        plan: plan.map(({ detail }) => String(detail)),
        rows: contactsOf(rows as unknown as PageRow[]).map(({ email }) => email),
      }
    }
    for (const filters of [
      { list_id: list },
      { list_id: list, status: 'subscribed' },
      { list_id: list, search: '1' },
    ] as ContactFilters[]) {
      const [inOrder, byList] = [await run(filters, 'in_order'), await run(filters, 'by_list')]
      expect(inOrder.rows.length).toBeGreaterThan(0)
      expect(byList.rows).toEqual(inOrder.rows)
    }
    expect((await run({ tag_id: tag }, 'by_tag')).rows).toEqual((await run({ tag_id: tag }, 'in_order')).rows)
    for (const filters of [
      {},
      { status: 'subscribed' },
      { search: 'p' },
      { list_id: list },
      { tag_id: tag },
      { list_status: 'pending' },
    ] as ContactFilters[]) {
      const { plan } = await run(filters, 'in_order')
      const ways = plan
        .filter((step) => step.startsWith('SEARCH contact USING'))
        .map((step) => step.replace(/^.*INDEX (\S+) .*?(created_at\S+)( AND id>\?)?\)$/, '$1 $2$3'))
      const index = filters.status ? 'contacts_by_status' : 'contacts_in_order'
      expect(ways).toEqual([
        `${index} created_at=? AND id>?`,
        `${index} created_at>?`,
        'SEARCH contact USING INTEGER PRIMARY KEY (rowid=?)',
      ])
      expect(plan.join('\n')).not.toMatch(/SCAN (c|m|t)\b/)
    }
    for (const way of ['by_list', 'by_tag'] as const)
      expect((await run({ list_id: list, tag_id: tag }, way)).plan.join('\n')).not.toMatch(
        /SCAN (c|m|t|memberships|contact_tags)\b/,
      )
  })
})
