import { type SQL, sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import { keptValue } from '../contacts/rule-columns.ts'
import type { StandardField } from './rule-fields.ts'
import { type Condition, type Group, isGroup } from './rule-read.ts'
import {
  DAY_MS,
  dayOf,
  type EngagementLeaf,
  type LastDaysLeaf,
  type Leaf,
  type MembersLeaf,
  type OrderedLeaf,
  type RuleField,
  type TextLeaf,
} from './rule-values.ts'

/**
 * A rule group as one condition over a row of `contacts` called `c`. Every value is a parameter.
 *
 * A contact without a value fits no comparison but the contrary ones (contract-details 29). In SQL such a comparison
 * is NULL, which AND and OR pass on as something that is not true; what turns it round, `not` and the contrary
 * operators, says IS NOT TRUE instead of NOT. The whole condition is 1 or 0.
 *
 * SQLite stops at the first part of a group that decides it, so what decides most for its price stands first; and rules
 * that ask the same of one field become one.
 */
export interface RuleContext {
  now: number
  /** The segments that the rules name; one that is missing is gone and fits nobody. */
  segments?: ReadonlyMap<number, Compiled>
}

/** The condition as a whole, 1 or 0 for each contact. */
export function ruleCondition(group: Group, context: RuleContext): SQL {
  return sql`(${compile(group, context).sql} IS TRUE)`
}

/** A condition that may still be NULL, and what is known of it. */
export interface Compiled {
  sql: SQL
  /** What it takes on average, in the time of comparing a column, by measurement. */
  cost: number
  /** The share of contacts that it is thought to fit. Wrong guesses cost time, nothing else. */
  share: number
}

const COST = { column: 1, text: 1.5, json: 8, tag: 11, list: 12, event: 20 }
const SHARE = { equal: 0.1, part: 0.2, range: 0.5, member: 0.5, tag: 0.2, event: 0.3 }

export function compile(condition: Condition, context: RuleContext): Compiled {
  if (!isGroup(condition)) return compileLeaf(condition, context)
  if (condition.rules.length === 0) return EVERYBODY
  const parts = merged(condition).map((rule) => compile(rule, context))
  if (condition.op === 'and') return all(parts)
  return condition.op === 'or' ? any(parts) : none(any(parts))
}

function all(parts: Compiled[]): Compiled {
  const inOrder = parts.toSorted((one, other) => one.cost / (1.01 - one.share) - other.cost / (1.01 - other.share))
  const [cost, share] = inOrder.reduce(([sum, reached], part) => [sum + part.cost * reached, reached * part.share], [
    0, 1,
  ] as [number, number])
  return {
    sql: joined(
      inOrder.map((part) => part.sql),
      sql` AND `,
    ),
    cost,
    share,
  }
}

function any(parts: Compiled[]): Compiled {
  const inOrder = parts.toSorted((one, other) => one.cost / (0.01 + one.share) - other.cost / (0.01 + other.share))
  const [cost, left] = inOrder.reduce(
    ([sum, reached], part) => [sum + part.cost * reached, reached * (1 - part.share)],
    [0, 1] as [number, number],
  )
  return {
    sql: joined(
      inOrder.map((part) => part.sql),
      sql` OR `,
    ),
    cost,
    share: 1 - left,
  }
}

function none({ sql: condition, cost, share }: Compiled): Compiled {
  return { sql: sql`(${condition} IS NOT TRUE)`, cost, share: 1 - share }
}

const EVERYBODY: Compiled = { sql: sql`1`, cost: 0, share: 1 }
const NOBODY: Compiled = { sql: sql`0`, cost: 0, share: 0 }

/** Joined in halves: SQLite bounds how deep an expression may be, and a chain of a hundred is a hundred deep. */
function joined(parts: SQL[], by: SQL): SQL {
  if (parts.length === 1) return parts[0]!
  const half = parts.length >> 1
  return sql`(${joined(parts.slice(0, half), by)}${by}${joined(parts.slice(half), by)})`
}

/**
 * The rules of a group, fewer where some can be asked as one: in an `or` (and in a `not`, which is none of them) "is
 * one of these" with "is one of those", in an `and` the contrary of it.
 */
function merged({ op, rules }: Group): Condition[] {
  const kept: Condition[] = []
  const places = new Map<string, number>()
  for (const rule of rules) {
    const key = isGroup(rule) ? null : mergeKey(rule, op === 'and')
    const place = key === null ? undefined : places.get(key)
    if (place !== undefined)
      kept[place] = together(kept[place] as TextLeaf | MembersLeaf, rule as TextLeaf | MembersLeaf)
    else {
      if (key !== null) places.set(key, kept.length)
      kept.push(rule)
    }
  }
  return kept
}

/** What two rules must share to be asked as one; null for a rule that stands alone. */
function mergeKey(rule: Leaf, contrary: boolean): string | null {
  if (rule.type === 'text') {
    const mergeable = rule.operator === (contrary ? 'not_in' : 'in')
    return mergeable ? `${rule.field.name} ${rule.field.custom?.key ?? ''}` : null
  }
  const isMembers = rule.type === 'list' || rule.type === 'tag' || rule.type === 'segment'
  return isMembers && rule.not === contrary ? `${rule.type} ${rule.status ?? 'subscribed'}` : null
}

function together(one: TextLeaf | MembersLeaf, other: TextLeaf | MembersLeaf): Leaf {
  if (one.type === 'text' && other.type === 'text') return { ...one, values: [...one.values, ...other.values] }
  return { ...(one as MembersLeaf), ids: [...(one as MembersLeaf).ids, ...(other as MembersLeaf).ids] }
}

function compileLeaf(leaf: Leaf, context: RuleContext): Compiled {
  switch (leaf.type) {
    case 'constant':
      return leaf.fits ? EVERYBODY : NOBODY
    case 'text':
      return compileText(leaf)
    case 'ordered':
      return compileOrdered(leaf)
    case 'last_days':
      return compileLastDays(leaf, context.now)
    case 'set': {
      const { value, cost } = valueOf(leaf.field)
      const isSet = {
        sql: leaf.field.type === 'text' ? sql`(${value} <> '')` : sql`(${value} IS NOT NULL)`,
        cost,
        share: SHARE.range,
      }
      return leaf.not ? none(isSet) : isSet
    }
    case 'boolean': {
      const { value, cost } = valueOf(leaf.field)
      return { sql: sql`(${value} = ${leaf.value ? 1 : 0})`, cost, share: SHARE.range }
    }
    case 'engagement':
      return exists(engagementQuery(leaf, context.now), leaf.not, COST.event, SHARE.event)
    case 'list':
      return exists(membershipQuery(leaf), leaf.not, COST.list, SHARE.member)
    case 'tag':
      return exists(
        sql`SELECT 1 FROM contact_tags t WHERE t.contact_id = c.id AND t.tag_id ${isId(leaf.ids)}`,
        leaf.not,
        COST.tag,
        SHARE.tag,
      )
    case 'segment':
      return compileSegments(leaf, context)
  }
}

function exists(query: SQL, not: boolean, cost: number, share: number): Compiled {
  return { sql: sql`(${not ? sql`NOT ` : sql``}EXISTS (${query}))`, cost, share: not ? 1 - share : share }
}

function compileText({ field, operator, values }: TextLeaf): Compiled {
  const { value, cost } = valueOf(field)
  const text = values[0]!
  const part = (condition: SQL, factor = COST.text): Compiled => ({
    sql: condition,
    cost: cost * factor,
    share: SHARE.part,
  })
  switch (operator) {
    case 'in':
      return isOneOf(value, cost, values)
    case 'not_in':
      return none(isOneOf(value, cost, values))
    case 'contains':
      return part(sql`(instr(${value}, ${text}) > 0)`)
    case 'not_contains':
      return none(part(sql`(instr(${value}, ${text}) > 0)`))
    // Two comparisons take less than cutting off the beginning. Nothing sorts behind U+10FFFF, which is no character.
    case 'starts_with':
      return part(sql`(${value} >= ${text} AND ${value} < ${`${text}\u{10FFFF}`})`)
    case 'ends_with':
      return part(sql`(substr(${value}, ${-[...text].length}) = ${text})`, COST.text * 2)
  }
}

function isOneOf(value: SQL, cost: number, values: readonly string[]): Compiled {
  if (values.length === 1) return { sql: sql`(${value} = ${values[0]})`, cost, share: SHARE.equal }
  return {
    sql: sql`(${value} IN (SELECT value FROM json_each(${jsonText(values)})))`,
    cost: cost * COST.text,
    share: Math.min(0.9, SHARE.equal * values.length),
  }
}

function compileOrdered({ field, operator, low, high }: OrderedLeaf): Compiled {
  const { value, cost } = valueOf(field)
  const range = (condition: SQL): Compiled => ({ sql: condition, cost, share: SHARE.range })
  const within =
    low === high
      ? { ...range(sql`(${value} = ${low})`), share: SHARE.equal }
      : range(sql`(${value} BETWEEN ${low} AND ${high})`)
  switch (operator) {
    case 'eq':
    case 'between':
      return within
    case 'neq':
      return none(within)
    case 'gt':
      return range(sql`(${value} > ${high})`)
    case 'gte':
      return range(sql`(${value} >= ${low})`)
    case 'lt':
      return range(sql`(${value} < ${low})`)
    case 'lte':
      return range(sql`(${value} <= ${high})`)
  }
}

function compileLastDays({ field, not, days }: LastDaysLeaf, now: number): Compiled {
  const { value, cost } = valueOf(field)
  const from = now - days * DAY_MS
  const [low, high] = field.name === 'custom' ? [dayOf(from), dayOf(now)] : [from, now]
  const within = { sql: sql`(${value} BETWEEN ${low} AND ${high})`, cost, share: SHARE.part }
  return not ? none(within) : within
}

/** The expression that holds what a rule compares. */
function valueOf({ name, custom }: RuleField): { value: SQL; cost: number } {
  if (name === 'custom') return { value: keptValue(custom!), cost: custom!.slot === null ? COST.json : COST.column }
  return STANDARD_VALUES[name]!
}

const column = (name: string) => ({ value: sql.raw(`c.${name}`), cost: COST.column })
const lastEvent = (type: 'open' | 'click') => ({
  value: sql`(SELECT max(e.at) FROM events e WHERE e.contact_id = c.id AND ${ofPeople(type)})`,
  cost: COST.event,
})

const STANDARD_VALUES: Readonly<Partial<Record<StandardField, { value: SQL; cost: number }>>> = {
  email: column('email_key'),
  email_domain: { value: sql.raw(`substr(c.email_key, instr(c.email_key, '@') + 1)`), cost: COST.text * 2 },
  first_name: column('first_name_key'),
  last_name: column('last_name_key'),
  global_status: column('global_status'),
  created_at: column('created_at'),
  updated_at: column('updated_at'),
  consent_at: column('consent_at'),
  last_open_at: lastEvent('open'),
  last_click_at: lastEvent('click'),
}

/** In the words of the index `events_engagement`, which holds nothing else. */
function ofPeople(type: 'open' | 'click'): SQL {
  return sql.raw(`e.machine = 0 AND e.type IN ('open', 'click') AND e.type = '${type}'`)
}

function engagementQuery({ event, campaign_id, in_last_days }: EngagementLeaf, now: number): SQL {
  const [row, at] = event === 'received' ? ['d', 'sent_at'] : ['e', 'at']
  const campaign = campaign_id === undefined ? sql`` : sql` AND ${sql.raw(row!)}.campaign_id = ${campaign_id}`
  const since =
    in_last_days === undefined ? sql`` : sql` AND ${sql.raw(`${row}.${at}`)} >= ${now - in_last_days * DAY_MS}`
  return event === 'received'
    ? sql`SELECT 1 FROM deliveries d WHERE d.contact_id = c.id AND d.kind = 'campaign' AND d.status = 'sent'${campaign}${since}`
    : sql`SELECT 1 FROM events e WHERE e.contact_id = c.id AND ${ofPeople(event)}${campaign}${since}`
}

function membershipQuery({ ids, status = 'subscribed' }: MembersLeaf): SQL {
  return sql`SELECT 1 FROM memberships m WHERE m.contact_id = c.id AND m.list_id ${isId(ids)} AND m.status = ${status}`
}

function isId(ids: readonly number[]): SQL {
  return ids.length === 1 ? sql`= ${ids[0]}` : sql`IN (SELECT value FROM json_each(${jsonText(ids)}))`
}

function compileSegments({ ids, not }: MembersLeaf, { segments }: RuleContext): Compiled {
  const named = [...new Set(ids)].flatMap((id) => segments?.get(id) ?? [])
  if (named.length === 0) return not ? EVERYBODY : NOBODY
  const found = any(named)
  return not ? none(found) : found
}
