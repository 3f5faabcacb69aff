import { expect, test } from 'bun:test'
import {
  type Decision,
  decideList,
  plan,
  type Standing,
  type WayIn,
  WAYS_IN,
} from '../../../src/newsletter/consent/consent-rule.ts'
import { GLOBAL_STATUSES, type MembershipStatus, SUPPRESSION_REASONS } from '../../../src/store/tables/audience.ts'

/**
 * Every combination, each line a way in and how somebody stands, each column a membership and a kind of list.
 * S subscribe, A ask, K keep; skipped: s suppressed, o their status (they are out), l left_list.
 */
const GRID = `
  way in                        standing       none      pending   subscribed  unsubscribed
                                               1in 2in   1in 2in   1in 2in     1in 2in
  nothing     asks              free           S   A     S   A     K   K       l   l
  nothing     asks              out            o   o     o   o     o   o       o   o
  nothing     asks              left_before    s   s     s   s     s   s       s   s
  nothing     asks              barred         s   s     s   s     s   s       s   s
  nothing     trusts            free           S   S     S   S     K   K       l   l
  nothing     trusts            out            o   o     o   o     o   o       o   o
  nothing     trusts            left_before    s   s     s   s     s   s       s   s
  nothing     trusts            barred         s   s     s   s     s   s       s   s
  list        asks              free           S   A     S   A     K   K       S   A
  list        asks              out            o   o     o   o     o   o       o   o
  list        asks              left_before    s   s     s   s     s   s       s   s
  list        asks              barred         s   s     s   s     s   s       s   s
  everything  asks              free           S   A     S   A     K   K       S   A
  everything  asks              out            S   A     S   A     K   K       S   A
  everything  asks              left_before    S   A     S   A     K   K       S   A
  everything  asks              barred         s   s     s   s     s   s       s   s
  everything  trusts            free           S   S     S   S     K   K       S   S
  everything  trusts            out            S   S     S   S     K   K       S   S
  everything  trusts            left_before    S   S     S   S     K   K       S   S
  everything  trusts            barred         s   s     s   s     s   s       s   s
`

const MEMBERSHIPS = [null, 'pending', 'subscribed', 'unsubscribed'] as const
const STANDINGS: Standing[] = [null, ...GLOBAL_STATUSES].flatMap((global_status) =>
  [null, ...SUPPRESSION_REASONS].map((suppression) => ({ global_status, suppression })),
)

function nameOf({ global_status, suppression }: Standing): string {
  if (suppression === 'unsubscribe') return 'left_before'
  if (suppression !== null) return 'barred'
  return global_status === null || global_status === 'pending' || global_status === 'subscribed' ? 'free' : 'out'
}

function letter(decision: Decision, { global_status }: Standing): string {
  if (decision.act !== 'skip') return { subscribe: 'S', ask: 'A', keep: 'K' }[decision.act]
  if (decision.reason === 'suppressed') return 's'
  if (decision.reason === 'left_list') return 'l'
  return decision.reason === global_status ? 'o' : '?'
}

test('a list: every combination of way in, standing, membership and kind of list', () => {
  let cells = 0
  for (const line of GRID.trim().split('\n').slice(2)) {
    const [takes_back, trust, standingName, ...expected] = line.trim().split(/\s+/) as [
      WayIn['takes_back'],
      string,
      string,
      ...string[],
    ]
    const way: WayIn = { source: 'test', takes_back, asks: trust === 'asks' }
    for (const standing of STANDINGS.filter((standing) => nameOf(standing) === standingName)) {
      const found = MEMBERSHIPS.flatMap((membership) =>
        [false, true].map((double_opt_in) =>
          letter(decideList(standing, membership, { id: 1, double_opt_in }, way), standing),
        ),
      )
      expect({ ...way, ...standing, found }).toEqual({ ...way, ...standing, found: expected })
      cells += found.length
    }
  }
  expect(cells).toBe(5 * STANDINGS.length * 8)
})

test('every way in that the contract names is one of these', () => {
  expect(
    Object.fromEntries(
      Object.entries(WAYS_IN).map(([name, { takes_back, asks }]) => [
        name,
        `${takes_back} ${asks ? 'asks' : 'trusts'}`,
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
  standing: Partial<Standing>,
  memberships: Memberships,
  lists: (typeof NEWS)[],
  way: WayIn = WAYS_IN.upsert,
) {
  const had = new Map(Object.entries(memberships).map(([id, status]) => [Number(id), status]))
  return plan({ global_status: null, suppression: null, ...standing }, had, lists, way).global_status
}

test('global status of somebody new (contract-details 15)', () => {
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

test('global status of somebody known', () => {
  expect(statusAfter({ global_status: 'subscribed' }, { 1: 'subscribed' }, [DOUBLE])).toBe('subscribed')
  expect(statusAfter({ global_status: 'pending' }, { 2: 'pending' }, [DOUBLE])).toBe('pending')
  expect(statusAfter({ global_status: 'pending' }, { 2: 'pending' }, [])).toBe('pending')
  expect(statusAfter({ global_status: 'pending' }, {}, [])).toBe('subscribed')
  expect(statusAfter({ global_status: 'pending' }, { 2: 'pending' }, [NEWS])).toBe('subscribed')
  expect(statusAfter({ global_status: 'subscribed' }, { 1: 'unsubscribed' }, [NEWS])).toBe('subscribed')
  for (const out of ['unsubscribed', 'bounced', 'complained'] as const) {
    expect(statusAfter({ global_status: out }, {}, [NEWS])).toBe(out)
    expect(statusAfter({ global_status: out }, {}, [])).toBe(out)
    expect(statusAfter({ global_status: out }, {}, [NEWS], WAYS_IN.membership)).toBe(out)
    expect(statusAfter({ global_status: out }, {}, [NEWS], WAYS_IN.resubscribe)).toBe('subscribed')
    expect(statusAfter({ global_status: out }, {}, [], WAYS_IN.resubscribe)).toBe('subscribed')
    expect(statusAfter({ global_status: out }, {}, [DOUBLE], WAYS_IN.resubscribe)).toBe('pending')
    expect(statusAfter({ global_status: out }, {}, [DOUBLE], WAYS_IN.preferences)).toBe('subscribed')
  }
  // A bounce takes nobody off their lists: coming back, they are on them still.
  expect(statusAfter({ global_status: 'bounced' }, { 1: 'subscribed' }, [DOUBLE], WAYS_IN.resubscribe)).toBe(
    'subscribed',
  )
})

test('a suppression of people who left ends when they come back, no other one ever', () => {
  for (const suppression of SUPPRESSION_REASONS) {
    for (const way of Object.values(WAYS_IN)) {
      const lifts = plan({ global_status: 'unsubscribed', suppression }, new Map(), [NEWS], way).lifts_suppression
      expect({ suppression, way, lifts }).toEqual({
        suppression,
        way,
        lifts: suppression === 'unsubscribe' && way.takes_back === 'everything',
      })
    }
  }
})

test('whoever is out or suppressed is never subscribed by a way in that takes nothing back', () => {
  for (const standing of STANDINGS.filter(
    (standing) => nameOf(standing) !== 'free' && standing.global_status !== null,
  )) {
    for (const lists of [[], [NEWS], [DOUBLE], [NEWS, DOUBLE]]) {
      for (const way of Object.values(WAYS_IN).filter(({ takes_back }) => takes_back !== 'everything')) {
        const { decisions, global_status, lifts_suppression } = plan(standing, new Map(), lists, way)
        expect(decisions.every(({ decision }) => decision.act === 'skip')).toBe(true)
        expect({ global_status, lifts_suppression }).toEqual({
          global_status: standing.global_status!,
          lifts_suppression: false,
        })
      }
    }
  }
})
