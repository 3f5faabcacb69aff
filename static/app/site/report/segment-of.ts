import type { RuleGroup } from '../../api/operations.d.ts'
import { packRules } from '../../rules/address.ts'
import { link } from '../../api/link.ts'

/** Everybody to whom all these conditions apply. */
export function all(conditions: readonly string[], value: { campaign_id: number; url?: string }): RuleGroup {
  return { op: 'and', rules: conditions.map((field) => ({ field, value })) }
}

/** A new segment that begins with these rules. */
export function segmentHref(rules: RuleGroup): string {
  return link('/segments/new', { filter: packRules(rules) })
}
