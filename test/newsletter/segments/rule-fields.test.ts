import { expect, test } from 'bun:test'
import { CONTACT_FIELD_NAMES } from '../../../src/shared/contact-fields.ts'
import {
  ENGAGEMENT_CONDITIONS,
  LINK_FIELDS,
  MACHINE_DEFAULTS,
  OPERATORS,
  ruleFields,
  STANDARD_FIELDS,
} from '../../../src/newsletter/segments/rule-fields.ts'

test('Each type has its operators.', () => {
  const text = 'eq neq contains not_contains starts_with ends_with in not_in is_set is_not_set'
  const number = 'eq neq gt gte lt lte between is_set is_not_set'
  const listed = Object.fromEntries(Object.entries(OPERATORS).map(([type, names]) => [type, names.join(' ')]))
  expect(listed).toEqual({
    ...{ text, number, date: number.replace('between', 'between in_last_days not_in_last_days') },
    ...{ boolean: 'eq', list: 'in not_in', tag: 'in not_in', segment: 'in not_in', engagement: 'eq' },
  })
})

test('Each field has its type, custom fields as their own type is compared.', () => {
  const of = (wanted: string) =>
    Object.entries(STANDARD_FIELDS).flatMap(([name, type]) => (type === wanted ? name : []))
  expect(of('text')).toEqual(['email', 'email_domain', ...CONTACT_FIELD_NAMES, 'global_status'])
  expect(of('date')).toEqual(['created_at', 'updated_at', 'consent_at', 'last_open_at', 'last_click_at'])
  const types = ['text', 'select', 'number', 'boolean', 'date'] as const
  const custom = ruleFields(types.map((type) => ({ key: type, type }))).slice(-5)
  expect(custom.map(({ field, type }) => [field, type])).toEqual([
    ['custom.text', 'text'],
    ['custom.select', 'text'],
    ['custom.number', 'number'],
    ['custom.boolean', 'boolean'],
    ['custom.date', 'date'],
  ])
  expect(custom[3]!.operators).toEqual(['eq'])
})

test('Machines count where they keep nobody from being asked back, and a link only for clicks.', () => {
  expect(MACHINE_DEFAULTS).toEqual({
    ...{ opened: 'exclude', clicked: 'exclude', not_opened: 'include', not_clicked: 'exclude' },
    ...{ engaged: 'include', inactive: 'include' },
  })
  expect([...LINK_FIELDS].sort()).toEqual(['clicked', 'not_clicked'])
  const described = ENGAGEMENT_CONDITIONS.map(({ field, value }) => [field, Object.keys(value.properties).join(' ')])
  const common = 'campaign_id in_last_days machine'
  expect(described).toEqual([
    ['opened', common],
    ['clicked', `${common} url`],
    ['received', 'campaign_id in_last_days'],
    ['not_opened', common],
    ['not_clicked', `${common} url`],
    ['engaged', common],
    ['inactive', common],
  ])
  expect(ENGAGEMENT_CONDITIONS[0]!.value.properties).toMatchObject({
    ...{ campaign_id: { minimum: 1 }, in_last_days: { minimum: 1, maximum: 36_500 }, machine: { default: 'exclude' } },
  })
})

test('The value of an engagement condition is described as the rule takes it.', () => {
  const [opened, clicked] = ENGAGEMENT_CONDITIONS
  const days = { type: 'integer', minimum: 1, maximum: 36_500, description: expect.any(String) }
  const properties = {
    campaign_id: { type: 'integer', minimum: 1, description: expect.any(String) },
    in_last_days: days,
    machine: { type: 'string', enum: ['exclude', 'include'], default: 'exclude' },
  }
  expect(opened!.value).toEqual({ type: 'object', additionalProperties: false, properties } as never)
  expect(clicked!.value.properties).toEqual({
    ...properties,
    url: { type: 'string', minLength: 1, maxLength: 4000, description: expect.any(String) },
  } as never)
})
