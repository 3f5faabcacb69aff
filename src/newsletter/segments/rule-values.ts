import { normalForm } from '../../normal-form.ts'
import { domainKey, emailKey } from '../../address.ts'
import { DAY_MS } from '../../clock.ts'
import { pointerTo } from '../../pointer.ts'
import { isDay, isTimestamp } from '../../schema.ts'
import { GLOBAL_STATUSES, type MembershipStatus } from '../../store/tables/audience.ts'
import type { FieldDefinition } from '../contacts/custom-values.ts'
import { foldText } from '../contacts/rule-columns.ts'
import {
  LINK_FIELDS,
  MACHINE,
  MACHINE_DEFAULTS,
  MAX_DAYS,
  MAX_LINK,
  type RuleType,
  type StandardField,
} from './rule-fields.ts'

/** A field of a rule: where its value is, and which operators it has. */
export interface RuleField {
  name: StandardField | 'custom'
  type: RuleType
  /** The definition behind `custom.KEY`. */
  custom?: FieldDefinition
}

/** A checked rule. For texts, `eq` and `neq` become `in` and `not_in` with one value. */
export type Leaf =
  | TextLeaf
  | OrderedLeaf
  | LastDaysLeaf
  | { type: 'set'; field: RuleField; not: boolean }
  | { type: 'boolean'; field: RuleField; value: boolean }
  | MembersLeaf
  | EngagementLeaf
  | { type: 'constant'; matches: boolean }

export interface TextLeaf {
  type: 'text'
  field: RuleField
  operator: 'in' | 'not_in' | 'contains' | 'not_contains' | 'starts_with' | 'ends_with'
  /** Folded in the same way as the key columns of contacts. */
  values: string[]
}

/** A range of numbers, days (YYYY-MM-DD) or instants (ms) from `low` to `high`, both included. */
export interface OrderedLeaf {
  type: 'ordered'
  field: RuleField
  operator: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte' | 'between'
  low: number | string
  high: number | string
}

export interface LastDaysLeaf {
  type: 'last_days'
  field: RuleField
  not: boolean
  days: number
}

export interface MembersLeaf {
  type: 'list' | 'tag' | 'segment'
  not: boolean
  ids: number[]
  /** For lists: the membership status; subscribed when left out. */
  status?: MembershipStatus
}

export interface EngagementLeaf {
  type: 'engagement'
  event: 'open' | 'click' | 'engaged' | 'received'
  /** Whether opens and clicks by machines count; of the event `engaged`, only opens. */
  machine: boolean
  not: boolean
  campaign_id?: number
  in_last_days?: number
  /** The link of a click; any link when left out. */
  url?: string
}

/** An error in a value. `below` is a JSON pointer relative to the rule's `value`. */
interface ValueFlaw {
  below: string
  message: string
}

type Read = { leaf: Leaf } | { flaw: ValueFlaw }

export const MAX_TEXT = 1000
export const MAX_VALUES = 200

/** Checks the value of a rule for its field and operator. */
export function readLeaf(field: RuleField, operator: string, value: unknown): Read {
  if (operator === 'is_set' || operator === 'is_not_set') {
    return value === undefined || value === null
      ? { leaf: { type: 'set', field, not: operator === 'is_not_set' } }
      : wrong('This operator takes no value.')
  }
  return READERS[field.type](field, operator, value)
}

const READERS: Readonly<Record<RuleType, (field: RuleField, operator: string, value: unknown) => Read>> = {
  text: readText,
  number: readOrdered,
  date: readOrdered,
  boolean: (field, _, value) =>
    typeof value === 'boolean' ? { leaf: { type: 'boolean', field, value } } : wrong('Expected true or false.'),
  engagement: readEngagement,
  list: readMembers,
  tag: readMembers,
  segment: readMembers,
}

function readText(field: RuleField, operator: string, value: unknown): Read {
  const many = operator === 'in' || operator === 'not_in'
  if (many && !isListOf(value)) return wrong(`Expected an array of 1 to ${MAX_VALUES} texts.`)
  const given = many ? (value as unknown[]) : [value]
  const isWhole = many || operator === 'eq' || operator === 'neq'
  const isStatus = field.name === 'global_status' && isWhole
  const values: string[] = []
  for (const [index, text] of given.entries()) {
    const below = many ? `/${index}` : ''
    if (typeof text !== 'string' || text === '' || text.length > MAX_TEXT || text.includes('\u0000'))
      return wrong(`Expected a text of 1 to ${MAX_TEXT} characters.`, below)
    const folded = foldedAs(field, text.toWellFormed(), isWhole)
    if (isStatus && !(GLOBAL_STATUSES as readonly string[]).includes(folded))
      return wrong(`Expected one of: ${GLOBAL_STATUSES.join(', ')}.`, below)
    values.push(folded)
  }
  const normalized = operator === 'eq' ? 'in' : operator === 'neq' ? 'not_in' : (operator as TextLeaf['operator'])
  return { leaf: { type: 'text', field, operator: normalized, values } }
}

/** A text as the field stores it. A whole address or domain is found in every spelling. */
function foldedAs({ name }: RuleField, text: string, is_whole: boolean): string {
  if (name !== 'email' && name !== 'email_domain') return foldText(text)
  if (!is_whole) return normalForm(text).toLowerCase()
  return name === 'email' ? emailKey(text) : domainKey(text)
}

function readOrdered(field: RuleField, operator: string, value: unknown): Read {
  if (operator === 'in_last_days' || operator === 'not_in_last_days') {
    return isDays(value)
      ? { leaf: { type: 'last_days', field, not: operator === 'not_in_last_days', days: value } }
      : wrong(DAYS_EXPECTED)
  }
  const span = field.type === 'number' ? numberSpan : field.name === 'custom' ? daySpan : instantSpan
  const ends = operator === 'between' ? value : [value]
  if (!Array.isArray(ends) || (operator === 'between' && ends.length !== 2))
    return wrong('Expected an array of two values, the lower first.')
  const spans = ends.map(span)
  const missing = spans.findIndex((found) => found === null)
  if (missing !== -1)
    return wrong(SPAN_EXPECTED[field.type as 'number' | 'date'], operator === 'between' ? `/${missing}` : '')
  const { low } = spans[0]!
  const { high } = spans.at(-1)!
  if (low > high) return wrong('Expected an array of two values, the lower first.')
  return { leaf: { type: 'ordered', field, operator: operator as OrderedLeaf['operator'], low, high } }
}

/** The range that a value covers: a day covers the whole UTC day (docs/api/contacts.md#segment-rules). */
type Span = { low: number; high: number } | { low: string; high: string }

const SPAN_EXPECTED = {
  number: 'Expected a number.',
  date: 'Expected a day as YYYY-MM-DD or a time in ISO 8601 with its offset.',
}

function numberSpan(value: unknown): Span | null {
  return typeof value === 'number' && Number.isFinite(value) ? { low: value, high: value } : null
}

function instantSpan(value: unknown): Span | null {
  if (typeof value !== 'string') return null
  if (isDay(value)) {
    const low = Date.parse(`${value}T00:00:00Z`)
    return { low, high: low + DAY_MS - 1 }
  }
  const at = isTimestamp(value) ? Date.parse(value) : null
  return at === null ? null : { low: at, high: at }
}

/** Custom date fields hold days; a time stands for its UTC day. */
function daySpan(value: unknown): Span | null {
  const span = instantSpan(value)
  if (!span) return null
  const day = dayOf(span.low as number)
  return { low: day, high: day }
}

/** The UTC day of an instant. */
export function dayOf(at_ms: number): string {
  return new Date(at_ms).toISOString().slice(0, 10)
}

function readMembers({ type }: RuleField, operator: string, value: unknown): Read {
  const ids = isListOf(value) ? value : [value]
  const missing = ids.findIndex((id) => !isId(id))
  if (missing !== -1)
    return wrong(
      `Expected an id or an array of 1 to ${MAX_VALUES} ids.`,
      Array.isArray(value) && value.length > 0 ? `/${missing}` : '',
    )
  return { leaf: { type: type as MembersLeaf['type'], not: operator === 'not_in', ids: ids as number[] } }
}

function readEngagement({ name }: RuleField, _operator: string, value: unknown): Read {
  const { campaign_id, in_last_days, machine, url, ...unknown } = (value ?? {}) as Record<string, unknown>
  if (value !== undefined && (typeof value !== 'object' || value === null || Array.isArray(value)))
    return wrong('Expected an object; each of its properties may be left out.')
  const standard = name === 'custom' ? undefined : MACHINE_DEFAULTS[name]
  const [surprise] = Object.keys({
    ...unknown,
    ...(machine !== undefined && !standard && { machine }),
    ...(url !== undefined && !LINK_FIELDS.has(name) && { url }),
  })
  if (surprise !== undefined) return wrong('Unknown property.', pointerTo('', surprise))
  if (campaign_id !== undefined && !isId(campaign_id)) return wrong('Expected the id of a campaign.', '/campaign_id')
  if (in_last_days !== undefined && !isDays(in_last_days)) return wrong(DAYS_EXPECTED, '/in_last_days')
  if (machine !== undefined && !isMachine(machine)) return wrong(`Expected one of: ${MACHINE.join(', ')}.`, '/machine')
  if (url !== undefined && !isLink(url)) return wrong(`Expected a link of 1 to ${MAX_LINK} characters.`, '/url')
  const { event, not = false } = ENGAGEMENT[name]!
  const counts_machines = (machine ?? standard) === 'include'
  return { leaf: { type: 'engagement', event, not, machine: counts_machines, campaign_id, in_last_days, url } }
}

const ENGAGEMENT: Readonly<Partial<Record<RuleField['name'], { event: EngagementLeaf['event']; not?: true }>>> = {
  opened: { event: 'open' },
  clicked: { event: 'click' },
  received: { event: 'received' },
  not_opened: { event: 'open', not: true },
  not_clicked: { event: 'click', not: true },
  engaged: { event: 'engaged' },
  inactive: { event: 'engaged', not: true },
}

function isMachine(value: unknown): value is (typeof MACHINE)[number] {
  return (MACHINE as readonly unknown[]).includes(value)
}

function isLink(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_LINK
}

const DAYS_EXPECTED = `Expected a whole number of days from 1 to ${MAX_DAYS}.`

function isDays(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_DAYS
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1
}

function isListOf(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length >= 1 && value.length <= MAX_VALUES
}

function wrong(message: string, below = ''): { flaw: ValueFlaw } {
  return { flaw: { below, message } }
}
