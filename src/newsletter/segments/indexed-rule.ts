import type { SQL } from 'drizzle-orm'
import { type Condition, type CheckedGroup, isGroup } from './rule-read.ts'
import type { RuleContext } from './leaf-sql.ts'
import { compile } from './rule-sql.ts'

/**
 * A rule that every matching contact satisfies and an index can serve. It stands beside the compiled rules, whose
 * IS TRUE hides their columns from SQLite's planner.
 */
export type IndexedRule =
  | { by: 'address'; keys: readonly string[] }
  | { by: 'list' | 'tag'; id: number }
  | { by: 'creation'; condition: SQL }

/** More addresses are not looked up one by one. */
const MAX_ADDRESSES = 100

/** The most selective rule of an `and` group that an index can serve; null when it has none. */
export function indexedRule(group: CheckedGroup, context: RuleContext): IndexedRule | null {
  if (group.op !== 'and') return null
  const found = group.rules.map((rule) => served(rule, context)).filter((rule) => rule !== null)
  return (
    (['address', 'list', 'tag', 'creation'] as const).map((by) => found.find((rule) => rule.by === by)).find(Boolean) ??
    null
  )
}

function served(rule: Condition, context: RuleContext): IndexedRule | null {
  if (isGroup(rule)) return null
  if (
    rule.type === 'text' &&
    rule.field.name === 'email' &&
    rule.operator === 'in' &&
    rule.values.length <= MAX_ADDRESSES
  )
    return { by: 'address', keys: rule.values }
  if ((rule.type === 'list' || rule.type === 'tag') && !rule.not && rule.ids.length === 1)
    return { by: rule.type, id: rule.ids[0]! }
  const isRange = (rule.type === 'ordered' && rule.operator !== 'neq') || (rule.type === 'last_days' && !rule.not)
  if (isRange && rule.field.name === 'created_at') return { by: 'creation', condition: compile(rule, context).sql }
  return null
}
