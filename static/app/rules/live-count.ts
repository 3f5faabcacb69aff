import { useEffect, useRef, useState } from 'preact/hooks'
import type { ApiError } from '../api/errors.ts'
import type { Contact, RuleGroup } from '../api/operations.d.ts'
import { useRead } from '../api/query.ts'
import { finishedPart, ruleOfFlaw } from './finished.ts'
import { asRules, type Group, type Rule } from './tree.ts'

const QUIET_MS = 400

export interface LiveCount {
  /** How many match, or matched before the last change; null until the first answer. */
  count: number | null
  /** A few of the contacts. Empty during a search. */
  sample: readonly Contact[]
  /** The number belongs to rules from before the last change. */
  is_old: boolean
  /** The finished rules, which were counted. */
  rules: RuleGroup
  unfinished: number
  error: ApiError | null
  /** The error that the service found in a rule. */
  flawOf(rule: Rule): string | null
  reload(): void
}

/** How many people match. The service counts once the rules have not changed for a moment. */
export function useLiveCount(filter: Group, { search = '' }: { search?: string } = {}): LiveCount {
  const { group, unfinished } = finishedPart(filter)
  const text = JSON.stringify([group, search])
  const settled = useSettled({ text, group, search })
  const rules = asRules(settled.group)
  const isEmpty = rules.rules.length === 0
  // Only rules have sample contacts. All contacts are counted from an index, without a sample.
  const isPreview = settled.search === '' && !isEmpty
  const asked = { ...(settled.search !== '' && { search: settled.search }), ...(!isEmpty && { filter: rules }) }
  const preview = useRead('segments/preview', { rules }, { enabled: isPreview })
  const stats = useRead('contacts/stats', asked, { enabled: !isPreview })
  const answer = isPreview ? preview : stats
  const counted = isPreview
    ? preview.data && { count: preview.data.count, sample: preview.data.sample }
    : stats.data && { count: stats.data.total, sample: [] }
  const last = useRef<{ count: number; sample: readonly Contact[] } | null>(null)
  if (counted) last.current = counted
  const { error } = answer
  return {
    count: last.current?.count ?? null,
    sample: last.current?.sample ?? [],
    is_old: settled.text !== text || !counted,
    rules: asRules(group),
    unfinished,
    error,
    flawOf(rule) {
      const at = isPreview ? '/rules' : '/filter'
      return error?.flaws.find(({ path }) => ruleOfFlaw(settled.group, path, at) === rule)?.message ?? null
    },
    reload: answer.reload,
  }
}

/** The value once it has not changed for a moment; the first one at once. */
function useSettled<T extends { text: string }>(value: T): T {
  const [settled, settle] = useState(value)
  useEffect(() => {
    if (settled.text === value.text) return
    const timer = setTimeout(() => settle(value), QUIET_MS)
    return () => clearTimeout(timer)
  }, [value.text])
  return settled
}
