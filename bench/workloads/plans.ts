import type { Bench } from '../bench.ts'
import type { Plan } from '../load.ts'
import type { Timed } from '../measure.ts'
import { type Masthead, prepare, type Prepared, start } from '../peers/masthead.ts'

/** The calls to Masthead that several workloads make. */
export const CONNECTIONS = 32
/** How many contacts the calls about one contact go through. */
export const SPAN = 10_000
const API = '/general/api/v1/newsletter'

export type Own = Masthead & Prepared

export const headersOf = ({ access_tokens }: Prepared): Record<string, string> => ({
  'Content-Type': 'application/json',
  Authorization: `Bearer ${access_tokens[0]}`,
})

export function ownPlan(own: Own, given: Partial<Plan> & Pick<Plan, 'path' | 'expect'>): Plan {
  const plan = { method: 'POST' as const, connections: CONNECTIONS, requests: 1, span: SPAN, ...given }
  const project = `{"project_id":"${own.public_id}"`
  const body = plan.body?.replace(/^\{(?<end>\}?)/, (_, end: string) => project + (end || ','))
  return { url: own.url, headers: headersOf(own), ...plan, body, path: API + plan.path }
}

export const FIRST_PAGE = { path: '/contacts/list', body: '{"limit":50}', expect: '"next_cursor":"' }
export const GET = { path: '/contacts/get', body: '{"contact_id":{n}}', first: 1, expect: '"contact":{"id":' }
export const upsertOf = ({ list_id }: Pick<Prepared, 'list_id'>) => ({
  path: '/contacts/upsert',
  body:
    `{"email":"n{n}@example.com","first_name":"New","last_name":"{n}","list_ids":[${list_id}],` +
    `"custom_fields":{"country":"DE","plan":"pro"},"consent_text":"Yes"}`,
  expect: '"created":true',
})

export async function startOwn(bench: Bench, contacts: number, settings = {}): Promise<Own> {
  const prepared = await prepare(bench, contacts)
  const service = await start(bench, prepared, settings)
  bench.atEnd(service.stop)
  return { ...prepared, ...service }
}

export const keyed = (headers: Record<string, string>) => ({ ...headers, 'Idempotency-Key': 'bench-{n}' })

export async function timed(requests: number, work: () => Promise<unknown>): Promise<Timed> {
  const begun = performance.now()
  await work()
  return { requests, seconds: (performance.now() - begun) / 1000 }
}

let runs = 0

/** The first of a million numbers that no run has used: for addresses of new contacts. */
export const newNumbers = (): number => ++runs * 1_000_000
