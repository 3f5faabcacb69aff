import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'

import { projects } from '../src/store/tables/accounts.ts'
import { published_scripts, script_connections, scripts } from '../src/store/tables/scripts.ts'
import { createOAuthWorld } from '../test/oauth/oauth-world.ts'
import { manyContacts } from '../test/support/campaigns.ts'
import { startBareRoutes } from './bare-routes.ts'

/**
 * Requests per second of the busiest routes, measured by wrk with 32 connections, each in turn with the same stack
 * without Masthead (bare-routes.ts). `bun bench/http.ts [seconds] [rounds]`; needs `wrk` (Debian's package).
 */
const SECONDS = Number(process.argv[2] ?? 5)
const ROUNDS = Number(process.argv[3] ?? 3)
const CONTACTS = 100_000
const CONNECTIONS = 32
const PAGE_BYTES = 50_000
const DOMAIN = 'harbour.example'

interface Load {
  name: string
  own: string
  bare: string
  /** The least share of the bare route's rate that Masthead should reach. */
  goal?: number
}

/** A script for wrk; `body` is Lua that returns the n-th body of this run. */
const posts = (path: string, headers: Record<string, string>, body: string, also = ''): string => `
  local n = 0
  local run = tostring(os.time()) .. tostring(math.random(1e9))
  wrk.method = "POST"
  ${Object.entries(headers)
    .map(([name, value]) => `wrk.headers["${name}"] = "${value}"`)
    .join('\n')}
  function request()
    n = n + 1
    ${also}
    return wrk.format(nil, "${path}", nil, ${body})
  end`
const JSON_TYPE = { 'Content-Type': 'application/json' }

const folder = mkdtempSync(join(tmpdir(), 'masthead-http-'))
const world = await createOAuthWorld({
  check_responses: false,
  newsletter_reads_per_minute: 1e9,
  newsletter_mutations_per_minute: 1e9,
  oauth_requests_per_minute: 1e9,
})
const { store } = world.service.runtime
const page =
  `<!doctype html><html><head><title>Harbour</title></head><body>` +
  `${'<p>The tide waits for nobody.</p>'.repeat(PAGE_BYTES / 32)}</body></html>`
const bare = await startBareRoutes(folder, CONTACTS, page)
const api = '/general/api/v1/newsletter'
const signed = { ...JSON_TYPE, Authorization: world.keys.owner }

for (const key of ['country', 'plan']) await world.ok('custom-fields/create', { key, label: key, type: 'text' })
const { list } = await world.ok('lists/create', { name: 'Everybody' })
await manyContacts(store, world.project.id, list.id, CONTACTS, world.clock.now())
await store.write((tx) => tx.run(sql`UPDATE contacts SET custom_fields = '{"country":"DE","plan":"free"}'`))
let cursor = ''
for (let seen = 0; seen < CONTACTS / 2; seen += 200)
  cursor = (await world.ok('contacts/list', { limit: 200, ...(cursor ? { cursor } : {}) })).next_cursor
await store.write((tx) => tx.update(projects).set({ domain: DOMAIN }).where(eq(projects.id, world.project.id)))

const basic = Buffer.from(`${world.client.client_id}:${world.client.client_secret}`).toString('base64')
const form = { 'Content-Type': 'application/x-www-form-urlencoded', Authorization: `Basic ${basic}` }
const { access_token } = await world.tokens()
const grants: string[] = []
for (let grant = 0; grant < CONNECTIONS * 2; grant++) grants.push((await world.tokens()).refresh_token)
/** Refreshes with the tokens of the previous answers. */
const refreshing = (path: string, headers: Record<string, string>, first: string[], body: string): string => `
  local tokens = { ${first.map((token) => `"${token}"`).join(', ')} }
  local at, last = 1, ${first.length}
  ${Object.entries(headers)
    .map(([name, value]) => `wrk.headers["${name}"] = "${value}"`)
    .join('\n')}
  function request()
    local refresh_token = tokens[at]
    tokens[at] = nil
    at = at + 1
    return wrk.format("POST", "${path}", nil, ${body})
  end
  function response(status, headers, body)
    last = last + 1
    tokens[last] = body:match('"refresh_token":"([^"]+)"')
  end`

const loads: Load[] = [
  {
    name: 'contacts/list, first page',
    goal: 0.54,
    own: posts(`${api}/contacts/list`, signed, `'{"limit":50}'`),
    bare: posts('/list', JSON_TYPE, `'{"limit":50}'`),
  },
  {
    name: 'contacts/list, in the middle',
    goal: 0.54,
    own: posts(`${api}/contacts/list`, signed, `'{"limit":50,"cursor":"${cursor}"}'`),
    bare: posts('/list', JSON_TYPE, `'{"limit":50,"after":${CONTACTS / 2}}'`),
  },
  {
    name: 'contacts/get',
    own: posts(`${api}/contacts/get`, signed, `'{"contact_id":' .. math.random(10000) .. '}'`),
    bare: posts('/get', JSON_TYPE, `'{"id":' .. math.random(10000) .. '}'`),
  },
  {
    name: 'contacts/upsert, new',
    goal: 0.5,
    own: posts(
      `${api}/contacts/upsert`,
      signed,
      `'{"email":"n' .. run .. n .. ` +
        `'@example.com","list_ids":[${list.id}],"custom_fields":{"country":"DE","plan":"pro"},"consent_text":"Yes"}'`,
      'wrk.headers["Idempotency-Key"] = run .. "-" .. n',
    ),
    bare: posts(
      '/upsert',
      JSON_TYPE,
      `'{"email":"n' .. run .. n .. '@example.com","custom_fields":{"country":"DE","plan":"pro"}}'`,
    ),
  },
  {
    name: 'introspection',
    own: posts('/general/oauth/introspect', form, `'token=${access_token}'`),
    bare: posts('/introspect', JSON_TYPE, `'{"token":"first"}'`),
  },
  {
    name: 'refresh with rotation',
    own: refreshing('/general/oauth/token', form, grants, `'grant_type=refresh_token&refresh_token=' .. refresh_token`),
    bare: refreshing('/refresh', JSON_TYPE, grants, `'{"refresh_token":"' .. refresh_token .. '"}'`),
  },
]

interface Measured {
  rate: number
  p99_ms: number
}

async function load(url: string, script: string): Promise<Measured> {
  const file = join(folder, 'load.lua')
  writeFileSync(file, script)
  const wrk = Bun.spawn(['wrk', '-t1', `-c${CONNECTIONS}`, `-d${SECONDS}s`, '--latency', '-s', file, url], {
    stdout: 'pipe',
  })
  const report = await new Response(wrk.stdout).text()
  const refused = /Non-2xx or 3xx responses: (\d+)/.exec(report)
  if (refused) throw new Error(`${refused[1]} requests were refused.\n${report}`)
  const [, p99, unit] = /99%\s+([\d.]+)(us|ms|s)/.exec(report)!
  return {
    rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(report)![1]),
    p99_ms: Number(p99) * { us: 0.001, ms: 1, s: 1000 }[unit as 'us' | 'ms' | 's'],
  }
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

async function compare({ name, own, bare: reference, goal }: Load): Promise<void> {
  const measured: { own: Measured[]; bare: Measured[] } = { own: [], bare: [] }
  for (let round = 0; round < ROUNDS; round++) {
    measured.bare.push(await load(bare.url, reference))
    measured.own.push(await load(world.url, own))
  }
  const [rate, other] = [median(measured.own.map((one) => one.rate)), median(measured.bare.map((one) => one.rate))]
  const p99 = (of: Measured[]) => median(of.map(({ p99_ms }) => p99_ms)).toFixed(1)
  process.stdout.write(
    `${name}: ${Math.round(rate)}/s, p99 ${p99(measured.own)} ms; bare ${Math.round(other)}/s, p99 ` +
      `${p99(measured.bare)} ms; ratio ${(rate / other).toFixed(2)}${goal === undefined ? '' : ` (goal ${goal})`}\n`,
  )
}

for (const one of loads) await compare(one)

const cookie = (await world.browser('editor')).cookie
const saved = await world.fetch('/project/pages/create', {
  method: 'POST',
  headers: { ...JSON_TYPE, Cookie: cookie },
  body: JSON.stringify({
    project_id: world.project.public_id,
    path: '/',
    title: 'Harbour',
    published: true,
    html: page,
  }),
})
if (!saved.ok) throw new Error(await saved.text())
const visit = `wrk.headers["Host"] = "${DOMAIN}"`
for (let connected = 0; connected <= 3; connected++) {
  if (connected !== 2)
    await compare({ name: `a page of 50 kB with ${connected} scripts`, own: visit, bare: 'wrk.path = "/page"' })
  await store.write(async (tx) => {
    const script = {
      name: 'Weather',
      type: 'Essential' as const,
      placement: 'HTML Head' as const,
      code: '<script>window.weather = "fine"</script>',
      parameters: {},
    }
    const at = { created_at: world.clock.now(), updated_at: world.clock.now() }
    const [made] = await tx
      .insert(scripts)
      .values({ app_id: world.client.id, ...script, ...at })
      .returning({ id: scripts.id })
    await tx.insert(published_scripts).values({ script_id: made!.id, ...script })
    await tx.insert(script_connections).values({ project_id: world.project.id, script_id: made!.id, ...at })
  })
}

await bare.close()
await world.close()
rmSync(folder, { recursive: true })
process.exit(0)
