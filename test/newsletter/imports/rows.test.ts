import { expect, test } from 'bun:test'
import type { FieldDefinition } from '../../../src/newsletter/contacts/custom-values.ts'
import type { StandardField, Target } from '../../../src/newsletter/imports/mapping.ts'
import { readRow, type RowRules } from '../../../src/newsletter/imports/rows.ts'

const EMAIL: Target = { column: 0, field: 'email' }
const NAMES: Target[] = [EMAIL, { column: 1, field: 'first_name' }, { column: 2, field: 'last_name' }]

function custom(type: FieldDefinition['type'], options: string[] | null = null): Target[] {
  return [EMAIL, { column: 1, field: 'custom.value', custom: { key: 'value', type, options, slot: null } }]
}

const RULES: RowRules = {
  on_invalid_value: 'fail_row',
  default_status: 'subscribed',
  date_format: 'iso',
  has_decimal_comma: false,
  now: Date.parse('2026-11-22T09:00:00Z'),
  lists: new Map([['news', 1]]),
  allowsTag: (key) => key !== 'unknown',
}
const readAs = (cells: string[], targets: readonly Target[], rules: Partial<RowRules> = {}) =>
  readRow({ number: 7, cells }, targets.length, targets, { ...RULES, ...rules })
const read = (cells: string[], targets = NAMES, columns = 3) => {
  const { person, errors } = readRow({ number: 7, cells }, columns, targets, RULES)
  return person ?? errors
}

test('A row becomes a person with trimmed cells; an empty or missing cell says nothing.', () => {
  expect(read([' ada@example.com ', ' Ada ', ''])).toEqual([7, 'ada@example.com', 'Ada', null, null])
  expect(read(['ada@example.com'])).toEqual([7, 'ada@example.com', null, null, null])
  expect(read(['ada@example.com', '  '], custom('text'))).toEqual([7, 'ada@example.com', null, null, null])
})

test('A row reports every wrong cell at once, with the cell shortened.', () => {
  const long = 'x'.repeat(300)
  expect(read(['not an address', long, 'Lovelace'])).toEqual([
    {
      row: 7,
      field: 'email',
      code: 'email_invalid',
      message: 'This is not an email address.',
      value: 'not an address',
    },
    {
      row: 7,
      field: 'first_name',
      code: 'value_invalid',
      message: 'Expected one line of at most 200 characters.',
      value: `${'x'.repeat(99)}…`,
    },
  ])
  expect(read(['', 'Ada'])).toEqual([
    { row: 7, field: 'email', code: 'email_missing', message: 'The row has no address.', value: '' },
  ])
})

test('Line breaks and tabs in a name become a space.', () => {
  expect(read(['ada@example.com', 'Ada \r\n Augusta', 'Love\tlace'])).toEqual([
    7,
    'ada@example.com',
    'Ada Augusta',
    'Love lace',
    null,
  ])
})

test('More cells than columns are an error only when they say something.', () => {
  expect(read(['ada@example.com', '', '', ' ', ''])).toEqual([7, 'ada@example.com', null, null, null])
  expect(read(['ada@example.com', '', '', 'extra'])).toEqual([
    {
      row: 7,
      field: null,
      code: 'too_many_cells',
      message: 'The row has more cells than the file has columns (3).',
      value: 'extra',
    },
  ])
})

test.each(['malformed', 'too_long'] as const)('A line that could not be read has the code %s and no field.', (flaw) => {
  expect(readRow({ number: 9, cells: [], flaw }, 3, NAMES, RULES)).toMatchObject({
    person: null,
    errors: [{ row: 9, field: null, code: flaw, value: null }],
  })
})

test.each([
  ['text', 'Bern', 'Bern'],
  ['number', '+7', 7],
  ['number', '-.5e1', -5],
  ['boolean', 'YES', true],
  ['boolean', '1', true],
  ['boolean', 'n', false],
  ['date', '2026-01-15', '2026-01-15'],
  ['date', '2026-01-15 09:00:00', '2026-01-15'],
  ['date', '2026-01-15T23:59', '2026-01-15'],
  ['select', 'm', 'M'],
  ['select', 'BLUE', 'Blue'],
  ['select', 'xl', 'xl'],
  ['select', 'XL', 'XL'],
] as const)('A cell of a custom field is read as its type: %s %j.', (type, cell, value) => {
  expect(read(['ada@example.com', cell], custom(type, ['S', 'M', 'XL', 'xl', 'Blue']))).toEqual([
    7,
    'ada@example.com',
    null,
    null,
    { value },
  ])
})

test.each([
  ['number', '1,2,3', 'Expected a number.'],
  ['number', '1e999', 'Expected a number.'],
  ['number', '0x10', 'Expected a number.'],
  ['boolean', 'maybe', 'Expected true or false.'],
  ['date', '15.01.2026', 'Expected a day as YYYY-MM-DD.'],
  ['date', '2026-02-30', 'Expected a day as YYYY-MM-DD.'],
  ['select', 'L', 'Expected one of: S, M, XL, xl, Blue.'],
] as const)('A cell that does not fit the type of its custom field is an error: %s %j.', (type, cell, message) => {
  expect(read(['ada@example.com', cell], custom(type, ['S', 'M', 'XL', 'xl', 'Blue']))).toEqual([
    { row: 7, field: 'custom.value', code: 'value_invalid', message, value: cell },
  ])
})

const column = (field: StandardField, index = 1): Target => ({ column: index, field })
const factsOf = (cells: string[], targets: readonly Target[], rules?: Partial<RowRules>) =>
  readAs(['ada@example.com', ...cells], [EMAIL, ...targets], rules).person?.[5]

test.each([
  ['Ada Augusta Lovelace', 'Ada Augusta', 'Lovelace'],
  ['Lovelace, Ada', 'Ada', 'Lovelace'],
  ['Ada', 'Ada', null],
])('A full name is split: %s.', (cell, first_name, last_name) => {
  expect(readAs(['ada@example.com', cell], [EMAIL, column('full_name')]).person).toEqual([
    7,
    'ada@example.com',
    first_name,
    last_name,
    null,
  ])
})

test('A full name is only taken where first and last name are empty.', () => {
  const targets = [...NAMES, column('full_name', 3)]
  expect(readAs(['ada@example.com', 'Ada', '', 'Someone Else'], targets).person).toEqual([
    7,
    'ada@example.com',
    'Ada',
    null,
    null,
  ])
  expect(readAs(['ada@example.com', '', 'King', 'Someone Else'], targets).person).toEqual([
    7,
    'ada@example.com',
    null,
    'King',
    null,
  ])
})

test.each([
  ['Ada Lovelace <ada@example.com>', 'ada@example.com', 'Ada', 'Lovelace'],
  ['"Lovelace, Ada" <ada@example.com>', 'ada@example.com', 'Ada', 'Lovelace'],
  ['<ada@example.com>', 'ada@example.com', null, null],
  ['mailto:ada%2Bnews@example.com?subject=Hello', 'ada+news@example.com', null, null],
])('An address is found in %s.', (cell, email, first_name, last_name) => {
  expect(readAs([cell], [EMAIL]).person).toEqual([7, email, first_name, last_name, null])
})

test('A name beside the address is no name of the row where a column has one, or where it is none.', () => {
  const names = (address: string, full_name: string, first = false) => {
    const targets = [EMAIL, column('full_name')]
    const person = first
      ? readAs([full_name, address], [column('full_name', 0), { column: 1, field: 'email' }]).person
      : readAs([address, full_name], targets).person
    return person!.slice(2, 4)
  }
  expect(names('Ada Lovelace <ada@example.com>', 'Bo Lind', true)).toEqual(['Bo', 'Lind'])
  expect(names('Ada Lovelace <ada@example.com>', '')).toEqual(['Ada', 'Lovelace'])
  expect(names(`${'x'.repeat(201)} <ada@example.com>`, '')).toEqual([null, null])
})

test('Names of tags are separated by commas or semicolons, may be in quotes, and must be known.', () => {
  expect(factsOf(['"VIP","Blog, daily"; news ;vip2'], [column('tags')])).toEqual({
    tags: ['VIP', 'Blog, daily', 'news', 'vip2'],
  })
  expect(readAs(['ada@example.com', 'VIP, unknown'], [EMAIL, column('tags')])).toMatchObject({
    person: null,
    errors: [{ field: 'tags', code: 'value_invalid', message: 'The project has no tag unknown.' }],
  })
})

test('Fields beside the profile names of lists must be known.', () => {
  expect(factsOf(['NEWS'], [column('lists')])).toEqual({ list_ids: [1] })
  expect(readAs(['ada@example.com', 'News; Weekly'], [EMAIL, column('lists')]).errors).toMatchObject([
    { field: 'lists', message: 'The project has no list Weekly.' },
  ])
})

test.each([
  ['subscribed', 'active enabled confirmed TRUE 1'],
  ['pending', 'pending unconfirmed'],
  ['unsubscribed', 'Unsubscribed blocklisted disabled non-subscribed false 2'],
  ['bounced', 'bounced Cleaned unreachable 3'],
  ['complained', 'complained abuse 4'],
] as const)('The words of other programs mean %s: %s.', (status, words) => {
  for (const word of words.split(' '))
    expect(factsOf([word], [column('status')])?.status ?? 'subscribed', word).toBe(status)
})

test('An unknown status fails the row even where wrong values are dropped.', () => {
  expect(
    readAs(['ada@example.com', 'gold'], [EMAIL, column('status')], { on_invalid_value: 'drop_value' }),
  ).toMatchObject({ person: null, errors: [{ field: 'status', code: 'value_invalid' }] })
})

test('The strictest of several columns about the status counts, and an empty one says nothing.', () => {
  const targets = [column('status'), column('opted_out', 2), column('bounced', 3), column('complained', 4)]
  expect(factsOf(['subscribed', '2026-01-01 10:00:00', '', 'no'], targets)).toEqual({ status: 'unsubscribed' })
  expect(factsOf(['bounced', 'yes', 'false', ''], targets)).toEqual({ status: 'bounced' })
  expect(factsOf(['pending', '', '', 'true'], targets)).toEqual({ status: 'complained' })
  expect(factsOf(['', 'false', '0', ''], targets)).toBeUndefined()
  const flagFirst = [column('opted_out'), column('status', 2), column('bounced', 3)]
  expect(factsOf(['yes', 'subscribed', ''], flagFirst)).toEqual({ status: 'unsubscribed' })
  expect(factsOf(['yes', 'subscribed', 'yes'], flagFirst)).toEqual({ status: 'bounced' })
  expect(factsOf([''], [column('status')], { default_status: 'unsubscribed' })).toEqual({ status: 'unsubscribed' })
})

test('Consent that was given elsewhere has its time, text, address and source.', () => {
  const targets = [
    column('consent_at'),
    column('consent_text', 2),
    column('consent_ip', 3),
    column('consent_source', 4),
  ]
  expect(factsOf(['2024-03-01 09:30:00', 'Yes, weekly', '192.0.2.1', 'shop'], targets)).toEqual({
    consent: { at: Date.UTC(2024, 2, 1, 9, 30), text: 'Yes, weekly', ip: '192.0.2.1', source: 'shop' },
  })
})

test.each([
  ['consent_text', 'text', 4000],
  ['consent_ip', 'ip', 100],
  ['consent_source', 'source', 200],
] as const)('The cell of %s has the %s of the consent, at most %d characters and no NUL.', (field, part, most) => {
  const longest = 'x'.repeat(most)
  expect(factsOf([longest], [column(field)])).toEqual({ consent: { [part]: longest } })
  expect(factsOf(['half \uD800'], [column(field)])).toEqual({ consent: { [part]: 'half \uFFFD' } })
  for (const cell of [`${longest}x`, 'a\u0000b'])
    expect(readAs(['ada@example.com', cell], [EMAIL, column(field)]).errors).toMatchObject([
      { field, code: 'value_invalid', message: `Expected at most ${most} characters.` },
    ])
})

test('The name of a tag has at most 100 characters, and dropping a tag leaves the others.', () => {
  const [longest, tooLong] = ['x'.repeat(100), 'y'.repeat(101)]
  const { person, errors } = readAs(['ada@example.com', `${longest};${tooLong};VIP`], [EMAIL, column('tags')], {
    on_invalid_value: 'drop_value',
  })
  expect(person?.[5]).toEqual({ tags: [longest, 'VIP'] })
  expect(errors).toMatchObject([
    { field: 'tags', code: 'value_dropped', message: `The project has no tag ${'y'.repeat(49)}….` },
  ])
})

test('Each word for true and false is read in any case.', () => {
  const valueOf = (cell: string) => (read(['ada@example.com', cell], custom('boolean')) as any[])[4]?.value
  for (const word of ['true', 'YES', 'y', '1']) expect([word, valueOf(word)]).toEqual([word, true])
  for (const word of ['False', 'no', 'N', '0']) expect([word, valueOf(word)]).toEqual([word, false])
})

test('Days and numbers are read as the options and the delimiter say.', () => {
  const options = { date_format: 'mdy', has_decimal_comma: true } as const
  const valueOf = (type: FieldDefinition['type'], cell: string, rules?: Partial<RowRules>) =>
    readAs(['ada@example.com', cell], custom(type), rules).person?.[4]
  expect([valueOf('date', '03/01/2026', options), valueOf('number', '1,234', options)]).toEqual([
    { value: '2026-03-01' },
    { value: 1.234 },
  ])
  expect([valueOf('date', '03/01/2026', { date_format: 'dmy' }), valueOf('number', '1,234')]).toEqual([
    { value: '2026-01-03' },
    { value: 1234 },
  ])
  expect(factsOf(['03/01/2026'], [column('consent_at')], options)).toEqual({ consent: { at: Date.UTC(2026, 2, 1) } })
  expect(readAs(['ada@example.com', 'soon'], [EMAIL, column('consent_at')], options).errors).toMatchObject([
    { message: 'Expected a day or time (mdy).' },
  ])
})

test('With drop_value a person is taken without the wrong values, which are reported.', () => {
  const targets = [...custom('number'), column('first_name', 2)]
  expect(
    readAs(['ada@example.com', 'many', 'x'.repeat(201)], targets, { on_invalid_value: 'drop_value' }),
  ).toMatchObject({
    person: [7, 'ada@example.com', null, null, null],
    errors: [
      { field: 'custom.value', code: 'value_dropped', value: 'many' },
      { field: 'first_name', code: 'value_dropped' },
    ],
  })
  expect(readAs(['nobody', '7'], targets, { on_invalid_value: 'drop_value' })).toMatchObject({
    person: null,
    errors: [{ code: 'email_invalid' }],
  })
})

test('An apostrophe before what a spreadsheet would run as a formula is no part of the value.', () => {
  expect(readAs(["'+ada@example.com", "'=1+1"], [EMAIL, column('first_name')]).person).toEqual([
    7,
    '+ada@example.com',
    '=1+1',
    null,
    null,
  ])
  expect(readAs(["'ada@example.com"], [EMAIL]).person?.[1]).toBe("'ada@example.com")
})

test('An opt-out counts although another value of its row is wrong, and whatever says it.', () => {
  const targets: Target[] = [EMAIL, { column: 1, field: 'status' }, { column: 2, field: 'consent_at' }]
  const optOutOf = (cells: string[], rules: Partial<RowRules> = {}) => {
    const { person, opt_out, errors } = readAs(cells, targets, rules)
    expect([person, errors.length]).toEqual([null, 1])
    return opt_out
  }
  const alone = (status: string) => [7, 'ada@example.com', null, null, null, { status, alone: true }]
  expect(optOutOf(['ada@example.com', 'unsubscribed', 'soon'])).toEqual(alone('unsubscribed') as never)
  expect(optOutOf(['ada@example.com', '', 'soon'], { default_status: 'complained' })).toEqual(
    alone('complained') as never,
  )
  expect(optOutOf(['ada@example.com', 'subscribed', 'soon'])).toBeNull()
  expect(optOutOf(['ada@example', 'unsubscribed', ''])).toBeNull()
})

test('A consent of a later day is wrong, and one of the next hours is of a zone that is ahead.', () => {
  const targets: Target[] = [EMAIL, { column: 1, field: 'consent_at' }]
  const { person, errors } = readAs(['ada@example.com', '2026-11-23 09:00:01'], targets)
  expect([person, errors]).toMatchObject([null, [{ field: 'consent_at', message: 'Expected a time in the past.' }]])
  for (const [cell, at] of [
    ['2026-11-22 22:00', RULES.now],
    ['2026-11-23 09:00:00', RULES.now],
    ['2026-11-22 08:59', RULES.now - 60_000],
  ] as const)
    expect(readAs(['ada@example.com', cell], targets).person?.[5]).toEqual({ consent: { at } })
})
