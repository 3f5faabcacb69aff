import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { CONTACT_FIELD_NAMES } from '../../../src/shared/contact-fields.ts'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { exported } from '../../../src/newsletter/contacts/export.operations.ts'
import { manyContacts } from '../../support/campaigns.ts'
import { createWorld, START, type World } from '../../support/world.ts'

let home: World
let world: World
let news: number
let tag: number
beforeAll(async () => {
  home = await createWorld()
})
beforeEach(async () => {
  world = await home.fresh()
  news = (await world.ok('lists/create', { name: 'News' })).list.id
  tag = (await world.ok('tags/create', { name: 'VIP' })).tag.id
  for (const [key, type] of [
    ['town', 'text'],
    ['age', 'number'],
    ['vip', 'boolean'],
  ] as const)
    await world.ok('custom-fields/create', { key, label: key, type })
})
afterAll(() => home.close())

const upsert = (body: Record<string, unknown>) => world.ok('contacts/upsert', { consent_text: 'Yes', ...body })
const lines = async (body: Record<string, unknown> = {}): Promise<string[]> => {
  const { status, body: text } = await world.call('contacts/export', body)
  expect(status).toBe(200)
  expect(text.endsWith('\r\n')).toBe(true)
  return text.slice(0, -2).split('\r\n')
}

const ada = () =>
  upsert({
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    list_ids: [news],
    tag_ids: [tag],
    custom_fields: { town: 'London', age: 36, vip: false },
  })

test('The CSV has all columns in their order by default.', async () => {
  const { contact } = await ada()
  const at = new Date(START).toISOString()
  expect(await lines()).toEqual([
    `id,email,${CONTACT_FIELD_NAMES.join(',')},full_name,global_status,custom.town,custom.age,custom.vip,lists,` +
      'tag_ids,consent_text,consent_source,consent_at,created_at,updated_at',
    `${contact.id},ada@example.com,${CONTACT_FIELD_NAMES.map((name) => contact[name]).join(',')},Ada ` +
      `Lovelace,subscribed,London,36,false,${news}:subscribed,${tag},Yes,api,${at},${at},${at}`,
  ])
})

test('The CSV has only the named columns, in the given order, with their names as header.', async () => {
  await ada()
  expect(await lines({ columns: ['custom.age', 'email', 'custom.town'] })).toEqual([
    'custom.age,email,custom.town',
    '36,ada@example.com,London',
  ])
})

test('The CSV is a file for download without an envelope, and counts as a read.', async () => {
  const { headers } = await world.call('contacts/export', {}, { key: null })
  expect([headers.get('content-type'), headers.get('content-disposition'), headers.get('ratelimit-policy')]).toEqual([
    'text/csv; charset=utf-8',
    'attachment; filename="contacts.csv"',
    expect.stringContaining('read'),
  ])
  expect(headers.get('x-request-id')).not.toBeNull()
})

test('The CSV quotes cells where needed, and puts an apostrophe before formulas, but not before numbers.', async () => {
  for (const [index, town] of [
    'a,b',
    'a "b"',
    'a\nb',
    'a;b',
    '=1+1',
    '+cmd',
    '-x',
    '@sum',
    '\tx',
    '-12.5',
    '+4312',
    '',
    'ok',
  ].entries())
    await upsert({ email: `cell${index}@example.com`, custom_fields: { town } })
  const { body: text } = await world.call('contacts/export', { search: 'cell', columns: ['custom.town'] })
  expect(text).toBe(
    'custom.town\r\n"a,b"\r\n"a ""b"""\r\n"a\nb"\r\n"a;b"\r\n\'=1+1\r\n\'+cmd\r\n\'-x\r\n\'@sum\r\n"\'\tx"\r\n' +
      '-12.5\r\n+4312\r\n\r\nok\r\n',
  )
  await upsert({ email: 'minus@example.com', custom_fields: { age: -5 } })
  expect(await lines({ search: 'minus', columns: ['custom.age'] })).toEqual(['custom.age', '-5'])
})

test('The values of an export are the same after it was imported.', async () => {
  const texts = ['=1+1', " '@x", ' padded ', '\ttab', "'", 'a;b', '"', '\n-line', '-5', 'ü\u0301']
  for (const [index, town] of texts.entries())
    await upsert({ email: `back${index}@example.com`, custom_fields: { town } })
  const columns = ['email', 'custom.town']
  const { body: csv } = await world.call('contacts/export', { search: 'back', columns })
  for (const { id } of (await world.ok('contacts/list', { search: 'back' })).items)
    await world.ok('contacts/delete', { contact_id: id })
  const { import: created } = await world.ok('imports/create', { csv })
  await world.ok('imports/dry-run', { import_id: created.id, mapping: { 0: 'email', 1: 'custom.town' }, options: {} })
  await world.ok('imports/commit', { import_id: created.id })
  await world.settle()
  const { items } = await world.ok('contacts/list', { search: 'back' })
  expect(items.map((contact: any) => contact.custom_fields.town)).toEqual(texts)
})

test('The exported contacts match all filters.', async () => {
  await ada()
  const { contact } = await upsert({ email: 'out@example.com', first_name: 'Out' })
  await world.ok('contacts/unsubscribe', { contact_id: contact.id })
  const emails = async (filters: Record<string, unknown>) => (await lines({ ...filters, columns: ['email'] })).slice(1)
  expect(await emails({ status: 'unsubscribed' })).toEqual(['out@example.com'])
  expect(await emails({ list_id: news })).toEqual(['ada@example.com'])
  expect(await emails({ tag_id: tag, search: 'LOVE' })).toEqual(['ada@example.com'])
  expect(await emails({ filter: { op: 'and', rules: [{ field: 'custom.age', operator: 'gt', value: 30 }] } })).toEqual([
    'ada@example.com',
  ])
  expect(await emails({ search: 'nobody at all' })).toEqual([])
})

test('The exported contacts belong to the project.', async () => {
  await world.ok('contacts/upsert', { email: 'foreign@example.com', consent_text: 'Yes' }, { as: world.keys.other })
  const { body } = await world.call('contacts/export', { columns: ['email'] })
  expect(body).not.toContain('foreign')
})

test.each([
  [{ columns: [] }, 400, '/columns'],
  [{ columns: ['email', 'shoe_size'] }, 400, '/columns/1'],
  [{ columns: ['custom.none'] }, 400, '/columns/0'],
  [{ columns: ['email', 'email'] }, 400, '/columns'],
  [{ list_id: 999_999 }, 404, '/list_id'],
  [
    { filter: { op: 'and', rules: [{ field: 'custom.none', operator: 'eq', value: 1 }] } },
    400,
    '/filter/rules/0/field',
  ],
  [{ limit: 5 }, 400, '/limit'],
])('A refusal of an export has the envelope: %j.', async (body, status, path) => {
  const answer = await world.call('contacts/export', body)
  expect([answer.status, answer.headers.get('content-type'), answer.body.error.details[0].path]).toEqual([
    status,
    'application/json',
    path,
  ])
})

describe('the stream', () => {
  /** Several pages, the largest of 5,000 among them. */
  const COUNT = 12_000
  /** More than a connection holds that nobody reads from. */
  const UNREAD = 60_000
  const fill = async (people: number) => {
    const { list } = await world.ok('lists/create', { name: 'Readers' })
    await manyContacts(world.service.runtime.store, world.project.id, list.id, people, START)
  }

  test('The stream of an export contains every contact once, in the order of ids, over many pages.', async () => {
    await fill(COUNT)
    const ids = (await lines({ columns: ['id'], search: 'reader' })).slice(1).map(Number)
    expect(ids).toHaveLength(COUNT)
    expect(ids.every((id, index) => index === 0 || id > ids[index - 1]!)).toBe(true)
  })

  test('The stream of an export reads pages as fast as the client does, and stops when it stops.', async () => {
    await fill(COUNT)
    let pages = 0
    const { store } = world.service.runtime
    const heavyTask: typeof store.heavyTask = (task, input) => {
      pages += 1
      return store.heavyTask(task, input)
    }
    const export_ = exported(
      { heavyTask },
      { project_id: world.project.id, filters: {}, columns: ['id', 'email'], now: START },
    )
    for (let taken = 0; taken < 3; taken++) await export_.next()
    expect(pages).toBe(3)
    await export_.return(undefined)
    expect(pages).toBe(3)
  })

  test('An export that its client does not read delays no other request, and ends with the connection.', async () => {
    await fill(UNREAD)
    const controller = new AbortController()
    const response = await fetch(`${world.url}/general/api/v1/newsletter/contacts/export`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: world.keys.owner },
      body: '{}',
      signal: controller.signal,
    })
    const reader = response.body!.getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toStartWith('id,email')
    expect((await world.ok('contacts/list', { limit: 1 })).items).toHaveLength(1)
    controller.abort()
    expect(
      await reader.read().then(
        () => 'more',
        () => 'ended',
      ),
    ).toBe('ended')
    expect(await lines({ columns: ['id'], status: 'unsubscribed' })).toHaveLength(1)
  })

  test('The stream continues when a list in its filters is deleted.', async () => {
    await fill(COUNT)
    const { list } = await world.ok('lists/create', { name: 'Short lived' })
    await world.service.runtime.store.write((tx) =>
      tx.run(
        sql`
          INSERT INTO memberships (contact_id, list_id, status) SELECT id, ${list.id}, 'subscribed' FROM contacts
          WHERE project_id = ${world.project.id}`,
      ),
    )
    const export_ = exported(world.service.runtime.store, {
      project_id: world.project.id,
      filters: { list_id: list.id },
      columns: ['id'],
      now: START,
    })
    await export_.next()
    await export_.next()
    await world.ok('lists/delete', { list_id: list.id })
    let rest = 0
    for await (const piece of export_) rest += piece.byteLength
    expect(rest).toBeLessThan(COUNT * 7)
  })
})

test('The failure of a page that nobody waits for any more is no failure of the process.', async () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  try {
    const first = { lines: new Uint8Array(5), last: 100, count: 100 }
    const pages = [Promise.resolve(first), Promise.reject(new Error('The database is gone.'))]
    const store = { heavyTask: () => pages.shift() as never }
    const lines = exported(store, { project_id: world.project.id, filters: {}, columns: ['id'], now: START })
    await lines.next()
    expect((await lines.next()).value).toEqual(first.lines)
    await lines.return(undefined)
    await setImmediate()
    expect(unhandled).toEqual([])
  } finally {
    process.off('unhandledRejection', note)
  }
})
