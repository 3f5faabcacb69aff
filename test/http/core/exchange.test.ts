import { expect, test } from 'bun:test'
import { AppError, invalid } from '../../../src/errors.ts'
import { endpoint, errorResponse, type Exchange, json } from '../../../src/http/core/exchange.ts'
import { createLog } from '../../../src/log.ts'
import type { Runtime } from '../../../src/runtime.ts'

const logged: unknown[] = []
const warnings: string[] = []
const runtime = {
  base_url: 'https://masthead.example',
  config: { trusted_proxies: '127.0.0.1, 10.0.0.0/8, 2001:db8::/32' },
  clock: { now: () => 1_700_000_000_000 },
  log: {
    error: (...given: unknown[]) => logged.push(given),
    warnOnce: (message: string, { peer }: { peer: string }) => warnings.push(`${peer}: ${message}`),
  },
} as unknown as Runtime

async function exchangeOf(headers: Record<string, string>, peer = '127.0.0.1'): Promise<Exchange> {
  let seen: Exchange | undefined
  const run = endpoint(runtime, (exchange) => {
    seen = exchange
    return json(200, {})
  })
  const request = new Request('https://masthead.example/x', { headers })
  await run({
    request,
    params: {},
    told: { route: '/x' },
    server: { requestIP: () => ({ address: peer }), timeout: () => undefined },
  })
  return seen!
}

const addressBehind = async (hops: string, peer?: string) =>
  (await exchangeOf({ 'X-Forwarded-For': hops }, peer)).address

test('The client is the last hop that is no trusted proxy, whatever the client sent before it.', async () => {
  expect(await addressBehind('198.51.100.7')).toBe('198.51.100.7')
  expect(await addressBehind('203.0.113.9, 198.51.100.7')).toBe('198.51.100.7')
  expect(await addressBehind('203.0.113.9, 198.51.100.7, 10.1.2.3, 10.4.5.6')).toBe('198.51.100.7')
  expect(await addressBehind('10.9.9.9, 198.51.100.7, 10.1.2.3')).toBe('198.51.100.7')
  expect(await addressBehind('203.0.113.9, 2001:db9::1, 2001:db8::2')).toBe('2001:db9::1')
})

test('Addresses of IPv4 in IPv6 form are compared and reported as IPv4.', async () => {
  expect(await addressBehind('203.0.113.9,::ffff:198.51.100.7, ::ffff:10.1.2.3', '::ffff:127.0.0.1')).toBe(
    '198.51.100.7',
  )
})

test('The peer is the client when every hop is trusted, and an untrusted peer is not believed.', async () => {
  expect(await addressBehind('10.1.2.3, 127.0.0.1')).toBe('127.0.0.1')
  expect(await addressBehind(' , ')).toBe('127.0.0.1')
  expect((await exchangeOf({})).address).toBe('127.0.0.1')
  expect(await addressBehind('198.51.100.7', '203.0.113.1')).toBe('203.0.113.1')
})

test('A long error arrives with its text, in each encoding.', async () => {
  const message = 'Not found. '.repeat(10_000)
  const run = endpoint(runtime, () => {
    throw new AppError('NOT_FOUND', message)
  })
  for (const encoding of ['identity', 'gzip']) {
    const request = new Request('https://masthead.example/x', { headers: { 'Accept-Encoding': encoding } })
    const response = await run({ request, params: {}, told: { route: '/x' }, server: null })
    const bytes = await response.bytes()
    const text = new TextDecoder().decode(encoding === 'gzip' ? Bun.gunzipSync(bytes) : bytes)
    expect([response.status, JSON.parse(text).message]).toEqual([404, message])
  }
})

test('The log warns once of X-Forwarded-For from a peer that is no trusted proxy.', async () => {
  warnings.length = 0
  const log = createLog(
    'warn',
    'json',
    () => 0,
    (line) => void warnings.push(line),
  )
  const own = { ...runtime, log } as Runtime
  const run = endpoint(own, () => json(200, {}))
  const send = (peer: string, headers: Record<string, string>) =>
    run({
      request: new Request('https://masthead.example/x', { headers }),
      params: {},
      told: { route: '/x' },
      server: { requestIP: () => ({ address: peer }), timeout: () => undefined },
    })
  await send('203.0.113.1', {})
  await send('10.0.0.1', { 'X-Forwarded-For': '198.51.100.7' })
  expect(warnings).toEqual([])
  await send('203.0.113.1', { 'X-Forwarded-For': '198.51.100.7' })
  await send('203.0.113.2', { 'X-Forwarded-For': '198.51.100.7' })
  expect(warnings.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      message: 'X-Forwarded-For is ignored: its sender is not in trusted_proxies',
      peer: '203.0.113.1',
    }),
  ])
})

test('On the https address of the service every response is for https only, on another host none is.', async () => {
  const run = endpoint(runtime, () => json(200, {}))
  const to = async (url: string, own = runtime) => {
    const request = new Request(url, { headers: { Host: new URL(url).host } })
    const incoming = { request, params: {}, told: { route: '/x' }, server: null }
    const answer = await (own === runtime ? run : endpoint(own, () => json(200, {})))(incoming)
    return answer.headers.get('strict-transport-security')
  }
  expect(await to('http://masthead.example/user/me')).toBe('max-age=31536000')
  expect(await to('http://harbour.example/general/newsletter/preferences/x')).toBeNull()
  expect(await to('http://masthead.example/', { ...runtime, base_url: 'http://masthead.example' })).toBeNull()
  const request = new Request('http://inside/', { headers: { Host: 'inside', 'X-Forwarded-Host': 'masthead.example' } })
  const from = async (address: string) => {
    const server = { requestIP: () => ({ address }), timeout: () => undefined }
    return (await run({ request, params: {}, told: { route: '/x' }, server })).headers.get('strict-transport-security')
  }
  expect([await from('10.0.0.1'), await from('203.0.113.1')]).toEqual(['max-age=31536000', null])
})

test('A well-formed request id is kept, any other is replaced, and every response carries it.', async () => {
  expect((await exchangeOf({ 'X-Request-ID': 'mine-1.a_b' })).request_id).toBe('mine-1.a_b')
  for (const id of ['has space', 'x'.repeat(65)])
    expect((await exchangeOf({ 'X-Request-ID': id })).request_id).toStartWith('req_')
})

test('An unknown error is logged with its cause, and the response does not show it.', async () => {
  const run = endpoint(runtime, () => {
    throw new Error('secret detail')
  })
  const response = await run({
    request: new Request('https://masthead.example/x'),
    params: {},
    told: { route: '/x' },
    server: null,
  })
  const text = await response.text()
  expect([response.status, JSON.parse(text).error, text.includes('secret')]).toEqual([500, 'internal_error', false])
  expect(JSON.stringify(logged.at(-1))).toContain('secret detail')
  expect(JSON.stringify(logged.at(-1))).toContain(response.headers.get('x-request-id')!)
})

test('Errors and successes carry the common headers; a Cache-Control of the handler stays.', async () => {
  const send = async (handler: () => Response) => {
    const response = await endpoint(
      runtime,
      handler,
    )({
      request: new Request('https://masthead.example/x'),
      params: {},
      told: { route: '/x' },
      server: null,
    })
    return ['x-content-type-options', 'cache-control'].map((name) => response.headers.get(name))
  }
  expect(await send(() => json(200, {}))).toEqual(['nosniff', 'no-store'])
  expect(await send(() => json(200, {}, { 'Cache-Control': 'public' }))).toEqual(['nosniff', 'public'])
  const refuse = () => {
    throw new AppError('NOT_FOUND', 'There is nothing here.')
  }
  expect(await send(refuse)).toEqual(['nosniff', 'no-store'])
})

test('An exchange knows the time, the parameters, and a browser by the first 500 characters of its name.', async () => {
  const long = 'x'.repeat(501)
  expect(await exchangeOf({ 'User-Agent': long })).toMatchObject({
    user_agent: long.slice(1),
    now: 1_700_000_000_000,
    params: {},
    told: { route: '/x' },
    url: new URL('https://masthead.example/x'),
  })
  expect((await exchangeOf({})).user_agent).toBe('')
})

test('A fault inside is logged, but not the refusals that strangers can repeat.', () => {
  const lines: unknown[] = []
  const own = { ...runtime, log: { error: (_: string, fields: object) => lines.push(fields) } } as unknown as Runtime
  const cause = new Error('The disk is gone.')
  for (const error of [
    new AppError('TOO_MANY_UPLOADS', 'Wait.'),
    new AppError('INSUFFICIENT_STORAGE', 'Full.'),
    new AppError('CONFLICT', 'In use.'),
  ])
    errorResponse(own, error, 'req_1', 'platform')
  expect(lines).toEqual([])
  errorResponse(own, new AppError('RATE_LIMIT_UNAVAILABLE', 'Later.', { cause }), 'req_1', 'platform')
  errorResponse(own, new AppError('INTERNAL', 'Broken.'), 'req_2', 'newsletter')
  expect(lines).toMatchObject([
    { request_id: 'req_1', error: expect.stringContaining('The disk is gone.') },
    { request_id: 'req_2', error: expect.stringContaining('Broken.') },
  ])
})

test('An error has the shape of its family of routes, with its own headers.', async () => {
  const error = new AppError('RATE_LIMITED', 'Wait.', { headers: { 'Retry-After': '9' } })
  const flawed = invalid('/name', 'Too long.')
  const shown = async (shape: 'platform' | 'form' | 'newsletter', given = error) => {
    const answer = errorResponse(runtime, given, 'req_1', shape)
    return [answer.status, answer.headers.get('retry-after'), await answer.json()]
  }
  const common = { error: 'rate_limited', message: 'Wait.' }
  expect([await shown('platform'), await shown('form')]).toEqual([
    [429, '9', common],
    [429, '9', common],
  ])
  expect(await shown('newsletter')).toEqual([
    429,
    '9',
    { error: { code: 'RATE_LIMITED', message: 'Wait.', retryable: true }, request_id: 'req_1' },
  ])
  expect((await shown('form', flawed))[2]).toHaveProperty('details')
  expect((await shown('platform', flawed))[2]).not.toHaveProperty('details')
})

test('A request whose Host is malformed has an answer with the common headers as well.', async () => {
  const request = { url: '/x', method: 'GET', headers: new Headers() } as Request
  const answer = await endpoint({ ...runtime, base_url: 'x' } as Runtime, () => json(200, {}))({
    request,
    params: {},
    told: { route: '/x' },
    server: null,
  })
  expect([answer.status, answer.headers.get('x-content-type-options')]).toEqual([400, 'nosniff'])
})

test('A refusal carries what every answer of the request carries, such as its rate limit.', async () => {
  const run = endpoint(runtime, (exchange) => {
    exchange.always['RateLimit-Remaining'] = '0'
    throw new AppError('RATE_LIMITED', 'Wait.')
  })
  const request = new Request('https://masthead.example/x', { headers: { Host: 'masthead.example' } })
  const { headers } = await run({ request, params: {}, told: { route: '/x' }, server: null })
  expect(Object.fromEntries(headers)).toMatchObject({
    'ratelimit-remaining': '0',
    'strict-transport-security': 'max-age=31536000',
  })
})
