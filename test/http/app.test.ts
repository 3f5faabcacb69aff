import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createSiteWorld, DOMAIN, type SiteWorld } from './site-world.ts'

let world: SiteWorld
beforeEach(async () => {
  world = await createSiteWorld({ base_url: 'https://news.example', metrics_token: 'reader' })
})
afterEach(() => world.close())

test('A path that is no route is refused like any other request, with the headers of every answer.', async () => {
  const of = async (host: string) => {
    const { status, headers } = await world.fetch('/nowhere', { headers: { Host: host, 'X-Request-ID': 'mine-1' } })
    return { status, headers: Object.fromEntries(headers) }
  }
  const common = { 'x-request-id': 'mine-1', 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }
  const own = await of('news.example')
  expect(own).toMatchObject({ status: 404, headers: { ...common, 'strict-transport-security': 'max-age=31536000' } })
  const local = await of('localhost')
  expect(local).toMatchObject({ status: 404, headers: common })
  expect(local.headers).not.toHaveProperty('strict-transport-security')
  const answer = await world.fetch('/nowhere', { headers: { Host: 'news.example' } })
  expect((await answer.json()) as unknown).toEqual({ error: 'not_found', message: 'There is nothing here.' })
  const visit = await world.fetch('/nowhere', { headers: { Host: 'news.example', Accept: 'text/html,*/*;q=0.8' } })
  expect([visit.status, visit.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(await visit.text()).toContain('There is no page here')
})

test('Only the public host of the service is for https alone, whatever page is asked for.', async () => {
  const paths = ['/docs', '/healthz', '/general/api/v1/openapi.json', '/assets/portal/portal.css', '/portal/login']
  for (const path of [...paths, '/general/newsletter/view/x', '/sites/harbour-news/', '/sites/harbour-news/nothing'])
    for (const [host, expected] of [
      ['news.example', 'max-age=31536000'],
      ['localhost', null],
    ] as const) {
      const { headers } = await world.fetch(path, { headers: { Host: host } })
      expect([path, host, headers.get('strict-transport-security')]).toEqual([path, host, expected])
    }
})

test('A document that is made once names the public host, whatever host asks first.', async () => {
  for (const [path, name] of [
    ['/docs/api/tags', 'https://news.example/general/api/v1/newsletter/tags/create'],
    ['/general/api/v1/newsletter/openapi.json', '"url":"https://news.example/general/api/v1/newsletter"'],
    ['/general/api/v1/openapi.json', '"url":"https://news.example"'],
    ['/.well-known/oauth-authorization-server', '"issuer":"https://news.example"'],
  ] as const)
    expect([path, await (await world.fetch(path)).text()]).toEqual([path, expect.stringContaining(name)])
})

test('Answers on the domains of projects are counted apart from the routes of the service.', async () => {
  const answered = async () => {
    const text = await (await world.fetch('/metrics', { headers: { Authorization: 'Bearer reader' } })).text()
    return [...text.matchAll(/^masthead_http_requests_total\{route="own domain",status="(\d+)"\} (\d+)$/gm)].map(
      ([, status, count]) => [status, count],
    )
  }
  expect(await answered()).toEqual([])
  for (let time = 0; time < 2; time++) await world.fetch('/nowhere', { headers: { Host: DOMAIN } })
  await world.fetch('/healthz')
  expect(await answered()).toEqual([['404', '2']])
})

test("A project's own domain is for https alone only if its owner says so, on every path.", async () => {
  for (const path of ['/nothing', '/general/newsletter/view/x']) {
    const { status, headers } = await world.fetch(path, { headers: { Host: DOMAIN } })
    expect([path, status, headers.get('strict-transport-security')]).toEqual([path, 404, null])
  }
})
