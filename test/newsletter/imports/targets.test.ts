import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createWorld, type World } from '../../support/world.ts'

let world: World
let news: number
let club: number
beforeEach(async () => {
  world = await createWorld()
  news = (await world.ok('lists/create', { name: 'News' })).list.id
  club = (await world.ok('lists/create', { name: 'Club', double_opt_in: true })).list.id
})
afterEach(() => world.close())

type Mapping = Record<number, string>
type Options = Record<string, unknown>

async function importInto(csv: string, mapping: Mapping, options: Options, as?: string) {
  const call = (operation: string, body: Record<string, unknown>) => world.ok(operation, body, as ? { as } : {})
  const { import: staged } = await call('imports/create', { csv })
  const dry = await call('imports/dry-run', { import_id: staged.id, mapping, options })
  await call('imports/commit', { import_id: staged.id })
  await world.service.drain('jobs')
  return { ...(await call('imports/get', { import_id: staged.id })).import, dry }
}
const see = async (email: string) => {
  const { contact, suppression } = await world.ok('contacts/get', { email })
  const lists = Object.fromEntries(contact.lists.map((list: any) => [list.list_id, list.status]))
  return { status: contact.global_status, lists, reason: suppression?.reason ?? null }
}
const SUBSCRIBE = () => ({ list_ids: [news, club], consent_confirmed: true })

test('A row that opted out, bounced or complained is suppressed for that reason and never subscribed.', async () => {
  const done = await importInto(
    'email,status\nin@example.com,subscribed\nout@example.com,unsubscribed\nback@example.com,cleaned\n' +
      'spam@example.com,complained\n',
    { 0: 'email', 1: 'status' },
    SUBSCRIBE(),
  )
  expect(done).toMatchObject({
    summary: { valid: 4, new: 4 },
    findings: { opted_out: 3 },
    counters: { created: 4 },
  })
  expect(await see('in@example.com')).toEqual({
    status: 'subscribed',
    lists: { [news]: 'subscribed', [club]: 'subscribed' },
    reason: null,
  })
  expect(await see('out@example.com')).toEqual({ status: 'unsubscribed', lists: {}, reason: 'unsubscribe' })
  expect(await see('back@example.com')).toEqual({ status: 'bounced', lists: {}, reason: 'hard_bounce' })
  expect(await see('spam@example.com')).toEqual({ status: 'complained', lists: {}, reason: 'complaint' })
})

test('An opt-out in the file ends the subscriptions of a known contact, also without update_existing.', async () => {
  const { contact } = await world.ok('contacts/upsert', {
    email: 'known@example.com',
    consent_text: 'Yes',
    list_ids: [news],
  })
  await world.ok('contacts/upsert', { email: 'left@example.com', consent_text: 'Yes', list_ids: [news] })
  await world.ok('contacts/unsubscribe', {
    contact_id: (await world.ok('contacts/get', { email: 'left@example.com' })).contact.id,
  })
  const done = await importInto(
    'email,gone\nKNOWN@example.com,yes\nleft@example.com,no\n',
    { 0: 'email', 1: 'opted_out' },
    SUBSCRIBE(),
  )
  expect(done.counters).toMatchObject({ created: 0, updated: 1, skipped: 1 })
  expect(await see('known@example.com')).toEqual({
    status: 'unsubscribed',
    lists: { [news]: 'unsubscribed' },
    reason: 'unsubscribe',
  })
  expect((await see('left@example.com')).status).toBe('unsubscribed')
  const { activity } = await world.ok('contacts/get', { contact_id: contact.id })
  expect(activity[0]).toMatchObject({ type: 'suppressed', detail: 'unsubscribe' })
})

test('A complaint outweighs an opt-out, and a bounce after an opt-out remembers it.', async () => {
  for (const email of ['a@example.com', 'b@example.com'])
    await world.ok('suppressions/add', { email, reason: 'unsubscribe' })
  await world.ok('contacts/upsert', { email: 'b@example.com', consent_text: 'Yes' })
  await importInto('email,status\na@example.com,complained\nb@example.com,bounced\n', { 0: 'email', 1: 'status' }, {})
  expect(await see('a@example.com')).toMatchObject({ status: 'complained', reason: 'complaint' })
  const { contact } = await world.ok('contacts/get', { email: 'b@example.com' })
  expect(contact.global_status).toBe('bounced')
  const { contact: reset } = await world.ok('contacts/reset-status', { contact_id: contact.id })
  expect(reset.global_status).toBe('unsubscribed')
})

test('An opt-out on a later row of an address counts too.', async () => {
  const done = await importInto(
    'email,status\ntwice@example.com,subscribed\nTwice@example.com,unsubscribed\n',
    { 0: 'email', 1: 'status' },
    SUBSCRIBE(),
  )
  expect(done).toMatchObject({
    summary: { rows: 2, valid: 2, new: 1, duplicates_in_file: 1 },
    counters: { processed: 2, created: 1, skipped: 1 },
  })
  expect(await see('twice@example.com')).toMatchObject({ status: 'unsubscribed', lists: {}, reason: 'unsubscribe' })
})

test('An opt-out on an invalid row counts too.', async () => {
  await world.ok('contacts/upsert', { email: 'known@example.com', consent_text: 'Yes', list_ids: [news] })
  const done = await importInto(
    'email,status,consent_at\nknown@example.com,unsubscribed,someday\nnew@example.com,complained,someday\n' +
      'New@example.com,subscribed,\n',
    { 0: 'email', 1: 'status', 2: 'consent_at' },
    SUBSCRIBE(),
  )
  expect(done).toMatchObject({ summary: { valid: 1, invalid: 2 }, counters: { processed: 3, created: 1, failed: 2 } })
  expect(await see('known@example.com')).toMatchObject({ status: 'unsubscribed', reason: 'unsubscribe' })
  expect(await see('new@example.com')).toEqual({ status: 'complained', lists: {}, reason: 'complaint' })
})

test('A pending row is subscribed to nothing, and only double opt-in lists ask when messages are wanted.', async () => {
  const csv = 'email,status\nlater@example.com,unconfirmed\n'
  await importInto(csv, { 0: 'email', 1: 'status' }, SUBSCRIBE())
  expect(await see('later@example.com')).toEqual({ status: 'pending', lists: {}, reason: null })
  await importInto(
    csv.replace('later', 'asked'),
    { 0: 'email', 1: 'status' },
    {
      list_ids: [news, club],
      send_confirmation: true,
    },
  )
  expect(await see('asked@example.com')).toEqual({ status: 'pending', lists: { [club]: 'pending' }, reason: null })
  await importInto(
    csv,
    { 0: 'email', 1: 'status' },
    {
      list_ids: [news, club],
      send_confirmation: true,
      update_existing: true,
    },
  )
  expect(await see('later@example.com')).toEqual({ status: 'pending', lists: { [club]: 'pending' }, reason: null })
})

test('default_status is the status of rows that say none.', async () => {
  await importInto(
    'email,status\na@example.com,\nb@example.com,subscribed\n',
    { 0: 'email', 1: 'status' },
    {
      ...SUBSCRIBE(),
      default_status: 'unsubscribed',
    },
  )
  expect((await see('a@example.com')).status).toBe('unsubscribed')
  expect((await see('b@example.com')).status).toBe('subscribed')
})

test("Tags and lists are each row's own, beside those of the options; create_tags makes new tags.", async () => {
  const { tag } = await world.ok('tags/create', { name: 'Fair' })
  const mapping = { 0: 'email', 1: 'tags', 2: 'lists' }
  const csv = 'email,tags,lists\na@example.com,"fair, VIP",News\nb@example.com,,\nc@example.com,vip;Press,club\n'
  const options = { tag_ids: [tag.id], consent_confirmed: true }
  const { import: staged } = await world.ok('imports/create', { csv })
  const { row_errors } = await world.ok('imports/dry-run', { import_id: staged.id, mapping, options })
  expect(row_errors.map(({ row, field, message }: any) => [row, field, message])).toEqual([
    [2, 'tags', 'The project has no tag VIP.'],
    [4, 'tags', 'The project has no tag vip.'],
  ])
  const done = await importInto(csv, mapping, { ...options, create_tags: true })
  expect(done.findings).toMatchObject({ opted_out: 0, dropped_values: 0, new_tags: 2 })
  const { items } = await world.ok('tags/list', {})
  const names = new Map(items.map(({ id, name }: any) => [id, name]))
  const tagsOf = async (email: string) =>
    (await world.ok('contacts/get', { email })).contact.tag_ids.map((id: number) => names.get(id))
  expect(await tagsOf('a@example.com')).toEqual(['Fair', 'VIP'])
  expect(await tagsOf('b@example.com')).toEqual(['Fair'])
  expect(await tagsOf('c@example.com')).toEqual(['Fair', 'VIP', 'Press'])
  expect((await see('a@example.com')).lists).toEqual({ [news]: 'subscribed' })
  expect((await see('b@example.com')).lists).toEqual({})
  expect((await see('c@example.com')).lists).toEqual({ [club]: 'subscribed' })
})

test('Mapped lists need an option on consent, as list_ids do.', async () => {
  const { import: staged } = await world.ok('imports/create', { csv: 'email,lists\na@example.com,News\n' })
  const { status, body } = await world.call('imports/dry-run', {
    import_id: staged.id,
    mapping: { 0: 'email', 1: 'lists' },
    options: {},
  })
  expect([status, body.error.details[0].path]).toEqual([400, '/options/consent_confirmed'])
})

test('Consent is stored with its own time, wording and source, and not dated today.', async () => {
  await world.ok('contacts/upsert', { email: 'known@example.com', consent_text: 'Before' })
  await importInto(
    'email,at,text,source,ip\nnew@example.com,01.03.2021 10:00,Weekly news,shop,192.0.2.7\n' +
      'known@example.com,13.04.2022,Monthly news,fair,192.0.2.8\nbare@example.com,,,,\n',
    { 0: 'email', 1: 'consent_at', 2: 'consent_text', 3: 'consent_source', 4: 'consent_ip' },
    { ...SUBSCRIBE(), update_existing: true, consent_text: 'By import' },
  )
  const consentOf = async (email: string) => {
    const { contact } = await world.ok('contacts/get', { email })
    return [contact.consent_at, contact.consent_text, contact.consent_source]
  }
  expect(await consentOf('new@example.com')).toEqual(['2021-03-01T10:00:00.000Z', 'Weekly news', 'shop'])
  expect(await consentOf('known@example.com')).toEqual(['2022-04-13T00:00:00.000Z', 'Monthly news', 'fair'])
  const now = new Date(world.clock.now()).toISOString()
  expect(await consentOf('bare@example.com')).toEqual([now, 'By import', 'import'])
  const evidence = await world.service.runtime.store.db.all<{ at: number; address: string; source: string }>(
    "SELECT DISTINCT at, address, source FROM consents WHERE source IN ('shop', 'fair') ORDER BY at" as never,
  )
  expect(evidence).toEqual([
    { at: Date.UTC(2021, 2, 1, 10), address: '192.0.2.7', source: 'shop' },
    { at: Date.UTC(2022, 3, 13), address: '192.0.2.8', source: 'fair' },
  ])
})

test('Wrong values fail the row or are dropped, and the format of days is guessed and shown.', async () => {
  await world.ok('custom-fields/create', { key: 'age', label: 'Age', type: 'number' })
  await world.ok('custom-fields/create', { key: 'since', label: 'Since', type: 'date' })
  const csv = 'email,age,since\na@example.com,"1,5",31.12.2025\nb@example.com,many,soon\n'
  const mapping = { 0: 'email', 1: 'custom.age', 2: 'custom.since' }
  const strict = await importInto(csv, mapping, {})
  expect(strict).toMatchObject({
    options: { date_format: 'dmy', on_invalid_value: 'fail_row' },
    counters: { created: 1, failed: 1 },
  })
  const lenient = await importInto(csv, mapping, { on_invalid_value: 'drop_value' })
  expect(lenient).toMatchObject({
    summary: { valid: 2, invalid: 0 },
    findings: { dropped_values: 2 },
    counters: { created: 1, skipped: 1, failed: 0 },
  })
  expect(lenient.row_errors.map(({ row, field, code }: any) => [row, field, code])).toEqual([
    [3, 'custom.age', 'value_dropped'],
    [3, 'custom.since', 'value_dropped'],
  ])
  const { contact } = await world.ok('contacts/get', { email: 'a@example.com' })
  expect(contact.custom_fields).toEqual({ age: 1.5, since: '2025-12-31' })
})

test.each([
  ['PK\u0003\u0004rest', /Excel workbook \(\.xlsx\).*CSV UTF-8/],
  ['\u00D0\u00CF\u0011\u00E0rest', /Excel workbook \(\.xls\)/],
])('A workbook is refused with what to do: %j.', async (csv, words) => {
  const { status, body } = await world.call('imports/create', { csv })
  expect([status, body.error.details[0].path]).toEqual([400, '/csv'])
  expect(body.error.details[0].message).toMatch(words)
})

test('An export of one project, imported into another as its headers suggest, brings nobody back.', async () => {
  for (const name of ['in', 'out', 'back', 'spam', '+formula', 'blocked', 'both'])
    await world.ok('contacts/upsert', { email: `${name}@example.com`, consent_text: 'Yes, weekly', list_ids: [news] })
  const idOf = async (email: string) => (await world.ok('contacts/get', { email })).contact.id
  for (const name of ['out', '+formula', 'both'])
    await world.ok('contacts/unsubscribe', { contact_id: await idOf(`${name}@example.com`) })
  for (const name of ['back', 'both'])
    await world.ok('suppressions/add', { email: `${name}@example.com`, reason: 'hard_bounce' })
  await world.ok('suppressions/add', { email: 'spam@example.com', reason: 'complaint' })
  await world.ok('suppressions/add', { email: 'blocked@example.com', reason: 'manual' })
  const { body: csv } = await world.call('contacts/export', {})

  const as = world.keys.other
  const { list } = await world.ok('lists/create', { name: 'News' }, { as })
  const { columns } = (await world.ok('imports/create', { csv }, { as })) as { columns: any[] }
  const mapping = Object.fromEntries(
    columns.flatMap(({ index, suggested_field }) => (suggested_field ? [[index, suggested_field]] : [])),
  )
  expect(Object.values(mapping)).toContain('status')
  world.clock.advance(3_600_000)
  const done = await importInto(csv, mapping, { list_ids: [list.id], consent_confirmed: true }, as)
  expect(done.counters).toMatchObject({ created: 7, failed: 0 })
  const { items } = await world.ok('contacts/list', {}, { as })
  expect(items.map((contact: any) => [contact.email, contact.global_status, contact.lists.length])).toEqual([
    ['in@example.com', 'subscribed', 1],
    ['out@example.com', 'unsubscribed', 0],
    ['back@example.com', 'bounced', 0],
    ['spam@example.com', 'complained', 0],
    ['+formula@example.com', 'unsubscribed', 0],
    ['blocked@example.com', 'unsubscribed', 0],
    ['both@example.com', 'unsubscribed', 0],
  ])
  expect(items[0]).toMatchObject({ consent_text: 'Yes, weekly', consent_source: 'api' })
  expect(Date.parse(items[0].consent_at)).toBeLessThan(world.clock.now())
})
