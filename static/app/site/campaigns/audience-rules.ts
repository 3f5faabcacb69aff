import type { AudienceSpec, RuleGroup } from '../../api/operations.d.ts'
import { asRules, type Group, type Member } from '../../rules/tree.ts'

/** Rules that find the people of an audience on the page Contacts. */

type Entry = AudienceSpec['include'][number]
type Status = 'pending' | 'unsubscribed' | 'bounced' | 'complained'

const OF_LISTS = ['subscribed', 'pending', 'unsubscribed'] as const

/** Everybody who gets the campaign, but for suppressed addresses. */
export function peopleOf({ include, exclude = [] }: AudienceSpec): RuleGroup {
  return group('and', [
    { field: 'global_status', operator: 'eq', value: 'subscribed' },
    ...anyOf(include),
    ...(exclude.length === 0
      ? []
      : [
          group(
            'not',
            exclude.map((entry) => ruleOf(entry)),
          ),
        ]),
  ])
}

/** The people whom the exclude part removes. */
export function excludedFrom({ include, exclude = [] }: AudienceSpec): RuleGroup {
  return group('and', [...anyOf(include), ...anyOf(exclude)])
}

/** The people whom the include part names and whose status, their own or on a list, keeps them out. */
export function leftOutFor({ include }: AudienceSpec, status: Status): RuleGroup {
  const own: Member = { field: 'global_status', operator: 'eq', value: status }
  if (include.some(({ type }) => type === 'all')) return group('and', [own])
  const named = include.flatMap((entry) =>
    entry.type === 'list' ? OF_LISTS.map((of) => ruleOf(entry, of)) : [ruleOf(entry)],
  )
  const ofLists =
    status === 'pending' || status === 'unsubscribed'
      ? include.filter(({ type }) => type === 'list').map((entry) => ruleOf(entry, status))
      : []
  return group('or', [group('and', [own, group('or', named)]), ...ofLists])
}

function anyOf(entries: readonly Entry[]): Group[] {
  if (entries.some(({ type }) => type === 'all')) return []
  return [
    group(
      'or',
      entries.map((entry) => ruleOf(entry)),
    ),
  ]
}

function ruleOf(entry: Entry, status?: (typeof OF_LISTS)[number]): Member {
  if (entry.type === 'all') return group('and', [])
  return { field: entry.type, operator: 'in', value: [entry.id], ...(status && { status }) }
}

function group(op: Group['op'], rules: Member[]): RuleGroup {
  return asRules({ op, rules })
}
