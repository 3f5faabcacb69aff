import { expect, test } from 'bun:test'
import { dayOf, readLeaf, type RuleField } from '../../../src/newsletter/segments/rule-values.ts'
import { RULE_TYPE_OF, STANDARD_FIELDS, type StandardField } from '../../../src/newsletter/segments/rule-fields.ts'

const standard = (name: StandardField): RuleField => ({ name, type: STANDARD_FIELDS[name] })
const custom = (type: 'number' | 'date' | 'boolean'): RuleField => ({ name: 'custom', type: RULE_TYPE_OF[type] })
const leaf = (field: RuleField, operator: string, value: unknown): any => {
  const read = readLeaf(field, operator, value)
  if ('flaw' in read) throw new Error(read.flaw.message)
  return read.leaf
}
const flaw = (field: RuleField, operator: string, value: unknown) => {
  const read = readLeaf(field, operator, value)
  return 'flaw' in read ? read.flaw : null
}
const FIRST_NAME = standard('first_name')
const DAYS = { below: '', message: 'Expected a whole number of days from 1 to 36500.' }
const TWO_VALUES = { below: '', message: 'Expected an array of two values, the lower first.' }

test('Whether a field is set is asked without a value.', () => {
  for (const value of [undefined, null]) {
    expect(leaf(FIRST_NAME, 'is_set', value)).toEqual({ type: 'set', field: FIRST_NAME, not: false })
    expect(leaf(FIRST_NAME, 'is_not_set', value).not).toBe(true)
  }
  for (const value of ['', 0, false])
    expect(flaw(FIRST_NAME, 'is_set', value)?.message).toBe('This operator takes no value.')
})

test('A text is folded as the key columns are, an address only loses its capitals.', () => {
  expect(leaf(FIRST_NAME, 'eq', 'ÄRGER')).toMatchObject({ operator: 'in', values: ['ärger'] })
  expect(leaf(FIRST_NAME, 'neq', 'x').operator).toBe('not_in')
  expect(leaf(FIRST_NAME, 'starts_with', 'x').operator).toBe('starts_with')
  expect(leaf(standard('email'), 'contains', 'Ada@').values).toEqual(['ada@'])
  expect(leaf(standard('email_domain'), 'not_in', ['A.Example', 'B.example'])).toMatchObject({
    operator: 'not_in',
    values: ['a.example', 'b.example'],
  })
})

test('A text has 1 to 1000 characters without NUL, and a list has 1 to 200 of them.', () => {
  const message = 'Expected a text of 1 to 1000 characters.'
  expect(flaw(FIRST_NAME, 'eq', 'x'.repeat(1000))).toBeNull()
  for (const value of ['x'.repeat(1001), '', 5, undefined, ['x'], 'a\0b'])
    expect(flaw(FIRST_NAME, 'eq', value)).toEqual({ below: '', message })
  expect(flaw(FIRST_NAME, 'in', ['a', ''])).toEqual({ below: '/1', message })
  expect(leaf(FIRST_NAME, 'in', ['x']).values).toEqual(['x'])
  expect(flaw(FIRST_NAME, 'in', Array(200).fill('x'))).toBeNull()
  for (const value of [Array(201).fill('x'), [], 'x'])
    expect(flaw(FIRST_NAME, 'not_in', value)).toEqual({ below: '', message: 'Expected an array of 1 to 200 texts.' })
})

test('A whole status must be one of the known, a part of one need not be.', () => {
  const status = standard('global_status')
  for (const operator of ['eq', 'neq']) {
    expect(flaw(status, operator, 'subscribed')).toBeNull()
    expect(flaw(status, operator, 'sub')?.message).toStartWith('Expected one of: ')
  }
  expect(flaw(status, 'in', ['bounced', 'gone'])?.below).toBe('/1')
  expect(flaw(status, 'contains', 'sub')).toBeNull()
  expect(flaw(FIRST_NAME, 'eq', 'sub')).toBeNull()
})

test('A number is finite, and a range has two of them, the lower first.', () => {
  const number = custom('number')
  expect(leaf(number, 'gte', -1.5)).toMatchObject({ type: 'ordered', operator: 'gte', low: -1.5, high: -1.5 })
  expect(leaf(number, 'between', [2, 2])).toMatchObject({ low: 2, high: 2 })
  for (const value of ['2', Number.NaN, Number.POSITIVE_INFINITY, null, [2]])
    expect(flaw(number, 'eq', value)).toEqual({ below: '', message: 'Expected a number.' })
  for (const value of [2, [2], [1, 2, 3], [3, 2]]) expect(flaw(number, 'between', value)).toEqual(TWO_VALUES)
  expect(flaw(number, 'between', [1, '2'])).toEqual({ below: '/1', message: 'Expected a number.' })
})

test('A day covers the whole UTC day, up to its last millisecond.', () => {
  const created = standard('created_at')
  const midnight = Date.UTC(2026, 2, 1)
  expect(leaf(created, 'eq', '2026-03-01')).toMatchObject({ low: midnight, high: midnight + 86_399_999 })
  expect(leaf(created, 'lt', '2026-03-01T00:00:00+01:00')).toMatchObject({
    low: midnight - 3_600_000,
    high: midnight - 3_600_000,
  })
  expect(leaf(created, 'between', ['2026-03-01', '2026-03-02'])).toMatchObject({
    low: midnight,
    high: midnight + 2 * 86_400_000 - 1,
  })
  for (const value of ['2026-02-30', 'today', '2026-03-01T00:00:00', 5])
    expect(flaw(created, 'eq', value)?.message).toStartWith('Expected a day as YYYY-MM-DD')
})

test('A custom date is a day: a time stands for its UTC day.', () => {
  expect(leaf(custom('date'), 'eq', '2026-03-01T00:30:00+01:00')).toMatchObject({
    low: '2026-02-28',
    high: '2026-02-28',
  })
  expect(leaf(custom('date'), 'between', ['2026-03-01', '2026-03-05'])).toMatchObject({
    low: '2026-03-01',
    high: '2026-03-05',
  })
  expect(flaw(custom('date'), 'eq', 'soon')?.below).toBe('')
  expect(dayOf(Date.UTC(2026, 0, 1) - 1)).toBe('2025-12-31')
})

test('The last days are 1 to 36500 whole days.', () => {
  const created = standard('created_at')
  expect(leaf(created, 'in_last_days', 1)).toEqual({ type: 'last_days', field: created, not: false, days: 1 })
  expect(leaf(created, 'not_in_last_days', 36_500)).toMatchObject({ not: true, days: 36_500 })
  for (const value of [0, 36_501, 1.5, '1', undefined]) expect(flaw(created, 'in_last_days', value)).toEqual(DAYS)
})

test('A yes-or-no field takes a boolean only.', () => {
  expect(leaf(custom('boolean'), 'eq', false)).toMatchObject({ type: 'boolean', value: false })
  expect(flaw(custom('boolean'), 'eq', 'true')?.message).toBe('Expected true or false.')
})

test('Lists, tags and segments are named by one id or by 1 to 200 of them.', () => {
  const list = standard('list')
  expect(leaf(list, 'in', 7)).toEqual({ type: 'list', not: false, ids: [7] })
  expect(leaf(standard('tag'), 'not_in', [1, 2])).toEqual({ type: 'tag', not: true, ids: [1, 2] })
  expect(flaw(list, 'in', Array(200).fill(1))).toBeNull()
  const message = 'Expected an id or an array of 1 to 200 ids.'
  for (const value of [0, -1, 1.5, '1', 2 ** 53, [], undefined])
    expect(flaw(list, 'in', value)).toEqual({ below: '', message })
  expect(flaw(list, 'in', [1, 0])).toEqual({ below: '/1', message })
  // The whole array counts as one wrong id.
  expect(flaw(list, 'in', Array(201).fill(1))?.message).toBe(message)
})

test('A condition on engagement says whether machines count, and has a default.', () => {
  const read = (name: StandardField, value?: unknown) => leaf(standard(name), 'eq', value)
  const nothing = { campaign_id: undefined, in_last_days: undefined, url: undefined }
  const base = { type: 'engagement', not: false, machine: false, ...nothing }
  expect(read('opened')).toEqual({ ...base, event: 'open' })
  expect(read('clicked')).toEqual({ ...base, event: 'click' })
  expect(read('received')).toEqual({ ...base, event: 'received' })
  expect(read('engaged')).toEqual({ ...base, event: 'engaged', machine: true })
  expect(read('not_opened')).toEqual({ ...base, event: 'open', not: true, machine: true })
  expect(read('not_clicked')).toEqual({ ...base, event: 'click', not: true })
  expect(read('inactive')).toEqual({ ...base, event: 'engaged', not: true, machine: true })
  expect(read('opened', { campaign_id: 1, in_last_days: 36_500, machine: 'include' })).toEqual({
    ...base,
    event: 'open',
    machine: true,
    campaign_id: 1,
    in_last_days: 36_500,
  })
  expect(read('inactive', { machine: 'exclude' }).machine).toBe(false)
})

test('A wrong value of a condition on engagement is pointed at.', () => {
  const read = (name: StandardField, value: unknown) => flaw(standard(name), 'eq', value)
  for (const value of [null, 5, [], 'x']) expect(read('opened', value)?.message).toStartWith('Expected an object; ')
  expect(read('opened', { campaign_id: 0 })).toEqual({
    below: '/campaign_id',
    message: 'Expected the id of a campaign.',
  })
  expect(read('opened', { in_last_days: 0 })).toEqual({ ...DAYS, below: '/in_last_days' })
  expect(read('opened', { machine: true })).toEqual({
    below: '/machine',
    message: 'Expected one of: exclude, include.',
  })
  expect(read('opened', { 'a/b': 1 })).toEqual({ below: '/a~1b', message: 'Unknown property.' })
  expect(read('received', { machine: 'include' })).toEqual({ below: '/machine', message: 'Unknown property.' })
})
