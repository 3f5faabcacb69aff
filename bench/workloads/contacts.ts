import type { Bench, Row, Workload } from '../bench.ts'
import { load, type Plan } from '../load.ts'
import { figuresOf, type Goal, inTurn, type Side } from '../measure.ts'
import { FIRST_ID, idOf, type PocketBase, RECORDS, startPocketBase } from '../peers/pocketbase.ts'
import { emailOf } from '../people.ts'
import {
  CONNECTIONS,
  FIRST_PAGE,
  GET,
  headersOf,
  keyed,
  newNumbers,
  type Own,
  ownPlan,
  SPAN,
  startOwn,
  timed,
  upsertOf,
} from './plans.ts'

/** Reads and writes of contacts beside PocketBase, which holds the same 100,000. */
const CONTACTS = 100_000

interface Pair {
  bench: Bench
  own: Own
  other: PocketBase
}

/** A call that both answer: `requests` is the number of a full run. */
interface Call {
  name: string
  goals: readonly Goal[]
  requests: number
  own: Omit<Plan, 'url' | 'method' | 'headers' | 'requests' | 'connections'>
  other: { path: string; body?: string; first?: number; expect: string }
}

const filtered = (filter: string, per_page = 50): string =>
  `${RECORDS}?perPage=${per_page}&skipTotal=1&filter=${encodeURIComponent(filter).replaceAll('%7Bn%7D', '{n}')}`

const callsOf = ({ own, other }: Pair): Call[] => [
  {
    name: 'contacts/list 50, first page',
    goals: [
      { measure: 'rate', at_least: 4 },
      { measure: 'p99', at_most: 0.2 },
    ],
    requests: 6_000,
    own: FIRST_PAGE,
    other: { path: `${RECORDS}?perPage=50&skipTotal=1`, expect: `"email":"${emailOf(49)}"` },
  },
  {
    name: 'contacts/get, 10,000 ids',
    goals: [
      { measure: 'rate', at_least: 2.5 },
      { measure: 'p99', at_most: 1 },
    ],
    requests: 20_000,
    own: GET,
    other: { path: `${RECORDS}/${idOf('{n}')}`, first: FIRST_ID, expect: '"email":"p' },
  },
  {
    name: 'filter email eq, 10,000 addresses',
    goals: [{ measure: 'rate', at_least: 1.5 }],
    requests: 10_000,
    own: {
      path: '/contacts/list',
      body: `{"filter":{"op":"and","rules":[{"field":"email","operator":"eq","value":"${emailOf('{n}')}"}]}}`,
      expect: '"items":[{"id":',
    },
    other: { path: filtered(`email = "${emailOf('{n}')}"`), expect: '"items":[{' },
  },
  {
    name: 'contacts/upsert, new, one list, two custom fields',
    goals: [
      { measure: 'rate', at_least: 1.3 },
      { measure: 'p99', at_most: 1 },
    ],
    requests: 6_000,
    own: upsertOf(own),
    other: {
      path: RECORDS,
      body:
        `{"email":"n{n}@example.com","first_name":"New","last_name":"{n}","lists":["${other.list_id}"],` +
        `"country":"DE","plan":"pro"}`,
      expect: '"email":"n',
    },
  },
]

async function openPair(bench: Bench): Promise<Pair> {
  const other = await startPocketBase(bench, CONTACTS)
  bench.atEnd(other.stop)
  return { bench, other, own: await startOwn(bench, CONTACTS) }
}

/** Both hold the same people, in the same order. */
async function requireEqual({ own, other }: Pair): Promise<void> {
  const { items } = await other.get(`${RECORDS}?perPage=50&sort=created,id`)
  const own_items = (await own.call('contacts/list', { limit: 50 })).items
  const seen = (of: typeof items) => JSON.stringify(of.map(({ email, last_name }) => [email, last_name]))
  if (seen(items) !== seen(own_items)) throw new Error('PocketBase and Masthead do not hold the same contacts.')
}

async function compareCall({ bench, own, other }: Pair, call: Call): Promise<Row> {
  const requests = bench.quick ? Math.ceil(call.requests / 3) : call.requests
  const plan = (): Pick<Plan, 'requests' | 'first' | 'span'> => {
    const first = (call.own.first ?? 0) + (call.own.path.endsWith('upsert') ? newNumbers() : 0)
    return { requests, first, span: call.own.path.endsWith('upsert') ? requests : SPAN }
  }
  const ours: Side = {
    pids: () => [own.pid],
    run: () => load({ ...ownPlan(own, { ...call.own, ...plan() }), headers: keyed(headersOf(own)) }),
  }
  const method = call.other.body === undefined ? 'GET' : 'POST'
  const theirs: Side = {
    pids: () => [other.pid],
    run: () =>
      load({
        ...{ url: other.url, method, headers: other.headers, connections: CONNECTIONS },
        ...plan(),
        ...call.other,
      }),
  }
  const measured = await inTurn(theirs, ours, bench.pairs)
  return { name: call.name, reference: 'PocketBase', figures: figuresOf(measured, call.goals), ...measured }
}

const eq = (field: string, value: string) => ({ field, operator: 'eq', value })
const PREVIEWS = [
  {
    name: 'segment preview, 2 rules, 100k',
    rules: { op: 'and', rules: [eq('custom.country', 'DE'), eq('custom.plan', 'pro')] },
    filter: 'country = "DE" && plan = "pro"',
  },
  {
    name: 'segment preview, 4 rules nested, 100k',
    rules: {
      op: 'and',
      rules: [
        { op: 'or', rules: [eq('custom.country', 'DE'), eq('custom.country', 'FR')] },
        { op: 'or', rules: [eq('custom.plan', 'pro'), { field: 'email', operator: 'contains', value: 'p12' }] },
      ],
    },
    filter: '(country = "DE" || country = "FR") && (plan = "pro" || email ~ "p12")',
  },
]

async function preview(pair: Pair, { name, rules, filter }: (typeof PREVIEWS)[number]): Promise<Row> {
  const { bench, own, other } = pair
  const path = `${RECORDS}?perPage=10&filter=${encodeURIComponent(filter)}`
  const { count } = await own.call('segments/preview', { rules })
  const { totalItems } = await other.get(path)
  if (count !== totalItems) throw new Error(`${name}: ${count} and ${totalItems} fit.`)
  const few = { requests: bench.quick ? 10 : 40, connections: 1 }
  const ours = ownPlan(own, {
    ...{ path: '/segments/preview', body: JSON.stringify({ rules }), expect: `"count":${count}`, ...few },
  })
  const theirs: Plan = {
    ...{ url: other.url, method: 'GET', headers: other.headers, path, expect: `"totalItems":${count}`, ...few },
  }
  const measured = await inTurn(
    { pids: () => [other.pid], run: () => load(theirs) },
    { pids: () => [own.pid], run: () => load(ours) },
    bench.pairs,
  )
  const figures = figuresOf(measured, [{ measure: 'time', at_most: 0.1 }])
  return { name, reference: 'PocketBase, count', figures, ...measured }
}

/** All 1,111 people with p99 in their address, page after page. */
async function search({ bench, own, other }: Pair): Promise<Row> {
  const hits = 1_111
  const found = (count: number) => {
    if (count !== hits) throw new Error(`The search found ${count} contacts.`)
  }
  const ours = async () => {
    let [count, cursor] = [0, null as string | null]
    do {
      const given = { search: 'p99', limit: 200, ...(cursor ? { cursor } : {}) }
      const { items, next_cursor } = await own.call('contacts/list', given)
      count += items.length
      cursor = next_cursor
    } while (cursor)
    found(count)
  }
  const filter = encodeURIComponent('email ~ "p99" || first_name ~ "p99" || last_name ~ "p99"')
  const theirs = async () => {
    let [count, page] = [0, 1]
    for (let more = true; more; page++) {
      const { items } = await other.get(`${RECORDS}?perPage=500&page=${page}&skipTotal=1&filter=${filter}`)
      count += items.length
      more = items.length === 500
    }
    found(count)
  }
  const times = bench.quick ? 5 : 20
  const repeated = (work: () => Promise<void>) => () =>
    timed(times, async () => {
      for (let turn = 0; turn < times; turn++) await work()
    })
  const measured = await inTurn(
    { pids: () => [other.pid], run: repeated(theirs) },
    { pids: () => [own.pid], run: repeated(ours) },
    bench.pairs,
  )
  const figures = figuresOf(measured, [{ measure: 'time', at_most: 0.5 }])
  return { name: 'contact search, substring, all 1,111 hits', reference: 'PocketBase', figures, ...measured }
}

export const contacts: Workload = {
  name: 'contacts',
  async *run(bench) {
    const pair = await openPair(bench)
    await requireEqual(pair)
    const [list, get, filter, upsert] = callsOf(pair)
    yield await compareCall(pair, list!)
    yield await compareCall(pair, get!)
    yield await compareCall(pair, filter!)
    for (const one of PREVIEWS) yield await preview(pair, one)
    yield await search(pair)
    yield await compareCall(pair, upsert!)
  },
}
