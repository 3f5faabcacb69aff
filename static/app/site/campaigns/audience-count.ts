import type { AudienceSpec } from '../../api/operations.d.ts'
import { useRead } from '../../api/query.ts'
import { number } from '../../ui/format.ts'

/** How many people an audience has now, and why others are left out. */
export function useAudienceCount(audience_spec: AudienceSpec) {
  return useRead('campaigns/audience-count', { audience_spec }, { enabled: audience_spec.include.length > 0 })
}

/** Why people are left out, in the order of the page. */
export const REASONS = [
  ['excluded_by_rule', 'excluded by you'],
  ['unsubscribed', 'unsubscribed'],
  ['pending', 'waiting to confirm'],
  ['bounced', 'bounced'],
  ['complained', 'complained'],
  ['suppressed', 'suppressed'],
] as const

export type Excluded = Record<(typeof REASONS)[number][0], number>

/** "31 unsubscribed", for each reason that excludes somebody. */
export function leftOutWords(excluded: Excluded): string[] {
  return REASONS.filter(([name]) => excluded[name] > 0).map(([name, words]) => `${number(excluded[name])} ${words}`)
}
