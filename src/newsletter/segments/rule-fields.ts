import type { FieldType } from '../../store/tables/audience.ts'

/** What a rule may be about, and what it may ask of it. The API tells these tables as they are. */
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

/** The fields that every project has; `custom.KEY` stands for its own. */
export const STANDARD_FIELDS = {
  email: 'text',
  email_domain: 'text',
  first_name: 'text',
  last_name: 'text',
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
} as const satisfies Record<string, RuleType>
export type StandardField = keyof typeof STANDARD_FIELDS

/** A select is a text to a rule. */
export const RULE_TYPE_OF: Readonly<Record<FieldType, RuleType>> = {
  text: 'text',
  select: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
}

/** The longest that a rule looks back, in days. */
export const MAX_DAYS = 36_500

const ENGAGEMENT_VALUE = {
  type: 'object',
  additionalProperties: false,
  properties: {
    campaign_id: { type: 'integer', minimum: 1, description: 'In this campaign; in any when left out.' },
    in_last_days: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_DAYS,
      description: 'Within so many days before now; ever when left out.',
    },
  },
}

/** What people did with campaigns; machines that open and click before them do not count. */
export const ENGAGEMENT_CONDITIONS = [
  { field: 'opened', description: 'Opened a campaign.' },
  { field: 'clicked', description: 'Clicked a link in a campaign.' },
  { field: 'received', description: 'Was sent a campaign.' },
  { field: 'not_opened', description: 'Did not open any, whether sent one or not.' },
  { field: 'not_clicked', description: 'Did not click in any, whether sent one or not.' },
].map((condition) => ({ ...condition, value: ENGAGEMENT_VALUE }))

/** Every field of a project with its operators, as schema/get lists them. */
export function ruleFields(
  custom: readonly { key: string; type: FieldType }[],
): { field: string; type: RuleType; operators: Operator[] }[] {
  const fields: [string, RuleType][] = [
    ...Object.entries(STANDARD_FIELDS),
    ...custom.map(({ key, type }): [string, RuleType] => [`custom.${key}`, RULE_TYPE_OF[type]]),
  ]
  return fields.map(([field, type]) => ({ field, type, operators: [...OPERATORS[type]] }))
}
