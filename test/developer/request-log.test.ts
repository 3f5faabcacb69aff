import { beforeAll, expect, test } from 'bun:test'
import {
  flushRequests,
  listRequests,
  logAppRequest,
  REQUEST_LOG_RETENTION_MS,
} from '../../src/developer/request-log.ts'
import { newApp, newUser, NOW, sharedStore } from '../support/shared-store.ts'
import { APPS, type Desk, openDesk } from './desk.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})

test('The team sees the requests of its app with their status, newest first and without bodies.', async () => {
  const app = await desk.app()
  const token = await desk.token(app.id, { scopes: ['scripts:read'] })
  await desk.api(token, 'POST', `/scripts/list?project_id=${desk.world.project.public_id}`, undefined, {
    'X-Request-ID': 'first',
  })
  desk.world.clock.advance(1000)
  await desk.api(token, 'POST', '/scripts/embed', { scriptId: 1, project_id: 'private' }, { 'X-Request-ID': 'second' })
  await desk.api(token, 'POST', '/scripts/list', undefined, { 'X-Request-ID': 'third' })
  await desk.api('svc_at_unknown', 'POST', '/scripts/list')
  const log = `${APPS}/${app.id}/requests`
  const { requests } = await desk.ok('outsider', 'GET', log)
  expect(requests).toEqual([
    {
      id: expect.any(Number),
      time: '2026-01-15T09:00:01.000Z',
      method: 'POST',
      route: '/scripts/list',
      status: 400,
      request_id: 'third',
      duration_ms: expect.any(Number),
      error: 'invalid_request',
      project_id: null,
    },
    {
      id: expect.any(Number),
      time: '2026-01-15T09:00:01.000Z',
      method: 'POST',
      route: '/scripts/embed',
      status: 403,
      request_id: 'second',
      duration_ms: expect.any(Number),
      error: 'insufficient_scope',
      project_id: null,
    },
    {
      id: expect.any(Number),
      time: '2026-01-15T09:00:00.000Z',
      method: 'POST',
      route: '/scripts/list',
      status: 200,
      request_id: 'first',
      duration_ms: expect.any(Number),
      error: null,
      project_id: desk.world.project.public_id,
    },
  ])
  expect((await desk.ok('outsider', 'GET', `${log}?limit=1&before_id=${requests[0].id}`)).requests).toEqual([
    requests[1],
  ])
  expect((await desk.ok('outsider', 'GET', `${log}?status=400`)).requests).toEqual([requests[0]])
  const found = async (query: string) =>
    (await desk.ok('outsider', 'GET', `${log}?${query}`)).requests.map((request: any) => request.request_id)
  expect(await found('error=insufficient_scope')).toEqual(['second'])
  expect(await found(`project=${desk.world.project.public_id}`)).toEqual(['first'])
  expect(await found('route=/scripts/list&method=POST')).toEqual(['third', 'first'])
  expect((await desk.as('outsider', 'GET', `${log}?limit=201`)).status).toBe(400)

  desk.world.clock.advance(REQUEST_LOG_RETENTION_MS - 500)
  expect((await desk.ok('outsider', 'GET', log)).requests).toEqual(requests.slice(0, 2))
  desk.world.clock.advance(500)
  await desk.world.service.drain('maintenance')
  expect(await desk.world.service.runtime.store.query('SELECT 1 FROM app_requests')).toEqual([])
})

test('The log names a call outside the root of the API by its whole path.', async () => {
  const app = await desk.app()
  const token = await desk.token(app.id, { scopes: ['profile'] })
  const headers = { Authorization: `Bearer ${token}` }
  expect((await desk.world.fetch('/general/oauth/userinfo', { headers })).status).toBe(200)
  const { requests } = await desk.ok('outsider', 'GET', `${APPS}/${app.id}/requests`)
  expect(requests.map(({ route }: any) => route)).toEqual(['/general/oauth/userinfo'])
})

test('Many entries are written by one statement, without those of an app that was deleted meanwhile.', async () => {
  const { runtime } = desk.world.service
  const [kept, deleted] = [await desk.app(), await desk.app()]
  let writes = 0
  const counting = {
    ...runtime,
    store: {
      ...runtime.store,
      write: (work: any) => {
        writes++
        return runtime.store.write(work)
      },
    },
  } as typeof runtime
  for (let nth = 0; nth < 1000; nth++) {
    logAppRequest(counting, {
      app_id: [kept, deleted][nth % 2].id,
      at: runtime.clock.now(),
      method: 'GET',
      route: '/project/list',
      status: 200,
      request_id: `r${nth}`,
      duration_ms: 1,
      error: null,
      project: null,
    })
  }
  await desk.ok('outsider', 'DELETE', `${APPS}/${deleted.id}`)
  await flushRequests(counting.store)
  await flushRequests(counting.store)
  expect(writes).toBe(1)
  expect(await runtime.store.query('SELECT count(*) AS count FROM app_requests WHERE app_id = ?', [kept.id])).toEqual([
    { count: 500 },
  ])
})

test('At most ten thousand entries wait to be written, and the log of an app keeps as many.', async () => {
  const store = await sharedStore()
  const runtime = { store } as unknown as Parameters<typeof logAppRequest>[0]
  const [busy, other] = [await newApp(await newUser()), await newApp(await newUser())]
  const log = (app_id: string, status: number) =>
    logAppRequest(runtime, {
      ...{ app_id, at: NOW, method: 'GET', route: '/a', status, request_id: 'r', duration_ms: 1 },
      ...{ error: null, project: null },
    })
  for (let count = 0; count < 9_999; count++) log(busy.id, 200)
  for (const status of [201, 202]) log(other.id, status)
  const logged = async () => (await listRequests(store.db, other.id, { limit: 9 }, NOW)).map(({ status }) => status)
  await flushRequests(store)
  expect(await logged()).toEqual([201])
  log(other.id, 203)
  await flushRequests(store)
  expect(await logged()).toEqual([203, 201])
  // The log of the busy app loses its oldest entries, no other one does.
  for (const count of [5_000, 5_002]) {
    for (let nth = 0; nth < count; nth++) log(busy.id, 200)
    await flushRequests(store)
  }
  expect(await logged()).toEqual([203, 201])
  expect(await store.query('SELECT count(*) AS count FROM app_requests WHERE app_id = ?', [busy.id])).toEqual([
    { count: 10_000 },
  ])
})
