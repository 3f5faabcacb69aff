import { expect, test } from 'bun:test'
import type { RuleField } from '../../../static/app/rules/fields.ts'
import { groupWords, type Names, ruleWords } from '../../../static/app/rules/rule-text.ts'

const FIELDS: Record<string, Pick<RuleField, 'type' | 'label' | 'choices'>> = {
  email: { type: 'text', label: 'Address' },
  status: { type: 'text', label: 'Status', choices: [{ value: 'pending', label: 'Pending' }] },
  age: { type: 'number', label: 'Age' },
  member: { type: 'boolean', label: 'Member' },
  joined: { type: 'date', label: 'Joined' },
  list: { type: 'list', label: 'List' },
  segment: { type: 'segment', label: 'Segment' },
  opened: { type: 'engagement', label: 'Opened' },
}
const NAMES: Names = {
  field: (name) => (FIELDS[name] as RuleField | undefined) ?? null,
  list: (id) => (id === 7 ? 'Weekly' : undefined),
  tag: () => undefined,
  segment: () => null,
  campaign: (id) => (id === 1 ? 'May' : null),
}

test.each<[object, string]>([
  [{ field: 'email', operator: 'eq', value: 'ada' }, 'Address is “ada”'],
  [{ field: 'email', value: 'ada' }, 'Address is “ada”'],
  [{ field: 'email', operator: 'is_set', value: 'ada' }, 'Address has a value'],
  [{ field: 'email', operator: 'is_not_set' }, 'Address has no value'],
  [{ field: 'email', operator: 'eq', value: '' }, 'Address is …'],
  [{ field: 'email', operator: 'eq' }, 'Address is …'],
  [{ field: 'email', operator: 'in', value: ['ada', 'bo'] }, 'Address is one of “ada”, “bo”'],
  [{ field: 'email', operator: 'eq', value: 'ada', status: 'pending' }, 'Address is “ada”'],
  [{ field: 'status', operator: 'in', value: ['pending', 'odd'] }, 'Status is one of Pending, “odd”'],
  [{ field: 'age', operator: 'between', value: [1000, 2000] }, 'Age is between 1,000 and 2,000'],
  [{ field: 'member', operator: 'eq', value: true }, 'Member is yes'],
  [{ field: 'member', operator: 'eq', value: false }, 'Member is no'],
  [{ field: 'joined', operator: 'gt', value: '2026-05-03' }, 'Joined is after 3 May 2026'],
  [{ field: 'joined', operator: 'in_last_days', value: 30 }, 'Joined is in the last 30 days'],
  [{ field: 'joined', operator: 'not_in_last_days', value: 30 }, 'Joined is not in the last 30 days'],
  [{ field: 'list', operator: 'in', value: [7] }, 'List is on “Weekly”'],
  [{ field: 'list', operator: 'in', value: [7], status: 'subscribed' }, 'List is on “Weekly”'],
  [{ field: 'list', operator: 'in', value: [8], status: 'pending' }, 'List is on … (pending)'],
  [{ field: 'segment', operator: 'not_in', value: [1] }, 'Segment is not in a segment that was deleted'],
  [{ field: 'opened', value: {} }, 'Opened any campaign'],
  [{ field: 'opened' }, 'Opened any campaign'],
  [
    { field: 'opened', value: { campaign_id: 1, url: 'https://a.example', in_last_days: 1000 } },
    'Opened “May” the link https://a.example in the last 1,000 days',
  ],
  [{ field: 'opened', value: { campaign_id: 2 } }, 'Opened a campaign that was deleted'],
  [{ field: '' }, 'an unfinished rule'],
  [{ field: 'custom.gone', operator: 'eq', value: 'x' }, 'custom.gone (deleted)'],
])('The rule %j is said in words.', (rule, words) => {
  expect(ruleWords(rule as never, NAMES)).toBe(words)
})

test('A group in a group stands in brackets unless it has one member, and an empty one is everybody.', () => {
  const rule = { field: 'member', operator: 'eq', value: true } as const
  const words = (...rules: object[]) => groupWords({ op: 'and', rules: rules as never }, NAMES)
  expect(words(rule, { op: 'or', rules: [rule] })).toBe('Member is yes and Member is yes')
  expect(words({ op: 'or', rules: [rule, rule] })).toBe('(Member is yes or Member is yes)')
  expect(words(rule, { op: 'or', rules: [] })).toBe('Member is yes and everybody')
  expect(words({ op: 'not', rules: [rule] })).toBe('not (Member is yes)')
  expect(words()).toBe('Everybody')
})
