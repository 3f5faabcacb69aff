import { expect, test } from 'bun:test'
import { packRules, unpackRules } from '../../static/app/rules/address.ts'
import { fieldGroups, newRule, type RuleField, type Schema, withOperator } from '../../static/app/rules/fields.ts'
import { finishedPart, isFinished, ruleOfFlaw } from '../../static/app/rules/finished.ts'
import { appended, type Group, levelsOf, memberAt, narrowed, replaced, rulesOf } from '../../static/app/rules/tree.ts'
import { groupWords, type Names } from '../../static/app/rules/rule-text.ts'
import { ruleFields } from '../../src/newsletter/segments/rule-fields.ts'

const country = { field: 'custom.country', operator: 'in', value: ['Norway', 'Österreich'] } as const
const opened = { field: 'opened', value: { in_last_days: 30 } } as const
const tagged = { field: 'tag', operator: 'in', value: [7] } as const
const weekly = { field: 'list', operator: 'in', value: [3], status: 'pending' } as const

const TREE: Group = {
  op: 'and',
  rules: [
    { ...country, value: [...country.value] },
    { op: 'not', rules: [tagged, { op: 'or', rules: [opened, weekly] }] },
  ],
}

test('An edit answers a new group and leaves the old one as it was.', () => {
  const before = structuredClone(TREE)
  const after = replaced(TREE, [1, 1, 0], { field: 'clicked', value: {} })
  expect(TREE).toEqual(before)
  expect(memberAt(after, [1, 1, 0])).toEqual({ field: 'clicked', value: {} })
  expect(memberAt(after, [1, 1, 1])).toBe(weekly)
})

test('A group that loses its last rule goes too, up to the outermost.', () => {
  const one = replaced(replaced(TREE, [1, 1, 1], null), [1, 1, 0], null)
  expect(one.rules[1]).toEqual({ op: 'not', rules: [tagged] })
  const none = replaced(replaced(one, [1, 0], null), [0], null)
  expect(none).toEqual({ op: 'and', rules: [] })
})

test('A rule is added to the group that was named.', () => {
  expect(memberAt(appended(TREE, [1, 1], tagged), [1, 1, 2])).toBe(tagged)
  expect(appended(TREE, [0], tagged)).toBe(TREE)
})

test('Rules and levels are counted over all groups.', () => {
  expect(rulesOf(TREE)).toHaveLength(4)
  expect(levelsOf(TREE)).toBe(3)
})

test('A shortcut adds its rule to an "all" group, or replaces the one that it made.', () => {
  const isList = ({ field }: { field: string }) => field === 'list'
  expect(narrowed(TREE, weekly, isList)!.rules).toHaveLength(3)
  expect(narrowed({ op: 'and', rules: [weekly, tagged] }, opened, isList)!.rules).toEqual([opened, tagged])
  for (const op of ['or', 'not'] as const) {
    expect(narrowed({ op, rules: [tagged] }, weekly, isList)).toBeNull()
    expect(narrowed({ op, rules: [] }, weekly, isList)).toEqual({ op: 'and', rules: [weekly] })
  }
})

test('Rules in an address come back as they were, in less than half of their JSON before it is escaped.', () => {
  const packed = packRules(TREE)
  expect(unpackRules(packed)).toEqual(TREE as never)
  expect(packed).toMatch(/^[\w-]+$/)
  expect(packed.length).toBeLessThan(encodeURIComponent(JSON.stringify(TREE)).length / 2)
})

test('A rule in an address keeps the values zero, false and an empty text.', () => {
  const rules = [0, false, ''].map((value) => ({ field: 'custom.fee', operator: 'eq' as const, value }))
  const without = { field: 'custom.fee', operator: 'is_set' as const }
  expect(unpackRules(packRules({ op: 'and', rules: [...rules, without] }))).toEqual({
    op: 'and',
    rules: [...rules, without],
  })
})

test('An empty group is an empty text, and a text that was not made here is no group.', () => {
  expect(packRules({ op: 'or', rules: [] })).toBe('')
  for (const text of ['', 'x', '!!', packRules(TREE).slice(0, -3), btoa('["email"]'), btoa('["and","email"]')])
    expect(unpackRules(text)).toBeNull()
})

test('A rule without a value is left out, and so is a group without any other.', () => {
  const empty = { field: 'tag', operator: 'in', value: [] } as const
  const group: Group = { op: 'and', rules: [{ ...empty, value: [] }, { op: 'or', rules: [{ field: '' }] }, tagged] }
  expect(finishedPart(group)).toEqual({ group: { op: 'and', rules: [tagged] }, unfinished: 2 })
  expect(finishedPart(TREE)).toEqual({ group: TREE, unfinished: 0 })
  expect(finishedPart(TREE).group).toBe(TREE)
})

test('An operator that takes no value is finished, one that takes two needs both.', () => {
  expect(isFinished({ field: 'email', operator: 'is_set' })).toBe(true)
  expect(isFinished({ field: 'created_at', operator: 'between', value: ['2026-01-01', ''] })).toBe(false)
  expect(isFinished({ field: 'opened', value: {} })).toBe(true)
  expect(isFinished({ field: 'custom.age', operator: 'gt', value: 0 })).toBe(true)
})

test('A flaw of the service is shown at its rule.', () => {
  expect(ruleOfFlaw(TREE, '/rules/rules/1/rules/1/rules/0/value/in_last_days', '/rules')).toBe(opened)
  expect(ruleOfFlaw(TREE, '/rules/rules/9/value', '/rules')).toBeNull()
  expect(ruleOfFlaw(TREE, '/name', '/rules')).toBeNull()
})

const SCHEMA = {
  rule_fields: ruleFields([
    { key: 'country', type: 'select' },
    { key: 'age', type: 'number' },
  ]),
  engagement_conditions: [],
} as unknown as Schema

const CUSTOM = [
  {
    id: 1,
    key: 'country',
    label: 'Country',
    type: 'select' as const,
    options: ['Norway', 'Österreich'],
    created_at: '',
    updated_at: '',
  },
]
const GROUPS = fieldGroups(SCHEMA, CUSTOM)
const fieldNamed = (name: string): RuleField =>
  GROUPS.flatMap(({ fields }) => fields).find((field) => field.name === name)!

test('Every field of the service stands in one group, and a new rule of it has an operator that it takes.', () => {
  const fields = GROUPS.flatMap(({ fields }) => fields)
  expect(fields.map(({ name }) => name).toSorted()).toEqual(SCHEMA.rule_fields.map(({ field }) => field).toSorted())
  for (const field of fields) {
    const { operator } = newRule(field)
    if (field.type !== 'engagement') expect(field.operators).toContain(operator!)
  }
})

test('Another operator keeps the value that both can take.', () => {
  const one = { field: 'email', operator: 'eq', value: 'ada' } as const
  expect(withOperator(one, 'in', 'text').value).toEqual(['ada'])
  expect(withOperator(one, 'is_set', 'text')).toEqual({ field: 'email', operator: 'is_set' })
  expect(withOperator({ field: 'email', operator: 'in', value: ['a', 'b'] }, 'contains', 'text').value).toBe('a')
  expect(withOperator({ ...weekly }, 'not_in', 'list')).toEqual({ ...weekly, operator: 'not_in' })
  expect(withOperator({ field: 'created_at', operator: 'eq', value: '2026-01-01' }, 'in_last_days', 'date').value).toBe(
    30,
  )
})

test('Rules are written as a sentence, which names what was deleted as such.', () => {
  const names: Names = {
    field: (name) => fieldNamed(name) ?? null,
    list: () => 'Weekly',
    tag: () => null,
    segment: () => undefined,
    campaign: () => 'May letter',
  }
  expect(groupWords(TREE, names)).toBe(
    'Country is one of Norway, Österreich and not (Tag is one of a tag that was deleted or ' +
      '(Opened any campaign in the last 30 days or List is on “Weekly” (pending)))',
  )
  expect(groupWords({ op: 'and', rules: [] }, names)).toBe('Everybody')
})
