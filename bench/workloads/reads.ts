import type { Bench, Row, Workload } from '../bench.ts'
import { load, type Load, type Plan } from '../load.ts'
import { figuresOf, inTurn, type Side } from '../measure.ts'
import {
  CONNECTIONS,
  FIRST_PAGE,
  GET,
  headersOf,
  keyed,
  newNumbers,
  type Own,
  ownPlan,
  startOwn,
  upsertOf,
} from './plans.ts'

/** Reads beside Masthead's own reads under better conditions. */
const CONTACTS = 100_000

async function middleOfList(bench: Bench, own: Own): Promise<Row> {
  let cursor = ''
  for (let seen = 0; seen < CONTACTS / 2; seen += 200)
    cursor = (await own.call('contacts/list', { limit: 200, ...(cursor ? { cursor } : {}) })).next_cursor
  const requests = bench.quick ? 2_000 : 6_000
  const side = (body: string): Side => ({
    pids: () => [own.pid],
    run: () => load(ownPlan(own, { ...FIRST_PAGE, body, requests })),
  })
  const measured = await inTurn(side(FIRST_PAGE.body), side(JSON.stringify({ limit: 50, cursor })), bench.pairs)
  return {
    name: 'contacts/list 50, cursor in the middle',
    reference: 'the first page',
    figures: figuresOf(measured, [{ measure: 'rate', at_least: 0.95 }]),
    ...measured,
  }
}

/** Reads while another caller makes 100 upserts a second, beside the same reads on the quiet service. */
async function besideUpserts(bench: Bench, own: Own): Promise<Row[]> {
  const requests = bench.quick ? 4_000 : 10_000
  const introspect: Partial<Plan> & Pick<Plan, 'path' | 'expect'> = {
    path: '/general/oauth/introspect',
    body: 'token={value}',
    values: own.access_tokens,
    expect: '"active":true',
  }
  const rows: Row[] = []
  for (const [name, plan] of [
    ['contacts/get', GET],
    ['contacts/list 50', FIRST_PAGE],
    ['introspection', introspect],
  ] as const) {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded', Authorization: own.client }
    const reads =
      plan === introspect
        ? { ...introspect, requests, connections: CONNECTIONS, url: own.url, method: 'POST' as const, headers: form }
        : ownPlan(own, { ...plan, requests })
    const beside = async (): Promise<Load> => {
      const given = { ...upsertOf(own), first: newNumbers(), requests: 100_000, connections: 8, per_second: 100 }
      const enough = new AbortController()
      const plan = ownPlan(own, { ...given, span: given.requests })
      const writes = load({ ...plan, headers: keyed(headersOf(own)) }, enough.signal)
      const read = await load(reads)
      enough.abort()
      await writes
      return read
    }
    const pids = () => [own.pid]
    const measured = await inTurn({ pids, run: () => load(reads) }, { pids, run: beside }, bench.pairs)
    // The CPU time holds the upserts, too.
    const figures = figuresOf(measured, [{ measure: 'rate', at_least: 0.9 }]).slice(0, 1)
    rows.push({ name: `${name} while 100 upserts a second run`, reference: 'the quiet service', figures, ...measured })
  }
  return rows
}

export const reads: Workload = {
  name: 'reads',
  async *run(bench) {
    const own = await startOwn(bench, CONTACTS)
    yield await middleOfList(bench, own)
    yield* await besideUpserts(bench, own)
  },
}
