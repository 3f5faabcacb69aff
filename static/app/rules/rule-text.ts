import { day, number } from '../ui/format.ts'
import { operatorWords, type RuleField } from './fields.ts'
import { type Group, isGroup, type Member, type Rule } from './tree.ts'

/** Rules as a sentence, for a question that a person has to read and answer. */

/** The names of what rules refer to. Null: it was deleted. Undefined: not loaded yet. */
export interface Names {
  field(name: string): RuleField | null | undefined
  list(id: number): string | null | undefined
  tag(id: number): string | null | undefined
  segment(id: number): string | null | undefined
  campaign(id: number): string | null | undefined
}

/** "Country is one of Norway, Sweden and (Opened any campaign or Tag is one of customer)" */
export function groupWords(group: Group, names: Names): string {
  if (group.rules.length === 0) return 'Everybody'
  return groupText(group, names, true)
}

const JOINS: Record<Group['op'], string> = { and: ' and ', or: ' or ', not: ' or ' }

function groupText(group: Group, names: Names, is_outermost: boolean): string {
  const parts = group.rules.map((member) => memberText(member, names))
  const text = parts.join(JOINS[group.op])
  if (group.op === 'not') return `not (${text})`
  return is_outermost || parts.length === 1 ? text : `(${text})`
}

function memberText(member: Member, names: Names): string {
  if (!isGroup(member)) return ruleWords(member, names)
  return member.rules.length === 0 ? 'everybody' : groupText(member, names, false)
}

/** "Joined is in the last 30 days" */
export function ruleWords(rule: Rule, names: Names): string {
  const field = names.field(rule.field)
  if (!field) return rule.field === '' ? 'an unfinished rule' : `${rule.field} (deleted)`
  if (field.type === 'engagement') return [field.label, ...engagementWords(rule.value, names)].join(' ')
  const operator = operatorWords(rule.operator ?? 'eq', field.type)
  return [field.label, operator, valueWords(rule, field, names), statusWords(rule)].filter(Boolean).join(' ')
}

function statusWords({ field, status }: Rule): string {
  return field === 'list' && status !== undefined && status !== 'subscribed' ? `(${status})` : ''
}

function engagementWords(value: unknown, names: Names): string[] {
  const { campaign_id, in_last_days, url } = (value ?? {}) as {
    campaign_id?: number
    in_last_days?: number
    url?: string
  }
  return [
    campaign_id === undefined ? 'any campaign' : quoted(names.campaign(campaign_id), 'a campaign'),
    ...(url === undefined ? [] : [`the link ${url}`]),
    ...(in_last_days === undefined ? [] : [`in the last ${number(in_last_days)} days`]),
  ]
}

function quoted(name: string | null | undefined, kind: string): string {
  if (name === null) return `${kind} that was deleted`
  return name === undefined ? '…' : `“${name}”`
}

function valueWords({ operator, value }: Rule, field: RuleField, names: Names): string {
  if (operator === 'is_set' || operator === 'is_not_set') return ''
  if (operator === 'in_last_days' || operator === 'not_in_last_days') return `${String(value)} days`
  const values = Array.isArray(value) ? (value as unknown[]) : [value]
  const words = values.map((entry) => oneValue(entry, field, names))
  return words.join(operator === 'between' ? ' and ' : ', ')
}

function oneValue(value: unknown, field: RuleField, names: Names): string {
  if (field.type === 'list' || field.type === 'tag' || field.type === 'segment')
    return quoted(names[field.type](Number(value)), `a ${field.type}`)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return number(value)
  if (typeof value !== 'string' || value === '') return '…'
  if (field.type === 'date') return day(value, 'UTC')
  return field.choices?.find((choice) => choice.value === value)?.label ?? `“${value}”`
}
