import { expect, test } from 'bun:test'
import { AppError, type Flaw } from '../../../src/errors.ts'
import { isGroup, readRules, readSavedRules } from '../../../src/newsletter/segments/rule-read.ts'

const FIELDS = [{ key: 'size', type: 'number', column: null, options: null }] as any[]
const read = (given: unknown) => readRules(given, FIELDS, '/rules') as any
/** The paths of the flaws that a request is told. */
function paths(given: unknown): string[] {
  try {
    read(given)
    return []
  } catch (error) {
    return ((error as AppError).details as Flaw[]).map(({ path }) => path)
  }
}
const IS_ADA = { field: 'first_name', operator: 'eq', value: 'Ada' }
/** This many of a rule or group. */
const many = (count: number, rule: unknown) => Array.from({ length: count }, () => rule)
const group = (...rules: unknown[]) => ({ op: 'and', rules })
/** A group inside groups, this many levels in all. */
const nested = (levels: number): object => (levels === 1 ? group(IS_ADA) : group(nested(levels - 1)))

test('Groups and rules keep their order.', () => {
  const { op, rules } = read({ op: 'not', rules: [IS_ADA, group(), { field: 'opened' }] })
  expect(op).toBe('not')
  expect(rules.map(isGroup)).toEqual([false, true, false])
  expect(rules[2]).toMatchObject({ type: 'engagement', event: 'open' })
})

test('A field of the project is named custom.KEY, and an unknown one is pointed at.', () => {
  expect(read(group({ field: 'custom.size', operator: 'gt', value: 5 })).rules[0]).toMatchObject({
    type: 'ordered',
    field: { name: 'custom', type: 'number', custom: FIELDS[0] },
  })
  for (const field of ['custom.color', 'size', 'toString', 5])
    expect(paths(group({ field, operator: 'eq', value: 5 }))).toEqual(['/rules/rules/0/field'])
})

test('Each flaw of a rule has its path.', () => {
  expect(paths(5)).toEqual(['/rules'])
  expect(paths([])).toEqual(['/rules'])
  expect(paths({ op: 'xor', rules: [] })).toEqual(['/rules/op'])
  expect(paths({ op: 'and', rules: {} })).toEqual(['/rules/rules'])
  expect(paths({ ...group(), more: 1 })).toEqual(['/rules/more'])
  expect(paths(group('x'))).toEqual(['/rules/rules/0'])
  expect(paths(group({ ...IS_ADA, more: 1 }))).toEqual(['/rules/rules/0/more'])
  expect(paths(group({ ...IS_ADA, operator: 'between' }))).toEqual(['/rules/rules/0/operator'])
  expect(paths(group({ field: 'first_name', value: 'x' }))).toEqual(['/rules/rules/0/operator'])
  expect(paths(group(IS_ADA, { ...IS_ADA, operator: 'in', value: ['a', 5] }))).toEqual(['/rules/rules/1/value/1'])
  expect(paths(group({ field: 'list', operator: 'in', value: 1, status: 'gone' }))).toEqual(['/rules/rules/0/status'])
  expect(paths(group({ ...IS_ADA, status: 'subscribed' }))).toEqual(['/rules/rules/0/status'])
  expect(paths(group({ op: 'and' }))).toEqual(['/rules/rules/0/rules'])
  expect(paths(group({ rules: [] }))).toEqual(['/rules/rules/0/op'])
  expect(paths(group({}))).toEqual(['/rules/rules/0/field'])
  expect(paths(group({ field: 'opened', operator: 'neq' }))).toEqual(['/rules/rules/0/operator'])
  // An object with a field is a rule, whatever else it has.
  expect(paths(group({ ...IS_ADA, op: 'and' }))).toEqual(['/rules/rules/0/op'])
})

test('A rule on a list may name the status of the membership.', () => {
  const rule = { field: 'list', operator: 'in', value: [3] }
  expect(read(group(rule)).rules[0]).not.toHaveProperty('status')
  expect(read(group({ ...rule, status: 'pending' })).rules[0]).toMatchObject({ ids: [3], status: 'pending' })
})

test('Four levels, 60 rules and 200 groups are the most.', () => {
  expect(paths(nested(4))).toEqual([])
  expect(paths(nested(5))).toEqual(['/rules/rules/0/rules/0/rules/0/rules/0'])
  expect(paths(group(...many(60, IS_ADA)))).toEqual([])
  expect(paths(group(...many(61, IS_ADA)))).toEqual(['/rules'])
  expect(paths(group(...many(199, group())))).toEqual([])
  expect(paths(group(...many(200, group())))).toEqual(['/rules'])
  expect(paths(group(...many(260, group())))).toEqual(['/rules'])
  expect(paths(group(...many(261, group())))).toEqual(['/rules/rules'])
})

test('At most twenty flaws are told.', () => {
  expect(paths(group(...many(30, 'x')))).toHaveLength(20)
})

test('A saved rule whose field is gone matches nobody, or everybody when it is negated.', () => {
  const [gone, negated, unequal, unset] = readSavedRules(
    group(
      { field: 'custom.color', operator: 'eq', value: 'red' },
      { field: 'custom.color', operator: 'not_in', value: ['red'] },
      { field: 'custom.color', operator: 'neq', value: 'red' },
      { field: 'custom.color', operator: 'is_not_set' },
    ) as never,
    FIELDS,
  ).rules
  expect(gone).toEqual({ type: 'constant', matches: false })
  expect(negated).toEqual({ type: 'constant', matches: true })
  expect(unequal).toEqual({ type: 'constant', matches: true })
  expect(unset).toEqual({ type: 'constant', matches: true })
})

test('A field that no project has is told apart from a custom field that this one does not have.', () => {
  const said = (field: unknown): string => {
    try {
      read(group({ field, operator: 'eq', value: 5 }))
      return ''
    } catch (error) {
      return ((error as AppError).details as Flaw[])[0]!.message!
    }
  }
  expect(said('custom.color')).toBe('The project has no such custom field.')
  expect(said('surname')).toMatch(/^Expected one of: email, email_domain, .*inactive, custom\.KEY\.$/)
  expect(said(5)).toBe('Expected the name of a field.')
})
