import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type SQL, sql } from 'drizzle-orm'
import { CONTACT_FIELD_NAMES, NO_TEXTS } from '../../../src/shared/contact-fields.ts'
import { AppError, type Flaw } from '../../../src/errors.ts'
import { OPERATORS, RULE_TYPE_OF, STANDARD_FIELDS } from '../../../src/newsletter/segments/rule-fields.ts'
import type { Rule, RuleGroup } from '../../../src/store/tables/segments.ts'
import { RuleGroup as GroupSchema } from '../../../src/newsletter/segments/rules.ts'
import { requireRules, segmentConditions } from '../../../src/newsletter/segments/segment-rules.ts'
import { checker, obj } from '../../../src/schema.ts'
import type { Store } from '../../../src/store/open.ts'
import type { MembershipStatus } from '../../../src/store/tables/audience.ts'
import { scratchFolder } from '../../support/folder.ts'
import { DAY, FIELDS, NOW, OTHER_PROJECT, type Person, PROJECT, settle } from './population.ts'

/** What each rule means, on a few people who differ in just that. */

const [TEXT, NUMBER, BOOLEAN, DATE, SELECT] = ['text_0', 'number_1', 'boolean_2', 'date_3', 'select_4'].map(
  (key) => `custom.${key}`,
) as [string, string, string, string, string]
const [MORE_TEXT, MORE_NUMBER, MORE_BOOLEAN, MORE_DATE] = [
  'custom.text_12',
  'custom.number_13',
  'custom.boolean_15',
  'custom.date_14',
]

const LINK = 'https://example.com/tide?x={{ contact.first_name }}'

const nobodyYet = {
  ...NO_TEXTS,
  global_status: 'subscribed',
  custom_fields: {},
  created_at: NOW - 10 * DAY,
  updated_at: NOW,
  consent_at: null,
  lists: new Map(),
  tags: new Set(),
  events: [],
  sent: [],
} satisfies Partial<Person>

const PEOPLE: Person[] = [
  {
    ...nobodyYet,
    id: 1,
    first_name: 'Ärgernis',
    email: 'a@Example.com',
    created_at: Date.UTC(2026, 2, 1),
    consent_at: Date.UTC(2026, 2, 1, 23, 59, 59, 999),
    custom_fields: {
      text_0: 'ÄRGER',
      number_1: 1.5,
      boolean_2: true,
      date_3: '2026-03-01',
      select_4: 'Gold',
      text_12: 'ÄRGER',
      number_13: 1.5,
      boolean_15: true,
      date_14: '2026-03-01',
    },
    lists: new Map([
      [1, 'subscribed'],
      [2, 'pending'],
    ]),
    tags: new Set([1, 2]),
    events: [
      { type: 'open', machine: false, campaign_id: 1, at: NOW - 3 * DAY },
      { type: 'click', machine: true, campaign_id: 1, at: NOW - 3 * DAY },
    ],
    sent: [{ campaign_id: 1, status: 'sent', at: NOW - 4 * DAY }],
  },
  {
    ...nobodyYet,
    id: 2,
    first_name: 'ΟΔΟΣ',
    email: 'b@example.org',
    global_status: 'bounced',
    created_at: Date.UTC(2026, 2, 2),
    consent_at: Date.UTC(2026, 2, 2),
    custom_fields: {
      text_0: 'rot',
      number_1: -3,
      boolean_2: false,
      date_3: '2026-03-15',
      select_4: 'Ünique',
      text_12: 'rot',
      number_13: -3,
      boolean_15: false,
      date_14: '2026-03-15',
    },
    lists: new Map([[1, 'unsubscribed']]),
    tags: new Set([2]),
    events: [
      { type: 'open', machine: true, campaign_id: 1, at: NOW - DAY },
      { type: 'click', machine: false, campaign_id: 2, at: NOW - 40 * DAY, url: LINK },
    ],
    sent: [
      { campaign_id: 1, status: 'failed', at: NOW - 4 * DAY },
      { campaign_id: 2, status: 'sent', at: NOW - 41 * DAY },
    ],
  },
  {
    ...nobodyYet,
    id: 3,
    first_name: '',
    email: 'c@mail.example.com',
    created_at: Date.UTC(2026, 2, 2, 0, 0, 0, 1),
    custom_fields: { text_0: '', text_12: '' },
  },
]

const SEGMENTS: RuleGroup[] = [
  { op: 'or', rules: [{ field: 'email', operator: 'starts_with', value: 'A' }] },
  { op: 'not', rules: [{ field: 'segment', operator: 'in', value: 1 }] },
]

const folder = scratchFolder()
let store: Store
beforeAll(async () => {
  store = await settle(folder, PEOPLE, SEGMENTS)
})
afterAll(() => store.close())

async function found(condition: SQL): Promise<string> {
  const rows = await store.db.all<{ id: number }>(
    sql`
      SELECT contact.id FROM contacts contact
      WHERE contact.project_id = ${PROJECT} AND ${condition} ORDER BY contact.id`,
  )
  return rows.map(({ id }) => id).join('')
}

const matching = async (group: RuleGroup): Promise<string> =>
  found((await requireRules(store.db, { project_id: PROJECT, rules: group, path: '/rules', now: NOW })).condition)
const rule = (field: string, operator?: string, value?: unknown, status?: MembershipStatus): Rule => ({
  field,
  ...(operator ? { operator } : {}),
  ...(value === undefined ? {} : { value }),
  ...(status ? { status } : {}),
})

const TABLE: [Rule, string][] = [
  [rule('first_name', 'eq', 'ärgerNIS'), '1'],
  [rule('first_name', 'eq', 'a\u0308rgernis'), '1'],
  [rule('first_name', 'eq', 'argernis'), ''],
  [rule('first_name', 'eq', 'Ärgernis '), ''],
  [rule('first_name', 'eq', 'οδος'), '2'],
  [rule('first_name', 'starts_with', 'οδοσ'), '2'],
  [rule('first_name', 'neq', 'ÄRGERNIS'), '23'],
  [rule('first_name', 'contains', 'RGER'), '1'],
  [rule('first_name', 'contains', '%'), ''],
  [rule('first_name', 'not_contains', 'rger'), '23'],
  [rule('first_name', 'ends_with', 'NIS'), '1'],
  [rule('first_name', 'in', ['x', 'ΟΔΟΣ', 'ärgernis']), '12'],
  [rule('first_name', 'not_in', ['ärgernis']), '23'],
  [rule('first_name', 'is_set'), '12'],
  [rule('first_name', 'is_not_set'), '3'],
  [rule('email', 'eq', 'A@EXAMPLE.COM'), '1'],
  [rule('email', 'is_set'), '123'],
  [rule('email_domain', 'eq', 'EXAMPLE.com'), '1'],
  [rule('email_domain', 'ends_with', 'example.com'), '13'],
  [rule('email_domain', 'contains', '@'), ''],
  [rule('global_status', 'eq', 'bounced'), '2'],
  [rule('global_status', 'not_in', ['bounced', 'pending']), '13'],

  ...[TEXT, MORE_TEXT].flatMap((field): [Rule, string][] => [
    [rule(field, 'eq', 'ärger'), '1'],
    [rule(field, 'neq', 'ärger'), '23'],
    [rule(field, 'contains', 'RG'), '1'],
    [rule(field, 'not_contains', 'o'), '13'],
    [rule(field, 'starts_with', 'är'), '1'],
    [rule(field, 'starts_with', 'ärgerlich'), ''],
    [rule(field, 'ends_with', 'OT'), '2'],
    [rule(field, 'ends_with', 'a long text that is not there'), ''],
    [rule(field, 'in', ['ROT', 'ärger']), '12'],
    [rule(field, 'not_in', ['ROT', 'grün']), '13'],
    [rule(field, 'is_set'), '12'],
    [rule(field, 'is_not_set'), '3'],
  ]),
  [rule(SELECT, 'eq', 'gold'), '1'],
  [rule(SELECT, 'in', ['ÜNIQUE']), '2'],
  [rule(SELECT, 'is_not_set'), '3'],

  ...[NUMBER, MORE_NUMBER].flatMap((field): [Rule, string][] => [
    [rule(field, 'eq', 1.5), '1'],
    [rule(field, 'eq', -3), '2'],
    [rule(field, 'neq', 1.5), '23'],
    [rule(field, 'gt', 1.5), ''],
    [rule(field, 'gte', 1.5), '1'],
    [rule(field, 'lt', 1.5), '2'],
    [rule(field, 'lte', 1.5), '12'],
    [rule(field, 'between', [-3, 1.5]), '12'],
    [rule(field, 'between', [-2.9, 1.4]), ''],
    [rule(field, 'is_set'), '12'],
    [rule(field, 'is_not_set'), '3'],
  ]),
  ...[BOOLEAN, MORE_BOOLEAN].flatMap((field): [Rule, string][] => [
    [rule(field, 'eq', true), '1'],
    [rule(field, 'eq', false), '2'],
  ]),
  ...[DATE, MORE_DATE].flatMap((field): [Rule, string][] => [
    [rule(field, 'eq', '2026-03-01'), '1'],
    [rule(field, 'eq', '2026-03-01T23:59:59Z'), '1'],
    [rule(field, 'eq', '2026-03-02T01:00:00+02:00'), '1'],
    [rule(field, 'neq', '2026-03-01'), '23'],
    [rule(field, 'gt', '2026-03-01'), '2'],
    [rule(field, 'gte', '2026-03-01'), '12'],
    [rule(field, 'lt', '2026-03-15'), '1'],
    [rule(field, 'lte', '2026-03-15'), '12'],
    [rule(field, 'between', ['2026-03-01', '2026-03-15']), '12'],
    [rule(field, 'in_last_days', 14), '12'],
    [rule(field, 'in_last_days', 13), '2'],
    [rule(field, 'not_in_last_days', 13), '13'],
    [rule(field, 'is_set'), '12'],
    [rule(field, 'is_not_set'), '3'],
  ]),

  // A day alone is the whole UTC day; everything else is an instant.
  [rule('created_at', 'eq', '2026-03-02'), '23'],
  [rule('created_at', 'eq', '2026-03-02T00:00:00Z'), '2'],
  [rule('created_at', 'eq', '2026-03-02T02:00:00+02:00'), '2'],
  [rule('created_at', 'neq', '2026-03-02'), '1'],
  [rule('created_at', 'gt', '2026-03-01'), '23'],
  [rule('created_at', 'gt', '2026-03-02'), ''],
  [rule('created_at', 'gt', '2026-03-02T00:00:00Z'), '3'],
  [rule('created_at', 'gte', '2026-03-02'), '23'],
  [rule('created_at', 'lt', '2026-03-02'), '1'],
  [rule('created_at', 'lte', '2026-03-02'), '123'],
  [rule('created_at', 'lte', '2026-03-02T00:00:00.000Z'), '12'],
  [rule('created_at', 'between', ['2026-03-01', '2026-03-02']), '123'],
  [rule('created_at', 'between', ['2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z']), '12'],
  [rule('created_at', 'in_last_days', 14), '23'],
  [rule('created_at', 'not_in_last_days', 14), '1'],
  [rule('consent_at', 'eq', '2026-03-01'), '1'],
  [rule('consent_at', 'neq', '2026-03-01'), '23'],
  [rule('consent_at', 'not_in_last_days', 14), '3'],
  [rule('consent_at', 'is_not_set'), '3'],
  [rule('updated_at', 'in_last_days', 1), '123'],

  [rule('list', 'in', [1]), '1'],
  [rule('list', 'in', 1), '1'],
  [rule('list', 'in', [1], 'unsubscribed'), '2'],
  [rule('list', 'in', [2], 'pending'), '1'],
  [rule('list', 'not_in', [1]), '23'],
  [rule('list', 'in', [999]), ''],
  [rule('list', 'not_in', [999]), '123'],
  [rule('tag', 'in', [1, 2]), '12'],
  [rule('tag', 'in', [1]), '1'],
  [rule('tag', 'not_in', [1]), '23'],
  [rule('tag', 'not_in', [999]), '123'],
  [rule('segment', 'in', [1]), '1'],
  [rule('segment', 'in', [2]), '23'],
  [rule('segment', 'in', [1, 2]), '123'],
  [rule('segment', 'not_in', [2]), '1'],
  [rule('segment', 'in', [999]), ''],
  [rule('segment', 'not_in', [999]), '123'],

  [rule('opened'), '12'],
  [rule('opened', 'eq', {}), '12'],
  [rule('opened', undefined, { campaign_id: 1 }), '1'],
  [rule('opened', undefined, { campaign_id: 2 }), '2'],
  [rule('opened', undefined, { in_last_days: 3 }), '1'],
  [rule('opened', undefined, { in_last_days: 2 }), ''],
  [rule('opened', undefined, { in_last_days: 2, machine: 'include' }), '2'],
  [rule('opened', undefined, { in_last_days: 2, machine: 'exclude' }), ''],
  [rule('not_opened'), '3'],
  [rule('not_opened', undefined, { in_last_days: 2 }), '13'],
  [rule('not_opened', undefined, { in_last_days: 2, machine: 'exclude' }), '123'],
  [rule('clicked'), '2'],
  [rule('clicked', undefined, { campaign_id: 2, in_last_days: 40 }), '2'],
  [rule('clicked', undefined, { campaign_id: 2, in_last_days: 39 }), ''],
  [rule('not_clicked', undefined, { campaign_id: 2 }), '13'],
  [rule('clicked', undefined, { machine: 'include' }), '12'],
  [rule('clicked', undefined, { campaign_id: 2, url: LINK }), '2'],
  [rule('clicked', undefined, { url: `${LINK}?` }), ''],
  [rule('not_clicked', undefined, { url: LINK }), '13'],
  [rule('not_clicked'), '13'],
  [rule('not_clicked', undefined, { machine: 'include' }), '3'],
  [rule('engaged'), '12'],
  [rule('engaged', undefined, { in_last_days: 2 }), '2'],
  [rule('engaged', undefined, { in_last_days: 2, machine: 'exclude' }), ''],
  [rule('engaged', undefined, { campaign_id: 2 }), '2'],
  [rule('inactive'), '3'],
  [rule('inactive', undefined, { in_last_days: 2 }), '13'],
  [rule('inactive', undefined, { in_last_days: 2, machine: 'exclude' }), '123'],
  [rule('received'), '12'],
  [rule('received', undefined, { campaign_id: 1 }), '1'],
  [rule('received', undefined, { in_last_days: 30 }), '1'],
  [rule('last_open_at', 'is_set'), '12'],
  [rule('last_open_at', 'in_last_days', 3), '1'],
  [rule('last_open_at', 'not_in_last_days', 3), '23'],
  [rule('last_open_at', 'lt', '2026-03-13'), '12'],
  [rule('last_click_at', 'is_not_set'), '13'],
  [rule('last_click_at', 'between', ['2026-01-01', '2026-02-28']), '2'],
]

test.each(TABLE.map(([one, expected]) => [JSON.stringify(one), one, expected] as const))(
  'A single rule matches the expected contacts: %s.',
  async (_, one, expected) => {
    expect(await matching({ op: 'and', rules: [one] })).toBe(expected)
  },
)

test('The table covers every operator of every type.', () => {
  const seen = new Set(
    TABLE.map(([{ field, operator = 'eq' }]) => {
      const custom = FIELDS.find(({ key }) => `custom.${key}` === field)
      return (
        `${custom ? RULE_TYPE_OF[custom.type] : STANDARD_FIELDS[field as keyof typeof STANDARD_FIELDS]} ` +
        `${operator}`
      )
    }),
  )
  const all = Object.entries(OPERATORS).flatMap(([type, operators]) =>
    operators.map((operator) => `${type} ${operator}`),
  )
  expect(all.filter((one) => !seen.has(one))).toEqual([])
  // The other texts of a contact are compared as the first name is.
  const others = CONTACT_FIELD_NAMES.filter((name) => name !== 'first_name')
  expect(Object.keys(STANDARD_FIELDS).filter((field) => !TABLE.some(([one]) => one.field === field))).toEqual(others)
})

const A = rule('email', 'starts_with', 'a')
const B = rule('email', 'starts_with', 'b')
const UNSET = rule(NUMBER, 'gt', 0)

test.each<[string, RuleGroup, string]>([
  ['and', { op: 'and', rules: [A, B] }, ''],
  ['or', { op: 'or', rules: [A, B] }, '12'],
  ['not of several rules', { op: 'not', rules: [A, B] }, '3'],
  ['not of a comparison with no value', { op: 'not', rules: [UNSET] }, '23'],
  ['not of not', { op: 'not', rules: [{ op: 'not', rules: [UNSET] }] }, '1'],
  ['or without rules', { op: 'or', rules: [] }, '123'],
  ['not without rules', { op: 'not', rules: [] }, '123'],
  ['an empty group inside and', { op: 'and', rules: [A, { op: 'or', rules: [] }] }, '1'],
  ['an empty group inside not', { op: 'not', rules: [A, { op: 'or', rules: [] }] }, ''],
  [
    'or of several in rules',
    {
      op: 'or',
      rules: [
        rule('first_name', 'eq', 'ΟΔΟΣ'),
        rule('first_name', 'in', ['ärgernis']),
        rule('tag', 'in', 1),
        rule('tag', 'in', [2]),
      ],
    },
    '12',
  ],
  [
    'and of several not_in rules',
    {
      op: 'and',
      rules: [
        rule('first_name', 'neq', 'ΟΔΟΣ'),
        rule('first_name', 'not_in', ['x']),
        rule('tag', 'not_in', 1),
        rule('tag', 'not_in', [3]),
      ],
    },
    '3',
  ],
  [
    'or of list rules with different statuses',
    { op: 'or', rules: [rule('list', 'in', 1), rule('list', 'in', 1, 'unsubscribed')] },
    '12',
  ],
  [
    'and of negated list rules with different statuses',
    { op: 'and', rules: [rule('list', 'not_in', 2), rule('list', 'not_in', 2, 'pending')] },
    '23',
  ],
])('A group matches as its operator says: %s.', async (_, group, expected) => {
  expect(await matching(group)).toBe(expected)
})

describe('no value of a rule becomes SQL', () => {
  const ATTACKS = [
    `' OR 1=1 --`,
    `"; DROP TABLE contacts; --`,
    `') OR EXISTS (SELECT 1)`,
    '%',
    '_',
    '*',
    '[a-z]',
    '\\',
    `{"a":1}`,
    '?1',
    ':name',
    '$1',
  ]
  test.each(ATTACKS)('The value %s is only text.', async (text) => {
    for (const field of ['email', 'email_domain', 'first_name', TEXT, MORE_TEXT, SELECT]) {
      for (const operator of ['eq', 'contains', 'starts_with', 'ends_with'])
        expect(await matching({ op: 'and', rules: [rule(field, operator, text)] })).toBe('')
      expect(await matching({ op: 'and', rules: [rule(field, 'in', [text, text])] })).toBe('')
      expect(await matching({ op: 'or', rules: [rule(field, 'neq', text), rule(field, 'not_in', [text])] })).toBe('123')
    }
    for (const spoiled of [
      rule(text, 'eq', 'x'),
      rule(`custom.${text}`, 'eq', 'x'),
      rule('email', text, 'x'),
      rule('tag', 'in', text),
      rule('created_at', 'eq', text),
      rule('opened', 'eq', { campaign_id: text }),
    ]) {
      expect((await flawsOf({ op: 'and', rules: [spoiled] })).length).toBe(1)
    }
  })
})

async function flawsOf(given: unknown): Promise<Flaw[]> {
  try {
    await requireRules(store.db, { project_id: PROJECT, rules: given as RuleGroup, path: '/rules', now: NOW })
    return []
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    expect(error.code).toBe('VALIDATION_FAILED')
    return error.details as Flaw[]
  }
}

const one = (...rules: unknown[]) => ({ op: 'and', rules })
const nested = (levels: number): unknown => (levels === 0 ? A : { op: 'and', rules: [nested(levels - 1)] })

test.each<[string, unknown, string[]]>([
  ['no object', [], ['/rules']],
  ['a rule where the group should be', A, ['/rules/field', '/rules/operator', '/rules/value', '/rules/op']],
  ['an unknown op', { op: 'xor', rules: [] }, ['/rules/op']],
  ['rules that are no array', { op: 'and', rules: {} }, ['/rules/rules']],
  ['an unknown property of a group', { op: 'and', rules: [], extra: 1 }, ['/rules/extra']],
  ['an unknown property of a rule', one({ ...A, 'a/b~c': 1 }), ['/rules/rules/0/a~1b~0c']],
  ['no field', one(A, { operator: 'eq', value: 1 }), ['/rules/rules/1/field']],
  ['an unknown field', one(rule('constructor', 'eq', 'x')), ['/rules/rules/0/field']],
  ['an unknown custom field', one(A, A, rule('custom.nope', 'eq', 'x')), ['/rules/rules/2/field']],
  ['no operator', one(rule('email')), ['/rules/rules/0/operator']],
  [
    "another type's operator",
    one(rule(NUMBER, 'contains', 'x'), rule(BOOLEAN, 'neq', true), rule('list', 'eq', 1), rule('opened', 'in', {})),
    [0, 1, 2, 3].map((index) => `/rules/rules/${index}/operator`),
  ],
  [
    'deep inside',
    one(A, { op: 'or', rules: [A, { op: 'not', rules: [rule('email', 'eq', 5)] }] }),
    ['/rules/rules/1/rules/1/rules/0/value'],
  ],
  [
    'texts',
    one(
      rule('email', 'eq', ''),
      rule('email', 'eq'),
      rule('email', 'eq', null),
      rule('email', 'contains', ['x']),
      rule('email', 'eq', 'x'.repeat(1001)),
      rule('email', 'eq', 'a\u0000'),
    ),
    [0, 1, 2, 3, 4, 5].map((index) => `/rules/rules/${index}/value`),
  ],
  [
    'lists of texts',
    one(
      rule('email', 'in', 'x'),
      rule('email', 'in', []),
      rule('email', 'in', ['a', 1]),
      rule('email', 'in', Array.from({ length: 201 }, String)),
    ),
    ['/rules/rules/0/value', '/rules/rules/1/value', '/rules/rules/2/value/1', '/rules/rules/3/value'],
  ],
  ['a status that there is not', one(rule('global_status', 'eq', 'gone')), ['/rules/rules/0/value']],
  [
    'numbers',
    one(
      rule(NUMBER, 'eq', '5'),
      rule(NUMBER, 'between', [1]),
      rule(NUMBER, 'between', [2, 1]),
      rule(NUMBER, 'between', [1, 'x']),
      rule(NUMBER, 'gt', true),
    ),
    [
      '/rules/rules/0/value',
      '/rules/rules/1/value',
      '/rules/rules/2/value',
      '/rules/rules/3/value/1',
      '/rules/rules/4/value',
    ],
  ],
  [
    'dates',
    one(
      rule(DATE, 'eq', '2026-02-30'),
      rule('created_at', 'eq', '2026-02-30T00:00:00Z'),
      rule('created_at', 'eq', '2026-02-01T00:00:00'),
      rule('created_at', 'gt', 5),
      rule(DATE, 'in_last_days', 0),
      rule(DATE, 'in_last_days', 1.5),
      rule(DATE, 'in_last_days', '7'),
    ),
    [0, 1, 2, 3, 4, 5, 6].map((index) => `/rules/rules/${index}/value`),
  ],
  [
    'booleans',
    one(rule(BOOLEAN, 'eq', 1), rule(BOOLEAN, 'eq', 'true')),
    [0, 1].map((index) => `/rules/rules/${index}/value`),
  ],
  [
    'ids',
    one(rule('tag', 'in', []), rule('tag', 'in', ['1']), rule('list', 'in', 1.5), rule('segment', 'in', [1, -1])),
    ['/rules/rules/0/value', '/rules/rules/1/value/0', '/rules/rules/2/value', '/rules/rules/3/value/1'],
  ],
  [
    'status',
    one(rule('list', 'in', 1, 'bounced' as MembershipStatus), rule('tag', 'in', 1, 'pending')),
    [0, 1].map((index) => `/rules/rules/${index}/status`),
  ],
  [
    'engagement',
    one(
      rule('opened', 'eq', 7),
      rule('opened', 'eq', { days: 1 }),
      rule('clicked', 'eq', { in_last_days: -1 }),
      rule('received', 'eq', { campaign_id: 0 }),
      rule('opened', 'eq', { machine: 'maybe' }),
      rule('received', 'eq', { machine: 'include' }),
      rule('clicked', 'eq', { url: '' }),
      rule('opened', 'eq', { url: LINK }),
    ),
    [
      '/rules/rules/0/value',
      '/rules/rules/1/value/days',
      '/rules/rules/2/value/in_last_days',
      '/rules/rules/3/value/campaign_id',
      '/rules/rules/4/value/machine',
      '/rules/rules/5/value/machine',
      '/rules/rules/6/value/url',
      '/rules/rules/7/value/url',
    ],
  ],
  ['a value where none is taken', one(rule('email', 'is_set', 'x')), ['/rules/rules/0/value']],
  ['four levels', nested(4), []],
  ['five levels', nested(5), ['/rules/rules/0/rules/0/rules/0/rules/0']],
  ['sixty rules', one({ op: 'or', rules: Array(30).fill(A) }, { op: 'or', rules: Array(30).fill(A) }), []],
  [
    'sixty-one rules in all',
    one({ op: 'or', rules: Array(30).fill(A) }, { op: 'or', rules: Array(31).fill(A) }),
    ['/rules'],
  ],
  ['too many groups', one(...Array(50).fill(one(...Array(5).fill(one())))), ['/rules']],
])('The errors of wrong rules name their paths: %s.', async (_, given, paths) => {
  expect((await flawsOf(given)).map(({ path }) => path)).toEqual(paths)
})

test('A wrong operator is answered with the allowed ones, and at most twenty errors are reported.', async () => {
  expect((await flawsOf(one(rule(BOOLEAN, 'gt', true))))[0]!.message).toBe('Expected one of: eq.')
  expect((await flawsOf(one(rule('list', 'eq', 1))))[0]!.message).toBe('Expected one of: in, not_in.')
  expect(await flawsOf(one(...Array(50).fill(rule('email', 'eq', 1))))).toHaveLength(20)
})

test('A saved rule whose field was deleted or changed its type matches no contact unless it is negated.', async () => {
  const saved = (rules: Rule[], op: RuleGroup['op'] = 'and'): RuleGroup => ({ op, rules })
  const cases: [RuleGroup, string][] = [
    [saved([rule('custom.gone', 'eq', 'x')]), ''],
    [saved([rule('custom.gone', 'neq', 'x')]), '123'],
    [saved([rule('custom.gone', 'not_in_last_days', 3)]), '123'],
    [saved([rule('custom.gone', 'is_not_set')]), '123'],
    [saved([rule('custom.gone', 'is_set')], 'not'), '123'],
    // The field changed its type, so its values cannot be compared with the saved rule.
    [saved([rule(BOOLEAN, 'gt', 3)]), ''],
    [saved([rule(NUMBER, 'not_contains', 'x')]), '123'],
  ]
  for (const [index, [rules, expected]] of cases.entries()) {
    const id = 100 + index
    await store.write((tx) =>
      tx.run(
        sql`
          INSERT INTO segments (id, project_id, name, name_key, rules, created_at, updated_at)
          VALUES (${id}, ${PROJECT}, '', ${`g${id}`}, ${JSON.stringify(rules)}, 0, 0)`,
      ),
    )
    const condition = (await segmentConditions(store.db, PROJECT, [id], NOW)).get(id)!
    expect([rules, await found(condition)]).toEqual([rules, expected])
  }
  expect((await segmentConditions(store.db, OTHER_PROJECT, [1], NOW)).size).toBe(0)
})

/** How a rule may look up the rows of one contact. */
const INDEXED = [
  'SEARCH shown USING INTEGER PRIMARY KEY (rowid=?)',
  'SEARCH membership USING PRIMARY KEY (contact_id=? AND list_id=?',
  'SEARCH tagged USING PRIMARY KEY (contact_id=? AND tag_id=?',
  'SEARCH event USING COVERING INDEX events_engagement (contact_id=? AND type=?',
  // The address of a link lies in the row of the click.
  'SEARCH event USING INDEX events_engagement (contact_id=? AND type=?',
  'SEARCH delivery USING INDEX deliveries_',
]

test('No rule scans a growing table, and counting reads a single covering index.', async () => {
  for (const [checked] of TABLE) {
    const { condition } = await requireRules(store.db, {
      project_id: PROJECT,
      rules: { op: 'not', rules: [checked] },
      path: '/rules',
      now: NOW,
    })
    const plan = await store.db.all<{ detail: string }>(
      sql`
        EXPLAIN QUERY PLAN SELECT count(*) FROM contacts contact INDEXED BY contacts_for_rules
        WHERE contact.project_id = ${PROJECT} AND contact.id > 0 AND ${condition}`,
    )
    const steps = plan.map(({ detail }) => detail)
    expect(steps.filter((step) => /^SCAN (?!json_each)/.test(step))).toEqual([])
    // What has no slot lies in the row itself.
    if (!/_1[2-6]$/.test(checked.field))
      expect([checked, steps[0]]).toEqual([
        checked,
        'SEARCH contact USING COVERING INDEX contacts_for_rules (project_id=? AND id>?)',
      ])
    for (const step of steps.filter((text) => /SEARCH [a-z]+ /.test(text) && !text.startsWith('SEARCH contact '))) {
      expect(INDEXED.filter((beginning) => step.startsWith(beginning))).toHaveLength(1)
    }
  }
})

test('A group of rules is an object, and not null or an array.', () => {
  const checked = checker(obj({ rules: GroupSchema }))
  expect([{}, null, [], 'all'].map((rules) => checked.Check({ rules }))).toEqual([true, false, false, false])
})

test('The schema of rules has four levels of strict groups, of rules that need a field.', () => {
  let group = GroupSchema as any
  for (let level = 4; level > 0; level--) {
    const $id = level === 4 ? 'RuleGroup' : `RuleGroupOf${level}`
    expect(group).toMatchObject({ $id, required: ['op', 'rules'], additionalProperties: false })
    expect(group.properties).toEqual({
      op: { type: 'string', enum: ['and', 'or', 'not'] },
      rules: { type: 'array', maxItems: 260, items: expect.anything() },
    })
    const { anyOf = [group.properties.rules.items] } = group.properties.rules.items
    const [rule, ...inner] = anyOf
    expect(rule).toMatchObject({ required: ['field'], additionalProperties: false })
    expect(Object.keys(rule.properties)).toEqual(['field', 'operator', 'value', 'status'])
    expect(inner).toHaveLength(level === 1 ? 0 : 1)
    group = inner[0]
  }
})
