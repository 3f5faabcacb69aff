import { asRules, type Group, isGroup, narrowed, type Rule } from '../../rules/tree.ts'
import type { RuleGroup } from '../../api/operations.d.ts'

/** Shortcuts above the list, for rules that every contact must match. */
export type Quick = 'global_status' | 'list' | 'tag'

/** The value of a shortcut, or an empty text when its rule is not one that the shortcut makes. */
export function quickValue(group: Group, quick: Quick): string {
  const rule = group.op === 'and' ? group.rules.find((member) => isQuick(member as Rule, quick)) : undefined
  return rule === undefined ? '' : String(single((rule as Rule).value))
}

/** Whether the shortcuts express all of the rules. */
export function isQuickOnly(group: Group): boolean {
  if (group.rules.length === 0) return true
  const names = group.rules.map((member) => (isGroup(member) ? '' : member.field))
  return (
    group.op === 'and' &&
    new Set(names).size === names.length &&
    group.rules.every((member) => !isGroup(member) && QUICK.some((quick) => isQuick(member, quick)))
  )
}

const QUICK: readonly Quick[] = ['global_status', 'list', 'tag']

/** The rules with another value of a shortcut; null when contacts need not match all rules. */
export function withQuick(group: Group, quick: Quick, value: string): RuleGroup | null {
  if (value === '') {
    const rules = group.rules.filter((member) => isGroup(member) || !isQuick(member, quick))
    return asRules({ ...group, rules })
  }
  const rule: Rule =
    quick === 'global_status'
      ? { field: quick, operator: 'eq', value }
      : { field: quick, operator: 'in', value: [Number(value)] }
  const next = narrowed(group, rule, (known) => isQuick(known, quick))
  return next && asRules(next)
}

function isQuick(member: Rule | Group, quick: Quick): member is Rule {
  if (isGroup(member) || member.field !== quick || single(member.value) === undefined) return false
  if (quick === 'global_status') return member.operator === 'eq' || member.operator === 'in'
  return member.operator === 'in' && (member.status ?? 'subscribed') === 'subscribed'
}

function single(value: unknown): unknown {
  if (!Array.isArray(value)) return value ?? undefined
  return value.length === 1 ? (value as unknown[])[0] : undefined
}
