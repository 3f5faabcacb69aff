import { expect, test } from 'bun:test'
import {
  askingLists,
  type Decision,
  decideList,
  plan,
  planNew,
  storesConsent,
  type AddressStatus,
  type ConsentSource,
  CONSENT_SOURCES,
} from '../../../src/newsletter/consent/consent-rule.ts'
import { GLOBAL_STATUSES, type MembershipStatus, SUPPRESSION_REASONS } from '../../../src/store/tables/audience.ts'

/**
 * Every combination: a line is a consent source and an address status, a column a membership and a kind of list.
 * S subscribe, A ask, K keep; skipped: s suppressed, o the global status (blocked), l left_list.
 */
const GRID = `
  source                        status         none      pending   subscribed  unsubscribed
                                               1in 2in   1in 2in   1in 2in     1in 2in
  nothing     asks              free           S   A     S   A     K   K       l   l
  nothing     asks              blocked        o   o     o   o     o   o       o   o
  nothing     asks              opted_out      s   s     s   s     s   s       s   s
  nothing     asks              suppressed     s   s     s   s     s   s       s   s
  nothing     trusts            free           S   S     S   S     K   K       l   l
  nothing     trusts            blocked        o   o     o   o     o   o       o   o
  nothing     trusts            opted_out      s   s     s   s     s   s       s   s
  nothing     trusts            suppressed     s   s     s   s     s   s       s   s
  list        asks              free           S   A     S   A     K   K       S   A
  list        asks              blocked        o   o     o   o     o   o       o   o
  list        asks              opted_out      s   s     s   s     s   s       s   s
  list        asks              suppressed     s   s     s   s     s   s       s   s
  everything  asks              free           S   A     S   A     K   K       S   A
  everything  asks              blocked        S   A     S   A     K   K       S   A
  everything  asks              opted_out      S   A     S   A     K   K       S   A
  everything  asks              suppressed     s   s     s   s     s   s       s   s
  everything  trusts            free           S   S     S   S     K   K       S   S
  everything  trusts            blocked        S   S     S   S     K   K       S   S
  everything  trusts            opted_out      S   S     S   S     K   K       S   S
  everything  trusts            suppressed     s   s     s   s     s   s       s   s
`

const MEMBERSHIPS = [null, 'pending', 'subscribed', 'unsubscribed'] as const
const STATUSES: AddressStatus[] = [null, ...GLOBAL_STATUSES].flatMap((global_status) =>
  [null, ...SUPPRESSION_REASONS].map((suppression) => ({ global_status, suppression })),
)

function nameOf({ global_status, suppression }: AddressStatus): string {
  if (suppression === 'unsubscribe') return 'opted_out'
  if (suppression !== null) return 'suppressed'
  return global_status === null || global_status === 'pending' || global_status === 'subscribed' ? 'free' : 'blocked'
}

function letter(decision: Decision, { global_status }: AddressStatus): string {
  if (decision.act !== 'skip') return { subscribe: 'S', ask: 'A', keep: 'K' }[decision.act]
  if (decision.reason === 'suppressed') return 's'
  if (decision.reason === 'left_list') return 'l'
  return decision.reason === global_status ? 'o' : '?'
}

test('A list is decided for every combination of consent source, address status, membership and kind of list.', () => {
  let cells = 0
  for (const line of GRID.trim().split('\n').slice(2)) {
    const [reverses, trust, statusName, ...expected] = line.trim().split(/\s+/) as [
      ConsentSource['reverses'],
      string,
      string,
      ...string[],
    ]
    const source: ConsentSource = { name: 'test', reverses, asks: trust === 'asks' }
    for (const status of STATUSES.filter((status) => nameOf(status) === statusName)) {
      const found = MEMBERSHIPS.flatMap((membership) =>
        [false, true].map((double_opt_in) =>
          letter(decideList(status, membership, { id: 1, double_opt_in }, source), status),
        ),
      )
      expect({ ...source, ...status, found }).toEqual({ ...source, ...status, found: expected })
      cells += found.length
    }
  }
  expect(cells).toBe(5 * STATUSES.length * 8)
})

test('The consent sources reverse and ask as the contract says.', () => {
  expect(
    Object.fromEntries(
      Object.entries(CONSENT_SOURCES).map(([name, { reverses, asks }]) => [
        name,
        `${reverses} ${asks ? 'asks' : 'trusts'}`,
      ]),
    ),
  ).toEqual({
    upsert: 'nothing asks',
    resubscribe: 'everything asks',
    membership: 'list asks',
    bulk: 'nothing asks',
    import_asking: 'nothing asks',
    import_vouched: 'nothing trusts',
    signup: 'nothing asks',
    form: 'nothing asks',
    preferences: 'everything trusts',
  })
})

const NEWS = { id: 1, double_opt_in: false }
const DOUBLE = { id: 2, double_opt_in: true }
type Memberships = Record<number, MembershipStatus>

function statusAfter(
  status: Partial<AddressStatus>,
  memberships: Memberships,
  lists: (typeof NEWS)[],
  source: ConsentSource = CONSENT_SOURCES.upsert,
) {
  const had = new Map(Object.entries(memberships).map(([id, status]) => [Number(id), status]))
  return plan({ global_status: null, suppression: null, ...status }, had, lists, source).global_status
}

test('A new contact gets the global status that its lists and its suppression imply.', () => {
  expect(statusAfter({}, {}, [])).toBe('subscribed')
  expect(statusAfter({}, {}, [NEWS])).toBe('subscribed')
  expect(statusAfter({}, {}, [NEWS, DOUBLE])).toBe('subscribed')
  expect(statusAfter({}, {}, [DOUBLE])).toBe('pending')
  for (const lists of [[], [NEWS], [DOUBLE]]) {
    expect(statusAfter({ suppression: 'hard_bounce' }, {}, lists)).toBe('bounced')
    expect(statusAfter({ suppression: 'complaint' }, {}, lists)).toBe('complained')
    expect(statusAfter({ suppression: 'unsubscribe' }, {}, lists)).toBe('unsubscribed')
  }
  expect(statusAfter({ suppression: 'manual' }, {}, [])).toBe('subscribed')
  expect(statusAfter({ suppression: 'manual' }, {}, [NEWS])).toBe('subscribed')
  expect(statusAfter({ suppression: 'manual' }, {}, [DOUBLE])).toBe('pending')
})

test('A known contact changes its global status only by a subscription that the source allows.', () => {
  expect(statusAfter({ global_status: 'subscribed' }, { 1: 'subscribed' }, [DOUBLE])).toBe('subscribed')
  expect(statusAfter({ global_status: 'pending' }, { 2: 'pending' }, [DOUBLE])).toBe('pending')
  expect(statusAfter({ global_status: 'pending' }, { 2: 'pending' }, [])).toBe('pending')
  expect(statusAfter({ global_status: 'pending' }, {}, [])).toBe('subscribed')
  expect(statusAfter({ global_status: 'pending' }, { 2: 'pending' }, [NEWS])).toBe('subscribed')
  expect(statusAfter({ global_status: 'subscribed' }, { 1: 'unsubscribed' }, [NEWS])).toBe('subscribed')
  for (const out of ['unsubscribed', 'bounced', 'complained'] as const) {
    expect(statusAfter({ global_status: out }, {}, [NEWS])).toBe(out)
    expect(statusAfter({ global_status: out }, {}, [])).toBe(out)
    expect(statusAfter({ global_status: out }, {}, [NEWS], CONSENT_SOURCES.membership)).toBe(out)
    expect(statusAfter({ global_status: out }, {}, [NEWS], CONSENT_SOURCES.resubscribe)).toBe('subscribed')
    expect(statusAfter({ global_status: out }, {}, [], CONSENT_SOURCES.resubscribe)).toBe('subscribed')
    expect(statusAfter({ global_status: out }, {}, [DOUBLE], CONSENT_SOURCES.resubscribe)).toBe('pending')
    expect(statusAfter({ global_status: out }, {}, [DOUBLE], CONSENT_SOURCES.preferences)).toBe('subscribed')
  }
  // A bounce leaves memberships as they are, so a returning contact is still subscribed to its lists.
  expect(statusAfter({ global_status: 'bounced' }, { 1: 'subscribed' }, [DOUBLE], CONSENT_SOURCES.resubscribe)).toBe(
    'subscribed',
  )
})

test('Only a suppression of reason unsubscribe is lifted, and only by a source that reverses everything.', () => {
  for (const suppression of SUPPRESSION_REASONS) {
    for (const source of Object.values(CONSENT_SOURCES)) {
      const lifts = plan({ global_status: 'unsubscribed', suppression }, new Map(), [NEWS], source).lifts_suppression
      expect({ suppression, source, lifts }).toEqual({
        suppression,
        source,
        lifts: suppression === 'unsubscribe' && source.reverses === 'everything',
      })
    }
  }
})

test('A blocked or suppressed address is never subscribed by a source that does not reverse everything.', () => {
  for (const status of STATUSES.filter((status) => nameOf(status) !== 'free' && status.global_status !== null)) {
    for (const lists of [[], [NEWS], [DOUBLE], [NEWS, DOUBLE]]) {
      for (const source of Object.values(CONSENT_SOURCES).filter(({ reverses }) => reverses !== 'everything')) {
        const { decisions, global_status, lifts_suppression } = plan(status, new Map(), lists, source)
        expect(decisions.every(({ decision }) => decision.act === 'skip')).toBe(true)
        expect({ global_status, lifts_suppression }).toEqual({
          global_status: status.global_status!,
          lifts_suppression: false,
        })
      }
    }
  }
})

test('A new person who has not confirmed is asked by the lists that ask, and subscribed to nothing else.', () => {
  const [open, asks] = [
    { id: 1, double_opt_in: false },
    { id: 2, double_opt_in: true },
  ]
  const { import_asking, import_vouched } = CONSENT_SOURCES
  expect([askingLists([open, asks], import_asking), askingLists([open, asks], import_vouched)]).toEqual([[asks], []])
  const waits = { decisions: [], global_status: 'pending' as const, lifts_suppression: false }
  expect(planNew(null, [open, asks], import_asking, true)).toEqual({
    ...waits,
    decisions: [{ list_id: 2, decision: { act: 'ask' } }],
  })
  for (const [lists, source] of [
    [[open, asks], import_vouched],
    [[open], import_asking],
    [[], import_asking],
  ] as const) {
    expect(planNew(null, lists, source, true)).toEqual(waits)
    expect(storesConsent(planNew(null, lists, source, true))).toBe(false)
  }
  for (const [reason, global_status] of [
    ['manual', 'pending'],
    ['unsubscribe', 'unsubscribed'],
    ['hard_bounce', 'bounced'],
    ['complaint', 'complained'],
  ] as const)
    expect([reason, planNew(reason, [open], import_asking, true)]).toEqual([reason, { ...waits, global_status }])
  expect(planNew(null, [open, asks], import_asking)).toMatchObject({ global_status: 'subscribed' })
  expect(storesConsent(planNew(null, [asks], import_asking))).toBe(true)
  expect(storesConsent(planNew('complaint', [open], import_asking))).toBe(false)
  expect(storesConsent(planNew('manual', [open], import_asking))).toBe(true)
})
