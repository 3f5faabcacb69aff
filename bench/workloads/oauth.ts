import type { Bench, Row, Workload } from '../bench.ts'
import { load, type Plan } from '../load.ts'
import { figuresOf, type Goal, inTurn } from '../measure.ts'
import { startOidc } from '../peers/processes.ts'
import { startOwn } from './plans.ts'

/** Token requests beside oidc-provider, whose models are in SQLite. */
const TOKENS = 1_000
const CHAINS = 32

type Ask = Omit<Plan, 'url' | 'method' | 'headers' | 'path' | 'requests' | 'connections' | 'values'>

export const oauth: Workload = {
  name: 'oauth',
  async *run(bench) {
    const other = await startOidc(bench, TOKENS + CHAINS * 20)
    const own = await startOwn(bench, bench.quick ? 5_000 : 100_000)
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Authorization: own.client }
    const introspection = { body: 'token={value}', expect: '"active":true' }
    yield await compare(bench, {
      name: 'introspection, 1,000 tokens in turn',
      requests: 10_000,
      goals: [
        { measure: 'rate', at_least: 2 },
        { measure: 'p99', at_most: 1 },
      ],
      own: { ...own, headers, path: '/general/oauth/introspect', ...introspection, values: () => own.access_tokens },
      other: {
        ...other,
        ...introspection,
        path: '/token/introspection',
        values: () => other.access_tokens.slice(0, TOKENS),
      },
    })
    // A chain begins with a token that no run has used.
    let used = 0
    const fresh = (from: readonly string[], turn: number) => from.slice(turn * CHAINS, (turn + 1) * CHAINS)
    const refresh = { body: 'grant_type=refresh_token&refresh_token={value}', chain: 'refresh_token' }
    yield await compare(bench, {
      name: 'token refresh with rotation, 32 chains',
      requests: 6_000,
      goals: [{ measure: 'rate', at_least: 2 }],
      other: {
        ...other,
        ...refresh,
        ...{ path: '/token', expect: '"refresh_token":"', values: () => fresh(other.refresh_tokens, used) },
      },
      own: {
        ...own,
        headers,
        ...refresh,
        path: '/general/oauth/token',
        ...{ expect: '"refresh_token":"', values: () => fresh(own.refresh_tokens, used++) },
      },
    })
  },
}

interface Asked extends Ask {
  url: string
  pid: number
  headers: Record<string, string>
  path: string
  /** Asked for before each run. */
  values(): readonly string[]
}

interface Compared {
  name: string
  requests: number
  goals: Goal[]
  own: Asked
  other: Asked
}

async function compare(bench: Bench, { name, requests: full, goals, own, other }: Compared): Promise<Row> {
  const requests = bench.quick ? Math.ceil(full / 3) : full
  const side = ({ pid, values, ...plan }: Asked) => ({
    pids: () => [pid],
    run: () => load({ ...plan, method: 'POST', requests, connections: CHAINS, values: values() }),
  })
  const measured = await inTurn(side(other), side(own), bench.pairs)
  return { name, reference: 'oidc-provider on SQLite', figures: figuresOf(measured, goals), ...measured }
}
