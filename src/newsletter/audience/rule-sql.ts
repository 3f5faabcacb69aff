import { type SQL, sql } from 'drizzle-orm'
import { keptValue } from './keys.ts'
import type { StandardField } from './rule-fields.ts'
import { type Condition, type Group, isGroup } from './rule-read.ts'
import { DAY_MS, dayOf, type EngagementLeaf, type Leaf, type MembersLeaf, type OrderedLeaf, type RuleField, type TextLeaf } from './rule-values.ts'

/**
 * A rule group as one condition over a row of `contacts` called `c`. Every value is a parameter.
 *
 * A contact without a value fits no comparison but the contrary ones (contract-details 29). In SQL such a comparison
 * is NULL, which AND and OR pass on as something that is not true; what turns it round, `not` and the contrary
 * operators, says IS NOT TRUE instead of NOT. The whole condition is 1 or 0.
 *
 * Within a group what costs least stands first, as SQLite stops at the first that decides, and rules that ask the
 * same of one field become one.
 */
export interface RuleContext {
  now: number
  /** Conditions of the segments that the rules name; one that is missing is gone and fits nobody. */
  segments?: ReadonlyMap<number, SQL>
}

export function ruleCondition(group: Group, context: RuleContext): SQL {
  return sql`(${compile(group, context).sql} IS TRUE)`
}

interface Compiled {
  sql: SQL
  cost: number
}

/** How long a condition takes, in the time of comparing a column, by measurement. */
const COST = { constant: 0, column: 1, text: 1.5, json: 8, tag: 11, list: 12, event: 20, segment: 40 }

function compile(condition: Condition, context: RuleContext): Compiled {
  if (!isGroup(condition)) return compileLeaf(condition, context)
  if (condition.rules.length === 0) return EVERYBODY
  const parts = merged(condition).map((rule) => compile(rule, context)).sort((one, other) => one.cost - other.cost)
  const cost = parts.reduce((sum, part) => sum + part.cost, 0)
  if (condition.op === 'and') return { sql: joined(parts.map((part) => part.sql), sql` AND `), cost }
  const any = joined(parts.map((part) => part.sql), sql` OR `)
  return { sql: condition.op === 'or' ? any : isNot(any), cost }
}

const EVERYBODY: Compiled = { sql: sql`1`, cost: COST.constant }
const NOBODY: Compiled = { sql: sql`0`, cost: COST.constant }

const isNot = (condition: SQL): SQL => sql`(${condition} IS NOT TRUE)`

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
  const found = new Map<string, TextLeaf | MembersLeaf>()
  const kept: Condition[] = []
  for (const rule of rules) {
    const key = isGroup(rule) ? null : mergeKey(rule, op === 'and')
    const before = key === null ? undefined : found.get(key)
    if (before) add(before, rule as TextLeaf | MembersLeaf)
    else kept.push(key === null ? rule : remember(found, key, structuredCopy(rule as TextLeaf | MembersLeaf)))
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

function remember(found: Map<string, TextLeaf | MembersLeaf>, key: string, rule: TextLeaf | MembersLeaf): Condition {
  found.set(key, rule)
  return rule
}

function structuredCopy(rule: TextLeaf | MembersLeaf): TextLeaf | MembersLeaf {
  return rule.type === 'text' ? { ...rule, values: [...rule.values] } : { ...rule, ids: [...rule.ids] }
}

function add(into: TextLeaf | MembersLeaf, rule: TextLeaf | MembersLeaf): void {
  if (into.type === 'text' && rule.type === 'text') into.values.push(...rule.values)
  else if (into.type !== 'text' && rule.type !== 'text') into.ids.push(...rule.ids)
}

function compileLeaf(leaf: Leaf, context: RuleContext): Compiled {
  switch (leaf.type) {
    case 'constant': return leaf.fits ? EVERYBODY : NOBODY
    case 'text': return compileText(leaf)
    case 'ordered': return compileOrdered(leaf)
    case 'last_days': {
      const { value, cost } = valueOf(leaf.field)
      const from = context.now - leaf.days * DAY_MS
      const ends = leaf.field.name === 'custom' ? [dayOf(from), dayOf(context.now)] : [from, context.now]
      const within = sql`${value} BETWEEN ${ends[0]} AND ${ends[1]}`
      return { sql: leaf.not ? isNot(within) : sql`(${within})`, cost }
    }
    case 'set': {
      const { value, cost } = valueOf(leaf.field)
      const isSet = leaf.field.type === 'text' ? sql`(${value} <> '')` : sql`(${value} IS NOT NULL)`
      return { sql: leaf.not ? isNot(isSet) : isSet, cost }
    }
    case 'boolean': {
      const { value, cost } = valueOf(leaf.field)
      return { sql: sql`(${value} = ${leaf.value ? 1 : 0})`, cost }
    }
    case 'engagement': return { sql: compileEngagement(leaf, context.now), cost: COST.event }
    case 'segment': return compileSegments(leaf, context)
    default: return { sql: sql`(${leaf.not ? sql`NOT ` : sql``}EXISTS (${membersQuery(leaf)}))`, cost: COST[leaf.type] }
  }
}

function compileText({ field, operator, values }: TextLeaf): Compiled {
  const { value, cost } = valueOf(field)
  const text = values[0]!
  switch (operator) {
    case 'in': return { sql: isOneOf(value, values), cost: cost + (values.length > 1 ? COST.text : 0) }
    case 'not_in': return { sql: values.length === 1 ? sql`(${value} IS NOT ${text})` : isNot(isOneOf(value, values)), cost: cost + COST.text }
    case 'contains': return { sql: sql`(instr(${value}, ${text}) > 0)`, cost: cost + COST.text }
    case 'not_contains': return { sql: isNot(sql`(instr(${value}, ${text}) > 0)`), cost: cost + COST.text }
    // Two comparisons take half the time of cutting off the beginning. Nothing sorts behind U+10FFFF, which is no character.
    case 'starts_with': return { sql: sql`(${value} >= ${text} AND ${value} < ${`${text}\u{10FFFF}`})`, cost: cost * 2 }
    case 'ends_with': return { sql: sql`(substr(${value}, ${-[...text].length}) = ${text})`, cost: cost + COST.text }
  }
}

function isOneOf(value: SQL, values: readonly string[]): SQL {
  return values.length === 1 ? sql`(${value} = ${values[0]})` : sql`(${value} IN (SELECT value FROM json_each(${JSON.stringify(values)})))`
}

function compileOrdered({ field, operator, low, high }: OrderedLeaf): Compiled {
  const { value, cost } = valueOf(field)
  const within = low === high ? sql`(${value} = ${low})` : sql`(${value} BETWEEN ${low} AND ${high})`
  switch (operator) {
    case 'eq':
    case 'between': return { sql: within, cost }
    case 'neq': return { sql: isNot(within), cost }
    case 'gt': return { sql: sql`(${value} > ${high})`, cost }
    case 'gte': return { sql: sql`(${value} >= ${low})`, cost }
    case 'lt': return { sql: sql`(${value} < ${low})`, cost }
    case 'lte': return { sql: sql`(${value} <= ${high})`, cost }
  }
}

/** The expression that holds what a rule compares. */
function valueOf({ name, custom }: RuleField): { value: SQL; cost: number } {
  if (name === 'custom') return { value: keptValue(custom!), cost: custom!.slot === null ? COST.json : COST.column }
  return STANDARD_VALUES[name]!
}

const column = (name: string) => ({ value: sql.raw(`c.${name}`), cost: COST.column })
const lastEvent = (type: 'open' | 'click') => ({ value: sql`(SELECT max(e.at) FROM events e WHERE e.contact_id = c.id AND ${ofPeople(type)})`, cost: COST.event })

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

function compileEngagement({ event, not, campaign_id, in_last_days }: EngagementLeaf, now: number): SQL {
  const since = in_last_days === undefined ? null : now - in_last_days * DAY_MS
  const campaign = (name: string) => (campaign_id === undefined ? sql`` : sql` AND ${sql.raw(name)} = ${campaign_id}`)
  const found = event === 'received'
    ? sql`SELECT 1 FROM deliveries d WHERE d.contact_id = c.id AND d.kind = 'campaign' AND d.status = 'sent'${campaign('d.campaign_id')}${since === null ? sql`` : sql` AND d.sent_at >= ${since}`}`
    : sql`SELECT 1 FROM events e WHERE e.contact_id = c.id AND ${ofPeople(event)}${campaign('e.campaign_id')}${since === null ? sql`` : sql` AND e.at >= ${since}`}`
  return sql`(${not ? sql`NOT ` : sql``}EXISTS (${found}))`
}

function membersQuery({ type, ids, status = 'subscribed' }: MembersLeaf): SQL {
  if (type === 'tag') return sql`SELECT 1 FROM contact_tags t WHERE t.contact_id = c.id AND t.tag_id ${isId(ids)}`
  return sql`SELECT 1 FROM memberships m WHERE m.contact_id = c.id AND m.list_id ${isId(ids)} AND m.status = ${status}`
}

function isId(ids: readonly number[]): SQL {
  return ids.length === 1 ? sql`= ${ids[0]}` : sql`IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
}

function compileSegments({ ids, not }: MembersLeaf, { segments }: RuleContext): Compiled {
  const conditions = [...new Set(ids)].flatMap((id) => segments?.get(id) ?? [])
  if (conditions.length === 0) return not ? EVERYBODY : NOBODY
  const any = joined(conditions, sql` OR `)
  return { sql: not ? isNot(any) : any, cost: COST.segment * conditions.length }
}
