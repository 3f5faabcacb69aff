import { afterAll, expect, spyOn, test } from 'bun:test'
import { DAY_MS, FixedClock } from '../../../src/clock.ts'
import { AppError } from '../../../src/errors.ts'
import { logFailure } from '../../../src/http/core/failures.ts'
import { refusalLog } from '../../../src/http/core/refusals.ts'
import type { Runtime } from '../../../src/runtime.ts'
import { closeWorlds, createWorld } from '../../support/world.ts'
import { post, signIn } from '../signed-in.ts'

afterAll(closeWorlds)

test('Wrong credentials, missing rights and foreign origins are logged, without a token.', async () => {
  const world = await createWorld({ oauth_requests_per_minute: 1 })
  const cookie = await signIn(world, 'member')
  const lines = spyOn(world.service.runtime.log, 'info')
  const contacts = '/general/api/v1/newsletter/contacts/list'
  const token = `Bearer svc_at_${'A'.repeat(43)}`
  await post(world, contacts)
  await world.fetch('/portal/', { redirect: 'manual' })
  await post(world, contacts, {}, { Authorization: token })
  await post(world, '/project/update', { project_id: world.project.public_id, name: 'Mine' }, { cookie })
  await post(world, '/user/sessions/end-others', {}, { cookie, origin: 'https://evil.example' })
  await post(
    world,
    '/general/oauth/token',
    { client_id: 'nobody', grant_type: 'refresh_token' },
    { Authorization: token },
  )
  await post(world, '/general/oauth/token', { client_id: 'nobody', grant_type: 'refresh_token' })
  const refused = lines.mock.calls.filter(([message]) => message === 'refused').map(([, fields]) => fields!)
  expect(refused.map(({ method, route, status, address }) => [method, route, status, address])).toEqual([
    ['POST', '/general/api/v1/newsletter/contacts/list', 401, '127.0.0.1'],
    ['POST', '/project/update', 403, '127.0.0.1'],
    ['POST', '/user/sessions/end-others', 403, '127.0.0.1'],
    ['POST', '/general/oauth/token', 401, '127.0.0.1'],
    ['POST', '/general/oauth/token', 429, '127.0.0.1'],
  ])
  expect(refused.every(({ request_id }) => String(request_id).startsWith('req_'))).toBe(true)
  expect(JSON.stringify(lines.mock.calls)).not.toContain('svc_at_')
})

test('Each request is logged with its operation, project and size, without its query; a probe is not.', async () => {
  const world = await createWorld()
  const lines = spyOn(world.service.runtime.log, 'often')
  await world.call('/contacts/list')
  await world.fetch('/portal/setup?token=secret')
  await world.fetch('/nowhere/secret')
  await world.fetch('/healthz')
  const told = lines.mock.calls.map(([, fields]) => fields!)
  expect(told.map(({ method, route, status, project }) => [method, route, status, project])).toEqual([
    ['POST', '/general/api/v1/newsletter/contacts/list', 200, world.project.public_id],
    ['GET', '/portal/setup', expect.any(Number), undefined],
    ['GET', 'none', 404, undefined],
  ])
  expect(told[0]).toMatchObject({ address: '127.0.0.1', bytes: expect.any(Number), request_id: expect.any(String) })
  expect(JSON.stringify(told)).not.toContain('secret')
})

test('Of an absent database at most 60 failures of a minute are logged, of any other cause all.', () => {
  const logged: string[] = []
  const clock = new FixedClock(1_700_000_000_000)
  const log = {
    error: (message: string) => logged.push(message),
    warn: (message: string, { count }: { count: number }) => logged.push(`${count} ${message}`),
  }
  const runtime = { config: {}, clock, log } as unknown as Runtime
  const fail = (code: 'DATABASE_UNAVAILABLE' | 'INTERNAL') => logFailure(runtime, new AppError(code, ''), 'req_1')
  for (let time = 0; time < 75; time++) fail('DATABASE_UNAVAILABLE')
  for (let time = 0; time < 75; time++) fail('INTERNAL')
  expect(logged).toHaveLength(60 + 75)
  clock.advance(60_000)
  fail('DATABASE_UNAVAILABLE')
  expect(logged.slice(135)).toEqual(['15 failed requests were not logged', 'request failed'])
})

test('At most 60 refused requests of a minute are logged, and the next minute tells how many there were.', () => {
  const logged: string[] = []
  const clock = new FixedClock(1_700_000_000_000)
  const log = {
    info: (message: string) => logged.push(message),
    warn: (message: string, { count }: { count: number }) => logged.push(`${count} ${message}`),
  }
  const note = refusalLog({ clock, log } as unknown as Runtime)
  const refuse = () => note(new Request('https://masthead.example/'), { route: '/' }, new Response('', { status: 403 }))
  for (let time = 0; time < 75; time++) refuse()
  expect(logged).toEqual(Array.from({ length: 60 }, () => 'refused'))
  clock.advance(60_000)
  refuse()
  expect(logged.slice(60)).toEqual(['15 refused requests were not logged', 'refused'])
  for (let time = 0; time < 75; time++) refuse()
  clock.advance(-DAY_MS) // the clock was set right
  refuse()
  expect(logged.slice(-2)).toEqual(['16 refused requests were not logged', 'refused'])
})

test('A refusal is logged by its status, and one without any credentials is none.', () => {
  const logged: unknown[] = []
  const log = { info: (_: string, fields: object) => void logged.push(fields), warn: () => undefined }
  const note = refusalLog({ clock: new FixedClock(5), log } as unknown as Runtime)
  for (const [status, headers] of [
    [200, {}],
    [400, { cookie: 'a=1' }],
    [401, {}],
    [401, { cookie: 'a=1' }],
    [401, { authorization: 'x' }],
    [403, {}],
    [404, { cookie: 'a=1' }],
    [429, {}],
  ] as const) {
    const response = new Response('', { status, headers: { 'x-request-id': 'req_1' } })
    const told = { route: '/things/:id', address: '192.0.2.1' }
    note(new Request('https://masthead.example/', { headers }), told, response)
  }
  const common = { request_id: 'req_1', method: 'GET', route: '/things/:id', address: '192.0.2.1' }
  expect(logged).toEqual([401, 401, 403, 429].map((status) => ({ ...common, status })))
})
