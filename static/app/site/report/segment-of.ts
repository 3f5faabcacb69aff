import type { RuleGroup } from '../../api/operations.d.ts'
import { packRules } from '../../rules/address.ts'
import { link } from '../../api/link.ts'

/** Everybody to whom all these conditions apply. */
export function all(conditions: readonly string[], value: { campaign_id: number; url?: string }): RuleGroup {
  return { op: 'and', rules: conditions.map((field) => ({ field, value })) }
}

/** A new segment that begins with these rules, and with a name where one is suggested. */
export function segmentHref(rules: RuleGroup, name?: string): string {
  return link('/segments/new', { ...(name && { name: name.slice(0, 100) }), filter: packRules(rules) })
}
