import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { readHost, requestedHost, serviceNames } from '../../../src/http/core/hosts.ts'
import { trustedProxies } from '../../../src/http/core/proxies.ts'
import { declaredRoutes } from '../../../src/http/routes.ts'
import { eq } from 'drizzle-orm'
import { projects } from '../../../src/store/tables/accounts.ts'
import { createSiteWorld, DOMAIN, type SiteWorld } from '../site-world.ts'

/** Names of one to four characters: a router that expects longer ones reads their paths wrongly. */
const SHORT = ['x', 'we', 'web', 'node']

let world: SiteWorld
beforeAll(async () => {
  world = await createSiteWorld({ base_url: 'https://news.example', hosts: `${SHORT.join(', ')}, 10.0.0.7,fe80::7` })
})
afterAll(() => world.close())

/** Sends a request byte by byte, and answers status and body. */
function raw(head: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(Number(new URL(world.url).port), '127.0.0.1', () =>
      socket.write(Buffer.from(`${head}\r\n\r\n`, 'latin1')),
    )
    socket.on('data', (bytes) => (text += bytes.toString('latin1')))
    socket.on('error', reject)
    socket.on('close', () =>
      resolve({ status: Number(text.slice(9, 12)), body: text.slice(text.indexOf('\r\n\r\n') + 4) }),
    )
  })
}
const get = (path: string, ...hosts: string[]) =>
  raw([`GET ${path} HTTP/1.1`, ...hosts.map((host) => `Host: ${host}`), 'Connection: close'].join('\r\n'))

const PATHS = [...new Set(declaredRoutes().map(({ path }) => path.replace(/:\w+/g, 'x').replace('*', 'x')))]

test('An unknown host gets 421 on every route, whatever the length of its name.', async () => {
  for (const host of ['y', 'yy', 'yyy', 'yyyy', 'evil.example', `${DOMAIN}.evil.example`, `wwww.${DOMAIN}`, '10.0.0.8'])
    for (const path of PATHS) {
      const answer = await world.fetch(path, { headers: { Host: host } })
      expect([host, path, answer.status]).toEqual([host, path, 421])
    }
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'])
    expect((await world.fetch('/user/login', { method, headers: { Host: 'evil.example' } })).status).toBe(421)
  const answer = await world.fetch('/portal/login', { headers: { Host: 'evil.example' } })
  expect([await answer.json(), answer.headers.get('set-cookie'), answer.headers.get('cache-control')]).toEqual([
    { error: 'invalid_request', message: expect.any(String) },
    null,
    'no-store',
  ])
  expect(answer.headers.get('x-request-id')).toStartWith('req_')
})

test('An unknown host gets 421 for a domain that is claimed but not proven.', async () => {
  const { store } = world.service.runtime
  await store.write((tx) =>
    tx.update(projects).set({ domain_claim: 'claimed.example' }).where(eq(projects.id, world.other.id)),
  )
  for (const path of ['/', '/portal/login', '/general/newsletter/unsubscribe/x', '/general/project/form/entry'])
    expect((await world.fetch(path, { headers: { Host: 'claimed.example' } })).status).toBe(421)
})

test('The service answers to the host of its base URL, the configured ones and those of this machine.', async () => {
  for (const host of [...SHORT, '10.0.0.7', '[fe80::7]', 'news.example', 'NEWS.example.:443', 'localhost', '[::1]'])
    expect([host, (await get('/healthz', host)).status]).toEqual([host, 200])
})

test('Names of one to four characters lead to the routes that their paths name.', async () => {
  for (const path of PATHS) {
    // /metrics alone depends on the name.
    const expected = path === '/metrics' ? 403 : (await get(path, 'localhost')).status
    for (const host of SHORT) expect([host, path, (await get(path, host)).status]).toEqual([host, path, expected])
  }
  for (const path of ['/abc/portal/login', '/a/healthz', '/ab/cd/ef/healthz', '/portal/login/x'])
    for (const host of [...SHORT, 'localhost'])
      expect([host, path, (await get(path, host)).status]).toEqual([host, path, 404])
})

test('A Host header is refused when there are two of them, or none.', async () => {
  expect((await get('/healthz', 'localhost', 'localhost')).status).toBe(400)
  expect((await get('/healthz', 'localhost', 'evil.example')).status).toBe(400)
  expect((await get('/healthz', DOMAIN, 'localhost')).status).toBe(400)
  expect((await get('/healthz')).status).toBe(400)
  expect((await raw('GET /healthz HTTP/1.0')).status).toBe(400)
  expect((await raw('GET /abcdefghij/portal/login HTTP/1.0')).status).toBe(400)
})

test.each([
  'user@localhost',
  'localhost/portal',
  'localhost:99999',
  'localhost:x',
  'localhost?x',
  'localhost#x',
  'local host',
  'localhost, localhost',
  'local%68ost',
  'm\xc3\xbcnchen.example',
  'a..b',
  '.localhost',
  '',
])('A Host header is refused when it is malformed: %s.', async (host) => {
  const answer = await get('/healthz', host)
  expect([answer.status, JSON.parse(answer.body)]).toEqual([
    400,
    { error: 'invalid_request', message: expect.any(String) },
  ])
})

test('A Host header is read without port, trailing dot and case.', () => {
  for (const header of [
    'news.example',
    'News.Example',
    'news.example.',
    'news.example:8080',
    'NEWS.example.:',
    ' news.example ',
  ])
    expect(readHost(header)).toBe('news.example')
  expect([readHost('[::1]:80'), readHost('XN--Mnchen-3ya.example')]).toEqual(['[::1]', 'xn--mnchen-3ya.example'])
  expect(readHost('x:65535')).toBe('x')
  expect(readHost('x'.repeat(260))).toHaveLength(260)
  expect([readHost(null), readHost('x'.repeat(261)), readHost('x:65536'), readHost('a.')]).toEqual([
    null,
    null,
    null,
    'a',
  ])
})

describe('GET /general/tls/ask', () => {
  const ask = async (domain: string) => (await get(`/general/tls/ask?domain=${domain}`, 'localhost')).status

  test("GET /general/tls/ask answers 200 for proven domains and the service's own names, else 404.", async () => {
    for (const domain of [DOMAIN, `www.${DOMAIN}`, 'HARBOUR.example', 'news.example', 'web'])
      expect([domain, await ask(domain)]).toEqual([domain, 200])
    for (const domain of [
      'claimed.example',
      'evil.example',
      `wwww.${DOMAIN}`,
      'localhost',
      '',
      'a%20b',
      'user@news.example',
    ])
      expect([domain, await ask(domain)]).toEqual([domain, 404])
    expect((await get('/general/tls/ask', 'localhost')).status).toBe(404)
  })
})

test('A host that a trusted proxy forwards counts, and no other, and never beside a malformed one.', () => {
  const of = (host: string | null, forwarded: string | null, peer: string | null = '10.0.0.1') => {
    const headers = { ...(host !== null && { host }), ...(forwarded !== null && { 'x-forwarded-host': forwarded }) }
    const request = { headers: new Headers(headers) } as Request
    const server = peer === null ? null : { requestIP: () => ({ address: peer }), timeout: () => undefined }
    return requestedHost({ request, server }, trustedProxies('10.0.0.0/8'))
  }
  expect(of('inner.example', 'News.Example, other.example')).toBe('news.example')
  expect(of('inner.example', null)).toBe('inner.example')
  expect([of('inner.example', 'news.example', '192.0.2.1'), of('inner.example', 'news.example', null)]).toEqual([
    'inner.example',
    'inner.example',
  ])
  expect([of(null, 'news.example'), of('a b', 'news.example'), of('inner.example', 'a b')]).toEqual([null, null, null])
})

test('The names of the service are those of its base URL and of the settings, which may change.', () => {
  const of = (base_url: string, hosts: string) => [...serviceNames({ base_url, config: { hosts } as never })]
  expect(of('https://News.Example:8443/x', 'WEB, fe80::7')).toEqual(['news.example', 'web', '[fe80::7]'])
  expect(of('https://News.Example:8443/x', '')).toEqual(['news.example'])
  expect(of('https://other.example', '')).toEqual(['other.example'])
})
