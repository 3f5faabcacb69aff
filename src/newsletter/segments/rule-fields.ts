import { byContactField } from '../../shared/contact-fields.ts'
import type { FieldType } from '../../store/tables/audience.ts'

/** The fields and operators of rules. schema/get returns these tables. */
export const OPERATORS = {
  text: ['eq', 'neq', 'contains', 'not_contains', 'starts_with', 'ends_with', 'in', 'not_in', 'is_set', 'is_not_set'],
  number: ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'between', 'is_set', 'is_not_set'],
  date: ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'between', 'in_last_days', 'not_in_last_days', 'is_set', 'is_not_set'],
  boolean: ['eq'],
  list: ['in', 'not_in'],
  tag: ['in', 'not_in'],
  segment: ['in', 'not_in'],
  engagement: ['eq'],
} as const
export type RuleType = keyof typeof OPERATORS
export type Operator = (typeof OPERATORS)[RuleType][number]

export const ALL_OPERATORS: readonly Operator[] = [...new Set(Object.values(OPERATORS).flat())]

/** The fields that every project has. A custom field is `custom.KEY`. */
export const STANDARD_FIELDS = {
  email: 'text',
  email_domain: 'text',
  ...byContactField(() => 'text' as const),
  global_status: 'text',
  created_at: 'date',
  updated_at: 'date',
  consent_at: 'date',
  last_open_at: 'date',
  last_click_at: 'date',
  list: 'list',
  tag: 'tag',
  segment: 'segment',
  opened: 'engagement',
  clicked: 'engagement',
  received: 'engagement',
  not_opened: 'engagement',
  not_clicked: 'engagement',
  engaged: 'engagement',
  inactive: 'engagement',
} as const satisfies Record<string, RuleType>
export type StandardField = keyof typeof STANDARD_FIELDS

/** The rule type of each custom field type. */
export const RULE_TYPE_OF: Readonly<Record<FieldType, RuleType>> = {
  text: 'text',
  select: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
}

/** Most days that a rule can look back. */
export const MAX_DAYS = 36_500

/** Whether opens and clicks by machines, such as privacy proxies, count. */
export const MACHINE = ['exclude', 'include'] as const

/**
 * How a condition counts opens and clicks by machines unless its value says so. Those that select the inactive count
 * them: a person who reads through a privacy proxy is not inactive (docs/api/contacts.md#engagement-conditions).
 */
export const MACHINE_DEFAULTS: Readonly<Partial<Record<StandardField, (typeof MACHINE)[number]>>> = {
  opened: 'exclude',
  clicked: 'exclude',
  not_opened: 'include',
  not_clicked: 'exclude',
  engaged: 'include',
  inactive: 'include',
}

/** The conditions that can ask for one link. */
export const LINK_FIELDS: ReadonlySet<string> = new Set<StandardField>(['clicked', 'not_clicked'])

/** Longest address of a link in a rule. */
export const MAX_LINK = 4000

function engagementValue(field: StandardField) {
  const machine = MACHINE_DEFAULTS[field]
  return {
    type: 'object',
    additionalProperties: false,
    properties: {
      campaign_id: { type: 'integer', minimum: 1, description: 'Any campaign when left out.' },
      in_last_days: {
        type: 'integer',
        minimum: 1,
        maximum: MAX_DAYS,
        description: 'Only events of the last n days; all when left out.',
      },
      ...(machine && { machine: { type: 'string', enum: MACHINE, default: machine } }),
      ...(LINK_FIELDS.has(field) && {
        url: {
          type: 'string',
          minLength: 1,
          maxLength: MAX_LINK,
          description: 'This link, written as in campaigns/stats; any link when left out.',
        },
      }),
    },
  }
}

/** Opens, clicks and deliveries. A click is an open. */
export const ENGAGEMENT_CONDITIONS = (
  [
    { field: 'opened', description: 'Opened a campaign.' },
    { field: 'clicked', description: 'Clicked a link in a campaign.' },
    { field: 'received', description: 'Was sent a campaign.' },
    { field: 'not_opened', description: 'Opened no campaign, whether or not one was sent.' },
    { field: 'not_clicked', description: 'Clicked in no campaign, whether or not one was sent.' },
    { field: 'engaged', description: 'Opened a campaign, also through a privacy proxy, or clicked.' },
    { field: 'inactive', description: 'Is not engaged.' },
  ] satisfies { field: StandardField; description: string }[]
).map((condition) => ({ ...condition, value: engagementValue(condition.field) }))

/** Every field of a project with its operators, for schema/get. */
export function ruleFields(
  custom: readonly { key: string; type: FieldType }[],
): { field: string; type: RuleType; operators: Operator[] }[] {
  const fields: [string, RuleType][] = [
    ...Object.entries(STANDARD_FIELDS),
    ...custom.map(({ key, type }): [string, RuleType] => [`custom.${key}`, RULE_TYPE_OF[type]]),
  ]
  return fields.map(([field, type]) => ({ field, type, operators: [...OPERATORS[type]] }))
}
