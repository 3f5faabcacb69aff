import { type SQL, sql } from 'drizzle-orm'
import { compileLeaf, type RuleContext } from './leaf-sql.ts'
import { type Condition, type CheckedGroup, isGroup } from './rule-read.ts'
import type { Leaf, MembersLeaf, TextLeaf } from './rule-values.ts'
import { ALL_CONTACTS, allOf, anyOf, not, type SqlCondition } from './sql-condition.ts'

/**
 * Compiles a rule group into one condition about a row of `contacts` under the alias `contact`. Every value is a
 * parameter.
 *
 * A contact without a value matches no comparison except the negated ones (docs/api/contacts.md#segment-rules). In SQL
 * a comparison with a missing value is NULL, and AND and OR treat NULL like false where the result is only tested for
 * truth. Negation uses IS NOT TRUE. The whole condition is 1 or 0.
 */
export function ruleCondition(group: CheckedGroup, context: RuleContext): SQL {
  return sql`(${compile(group, context).sql} IS TRUE)`
}

export function compile(condition: Condition, context: RuleContext): SqlCondition {
  if (!isGroup(condition)) return compileLeaf(condition, context)
  if (condition.rules.length === 0) return ALL_CONTACTS
  const parts = merged(condition).map((rule) => compile(rule, context))
  if (condition.op === 'and') return allOf(parts)
  return condition.op === 'or' ? anyOf(parts) : not(anyOf(parts))
}

/**
 * The rules of a group with those merged that can be one rule: `in` rules of the same field in an `or` or a `not`
 * group, `not_in` rules in an `and` group.
 */
function merged({ op, rules }: CheckedGroup): Condition[] {
  const result: Condition[] = []
  const indexOf = new Map<string, number>()
  for (const rule of rules) {
    const key = isGroup(rule) ? null : mergeKey(rule, op === 'and')
    const index = key === null ? undefined : indexOf.get(key)
    if (index !== undefined)
      result[index] = union(result[index] as TextLeaf | MembersLeaf, rule as TextLeaf | MembersLeaf)
    else {
      if (key !== null) indexOf.set(key, result.length)
      result.push(rule)
    }
  }
  return result
}

/** Rules with the same key can be merged; null for a rule that cannot. */
function mergeKey(rule: Leaf, negated: boolean): string | null {
  if (rule.type === 'text') {
    const mergeable = rule.operator === (negated ? 'not_in' : 'in')
    return mergeable ? `${rule.field.name} ${rule.field.custom?.key ?? ''}` : null
  }
  const hasIds = rule.type === 'list' || rule.type === 'tag' || rule.type === 'segment'
  return hasIds && rule.not === negated ? `${rule.type} ${rule.status ?? 'subscribed'}` : null
}

/** Both rules have the same merge key, therefore the same type. */
function union(one: TextLeaf | MembersLeaf, other: TextLeaf | MembersLeaf): Leaf {
  if (one.type === 'text' && other.type === 'text') return { ...one, values: [...one.values, ...other.values] }
  return { ...(one as MembersLeaf), ids: [...(one as MembersLeaf).ids, ...(other as MembersLeaf).ids] }
}
