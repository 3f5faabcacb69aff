import { DAY_MS } from '../../clock.ts'
import { byContactField } from '../../shared/contact-fields.ts'
import { type SQL, sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import { comparisonValue, keyColumn } from '../contacts/rule-columns.ts'
import type { StandardField } from './rule-fields.ts'
import {
  dayOf,
  type EngagementLeaf,
  type LastDaysLeaf,
  type Leaf,
  type MembersLeaf,
  type OrderedLeaf,
  type RuleField,
  type TextLeaf,
} from './rule-values.ts'
import { ALL_CONTACTS, anyOf, NO_CONTACTS, not, type SqlCondition } from './sql-condition.ts'

/** Compiles a single rule into a condition about a row of `contacts` under the alias `contact`. */

export interface RuleContext {
  now: number
  /** The compiled segments that rules name, by id. A deleted segment is missing and matches no contact. */
  segments?: ReadonlyMap<number, SqlCondition>
}

/** Evaluation times in units of one column comparison, measured with bench/workloads/segments.ts. */
const COST = { column: 1, text: 1.5, json: 8, tag: 11, list: 12, event: 20 }
/** Shares of matching contacts that are assumed by kind of comparison. */
const SHARE = { equal: 0.1, part: 0.2, range: 0.5, member: 0.5, tag: 0.2, event: 0.3 }

export function compileLeaf(leaf: Leaf, context: RuleContext): SqlCondition {
  // TypeScript does not see that the type of the leaf also chooses the function.
  return (COMPILERS[leaf.type] as (leaf: Leaf, context: RuleContext) => SqlCondition)(leaf, context)
}

type Compilers = { [Type in Leaf['type']]: (leaf: Leaf & { type: Type }, context: RuleContext) => SqlCondition }

const COMPILERS: Readonly<Compilers> = {
  constant: ({ matches }) => (matches ? ALL_CONTACTS : NO_CONTACTS),
  text: compileText,
  ordered: compileOrdered,
  last_days: (leaf, { now }) => compileLastDays(leaf, now),
  set: ({ field, not: negated }) => {
    const { value, cost } = valueOf(field)
    const set = field.type === 'text' ? sql`(${value} <> '')` : sql`(${value} IS NOT NULL)`
    const isSet = { sql: set, cost, share: SHARE.range }
    return negated ? not(isSet) : isSet
  },
  boolean: (leaf) => {
    const { value, cost } = valueOf(leaf.field)
    return { sql: sql`(${value} = ${leaf.value ? 1 : 0})`, cost, share: SHARE.range }
  },
  engagement: (leaf, { now }) => exists(engagementQuery(leaf, now), leaf.not, COST.event, SHARE.event),
  list: (leaf) => exists(membershipQuery(leaf), leaf.not, COST.list, SHARE.member),
  tag: ({ ids, not: negated }) =>
    exists(
      sql`SELECT 1 FROM contact_tags tagged WHERE tagged.contact_id = contact.id AND tagged.tag_id ${isId(ids)}`,
      negated,
      COST.tag,
      SHARE.tag,
    ),
  segment: compileSegments,
}

function exists(query: SQL, negated: boolean, cost: number, share: number): SqlCondition {
  return { sql: sql`(${negated ? sql`NOT ` : sql``}EXISTS (${query}))`, cost, share: negated ? 1 - share : share }
}

function compileText({ field, operator, values }: TextLeaf): SqlCondition {
  const { value, cost } = valueOf(field)
  const text = values[0]!
  const part = (holds: (value: SQL) => SQL, factor = COST.text): SqlCondition => {
    const shown = SHOWN_ADDRESS[field.name]
    return {
      sql: shown ? sql`(${holds(value)} OR ${isAlsoShown(holds(shown))})` : sql`(${holds(value)})`,
      cost: cost * factor * (shown ? 2 : 1),
      share: SHARE.part,
    }
  }
  switch (operator) {
    case 'in':
      return isOneOf(value, cost, values)
    case 'not_in':
      return not(isOneOf(value, cost, values))
    case 'contains':
      return part((one) => sql`instr(${one}, ${text}) > 0`)
    case 'not_contains':
      return not(part((one) => sql`instr(${one}, ${text}) > 0`))
    // A range is faster than substr(). U+10FFFF is no character, so no text sorts after it.
    case 'starts_with':
      return part((one) => sql`${one} >= ${text} AND ${one} < ${`${text}\u{10FFFF}`}`)
    case 'ends_with':
      return part((one) => sql`substr(${one}, ${-[...text].length}) = ${text}`, COST.text * 2)
  }
}

function isOneOf(value: SQL, cost: number, values: readonly string[]): SqlCondition {
  if (values.length === 1) return { sql: sql`(${value} = ${values[0]})`, cost, share: SHARE.equal }
  return {
    sql: sql`(${value} IN (SELECT value FROM json_each(${jsonText(values)})))`,
    cost: cost * COST.text,
    share: Math.min(0.9, SHARE.equal * values.length),
  }
}

function compileOrdered({ field, operator, low, high }: OrderedLeaf): SqlCondition {
  const { value, cost } = valueOf(field)
  const within: SqlCondition = {
    sql: low === high ? sql`(${value} = ${low})` : sql`(${value} BETWEEN ${low} AND ${high})`,
    cost,
    share: low === high ? SHARE.equal : SHARE.range,
  }
  if (operator === 'neq') return not(within)
  const bound = BOUNDS[operator]
  return bound ? { sql: sql`(${value} ${bound(low, high)})`, cost, share: SHARE.range } : within
}

type Bound = (low: number | string, high: number | string) => SQL
const BOUNDS: Readonly<Partial<Record<OrderedLeaf['operator'], Bound>>> = {
  gt: (_, high) => sql`> ${high}`,
  gte: (low) => sql`>= ${low}`,
  lt: (low) => sql`< ${low}`,
  lte: (_, high) => sql`<= ${high}`,
}

function compileLastDays({ field, not: negated, days }: LastDaysLeaf, now: number): SqlCondition {
  const { value, cost } = valueOf(field)
  const from = now - days * DAY_MS
  const [low, high] = field.name === 'custom' ? [dayOf(from), dayOf(now)] : [from, now]
  const within = { sql: sql`(${value} BETWEEN ${low} AND ${high})`, cost, share: SHARE.part }
  return negated ? not(within) : within
}

/** The expression whose value a rule compares. */
function valueOf({ name, custom }: RuleField): { value: SQL; cost: number } {
  if (name === 'custom')
    return { value: comparisonValue(custom!), cost: custom!.slot === null ? COST.json : COST.column }
  return STANDARD_VALUES[name]!
}

const column = (name: string) => ({ value: sql.raw(`contact.${name}`), cost: COST.column })
const lastEvent = (type: 'open' | 'click') => ({
  value: sql`(SELECT max(event.at) FROM events event WHERE event.contact_id = contact.id AND ${happened(type, false)})`,
  cost: COST.event,
})

const STANDARD_VALUES: Readonly<Partial<Record<StandardField, { value: SQL; cost: number }>>> = {
  email: column('email_key'),
  email_domain: { value: sql.raw(`substr(contact.email_key, instr(contact.email_key, '@') + 1)`), cost: COST.text * 2 },
  ...byContactField(({ name }) => column(keyColumn(name))),
  global_status: column('global_status'),
  created_at: column('created_at'),
  updated_at: column('updated_at'),
  consent_at: column('consent_at'),
  last_open_at: lastEvent('open'),
  last_click_at: lastEvent('click'),
}

/** The address of a row `shown` as people see it, in lower case: the first word of what a search looks in. */
const SHOWN = `substr(shown.search_key, 1, instr(shown.search_key || ' ', ' ') - 1)`

/** The shown form of an address, which a rule also compares when the key spells the domain in A-labels (`xn--…`). */
const SHOWN_ADDRESS: Readonly<Partial<Record<RuleField['name'], SQL>>> = {
  email: sql.raw(SHOWN),
  email_domain: sql.raw(`substr(${SHOWN}, instr(${SHOWN}, '@') + 1)`),
}

/** Looks at the row of few contacts only: what people see is in no index of rules. */
function isAlsoShown(condition: SQL): SQL {
  return sql`(instr(contact.email_key, 'xn--') > 0
    AND EXISTS (SELECT 1 FROM contacts shown WHERE shown.id = contact.id AND ${condition}))`
}

/**
 * A condition on an event: a click, or an open, which a click is as well. Repeats the WHERE clause of the partial index
 * `events_engagement`, so that SQLite can use it.
 */
function happened(event: 'open' | 'click' | 'engaged', machine: boolean): SQL {
  const type = event === 'click' ? ` AND event.type = 'click'` : ''
  const people = event === 'engaged' && machine ? ` AND (event.type = 'open' OR event.machine = 0)` : ''
  return sql.raw(`event.type IN ('open', 'click')${type}${people}${machine ? '' : ' AND event.machine = 0'}`)
}

function engagementQuery({ event, machine, campaign_id, in_last_days, url }: EngagementLeaf, now: number): SQL {
  const [row, at] = event === 'received' ? ['delivery', 'sent_at'] : ['event', 'at']
  const campaign = campaign_id === undefined ? sql`` : sql` AND ${sql.raw(row!)}.campaign_id = ${campaign_id}`
  const since =
    in_last_days === undefined ? sql`` : sql` AND ${sql.raw(`${row}.${at}`)} >= ${now - in_last_days * DAY_MS}`
  const link = url === undefined ? sql`` : sql` AND event.url = ${url}`
  return event === 'received'
    ? sql`
        SELECT 1 FROM deliveries delivery
        WHERE delivery.contact_id = contact.id AND delivery.kind = 'campaign'
          AND delivery.status = 'sent'${campaign}${since}`
    : sql`
        SELECT 1 FROM events event
        WHERE event.contact_id = contact.id AND ${happened(event, machine)}${campaign}${since}${link}`
}

function membershipQuery({ ids, status = 'subscribed' }: MembersLeaf): SQL {
  return sql`
    SELECT 1 FROM memberships membership
    WHERE membership.contact_id = contact.id AND membership.list_id ${isId(ids)} AND membership.status = ${status}`
}

function isId(ids: readonly number[]): SQL {
  return ids.length === 1 ? sql`= ${ids[0]}` : sql`IN (SELECT value FROM json_each(${jsonText(ids)}))`
}

function compileSegments({ ids, not: negated }: MembersLeaf, { segments }: RuleContext): SqlCondition {
  const named = [...new Set(ids)].flatMap((id) => segments?.get(id) ?? [])
  if (named.length === 0) return negated ? ALL_CONTACTS : NO_CONTACTS
  const found = anyOf(named)
  return negated ? not(found) : found
}
