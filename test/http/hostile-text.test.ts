import { afterAll, beforeAll, expect, test } from 'bun:test'
import { isDescribed } from '../../src/http/api/openapi.ts'
import type { Route } from '../../src/http/core/route.ts'
import { declaredRoutes } from '../../src/http/routes.ts'
import { shapes } from '../support/hostile-shapes.ts'
import { routeSamples, type Sample } from './route-samples.ts'
import { createSiteWorld, type SiteWorld } from './site-world.ts'

/** Hostile texts in every place of every route that takes text: path, query, headers, form and JSON bodies. */

/** CPU of one request, with all threads and the client's part. A quadratic pattern needs seconds at these lengths. */
const LIMIT_MS = 300
const LENGTH = 20_000
/** Bun refuses a request whose line and headers are longer than 16 KiB. */
const HEADER_LENGTH = 3000

const all = Object.entries(shapes)
let turn = 0
/** The shapes in turn, so that all of them meet many places. */
const nextShape = (length: number): string => all[turn++ % all.length]![1](length)

let world: SiteWorld
beforeAll(async () => (world = await createSiteWorld()))
afterAll(() => world.close())

const routes = declaredRoutes()

/** The cheapest of three requests decides: a first one may start a thread, and garbage of others may be collected. */
async function expectCheap(what: string, send: () => Promise<Response>): Promise<void> {
  const once = async () => {
    const before = process.cpuUsage()
    const { status } = await send()
    const { user, system } = process.cpuUsage(before)
    expect([what, status < 500 || status === 503]).toEqual([what, true])
    return (user + system) / 1000
  }
  let least = Infinity
  for (let call = 0; call < 3 && least >= LIMIT_MS; call++) least = Math.min(least, await once())
  expect([what, least < LIMIT_MS ? 'cheap' : least]).toEqual([what, 'cheap'])
}

const described = routes.filter((route) => isDescribed(route) && route.act.kind !== 'respond')

test('Every text of the JSON routes may be hostile.', async () => {
  let places = 0
  for (const route of described) {
    const name = `${route.methods.join('|')} ${route.path}`
    const sample = await Promise.resolve(routeSamples[name]?.(world)).catch(() => null)
    if (!sample?.body) continue
    const credentials = await credentialsOf(route, sample)
    for (const body of replaced(sample.body, () => nextShape(LENGTH))) {
      places++
      await expectCheap(`${name} ${JSON.stringify(body).slice(0, 200)}`, () =>
        sendJson(route, sample, body, credentials),
      )
    }
  }
  expect(places).toBeGreaterThan(60)
})

const FORMS = [
  '/general/oauth/token',
  '/general/oauth/revoke',
  '/general/oauth/introspect',
  '/general/oauth/par',
  '/general/oauth/authorize',
  '/portal/login',
  '/portal/setup',
  '/portal/forgot',
  '/portal/reset',
  '/general/newsletter/signup',
  '/general/project/form/entry',
]
const FIELDS = [
  ...[
    'client_id',
    'client_secret',
    'code',
    'code_verifier',
    'redirect_uri',
    'refresh_token',
    'scope',
    'state',
    'token',
  ],
  ...['email', 'password', 'return', 'project_id', 'form', 'fields[name]', 'consent_text', 'return_url', 'first_name'],
]

test.each(FORMS)('Every field of the form at %s may be hostile, and so may the body.', async (path) => {
  const post = (body: string, type = 'application/x-www-form-urlencoded') =>
    world.fetch(path, { method: 'POST', headers: { 'Content-Type': type, Origin: world.url }, body })
  for (const grant_type of ['authorization_code', 'refresh_token'])
    for (const field of FIELDS) {
      const fields = new URLSearchParams({
        grant_type,
        project_id: world.project.public_id,
        [field]: nextShape(LENGTH),
      })
      await expectCheap(`${path} ${field}`, () => post(fields.toString()))
    }
  for (const [name, shape] of all) {
    await expectCheap(`${path} as ${name}`, () => post(shape(LENGTH)))
    await expectCheap(`${path} as a multipart form of ${name}`, () =>
      post(shape(LENGTH), 'multipart/form-data; boundary=a'),
    )
  }
})

const HEADERS = [
  ...['Cookie', 'Authorization', 'User-Agent', 'Accept', 'Accept-Language', 'Accept-Encoding', 'If-None-Match'],
  ...['Origin', 'Referer', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Request-ID', 'Idempotency-Key', 'Content-Type'],
]
const PATHS = [
  '/general/api/v1/newsletter/lists/list',
  '/general/api/v1/token/introspect',
  '/general/api/v1/scripts/list',
  '/project/newsletter/lists/list',
  '/project/get',
  '/portal',
  '/portal/login',
  '/sites/harbour-news/',
  '/general/newsletter/unsubscribe/x',
  '/general/oauth/token',
]

test.each(PATHS)('Every header of a request to %s may be hostile, and so may its query.', async (path) => {
  for (const header of HEADERS) {
    for (const method of ['GET', 'POST', 'GET', 'POST']) {
      const value = printable(nextShape(HEADER_LENGTH))
      await expectCheap(`${method} ${path} ${header}`, () =>
        world.fetch(path, { method, headers: { [header]: value } }),
      )
    }
  }
  for (const [name, shape] of all) {
    const text = encodeURIComponent(shape(1000).toWellFormed()).slice(0, 3000).replace(/%.?$/, '')
    await expectCheap(`${path} with a query of ${name}`, () => world.fetch(`${path}?return=${text}&project_id=${text}`))
    await expectCheap(`${path} followed by ${name}`, () => world.fetch(`${path}/${text}`))
  }
})

test.each(all)('A page, a script and a bounce message may be %s.', async (name, shape) => {
  const { public_id: project_id } = world.project
  await expectCheap('a page', () =>
    post('/project/pages/create', { project_id, path: `/hostile-${turn++}`, title: 'x', html: shape(200_000) }),
  )
  const appId = await (appOfOwner ??= makeApp())
  await expectCheap('a script', () =>
    post(`/user/developer/apps/${appId}/scripts`, {
      ...{ name: 'x', type: 'Analytics', placement: 'HTML Head' },
      code: shape(60_000),
    }),
  )
  const hook = await (webhook ??= makeWebhook())
  for (const message of [
    shape(200_000),
    `Subject: x\r\nContent-Type: multipart/report; boundary=a\r\n\r\n${shape(200_000)}`,
  ])
    await expectCheap(`a message of ${name}`, () =>
      world.fetch(hook, { method: 'POST', headers: { 'Content-Type': 'message/rfc822' }, body: message }),
    )
})

let appOfOwner: Promise<string> | undefined
async function makeApp(): Promise<string> {
  const response = await post('/user/developer/apps', {
    displayName: 'Tide tables',
    redirect_uris: ['https://app.example/back'],
    scopes: ['scripts:read'],
  })
  return ((await response.json()) as any).app.id
}

let webhook: Promise<string> | undefined
async function makeWebhook(): Promise<string> {
  const { id } = (
    await world.ok('connections/create', {
      name: 'Relay',
      provider: 'smtp',
      host: '127.0.0.1',
      port: 2525,
      secure: 'none',
    })
  ).connection
  const { urls } = await world.ok('connections/webhook-urls', { connection_id: id })
  return new URL(urls.find(({ url }: { url: string }) => url.includes('/mime/')).url).pathname
}

async function post(path: string, body: unknown): Promise<Response> {
  return world.fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Cookie: await world.cookie('owner') },
    body: JSON.stringify(body),
  })
}

/** The characters that a header may carry. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, ' ').trim()
}

/** The body once for each of its strings, with that string replaced. */
function* replaced(value: unknown, text: () => string): Generator<unknown> {
  if (typeof value === 'string') yield text()
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value))
      for (const changed of replaced(inner, text)) yield Object.assign(structuredClone(value), { [key]: changed })
}

async function credentialsOf({ auth }: Route, { cookie }: Sample): Promise<Record<string, string>> {
  if (cookie !== undefined) return { Cookie: cookie }
  return auth === 'oauth'
    ? { Authorization: `Bearer ${await world.token('owner')}` }
    : { Cookie: await world.cookie('owner') }
}

function sendJson(route: Route, sample: Sample, body: unknown, credentials: Record<string, string>): Promise<Response> {
  const path = Object.entries(sample.params ?? {}).reduce(
    (path, [name, value]) => path.replace(`:${name}`, String(value)),
    route.path,
  )
  const named = route.project === 'body' ? { project_id: world.project.public_id } : {}
  return world.fetch(path, {
    method: route.methods[0]!,
    headers: { 'Content-Type': 'application/json', ...credentials },
    body: JSON.stringify({ ...named, ...(body as object) }),
  })
}
