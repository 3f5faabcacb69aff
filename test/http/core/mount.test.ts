import type { Elysia } from 'elysia'
import { expect, test } from 'bun:test'
import type { Incoming } from '../../../src/http/core/exchange.ts'
import { mount } from '../../../src/http/core/mount.ts'
import { type Method, type Route, route } from '../../../src/http/core/route.ts'
import { createBudgets } from '../../../src/http/core/exchange.ts'
import type { RateLimiter } from '../../../src/operation/rate-limit.ts'
import type { Runtime } from '../../../src/runtime.ts'

type Mounted = (incoming: Incoming) => Promise<Response>

/** What the routes become, and what is counted and logged. */
function mounted(routes: readonly Route[]) {
  const paths = new Map<string, Mounted>()
  const counted: unknown[][] = []
  const lines: unknown[] = []
  const log = {
    debug: () => undefined,
    often: (_: string, fields: object) => void lines.push(fields),
    error: () => undefined,
    info: () => undefined,
  }
  const app = { route: (_: 'ALL', path: string, run: Mounted) => void paths.set(path, run) }
  mount(app as unknown as Elysia, routes, {
    runtime: {
      base_url: 'https://m.example',
      config: { trusted_proxies: '', access_log: true },
      clock: { now: () => 1 },
      log,
    } as unknown as Runtime,
    limiter: {} as RateLimiter,
    metrics: { answered: (...given) => void counted.push(given), snapshot: () => ({}), text: async () => '' },
    budgets: createBudgets(),
    server: () => null,
  })
  const ask = async (path: string, method: string) => {
    const request = new Request('https://m.example/x', { method })
    const answer = await paths.get(path)!({ request, params: {}, told: { route: '/x' }, server: null })
    return { status: answer.status, allow: answer.headers.get('allow'), text: await answer.text(), answer }
  }
  return { ask, paths, counted, lines }
}

const saying = (method: Method | Method[], path: string, text: string, more: object = {}): Route =>
  route({
    method,
    path,
    summary: 'Says it.',
    auth: 'public',
    response: 'text',
    respond: () => new Response(text),
    ...more,
  } as never)

test('Each method of a path has its handler, HEAD that of GET, and any other is refused.', async () => {
  const { ask } = mounted([
    saying('GET', '/things', 'read'),
    saying(['POST', 'PUT'], '/things', 'written'),
    saying('DELETE', '/other', 'gone'),
  ])
  const texts = await Promise.all(['GET', 'HEAD', 'POST', 'PUT'].map((method) => ask('/things', method)))
  expect(texts.map(({ text }) => text)).toEqual(['read', 'read', 'written', 'written'])
  expect(await ask('/things', 'DELETE')).toMatchObject({ status: 405, allow: 'GET, HEAD, POST, PUT' })
  expect(JSON.parse((await ask('/things', 'DELETE')).text).message).toBe(
    'This is called with GET or HEAD or POST or PUT.',
  )
  expect(await ask('/other', 'GET')).toMatchObject({ status: 405, allow: 'DELETE' })
  expect((await ask('/other', 'HEAD')).status).toBe(405)
})

test('A handler of all methods gets those that no other handler has, and HEAD may have its own.', async () => {
  const { ask } = mounted([
    saying('ALL', '/any', 'any'),
    saying('GET', '/any', 'read'),
    saying('GET', '/head', 'read'),
    saying('HEAD' as Method, '/head', 'head'),
  ])
  expect((await ask('/any', 'PATCH')).text).toBe('any')
  expect([(await ask('/any', 'GET')).text, (await ask('/any', 'HEAD')).text]).toEqual(['read', 'read'])
  expect((await ask('/head', 'HEAD')).text).toBe('head')
})

test('A refusal of a method is told as the route says.', async () => {
  const { ask } = mounted([
    saying('GET', '/things', 'read', { refuse_method: () => new Response('no', { status: 405 }) }),
  ])
  expect((await ask('/things', 'POST')).text).toBe('no')
})

test('A method that is declared twice for a path is an error at the start.', () => {
  expect(() => mounted([saying('GET', '/things', 'a'), saying(['POST', 'GET'], '/things', 'b')])).toThrow(
    'GET /things is declared twice.',
  )
})

test('The last parameter of a path may take the rest of it, and answers count by the declared path.', async () => {
  const { ask, paths, counted, lines } = mounted([
    saying('GET', '/things/:id', 'one'),
    saying('GET', '/rest/:kind/:rest', 'many', { catch_all: true }),
  ])
  expect([...paths.keys()]).toEqual(['/things/:id', '/rest/:kind/*'])
  const { answer } = await ask('/rest/:kind/*', 'GET')
  await ask('/things/:id', 'POST')
  expect(counted).toEqual([
    ['/rest/:kind/:rest', 200, expect.any(Number)],
    ['/things/:id', 405, expect.any(Number)],
  ])
  const [[, , seconds], { ms }] = [counted[0]!, lines[0] as { ms: number }]
  expect(seconds).toBeCloseTo(ms / 1000, 3)
  expect(lines[0]).toEqual({
    request_id: answer.headers.get('x-request-id'),
    method: 'GET',
    route: '/rest/:kind/:rest',
    status: 200,
    ms: expect.any(Number),
    address: '',
  })
})
