import { afterEach, beforeEach, expect, test } from 'bun:test'
import { examine, type RowReport } from '../../../src/newsletter/imports/examine.ts'
import type { StandardField } from '../../../src/newsletter/imports/mapping.ts'
import type { ReadPage } from '../../../src/newsletter/imports/storage.ts'
import { MAX_TAGS } from '../../../src/newsletter/lists/tags.operations.ts'
import { tags } from '../../../src/store/tables/audience.ts'
import { createWorld, type World } from '../../support/world.ts'

let world: World
beforeEach(async () => {
  world = await createWorld()
})
afterEach(() => world.close())

interface Read {
  has_header?: boolean
  /** What the second column is mapped to. */
  second?: StandardField
  create_tags?: boolean
}

async function examined(
  rows: readonly string[],
  { has_header = true, second = 'first_name', create_tags = false }: Read = {},
) {
  const pages: ReadPage[] = []
  const reported: RowReport[] = []
  async function* text() {
    yield rows.map((row) => `${row}\n`).join('')
  }
  const result = await examine(
    world.service.runtime.store.db,
    text(),
    {
      project_id: world.project.id,
      delimiter: ',',
      has_header,
      columns: 2,
      targets: [
        { column: 0, field: 'email' },
        { column: 1, field: second },
      ],
      options: {
        on_invalid_value: 'fail_row',
        date_format: 'iso',
        default_status: 'subscribed',
        create_tags,
        send_confirmation: false,
      },
      now: 0,
    },
    { keys_in_memory: 10, keep: (page) => void pages.push(page), report: (rows) => void reported.push(...rows) },
  )
  return { ...result, pages, reported }
}

test('A dry-run counts the contacts and suppressions of its own project only.', async () => {
  const [known, suppressed] = ['known@example.com', 'suppressed@example.com']
  const rows = ['email,name', `${known},`, `${suppressed},`]
  for (const email of [known, suppressed]) {
    await world.ok('contacts/upsert', { email, consent_text: 'Yes' }, { as: world.keys.other })
    await world.ok('suppressions/add', { email }, { as: world.keys.other })
  }
  expect((await examined(rows)).summary).toMatchObject({ existing: 0, new: 2, suppressed: 0 })
  await world.ok('contacts/upsert', { email: known, consent_text: 'Yes' })
  await world.ok('suppressions/add', { email: suppressed })
  expect((await examined(rows)).summary).toMatchObject({ existing: 1, new: 1, suppressed: 1 })
})

test('A file with nothing but a header has no rows, and every count is there.', async () => {
  const counts = { rows: 0, valid: 0, invalid: 0, new: 0, existing: 0, suppressed: 0, duplicates_in_file: 0 }
  expect(await examined(['email,name'])).toEqual({
    ...{
      summary: counts,
      findings: {
        joining: 0,
        opted_out: 0,
        dropped_values: 0,
        new_tags: 0,
        unknown_tags: 0,
        unreadable: 0,
        reasons: [],
      },
    },
    ...{ row_errors: [], pages: [], reported: [] },
  })
})

test('Every row counts once, as valid or invalid, and an address that repeats is a duplicate.', async () => {
  const { summary, row_errors, pages } = await examined([
    'email,name',
    'ada@example.com,Ada',
    'no address,Bo',
    ' ADA@example.com ,Again',
    'cy@example.com,Cy,surplus',
  ])
  expect(summary).toEqual({
    rows: 4,
    valid: 2,
    invalid: 2,
    new: 1,
    existing: 0,
    suppressed: 0,
    duplicates_in_file: 1,
  })
  expect(row_errors.map(({ row, code }) => [row, code])).toEqual([
    [3, 'email_invalid'],
    [5, 'too_many_cells'],
  ])
  expect(pages).toEqual([
    {
      ...{ last_row: 5, rows: 4, failed: 2, duplicates: 1, people: '[[2,"ada@example.com","Ada",null,null]]' },
      refusals: expect.stringMatching(/^\[\[3,"email","email_invalid",.*\],\[5,null,"too_many_cells",.*\]\]$/),
    },
  ])
})

test('The reasons of all rows are counted, and the tags that the project does not have.', async () => {
  const rows = Array.from({ length: 500 }, (_, index) => `reader${index}@example.com,T${index % 3}`)
  const { summary, findings, row_errors } = await examined(['email,tags', ...rows, 'nobody,'], { second: 'tags' })
  expect([summary.invalid, row_errors.length, findings.unknown_tags]).toEqual([501, 100, 3])
  expect(findings.reasons).toEqual([
    { code: 'value_invalid', field: 'tags', errors: 500 },
    { code: 'email_invalid', field: 'email', errors: 1 },
  ])
  const damaged = await examined(['email,name', 'a@example.com,J\uFFFDrgen', 'b@example.com,Jürgen'])
  expect([damaged.summary.valid, damaged.findings.unreadable]).toEqual([2, 1])
})

test('Every row that opts out counts, also one of an address that repeats; the person joins nothing.', async () => {
  const rows = ['email,gone', 'ada@example.com,no', 'ada@example.com,yes', 'bo@example.com,yes', 'bo@example.com,yes']
  const { summary, findings, pages } = await examined(rows, { second: 'opted_out' })
  expect([summary.duplicates_in_file, findings.opted_out, findings.joining]).toEqual([2, 3, 0])
  const kept = JSON.parse(pages[0]!.people) as [number, string, null, null, null, { status: string }?][]
  expect(kept.map(([row, , , , , { status } = { status: 'subscribed' }]) => `${row} ${status}`)).toEqual([
    ...['2 subscribed', '4 unsubscribed', '3 unsubscribed', '5 unsubscribed'],
  ])
})

test('The first record is data when the file has no header.', async () => {
  expect((await examined(['ada@example.com,Ada'], { has_header: false })).summary).toMatchObject({ rows: 1, valid: 1 })
  expect((await examined(['ada@example.com,Ada'])).summary).toMatchObject({ rows: 0 })
})

test('A page ends after a thousand rows, and an address that repeats on a later page is a duplicate too.', async () => {
  const rows = Array.from({ length: 996 }, (_, index) => `p${index}@example.com,`)
  const others = async (email: string) => {
    await world.ok('contacts/upsert', { email, consent_text: 'Yes' })
    await world.ok('suppressions/add', { email })
    return [`${email},`, 'p0@example.com,', 'wrong,']
  }
  const { summary, pages } = await examined(
    [...rows, ...(await others('one@example.com')), 'last@example.com,', ...(await others('other@example.com'))],
    { has_header: false },
  )
  expect(pages.map(({ last_row, rows: count, failed, duplicates }) => [last_row, count, failed, duplicates])).toEqual([
    [1000, 1000, 1, 1],
    [1003, 3, 1, 1],
  ])
  expect(summary).toEqual({
    ...{ rows: 1003, valid: 1001, invalid: 2, new: 997, existing: 2, suppressed: 2, duplicates_in_file: 2 },
  })
})

test('A page also ends where its people take 512 KiB.', async () => {
  const name = '"'.repeat(200)
  const row = (index: number) =>
    `p${index}@${'x'.repeat(60)}.${'y'.repeat(60)}.${'z'.repeat(60)}.example,"${name}${name}"`
  const { pages, summary } = await examined(
    Array.from({ length: 900 }, (_, index) => row(index)),
    { has_header: false },
  )
  expect([summary.valid, pages.length]).toEqual([900, 2])
  const [first, last] = pages.map(({ people }) => people.length)
  expect(first).toBeGreaterThanOrEqual(512 * 1024)
  expect([first! < 514 * 1024, last! < 100 * 1024]).toEqual([true, true])
})

test('A line before the header that cannot be read is an invalid row, and the header is still one.', async () => {
  const { summary, row_errors } = await examined(['"a"b', 'email,name', 'ada@example.com,'])
  expect(summary).toMatchObject({ rows: 2, valid: 1, invalid: 1 })
  expect(row_errors).toMatchObject([{ row: 1, code: 'malformed' }])
})

test('No more than a hundred row errors are stored, and all invalid rows are counted.', async () => {
  const { summary, row_errors } = await examined(
    Array.from({ length: 150 }, () => 'wrong,'),
    { has_header: false },
  )
  expect(summary.invalid).toBe(150)
  expect(row_errors).toHaveLength(100)
  expect(row_errors.at(-1)).toMatchObject({ row: 100 })
  const twoEach = await examined(['wrong,', ...Array.from({ length: 60 }, () => `wrong,${'x'.repeat(201)}`)], {
    has_header: false,
  })
  expect([twoEach.summary.invalid, twoEach.row_errors.length, twoEach.row_errors.at(-1)!.row]).toEqual([61, 100, 51])
})

test('A report has what becomes of every row, in the order of the file.', async () => {
  const [known, suppressed] = ['reported@example.com', 'left@example.com']
  await world.ok('contacts/upsert', { email: known, consent_text: 'Yes' })
  await world.ok('suppressions/add', { email: suppressed })
  const { reported } = await examined([`${known},`, 'x,', `${suppressed},`, 'New@Example.com,', `${known},`], {
    has_header: false,
  })
  expect(reported.map(({ row, email, result, suppressed }) => [row, email, result, suppressed])).toEqual([
    [1, known, 'existing', false],
    [2, '', 'invalid', false],
    [3, suppressed, 'new', true],
    [4, 'New@Example.com', 'new', false],
    [5, known, 'duplicate', false],
  ])
  expect(reported.map(({ status, messages }) => [status, messages === ''])).toEqual([
    ['subscribed', true],
    ['', false],
    ['subscribed', true],
    ['subscribed', true],
    ['subscribed', true],
  ])
})

test('A file makes new tags as long as the project has room for them.', async () => {
  const { id: project_id } = world.project
  await world.service.runtime.store.write(async (tx) => {
    for (let index = 2; index < MAX_TAGS; index += 1)
      await tx
        .insert(tags)
        .values({ project_id, name: `t${index}`, name_key: `t${index}`, created_at: 0, updated_at: 0 })
  })
  const rows = ['email,tags', 'a@x.example,one', 'b@x.example,two', 'c@x.example,three', 'd@x.example,One']
  const { row_errors, findings } = await examined(rows, { second: 'tags', create_tags: true })
  expect([row_errors.map(({ row, message }) => [row, message]), findings.new_tags]).toEqual([
    [[4, 'The project has no tag three.']],
    2,
  ])
})
