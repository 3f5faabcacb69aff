import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { createImport } from '../../../src/newsletter/imports/imports.operations.ts'
import { checker } from '../../../src/schema.ts'
import { jobs } from '../../../src/store/tables/jobs.ts'
import { imports } from '../../../src/store/tables/imports.ts'
import { createWorld, type World } from '../../support/world.ts'

let world: World
let news: number
let club: number
let tag: number
beforeAll(async () => {
  world = await createWorld()
  news = (await world.ok('lists/create', { name: 'News' })).list.id
  club = (await world.ok('lists/create', { name: 'Club', double_opt_in: true })).list.id
  tag = (await world.ok('tags/create', { name: 'Fair' })).tag.id
  for (const [key, type, more] of [
    ['town', 'text', {}],
    ['age', 'number', {}],
    ['vip', 'boolean', {}],
    ['since', 'date', {}],
    ['plan', 'select', { options: ['Free', 'Pro'] }],
  ] as const) {
    await world.ok('custom-fields/create', { key, label: key, type, ...more })
  }
})
afterAll(() => world.close())

const AT = () => new Date(world.clock.now()).toISOString()
const EMAIL = { 0: 'email' }
const store = () => world.service.runtime.store
const stage = async (csv: string): Promise<number> => (await world.ok('imports/create', { csv })).import.id
const dryRun = (import_id: number, mapping: Record<string, string> = EMAIL, options: Record<string, unknown> = {}) =>
  world.ok('imports/dry-run', { import_id, mapping, options })
const show = async (import_id: number) => (await world.ok('imports/get', { import_id })).import
/** Imports from the file to their outcome. */
const run = async (csv: string, mapping: Record<string, string> = EMAIL, options: Record<string, unknown> = {}) => {
  const import_id = await stage(csv)
  const { summary, row_errors } = await dryRun(import_id, mapping, options)
  await world.ok('imports/commit', { import_id })
  await world.service.drain('jobs')
  return { summary, row_errors, ...(await show(import_id)) }
}
const refused = async (operation: string, body: Record<string, unknown>) => {
  const {
    status,
    body: { error },
  } = await world.call(operation, body)
  return [status, error.code, error.details?.state ?? error.details?.[0]?.path]
}
const contact = async (email: string) => (await world.ok('contacts/get', { email })).contact
const storage = (import_id: number) =>
  store().db.all<{ texts: number; pages: number }>(sql`
  SELECT (SELECT count(*) FROM import_texts WHERE import_id = ${import_id}) AS texts, (SELECT count(*)
    FROM import_pages WHERE import_id = ${import_id}) AS pages`)

test('imports/create stages the file and returns its columns.', async () => {
  const csv =
    '\uFEFFE-Mail;Vorname;Last name;town;Notes\r\nada@example.com;Ada;Lovelace;London;x\r\n;;;;\r\n' +
    'bo@example.com;"Bo; the";;Oslo;'
  const answer = await world.ok('imports/create', { csv, filename: 'people.csv' })
  expect(answer.import).toEqual({
    id: expect.any(Number),
    filename: 'people.csv',
    status: 'staged',
    size_bytes: Buffer.byteLength(csv),
    delimiter: ';',
    encoding_found: null,
    encoding: null,
    mapping: null,
    options: null,
    summary: null,
    findings: null,
    counters: { processed: 0, created: 0, updated: 0, skipped: 0, failed: 0 },
    error: null,
    job_id: null,
    created_at: AT(),
    updated_at: AT(),
    finished_at: null,
    columns: answer.columns,
    row_errors: [],
  })
  expect(answer.columns).toEqual([
    { index: 0, header: 'E-Mail', samples: ['ada@example.com', 'bo@example.com'], suggested_field: 'email' },
    { index: 1, header: 'Vorname', samples: ['Ada', 'Bo; the'], suggested_field: 'first_name' },
    { index: 2, header: 'Last name', samples: ['Lovelace'], suggested_field: 'last_name' },
    { index: 3, header: 'town', samples: ['London', 'Oslo'], suggested_field: 'custom.town' },
    { index: 4, header: 'Notes', samples: ['x'], suggested_field: null },
  ])
  expect((await world.ok('imports/get', { import_id: answer.import.id })).import).toEqual(answer.import)
})

test('imports/create recognizes a file without a header by the address in its first row.', async () => {
  const answer = await world.ok('imports/create', { csv: 'Ada,ada@example.com\nBo,bo@example.com\n' })
  expect(answer.columns).toEqual([
    { index: 0, header: '', samples: ['Ada', 'Bo'], suggested_field: null },
    { index: 1, header: '', samples: ['ada@example.com', 'bo@example.com'], suggested_field: 'email' },
  ])
  expect((await dryRun(answer.import.id, { 1: 'email' })).summary).toMatchObject({ rows: 2, valid: 2 })
})

test('A field is suggested only for the first of two columns that mean it.', async () => {
  const { columns } = await world.ok('imports/create', { csv: 'Email,Mail address,Town,town\na@b.example,,x,y\n' })
  const suggested = columns.map(({ suggested_field }: { suggested_field: string | null }) => suggested_field)
  expect(suggested).toEqual(['email', null, 'custom.town', null])
})

test('imports/create accepts at most 5 MiB of UTF-8.', async () => {
  const limit = 5 * 1024 * 1024
  const exact = `email\n${'é'.repeat((limit - 6) / 2)}`
  expect(Buffer.byteLength(exact)).toBe(limit)
  expect((await world.call('imports/create', { csv: exact })).status).toBe(200)
  const over = await world.call('imports/create', { csv: `${exact}.` })
  expect([over.status, over.body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  const escaped = JSON.stringify({ csv: `email\n${'\u0001'.repeat(limit - 6)}` })
  expect(escaped.length).toBeGreaterThan(31_000_000)
  const send = (body: string) =>
    world.fetch('/general/api/v1/newsletter/imports/create', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: world.keys.owner, 'Idempotency-Key': 'big' },
      body,
    })
  expect((await send(escaped)).status).toBe(200)
  const tooLarge = await send(JSON.stringify({ csv: '\u0001'.repeat(6 * 1024 * 1024) }))
  expect([tooLarge.status, ((await tooLarge.json()) as any).error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
})

test('imports/create refuses NUL, and tells how many characters of the text are replacements.', async () => {
  expect(await refused('imports/create', { csv: 'email\na@b.example\0\n' })).toEqual([400, 'VALIDATION_FAILED', '/csv'])
  const found = async (csv: string) => (await world.ok('imports/create', { csv })).replacement_characters
  expect([await found('email\nz\uFFFDe@b.example,\uFFFD\n'), await found('email\nzoë@b.example\n')]).toEqual([2, 0])
})

test('imports/create refuses a file without rows or with too many columns.', async () => {
  for (const csv of ['', '\n\n', ' , , \n', '\uFEFF'])
    expect(await refused('imports/create', { csv })).toEqual([400, 'VALIDATION_FAILED', '/csv'])
  expect(
    await refused('imports/create', { csv: Array.from({ length: 10_000 }, (_, index) => `c${index}`).join(',') }),
  ).toEqual([400, 'VALIDATION_FAILED', '/csv'])
  expect(await refused('imports/create', { csv: 'email', filename: 'a\nb' })).toEqual([
    400,
    'VALIDATION_FAILED',
    '/filename',
  ])
})

test('Imports are listed oldest first, without columns and row errors.', async () => {
  await stage('email\nx@example.com')
  const { items, next_cursor } = await world.ok('imports/list', { limit: 2 })
  expect(items).toHaveLength(2)
  expect(Object.keys(items[0])).not.toContain('columns')
  expect(Object.keys(items[0])).not.toContain('row_errors')
  const rest = await world.ok('imports/list', { cursor: next_cursor })
  expect([...items, ...rest.items].map(({ id }: any) => id)).toEqual(
    [...items, ...rest.items].map(({ id }: any) => id).toSorted((a: number, b: number) => a - b),
  )
  expect((await world.ok('imports/list', {}, { as: world.keys.other })).items).toEqual([])
  expect((await world.call('imports/get', { import_id: items[0].id }, { as: world.keys.other })).status).toBe(404)
})

test('A dry-run counts every kind of row and changes nothing.', async () => {
  await world.ok('contacts/upsert', { email: 'Old@Example.com', consent_text: 'Yes' })
  await world.ok('suppressions/add', { email: 'bad@example.com', reason: 'complaint' })
  const import_id = await stage(
    'email\nnew@example.com\nold@example.com\nNEW@example.com\nnot an address\nbad@example.com\n\nnew@example.com\n',
  )
  const { import: row, summary, row_errors } = await dryRun(import_id)
  expect(summary).toEqual({
    rows: 7 - 1,
    valid: 5,
    invalid: 1,
    new: 2,
    existing: 1,
    suppressed: 1,
    duplicates_in_file: 2,
  })
  expect(row_errors).toEqual([
    { row: 5, field: 'email', code: 'email_invalid', message: expect.any(String), value: 'not an address' },
  ])
  expect(row).toMatchObject({ status: 'validated', summary, row_errors, mapping: EMAIL, counters: { processed: 0 } })
  expect((await world.call('contacts/get', { email: 'new@example.com' })).status).toBe(404)
})

test("imports/dry-run reads each cell as its field's type.", async () => {
  const csv =
    'email,age,vip,since,plan,town\n' +
    'ok@example.com, 41.5 ,YES,2026-01-15,pro, Porthaven \n' +
    'time@example.com,-3,0,2026-01-15 10:30:00,Free,\n' +
    'wrong@example.com,forty,maybe,15.01.2026,Gold,x\n' +
    'empty@example.com,,,,,\n'
  const { row_errors, summary } = await run(csv, {
    0: 'email',
    1: 'custom.age',
    2: 'custom.vip',
    3: 'custom.since',
    4: 'custom.plan',
    5: 'custom.town',
  })
  expect(summary).toMatchObject({ valid: 3, invalid: 1 })
  expect(row_errors.map(({ row, field, code, value }: any) => [row, field, code, value])).toEqual([
    [4, 'custom.age', 'value_invalid', 'forty'],
    [4, 'custom.vip', 'value_invalid', 'maybe'],
    [4, 'custom.since', 'value_invalid', '15.01.2026'],
    [4, 'custom.plan', 'value_invalid', 'Gold'],
  ])
  expect((await contact('ok@example.com')).custom_fields).toEqual({
    age: 41.5,
    vip: true,
    since: '2026-01-15',
    plan: 'Pro',
    town: 'Porthaven',
  })
  expect((await contact('time@example.com')).custom_fields).toEqual({
    age: -3,
    vip: false,
    since: '2026-01-15',
    plan: 'Free',
  })
  expect((await contact('empty@example.com')).custom_fields).toEqual({})
})

test('imports/dry-run reads a file of 5 MiB and no larger one.', async () => {
  const import_id = await stage('email\nada@example.com\n')
  const ofBytes = (size_bytes: number) =>
    store().write((tx) => tx.update(imports).set({ size_bytes }).where(eq(imports.id, import_id)))
  await ofBytes(5 * 1024 * 1024 + 1)
  expect(await refused('imports/dry-run', { import_id, mapping: EMAIL, options: {} })).toEqual([
    ...[409, 'INVALID_STATE', 'staged'],
  ])
  await ofBytes(5 * 1024 * 1024)
  expect((await dryRun(import_id)).summary).toMatchObject({ rows: 1, valid: 1 })
})

test('A dry-run reports the first hundred errors and counts all of them.', async () => {
  const import_id = await stage(
    `email,first_name\n${Array.from({ length: 150 }, (_, index) => `bad${index},${'x'.repeat(300)}`).join('\n')}`,
  )
  const { summary, row_errors } = await dryRun(import_id, { 0: 'email', 1: 'first_name' })
  expect([
    summary.invalid,
    row_errors.length,
    row_errors[0].row,
    row_errors[0].value,
    row_errors[1].value.length,
  ]).toEqual([150, 100, 2, 'bad0', 100])
})

test('An unreadable row affects no other.', async () => {
  const csv =
    'email,first_name\n"never@example.com,X\nfine@example.com,Fine\nmore@example.com,a,b\n' +
    'bell@example.com,a\u0007b\n,No address\nhuge@example.com,"' +
    'x'.repeat(70_000) +
    '"\nlast@example.com,"=1+1"\n'
  const { row_errors, counters } = await run(csv, { 0: 'email', 1: 'first_name' })
  expect(row_errors.map(({ row, code }: any) => [row, code])).toEqual([
    [2, 'malformed'],
    [4, 'too_many_cells'],
    [5, 'value_invalid'],
    [6, 'email_missing'],
    [7, 'value_invalid'],
  ])
  expect(counters).toEqual({ processed: 7, created: 2, updated: 0, skipped: 0, failed: 5 })
  expect((await contact('last@example.com')).first_name).toBe('=1+1')
})

test('imports/dry-run uses the delimiter of the options instead of the detected one.', async () => {
  const answer = await world.ok('imports/create', { csv: 'email;a,b,c\nx1@example.com;1,2,3\n' })
  expect(answer.import.delimiter).toBe(',')
  expect(answer.columns).toHaveLength(3)
  const { import: row, summary } = await dryRun(answer.import.id, EMAIL, { delimiter: ';' })
  expect([summary.valid, row.columns.map(({ header }: any) => header)]).toEqual([1, ['email', 'a,b,c']])
  expect([row.options.delimiter, row.delimiter]).toEqual([';', ';'])
  expect(
    await refused('imports/dry-run', { import_id: answer.import.id, mapping: EMAIL, options: { delimiter: ':' } }),
  ).toEqual([400, 'VALIDATION_FAILED', '/options/delimiter'])
})

test('imports/dry-run refuses an invalid mapping.', async () => {
  const import_id = await stage('email,name\na@example.com,A')
  for (const [mapping, path] of [
    [{}, '/mapping'],
    [{ 1: 'first_name' }, '/mapping'],
    [{ 0: 'email', 2: 'first_name' }, '/mapping/2'],
    [{ 0: 'email', 1: 'email' }, '/mapping/1'],
    [{ 0: 'email', 1: 'custom.none' }, '/mapping/1'],
    [{ 0: 'email', 1: 'nick_name' }, '/mapping/1'],
    [{ 0: 'email', name: 'first_name' }, '/mapping/name'],
    [{ 0: 'email', '01': 'first_name' }, '/mapping/01'],
  ] as const)
    expect([mapping, ...(await refused('imports/dry-run', { import_id, mapping, options: {} }))]).toEqual([
      mapping,
      400,
      'VALIDATION_FAILED',
      path,
    ])
})

test('imports/dry-run refuses lists without an option on consent, and unknown lists and tags.', async () => {
  const import_id = await stage('email\na@example.com')
  const tried = (options: Record<string, unknown>) => refused('imports/dry-run', { import_id, mapping: EMAIL, options })
  expect(await tried({ list_ids: [news] })).toEqual([400, 'VALIDATION_FAILED', '/options/consent_confirmed'])
  expect(await tried({ list_ids: [news], consent_confirmed: false, send_confirmation: false })).toEqual([
    400,
    'VALIDATION_FAILED',
    '/options/consent_confirmed',
  ])
  const foreign = (await world.ok('lists/create', { name: 'Foreign' }, { as: world.keys.other })).list.id
  expect(await tried({ list_ids: [news, foreign], consent_confirmed: true })).toEqual([
    404,
    'NOT_FOUND',
    '/options/list_ids/1',
  ])
  expect(await tried({ tag_ids: [999_999] })).toEqual([404, 'NOT_FOUND', '/options/tag_ids/0'])
  expect(await tried({ surprise: true })).toEqual([400, 'VALIDATION_FAILED', '/options/surprise'])
  expect((await show(import_id)).status).toBe('staged')
})

describe('consent', () => {
  const memberships = async (email: string) =>
    Object.fromEntries((await contact(email)).lists.map(({ list_id, status }: any) => [list_id, status]))

  test('With consent_confirmed, people are subscribed at once, also to double opt-in lists.', async () => {
    await run('email\nvouched@example.com', EMAIL, {
      list_ids: [news, club],
      tag_ids: [tag],
      consent_text: 'Signed up at the fair',
      consent_confirmed: true,
    })
    expect(await memberships('vouched@example.com')).toEqual({ [news]: 'subscribed', [club]: 'subscribed' })
    expect(await contact('vouched@example.com')).toMatchObject({
      global_status: 'subscribed',
      tag_ids: [tag],
      consent_text: 'Signed up at the fair',
      consent_source: 'import',
      consent_at: AT(),
    })
  })

  test('With send_confirmation, each person is asked to confirm, whatever consent_confirmed says.', async () => {
    for (const [index, consent_confirmed] of [false, true].entries()) {
      const email = `asked${index}@example.com`
      await run(`email\n${email}`, EMAIL, { list_ids: [news, club], consent_confirmed, send_confirmation: true })
      expect(await memberships(email)).toEqual({ [news]: 'subscribed', [club]: 'pending' })
      expect(await store().db.all(sql`SELECT kind FROM deliveries WHERE email = ${email}`)).toEqual([
        { kind: 'confirmation' },
      ])
    }
  })

  test('An import does not subscribe contacts again that unsubscribed.', async () => {
    const {
      contact: { id },
    } = await world.ok('contacts/upsert', { email: 'gone@example.com', list_ids: [news], consent_text: 'Yes' })
    await world.ok('contacts/unsubscribe', { contact_id: id })
    const { counters } = await run(
      'email,name\ngone@example.com,Gone',
      { 0: 'email', 1: 'first_name' },
      { list_ids: [news], consent_confirmed: true, update_existing: true },
    )
    expect(counters).toMatchObject({ updated: 1 })
    expect(await contact('gone@example.com')).toMatchObject({
      first_name: 'Gone',
      global_status: 'unsubscribed',
      lists: [{ status: 'unsubscribed' }],
    })
  })
})

test('imports/commit imports every row, and counts every row once.', async () => {
  await world.ok('contacts/upsert', { email: 'known1@example.com', first_name: 'Kay', consent_text: 'Yes' })
  await world.ok('contacts/upsert', { email: 'known2@example.com', first_name: 'Kim', consent_text: 'Yes' })
  const csv =
    'email,name\nfresh1@example.com,Fee\nknown1@example.com,New\nknown2@example.com,\n' +
    'fresh1@example.com,Twice\nnonsense,X\n'
  const done = await run(csv, { 0: 'email', 1: 'first_name' }, { update_existing: true })
  expect(done).toMatchObject({
    status: 'completed',
    finished_at: AT(),
    counters: { processed: 5, created: 1, updated: 1, skipped: 2, failed: 1 },
  })
  expect((await contact('fresh1@example.com')).first_name).toBe('Fee')
  expect((await contact('known1@example.com')).first_name).toBe('New')
  expect((await contact('known2@example.com')).first_name).toBe('Kim')
  const { job } = await world.ok('jobs/get', { job_id: done.job_id })
  expect(job).toMatchObject({ kind: 'import', status: 'completed', processed: 5, total: 5 })
  const [consent] = (await world.ok('contacts/get', { email: 'fresh1@example.com' })).consents
  expect(consent).toMatchObject({ source: 'import', ip: null, caller: { ip: '127.0.0.1' } })
  expect(await storage(done.id)).toEqual([{ texts: 0, pages: 0 }])
  expect((await run(csv, { 0: 'email', 1: 'first_name' })).counters).toEqual({
    processed: 5,
    created: 0,
    updated: 0,
    skipped: 4,
    failed: 1,
  })
})

test('The first commit answers 202 with the import and its job, and the second is refused.', async () => {
  const import_id = await stage('email\nonce@example.com\nnonsense')
  await dryRun(import_id)
  const answer = await world.call('imports/commit', { import_id })
  expect([answer.status, answer.body.data.import.status, answer.body.data.job]).toEqual([
    202,
    'queued',
    expect.objectContaining({ kind: 'import', status: 'queued', processed: 0, total: 2 }),
  ])
  expect(await refused('imports/commit', { import_id })).toEqual([409, 'INVALID_STATE', 'queued'])
  expect(await refused('imports/dry-run', { import_id, mapping: EMAIL, options: {} })).toEqual([
    409,
    'INVALID_STATE',
    'queued',
  ])
  await world.service.drain('jobs')
  for (const operation of ['imports/commit', 'imports/cancel'])
    expect(await refused(operation, { import_id })).toEqual([409, 'INVALID_STATE', 'completed'])
})

test('imports/commit requires a dry-run, and its mapping and options.', async () => {
  const import_id = await stage('email,name\nsame@example.com,S')
  expect(await refused('imports/commit', { import_id })).toEqual([409, 'INVALID_STATE', 'staged'])
  const options = { tag_ids: [tag], on_invalid: 'skip' }
  await dryRun(import_id, EMAIL, options)
  expect(await refused('imports/commit', { import_id, mapping: { 0: 'email', 1: 'first_name' } })).toEqual([
    409,
    'INVALID_STATE',
    'validated',
  ])
  expect(await refused('imports/commit', { import_id, options: { ...options, update_existing: true } })).toEqual([
    409,
    'INVALID_STATE',
    'validated',
  ])
  expect(
    (
      await world.call('imports/commit', {
        import_id,
        mapping: EMAIL,
        options: { on_invalid: 'skip', tag_ids: [tag], update_existing: false },
      })
    ).status,
  ).toBe(202)
  const again = await stage('email\nsame2@example.com')
  const { import: row } = await dryRun(again, EMAIL, options)
  expect(
    (await world.call('imports/commit', { import_id: again, mapping: row.mapping, options: row.options })).status,
  ).toBe(202)
})

test('imports/commit is refused with on_invalid abort while the last dry-run found an invalid row.', async () => {
  const import_id = await stage('email\nfine2@example.com\nbroken')
  expect((await dryRun(import_id, EMAIL, { on_invalid: 'abort' })).summary.invalid).toBe(1)
  expect(await refused('imports/commit', { import_id })).toEqual([409, 'INVALID_STATE', 'validated'])
  await dryRun(import_id, EMAIL, { on_invalid: 'skip' })
  expect((await world.call('imports/commit', { import_id })).status).toBe(202)
  await world.service.drain('jobs')
  expect((await show(import_id)).counters).toMatchObject({ created: 1, failed: 1 })
})

test('imports/commit is refused when a custom field of the mapping has changed since the dry-run.', async () => {
  const { custom_field } = await world.ok('custom-fields/create', {
    key: 'fleeting',
    label: 'Fleeting',
    type: 'text',
  })
  const import_id = await stage('email,x\nfleeting@example.com,1')
  await dryRun(import_id, { 0: 'email', 1: 'custom.fleeting' })
  await world.ok('custom-fields/update', { field_id: custom_field.id, type: 'number' })
  expect(await refused('imports/commit', { import_id })).toEqual([409, 'INVALID_STATE', 'validated'])
  await dryRun(import_id, { 0: 'email', 1: 'custom.fleeting' })
  await world.ok('imports/commit', { import_id })
  await world.ok('custom-fields/delete', { field_id: custom_field.id })
  await world.service.drain('jobs')
  expect((await contact('fleeting@example.com')).custom_fields).toEqual({})
})

test('A custom field that changes its type after the commit gets no value of the old type.', async () => {
  const { custom_field } = await world.ok('custom-fields/create', { key: 'size', label: 'Size', type: 'text' })
  const import_id = await stage('email,x\nretyped@example.com,1')
  await dryRun(import_id, { 0: 'email', 1: 'custom.size' })
  await world.ok('imports/commit', { import_id })
  await world.ok('custom-fields/update', { field_id: custom_field.id, type: 'number' })
  await world.service.drain('jobs')
  expect((await contact('retyped@example.com')).custom_fields).toEqual({})
  await world.ok('custom-fields/delete', { field_id: custom_field.id })
})

test('imports/commit is refused beyond the plan; rows that no longer fit when they are saved fail.', async () => {
  const [count] = await store().db.all<{ n: number }>(
    sql`SELECT count(*) AS n FROM contacts WHERE project_id = ${world.project.id}`,
  )
  const limit = (contacts: number | null) =>
    store().write((tx) => tx.run(sql`UPDATE projects SET contact_limit = ${contacts} WHERE id = ${world.project.id}`))
  const import_id = await stage('email\nplan1@example.com\nplan2@example.com')
  await dryRun(import_id)
  await limit(count!.n + 1)
  expect(await refused('imports/commit', { import_id })).toEqual([403, 'PLAN_LIMIT_EXCEEDED', undefined])
  await limit(count!.n + 2)
  await world.ok('imports/commit', { import_id })
  await limit(count!.n + 1)
  await world.service.drain('jobs')
  await limit(null)
  expect(await show(import_id)).toMatchObject({
    status: 'completed',
    counters: { created: 1, failed: 1 },
    row_errors: [{ row: 3, field: null, code: 'plan_limit', value: 'plan2@example.com' }],
  })
})

test('imports/commit is refused when a list or tag of its options was deleted since the dry-run.', async () => {
  const list = (await world.ok('lists/create', { name: 'Brief' })).list.id
  const { tag: brief } = await world.ok('tags/create', { name: 'Brief' })
  const import_id = await stage('email\nbrief@example.com')
  await dryRun(import_id, EMAIL, { list_ids: [list], tag_ids: [brief.id], consent_confirmed: true })
  const refusedFor = async () => {
    const { status, body } = await world.call('imports/commit', { import_id })
    return [status, body.error.details[0].path]
  }
  await world.ok('tags/delete', { tag_id: brief.id })
  expect(await refusedFor()).toEqual([404, '/options/tag_ids/0'])
  await world.ok('lists/delete', { list_id: list })
  expect(await refusedFor()).toEqual([404, '/options/list_ids/0'])
})

test('imports/commit continues without a list or tag that was deleted meanwhile.', async () => {
  const list = (await world.ok('lists/create', { name: 'Short' })).list.id
  const fleeting = (await world.ok('tags/create', { name: 'Short' })).tag.id
  const import_id = await stage('email\nshort@example.com')
  await dryRun(import_id, EMAIL, { list_ids: [list, news], tag_ids: [fleeting, tag], consent_confirmed: true })
  await world.ok('imports/commit', { import_id })
  await world.ok('lists/delete', { list_id: list })
  await world.ok('tags/delete', { tag_id: fleeting })
  await world.service.drain('jobs')
  expect(await show(import_id)).toMatchObject({ status: 'completed', counters: { created: 1 } })
  expect(await contact('short@example.com')).toMatchObject({ lists: [{ list_id: news }], tag_ids: [tag] })
})

test('Canceling a staged or validated import answers 200 without a job, and deletes its file.', async () => {
  for (const validated of [false, true]) {
    const import_id = await stage('email\nnever@example.com')
    if (validated) await dryRun(import_id)
    const answer = await world.call('imports/cancel', { import_id })
    expect([answer.status, answer.body.data.import.status, answer.body.data.job]).toEqual([200, 'cancelled', null])
    expect(await storage(import_id)).toEqual([{ texts: 0, pages: 0 }])
    for (const operation of ['imports/cancel', 'imports/commit'])
      expect(await refused(operation, { import_id })).toEqual([409, 'INVALID_STATE', 'cancelled'])
  }
})

test('Canceling a committed import answers 202 with its job, and nothing is imported.', async () => {
  const import_id = await stage('email\nnever2@example.com')
  await dryRun(import_id)
  await world.ok('imports/commit', { import_id })
  const answer = await world.call('imports/cancel', { import_id })
  expect([answer.status, answer.body.data.import.status, answer.body.data.job.status]).toEqual([
    202,
    'cancelled',
    'cancelled',
  ])
  await world.service.drain('jobs')
  expect((await world.call('contacts/get', { email: 'never2@example.com' })).status).toBe(404)
  expect(await storage(import_id)).toEqual([{ texts: 0, pages: 0 }])
})

test('An import whose job failed is failed, and continues when the job is queued again.', async () => {
  const import_id = await stage('email\nretry@example.com')
  await dryRun(import_id)
  const { job } = await world.ok('imports/commit', { import_id })
  const break_ = (people: string) =>
    store().write((tx) => tx.run(sql`UPDATE import_pages SET people = ${people} WHERE import_id = ${import_id}`))
  const [page] = await store().db.all<{ people: string }>(
    sql`SELECT people FROM import_pages WHERE import_id = ${import_id}`,
  )
  await break_('not JSON')
  await store().write((tx) => tx.update(jobs).set({ attempts: 2 }).where(eq(jobs.id, job.id)))
  await world.service.drain('jobs')
  expect(await show(import_id)).toMatchObject({
    status: 'failed',
    finished_at: AT(),
    error: expect.stringContaining('log'),
  })
  expect(await refused('imports/cancel', { import_id })).toEqual([409, 'INVALID_STATE', 'failed'])
  await break_(page!.people)
  await world.ok('jobs/requeue', { job_id: job.id })
  await world.service.drain('jobs')
  expect(await show(import_id)).toMatchObject({ status: 'completed', error: null, counters: { created: 1 } })
})

test.each(['staged', 'validated', 'failed'] as const)(
  'A %s import that is not continued is canceled after a week, and its file and pages are deleted.',
  async (status) => {
    const import_id = await stage('email\nforgotten@example.com')
    await world.ok('imports/dry-run', { import_id, mapping: EMAIL, options: {} })
    expect(await storage(import_id)).toEqual([{ texts: 1, pages: 1 }])
    await world.service.runtime.store.write((tx) => tx.update(imports).set({ status }).where(eq(imports.id, import_id)))
    world.clock.advance(7 * 24 * 3_600_000 - 1)
    await world.service.drain('maintenance')
    expect((await show(import_id)).status).toBe(status)
    world.clock.advance(1)
    await world.service.drain('maintenance')
    expect((await show(import_id)).status).toBe('cancelled')
    expect(await storage(import_id)).toEqual([{ texts: 0, pages: 0 }])
  },
)

test('The name of a file has at most 255 characters, and a text of blanks is none.', () => {
  const fits = (request: object) => checker(createImport.request).Check({ csv: 'x', ...request })
  expect([fits({ filename: 'x'.repeat(255) }), fits({ filename: 'x'.repeat(256) })]).toEqual([true, false])
  expect([fits({}), fits({ csv: ' \n\t' }), fits({ csv: '' })]).toEqual([true, false, false])
})
