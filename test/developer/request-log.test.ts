import { beforeAll, expect, test } from 'bun:test'
import { iso } from '../../src/clock.ts'
import {
  flushRequests,
  listRequests,
  logAppRequest,
  REQUEST_LOG_RETENTION_MS,
} from '../../src/developer/request-log.ts'
import { newApp, newUser, NOW, sharedStore } from '../support/shared-store.ts'
import { APPS, type Desk, openDesk } from './desk.ts'

const REST = { duration_ms: 1, error: null, project: null }

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})

test('The team sees the requests of its app with their status, newest first.', async () => {
  const begun = desk.world.clock.now()
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
      time: iso(begun + 1000),
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
      time: iso(begun + 1000),
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
      time: iso(begun),
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
  expect(await found('request_id=second')).toEqual(['second'])
  expect(await found('status_class=4xx')).toEqual(['third', 'second'])
  expect(await found('status_class=2xx')).toEqual(['first'])
  expect(await found(`project=${desk.world.project.public_id}`)).toEqual(['first'])
  expect(await found('route=/scripts/list&method=POST')).toEqual(['third', 'first'])
  expect((await desk.as('outsider', 'GET', `${log}?limit=201`)).status).toBe(400)

  desk.world.clock.advance(REQUEST_LOG_RETENTION_MS - 500)
  expect((await desk.ok('outsider', 'GET', log)).requests).toEqual(requests.slice(0, 2))
  desk.world.clock.advance(500)
  await desk.world.service.drain('maintenance')
  expect(await desk.world.service.runtime.store.query('SELECT 1 FROM app_requests')).toEqual([])
})

/** Calls of an app, and the log of them as its team reads it. */
async function caller() {
  const { world } = desk
  world.clock.advance(1000)
  const app = await desk.app()
  const token = await desk.token(app.id)
  const log = `${APPS}/${app.id}/requests`
  const opened = async (request_id: string) => {
    const { requests } = await desk.ok('outsider', 'GET', `${log}?request_id=${request_id}`)
    return (await desk.ok('outsider', 'GET', `${log}/${requests[0].id}`)).request
  }
  let count = 0
  const call = async (path: string, body: object) => {
    const request_id = `${app.id}-${++count}`
    const headers = { 'X-Request-ID': request_id, 'Idempotency-Key': request_id }
    const reply = await desk.api(token, 'POST', path, { project_id: world.project.public_id, ...body }, headers)
    return { request_id, body: reply.body }
  }
  return { app, token, log, opened, call }
}

test('A call opens with its request and its answer, for the team of the app only.', async () => {
  const { log, opened, call } = await caller()
  const refused = await call('/newsletter/contacts/get', { contact_id: 999_999 })
  const row = await opened(refused.request_id)
  expect(row).toMatchObject({ status: 404, error: 'NOT_FOUND', address: '/general/api/v1/newsletter/contacts/get' })
  expect(JSON.parse(row.sent)).toEqual({ project_id: desk.world.project.public_id, contact_id: 999_999 })
  expect(JSON.parse(row.answer)).toEqual(refused.body)
  const done = await call('/newsletter/lists/list', {})
  expect(JSON.parse((await opened(done.request_id)).answer)).toEqual(done.body)
  expect((await desk.as('outsider', 'GET', `${log}/999999`)).status).toBe(404)
  for (const other of ['member', 'editor'] as const)
    expect([other, (await desk.as(other, 'GET', `${log}/${row.id}`)).status]).toEqual([
      other,
      other === 'editor' ? 403 : 404,
    ])
})

test('The newest 50 calls and the newest 200 failed ones keep their bodies, of one second 10 and 50.', async () => {
  const { runtime } = desk.world.service
  const app = await desk.app()
  const log = (status: number, request_id: string) =>
    logAppRequest(
      runtime,
      { ...{ app_id: app.id, at: runtime.clock.now(), method: 'GET', route: '/a', status, request_id }, ...REST },
      { url: new URL('http://x/a'), request: '{}', answer: '{}', authorization_id: null },
    )
  const kept = async () =>
    Object.fromEntries(
      (
        await runtime.store.query(
          `SELECT status, count(*) AS kept FROM app_requests WHERE app_id = ? AND address IS NOT NULL GROUP BY status`,
          [app.id],
        )
      ).map(({ status, kept }) => [status, kept]),
    )
  const second = async () => {
    for (let nth = 0; nth < 60; nth++) for (const status of [200, 404]) log(status, `${status}-${nth}`)
    await flushRequests(runtime.store)
  }
  await second()
  expect(await kept()).toEqual({ 200: 10, 404: 50 })
  expect(
    await runtime.store.query(
      `SELECT min(request_id) AS first FROM app_requests WHERE app_id = ? AND status = 200 AND address IS NOT NULL`,
      [app.id],
    ),
  ).toEqual([{ first: '200-50' }])
  for (let more = 0; more < 6; more++) await second()
  expect(await kept()).toEqual({ 200: 50, 404: 200 })
})

test('The deletion of a contact takes the bodies of all calls for its project along.', async () => {
  const { opened, call } = await caller()
  const { world } = desk
  const added = await call('/newsletter/contacts/upsert', { email: 'leaving@example.com', consent_text: 'Yes.' })
  expect((await opened(added.request_id)).sent).toContain('leaving@example.com')
  await world.ok('contacts/delete', { contact_id: added.body.data.contact.id }, { key: `delete-${added.request_id}` })
  expect(await opened(added.request_id)).toMatchObject({ status: 200, address: null, sent: null, answer: null })
  // A call that was answered before the deletion, and is written after it.
  const earlier = await call('/newsletter/contacts/upsert', { email: 'going@example.com', consent_text: 'Yes.' })
  await world.ok('contacts/delete', { contact_id: earlier.body.data.contact.id }, { key: `d-${earlier.request_id}` })
  expect(await opened(earlier.request_id)).toMatchObject({ status: 200, address: null, sent: null, answer: null })
})

test('The end of an authorization takes the bodies of its calls along, also of those without a project.', async () => {
  const { app, token, opened, call } = await caller()
  const listed = (await call('/newsletter/lists/list', {})).request_id
  const whoAmI = async (request_id: string) => {
    const headers = { Authorization: `Bearer ${token}`, 'X-Request-ID': request_id }
    expect((await desk.world.fetch('/general/oauth/userinfo', { headers })).status).toBe(200)
    return request_id
  }
  const written = await whoAmI(`${app.id}-written`)
  for (const request_id of [listed, written]) expect((await opened(request_id)).answer).not.toBeNull()
  const waiting = await whoAmI(`${app.id}-waiting`)
  const { store } = desk.world.service.runtime
  const [granted] = await store.query('SELECT id FROM authorizations WHERE app_id = ?', [app.id])
  await desk.ok('owner', 'DELETE', `/user/connected-apps/${granted!.id}`)
  for (const request_id of [listed, written, waiting])
    expect(await opened(request_id)).toMatchObject({ status: 200, address: null, sent: null, answer: null })
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
