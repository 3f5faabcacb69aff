import { expect, test } from 'bun:test'
import { OPERATORS } from '../../../src/newsletter/segments/rule-fields.ts'
import {
  fieldGroups,
  newRule,
  operatorWords,
  type RuleField,
  type Schema,
  STATUS_CHOICES,
  withOperator,
} from '../../../static/app/rules/fields.ts'

const SCHEMA = {
  rule_fields: [
    { field: 'email', type: 'text', operators: ['eq'] },
    { field: 'global_status', type: 'text', operators: ['in'] },
    { field: 'tide_level', type: 'number', operators: ['gt'] },
    { field: 'list', type: 'list', operators: ['in'] },
    { field: 'tag', type: 'tag', operators: ['in'] },
    { field: 'segment', type: 'segment', operators: ['in'] },
    { field: 'opened', type: 'engagement', operators: [] },
    { field: 'clicked', type: 'engagement', operators: [] },
    { field: 'custom.country', type: 'text', operators: ['in'] },
    { field: 'custom.size', type: 'number', operators: ['eq'] },
    { field: 'custom.gone', type: 'text', operators: ['eq'] },
  ],
  engagement_conditions: [
    { field: 'opened', description: 'Opened it.', value: { properties: { machine: { default: 'exclude' } } } },
    { field: 'clicked', description: 'Clicked it.', value: { properties: { url: {} } } },
  ],
} as unknown as Schema

const CUSTOM = [
  { key: 'size', label: 'Size of shoes', options: null },
  { key: 'country', label: 'Country', options: ['Norway'] },
] as never

const fieldNamed = (name: string) =>
  fieldGroups(SCHEMA, CUSTOM)
    .flatMap(({ fields }) => fields)
    .find((field) => field.name === name)!

test('Fields stand in the groups in which people look for them, and an empty group does not stand.', () => {
  expect(fieldGroups(SCHEMA, CUSTOM).map(({ label, fields }) => [label, fields.map(({ name }) => name)])).toEqual([
    ['Person', ['email', 'global_status', 'tide_level']],
    ['Lists, tags, segments', ['list', 'tag', 'segment']],
    ['What they did', ['opened', 'clicked']],
    ['Your fields', ['custom.country', 'custom.size', 'custom.gone']],
  ])
  expect(fieldGroups({ ...SCHEMA, rule_fields: SCHEMA.rule_fields.slice(0, 1) }, [])).toHaveLength(1)
})

test('A field has its words; one without any is called by its name, and one that is gone by its key.', () => {
  const labels = ['email', 'tide_level', 'custom.size', 'custom.gone'].map((name) => fieldNamed(name).label)
  expect(labels).toEqual(['Address', 'tide level', 'Size of shoes', 'gone'])
})

test('Only the status and fields with options have choices.', () => {
  expect(fieldNamed('global_status').choices).toBe(STATUS_CHOICES)
  expect(fieldNamed('custom.country').choices).toEqual([{ value: 'Norway', label: 'Norway' }])
  expect(['email', 'custom.size'].map((name) => 'choices' in fieldNamed(name))).toEqual([false, false])
})

test('A condition says what it means, whether machines count, and whether it can ask for a link.', () => {
  expect(fieldNamed('opened')).toMatchObject({ description: 'Opened it.', machine: 'exclude', has_link: false })
  expect(fieldNamed('clicked')).toMatchObject({ description: 'Clicked it.', has_link: true })
  expect(fieldNamed('clicked').machine).toBeUndefined()
})

test('An operator has the words of its kind of field.', () => {
  const words = Object.entries(OPERATORS).map(([type, operators]) =>
    [type, ...operators.map((operator) => operatorWords(operator, type as RuleField['type']))].join(', '),
  )
  const texts = ['contains', 'does not contain', 'begins with', 'ends with', 'is one of', 'is none of']
  const numbers = ['is', 'is not', 'is more than', 'is at least', 'is less than', 'is at most', 'is between']
  const dates = ['is on', 'is not on', 'is after', 'is on or after', 'is before', 'is on or before', 'is between']
  const set = ['has a value', 'has no value']
  expect(words).toEqual([
    ['text', 'is', 'is not', ...texts, ...set].join(', '),
    ['number', ...numbers, ...set].join(', '),
    ['date', ...dates, 'is in the last', 'is not in the last', ...set].join(', '),
    ...['boolean, is', 'list, is on, is not on', 'tag, is one of, is none of', 'segment, is in, is not in'],
    'engagement, is',
  ])
})

test.each<[string, Partial<RuleField>, object]>([
  ['engagement', { type: 'engagement' }, { field: 'x', value: {} }],
  ['yes or no', { type: 'boolean' }, { field: 'x', operator: 'eq', value: true }],
  ['a date', { type: 'date', operators: ['eq', 'in_last_days'] }, { field: 'x', operator: 'in_last_days', value: 30 }],
  ['a date without spans', { type: 'date', operators: ['eq'] }, { field: 'x', operator: 'eq' }],
  ['choices', { type: 'text', operators: ['eq', 'contains', 'in'], choices: [] }, { field: 'x', operator: 'in' }],
  ['text', { type: 'text', operators: ['eq', 'contains'] }, { field: 'x', operator: 'contains' }],
  ['a number', { type: 'number', operators: ['gt', 'contains'] }, { field: 'x', operator: 'gt' }],
])('A new rule about %s begins with what people mean most.', (_, field, rule) => {
  expect(newRule({ name: 'x', label: 'X', operators: [], type: 'text', ...field })).toEqual(rule as never)
})

test.each<[string, unknown, string, string, unknown]>([
  ['eq', 'a', 'neq', 'text', 'a'],
  ['eq', 'a', 'in', 'text', ['a']],
  ['in', ['a', 'b'], 'eq', 'text', 'a'],
  ['not_in', ['a', 'b'], 'in', 'text', ['a', 'b']],
  ['eq', 1, 'between', 'number', [1, '']],
  ['between', [1, 2], 'gt', 'number', 1],
  ['eq', 'a', 'is_set', 'text', undefined],
  ['is_set', undefined, 'is_not_set', 'text', undefined],
  ['is_not_set', undefined, 'eq', 'text', undefined],
  ['eq', '2026-05-03', 'in_last_days', 'date', 30],
  ['in_last_days', 7, 'not_in_last_days', 'date', 7],
  ['in_last_days', 7, 'eq', 'date', undefined],
  ['in', [1, 2], 'eq', 'list', [1, 2]],
  ['in', [1, 2], 'eq', 'tag', [1, 2]],
  ['in', [1, 2], 'eq', 'segment', [1, 2]],
])('From %s with %p to %s of a %s the value is what both can take.', (before, value, after, type, expected) => {
  const rule = { field: 'x', operator: before, ...(value !== undefined && { value }) } as never
  expect(withOperator(rule, after as never, type as never)).toEqual({
    field: 'x',
    operator: after,
    ...(expected !== undefined && { value: expected }),
  } as never)
})
