import type { Rule, RuleGroup } from '../src/store/tables/segments.ts'
import { below, COUNTRIES, DOMAINS, FIRST, pick, PLANS, reseed, START } from './audience-data.ts'

/** Rules of every kind, the same for the same seed. */
function leaf(count: number): Rule {
  switch (below(14)) {
    case 0:
      return { field: 'email', operator: 'contains', value: pick(['letters', 'ple.org', '99', 'person1']) }
    case 1:
      return { field: 'first_name', operator: 'eq', value: pick(FIRST) }
    case 2:
      return { field: 'last_name', operator: 'starts_with', value: pick(['b', 'M', 'å']) }
    case 3:
      return { field: 'global_status', operator: 'eq', value: pick(['subscribed', 'pending', 'bounced']) }
    case 4:
      return { field: 'created_at', operator: 'gte', value: new Date(START + below(count) * 60_000).toISOString() }
    case 5:
      return { field: 'custom.country', operator: 'eq', value: pick(COUNTRIES) }
    case 6:
      return { field: 'custom.country', operator: 'in', value: [pick(COUNTRIES), pick(COUNTRIES), pick(COUNTRIES)] }
    case 7:
      return { field: 'custom.plan', operator: 'neq', value: pick(PLANS) }
    case 8:
      return { field: 'custom.age', operator: 'gt', value: below(90) }
    case 9:
      return { field: 'custom.since', operator: 'between', value: ['2012-01-01', `20${13 + below(12)}-06-01`] }
    case 10:
      return { field: 'tag', operator: pick(['in', 'not_in']), value: [1 + below(10)] }
    case 11:
      return { field: 'list', operator: 'in', value: [1 + below(2)] }
    case 12:
      return { field: 'opened', value: { campaign_id: 1 + below(4) } }
    default:
      return { field: 'email_domain', operator: 'eq', value: pick(DOMAINS) }
  }
}

/** Four levels and sixty rules: on each of the first three levels some rules and some groups. */
function sixty(seed: number, op: 'and' | 'or', count: number): RuleGroup {
  reseed(seed)
  const other = { and: 'or', or: 'and' } as const
  const group = (level: number, own: 'and' | 'or'): RuleGroup => ({
    op: own,
    rules:
      level === 4
        ? [leaf(count), leaf(count), leaf(count)]
        : [
            ...Array.from({ length: level === 1 ? 0 : 1 }, () => leaf(count)),
            ...Array.from({ length: level === 1 ? 4 : 2 }, () => group(level + 1, other[own])),
          ],
  })
  return group(1, op)
}

/** The measured rules by name; `count` is the number of contacts. */
export const previewsOf = (count: number): [string, RuleGroup][] => [
  ['everybody', { op: 'and', rules: [] }],
  [
    '2 rules',
    {
      op: 'and',
      rules: [
        { field: 'custom.country', operator: 'eq', value: 'DE1' },
        { field: 'custom.plan', operator: 'eq', value: 'pro' },
      ],
    },
  ],
  [
    '4 rules nested',
    {
      op: 'and',
      rules: [
        {
          op: 'or',
          rules: [
            { field: 'custom.country', operator: 'eq', value: 'DE1' },
            { field: 'custom.country', operator: 'eq', value: 'FR2' },
          ],
        },
        {
          op: 'or',
          rules: [
            { field: 'custom.plan', operator: 'eq', value: 'pro' },
            { field: 'email', operator: 'contains', value: 'person12' },
          ],
        },
      ],
    },
  ],
  [
    '4 rules, list, tag',
    {
      op: 'and',
      rules: [
        { field: 'list', operator: 'in', value: [1] },
        { field: 'tag', operator: 'in', value: [3] },
        {
          op: 'not',
          rules: [
            { field: 'opened', value: {} },
            { field: 'custom.vip', operator: 'eq', value: true },
          ],
        },
      ],
    },
  ],
  ...[11, 12, 13, 14].flatMap((seed): [string, RuleGroup][] => [
    [`60 rules, 4 levels, and ${seed}`, sixty(seed, 'and', count)],
    [`60 rules, 4 levels, or ${seed}`, sixty(seed, 'or', count)],
  ]),
]

export function rulesIn(group: RuleGroup): number {
  return group.rules.reduce((sum, member) => sum + ('rules' in member ? rulesIn(member) : 1), 0)
}
