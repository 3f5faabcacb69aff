import { byContactField } from '../../../src/shared/contact-fields.ts'
import type { CustomField, Operations, Rule } from '../api/operations.d.ts'

/** The fields that rules can use, as `schema/get` names them, with labels for people. */

export type Schema = Operations['schema/get']['response']
export type Operator = NonNullable<Rule['operator']>
type FieldType = 'text' | 'number' | 'date' | 'boolean' | 'list' | 'tag' | 'segment' | 'engagement'

export interface RuleField {
  name: string
  type: FieldType
  label: string
  operators: readonly Operator[]
  /** The only values that the field can have. */
  choices?: readonly { value: string; label: string }[]
  /** For engagement: what the condition means. */
  description?: string
  /** For engagement: whether opens and clicks by machines count unless said otherwise; absent where none can. */
  machine?: 'include' | 'exclude'
  /** For engagement: whether the condition can ask for one link. */
  has_link?: boolean
}

export interface FieldGroup {
  label: string
  fields: RuleField[]
}

const LABELS: Readonly<Record<string, string>> = {
  email: 'Address',
  email_domain: 'Domain of the address',
  ...byContactField(({ label }) => label),
  global_status: 'Status',
  created_at: 'Joined',
  updated_at: 'Changed',
  consent_at: 'Consent given',
  last_open_at: 'Last open',
  last_click_at: 'Last click',
  list: 'List',
  tag: 'Tag',
  segment: 'Segment',
  opened: 'Opened',
  clicked: 'Clicked in',
  received: 'Was sent',
  not_opened: 'Did not open',
  not_clicked: 'Did not click in',
  engaged: 'Opened or clicked in',
  inactive: 'Neither opened nor clicked in',
}

export const STATUS_CHOICES = [
  { value: 'subscribed', label: 'Subscribed' },
  { value: 'pending', label: 'Pending' },
  { value: 'unsubscribed', label: 'Unsubscribed' },
  { value: 'bounced', label: 'Bounced' },
  { value: 'complained', label: 'Complained' },
] as const

/** The fields in the groups under which they are offered. */
export function fieldGroups(schema: Schema, custom: readonly CustomField[]): FieldGroup[] {
  const groups: Record<'person' | 'audience' | 'engagement' | 'custom', RuleField[]> = {
    person: [],
    audience: [],
    engagement: [],
    custom: [],
  }
  for (const { field, type, operators } of schema.rule_fields) {
    const known = { name: field, type: type as FieldType, operators: operators as Operator[] }
    if (field.startsWith('custom.')) groups.custom.push({ ...known, ...customWords(field, custom) })
    else if (type === 'engagement')
      groups.engagement.push({ ...known, label: labelOf(field), ...engagement(schema, field) })
    else if (type === 'list' || type === 'tag' || type === 'segment')
      groups.audience.push({ ...known, label: labelOf(field) })
    else
      groups.person.push({
        ...known,
        label: labelOf(field),
        ...(field === 'global_status' && { choices: STATUS_CHOICES }),
      })
  }
  return [
    { label: 'Person', fields: groups.person },
    { label: 'Lists, tags, segments', fields: groups.audience },
    { label: 'What they did', fields: groups.engagement },
    { label: 'Your fields', fields: groups.custom },
  ].filter(({ fields }) => fields.length > 0)
}

function labelOf(field: string): string {
  return LABELS[field] ?? field.replaceAll('_', ' ')
}

function customWords(field: string, custom: readonly CustomField[]): Pick<RuleField, 'label' | 'choices'> {
  const key = field.slice('custom.'.length)
  const known = custom.find((entry) => entry.key === key)
  if (!known) return { label: key }
  return {
    label: known.label,
    ...(known.options && { choices: known.options.map((value) => ({ value, label: value })) }),
  }
}

function engagement(schema: Schema, field: string): Pick<RuleField, 'description' | 'machine' | 'has_link'> {
  const condition = schema.engagement_conditions.find((entry) => entry.field === field)
  const properties = condition?.value.properties as
    | { machine?: { default?: RuleField['machine'] }; url?: object }
    | undefined
  return {
    description: condition?.description,
    machine: properties?.machine?.default,
    has_link: properties?.url !== undefined,
  }
}

const PLAIN: Readonly<Record<Operator, string>> = {
  eq: 'is',
  neq: 'is not',
  contains: 'contains',
  not_contains: 'does not contain',
  starts_with: 'begins with',
  ends_with: 'ends with',
  in: 'is one of',
  not_in: 'is none of',
  is_set: 'has a value',
  is_not_set: 'has no value',
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  between: 'is between',
  in_last_days: 'is in the last',
  not_in_last_days: 'is not in the last',
}

const OF_DATES: Readonly<Partial<Record<Operator, string>>> = {
  eq: 'is on',
  neq: 'is not on',
  gt: 'is after',
  gte: 'is on or after',
  lt: 'is before',
  lte: 'is on or before',
}

const OF_LISTS: Readonly<Partial<Record<Operator, string>>> = { in: 'is on', not_in: 'is not on' }
const OF_SEGMENTS: Readonly<Partial<Record<Operator, string>>> = { in: 'is in', not_in: 'is not in' }

const WORDS: Readonly<Partial<Record<FieldType, Readonly<Partial<Record<Operator, string>>>>>> = {
  date: OF_DATES,
  list: OF_LISTS,
  segment: OF_SEGMENTS,
}

/** "is one of", "is before" */
export function operatorWords(operator: Operator, type: FieldType): string {
  return WORDS[type]?.[operator] ?? PLAIN[operator]
}

/** The initial rule for a field. Its value is still missing. */
export function newRule({ name, type, operators, choices }: RuleField): Rule {
  if (type === 'engagement') return { field: name, value: {} }
  if (type === 'boolean') return { field: name, operator: 'eq', value: true }
  const wanted: Operator =
    type === 'date' ? 'in_last_days' : choices ? 'in' : type === 'text' ? 'contains' : operators[0]!
  const operator = operators.includes(wanted) ? wanted : operators[0]!
  return { field: name, operator, ...(operator === 'in_last_days' && { value: 30 }) }
}

/** The rule with another operator. The value stays when both operators accept the same kind of value. */
export function withOperator(rule: Rule, operator: Operator, type: FieldType): Rule {
  const { value, ...rest } = rule
  if (type === 'list' || type === 'tag' || type === 'segment') return { ...rule, operator }
  const before = shapeOf(rule.operator)
  const after = shapeOf(operator)
  if (before === after) return { ...rule, operator }
  if (after === 'days') return { ...rest, operator, value: 30 }
  const single = Array.isArray(value) ? (value as unknown[])[0] : before === 'one' ? value : undefined
  if (single === undefined || after === 'none') return { ...rest, operator }
  if (after === 'many') return { ...rest, operator, value: [single] }
  if (after === 'pair') return { ...rest, operator, value: [single, ''] }
  return { ...rest, operator, value: single }
}

function shapeOf(operator: Operator | undefined): 'none' | 'one' | 'many' | 'pair' | 'days' {
  if (operator === undefined || operator === 'is_set' || operator === 'is_not_set') return 'none'
  if (operator === 'in' || operator === 'not_in') return 'many'
  if (operator === 'between') return 'pair'
  return operator === 'in_last_days' || operator === 'not_in_last_days' ? 'days' : 'one'
}
