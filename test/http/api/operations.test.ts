import { afterAll, beforeAll, expect, test } from 'bun:test'
import { appManifest } from '../../../src/app-files.ts'
import { createWorld, type World } from '../../support/world.ts'
import { post, signIn } from '../signed-in.ts'

/** The refusals of the v1 entry point, in their order (docs/api/conventions.md#order-of-refusals). */

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const send = async (operation: string, body: BodyInit, headers: Record<string, string>, init: RequestInit = {}) => {
  const answer = await world.fetch(`/general/api/v1/newsletter/${operation}`, {
    method: 'POST',
    body,
    headers,
    ...init,
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) }
}
const json = { 'Content-Type': 'application/json' }
const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
const large = `{"email":"${'x'.repeat(2 * 1024 * 1024)}"}`

const chunked = (text: string) =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text))
      controller.close()
    },
  })

test('An announced length above the limit is refused first, another large body once the caller is known.', async () => {
  const announced = await send('contacts/upsert', large, form)
  const known = await send('contacts/upsert', chunked(large), { ...json, Authorization: world.keys.owner })
  for (const answer of [announced, known])
    expect([answer.status, answer.body.error.code, answer.body.request_id]).toEqual([
      413,
      'PAYLOAD_TOO_LARGE',
      answer.headers.get('x-request-id'),
    ])
  expect((await send('contacts/upsert', chunked(large), json)).status).toBe(401)
  expect((await send('contacts/upsert', chunked(large), { ...json, Authorization: 'svc_pk_unknown' })).status).toBe(401)
})

test('A session or token route refuses an announced length first, then credentials, then the body.', async () => {
  const tooLong = `"${'x'.repeat(1024 * 1024)}"`
  for (const path of ['/project/members/remove', '/general/api/v1/scripts/embed']) {
    const post = (body: BodyInit) => world.fetch(path, { method: 'POST', headers: json, body })
    expect([path, (await post(tooLong)).status, (await post(chunked(tooLong))).status]).toEqual([path, 413, 401])
  }
})

test('An unknown operation takes as long a body as most do, and no longer.', async () => {
  const owner = { ...json, Authorization: world.keys.owner }
  const announced = (length: number) => send('contacts/levitate', 'x'.repeat(length), owner)
  expect([(await announced(2 * 1024 * 1024)).status, (await announced(2 * 1024 * 1024 + 1)).status]).toEqual([404, 413])
})

test('An operation at the dashboard names the build of the application, also in a refusal.', async () => {
  const cookie = await signIn(world, 'owner')
  for (const [headers, status] of [
    [{ cookie }, 200],
    [{}, 401],
  ] as const) {
    const answer = await post(world, '/project/newsletter/lists/list', { project_id: world.project.public_id }, headers)
    expect([answer.status, answer.headers.get('x-masthead-app')]).toEqual([status, appManifest().made_from])
  }
  const byKey = await send('lists/list', '{}', { ...json, Authorization: world.keys.owner })
  expect(byKey.headers.get('x-masthead-app')).toBeNull()
})

test('Missing credentials are refused before the media type, wrong ones after it.', async () => {
  expect((await send('contacts/upsert', '{', form)).status).toBe(401)
  expect((await send('contacts/upsert', '{', { ...form, Authorization: 'svc_pk_unknown' })).status).toBe(415)
  expect((await send('contacts/upsert', '{', { ...json, Authorization: 'svc_pk_unknown' })).status).toBe(401)
  expect((await send('contacts/upsert', '{', { ...json, Authorization: world.keys.owner })).body.error.code).toBe(
    'INVALID_JSON',
  )
})

test('An unknown operation is a 401 without credentials and NOT_FOUND with them.', async () => {
  expect((await send('contacts/levitate', '{}', json)).status).toBe(401)
  const known = await send('contacts/levitate', '{}', { ...json, Authorization: world.keys.owner })
  expect([known.status, known.body.error.code]).toEqual([404, 'NOT_FOUND'])
})

test('A key sent as Bearer and a token sent without it are refused.', async () => {
  const token = await world.token('owner')
  for (const authorization of [`Bearer ${world.keys.owner}`, token, 'Basic abc', 'Bearer']) {
    const answer = await send('lists/list', '{}', { ...json, Authorization: authorization })
    expect([authorization.slice(0, 10), answer.status, answer.body.error]).toEqual([
      authorization.slice(0, 10),
      401,
      'invalid_token',
    ])
  }
  expect(
    (
      await send('lists/list', `{"project_id":"${world.project.public_id}"}`, {
        ...json,
        Authorization: `bearer ${token}`,
      })
    ).status,
  ).toBe(200)
})

test('A wrong method is a 405 that names the right one.', async () => {
  const answer = await world.fetch('/general/api/v1/newsletter/lists/list', {
    headers: { Authorization: world.keys.owner },
  })
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
  expect((await world.fetch('/general/api/v1/newsletter/lists/list')).status).toBe(401)
  expect(
    (await world.fetch('/general/api/v1/newsletter/lists/none', { headers: { Authorization: world.keys.owner } }))
      .status,
  ).toBe(404)
})

test('A malformed cursor of any length is an INVALID_CURSOR.', async () => {
  for (const cursor of ['', 'x', 'x'.repeat(5000)])
    expect((await world.call('lists/list', { cursor })).body.error.code).toBe('INVALID_CURSOR')
})

test('A process that runs only the loops serves health and metrics, and nothing else.', async () => {
  const worker = await createWorld({ role: 'worker' })
  const statuses = await Promise.all(
    ['/healthz', '/metrics', '/general/api/v1/newsletter/openapi.json', '/portal', '/user/me'].map(
      async (path) => (await worker.fetch(path)).status,
    ),
  )
  expect(statuses).toEqual([200, 200, 404, 404, 404])
  await worker.close()
})

test('A well-formed request id is kept, any other is replaced.', async () => {
  const kept = await send('lists/list', '{}', { ...json, Authorization: world.keys.owner, 'X-Request-ID': 'from-me.1' })
  expect([kept.headers.get('x-request-id'), kept.body.request_id]).toEqual(['from-me.1', 'from-me.1'])
  const replaced = await send('lists/list', '{}', {
    ...json,
    Authorization: world.keys.owner,
    'X-Request-ID': 'not ok',
  })
  expect(replaced.headers.get('x-request-id')).toMatch(/^req_/)
  expect((await world.fetch('/nowhere')).headers.get('x-request-id')).toMatch(/^req_/)
})

test('A key is refused when its creator left the project or has a disabled account.', async () => {
  const { sql } = await import('drizzle-orm')
  const { store } = world.service.runtime
  await store.write((tx) => tx.run(sql`DELETE FROM members WHERE user_id = ${world.users.editor}`))
  const left = await send('lists/list', '{}', { ...json, Authorization: world.keys.editor })
  expect([left.status, left.body.error]).toEqual([403, 'project_not_authorized'])
  await store.write((tx) => tx.run(sql`UPDATE users SET disabled_at = 1 WHERE id = ${world.users.member}`))
  const disabled = await send('lists/list', '{}', { ...json, Authorization: world.keys.member })
  expect([disabled.status, disabled.body.error]).toEqual([401, 'invalid_token'])
})

test('A query and bytes that are not UTF-8 are refused, so nothing is silently ignored or altered.', async () => {
  const asOwner = { ...json, Authorization: world.keys.owner, 'Idempotency-Key': 'odd' }
  expect((await send('contacts/list?limit=1', '{}', asOwner)).body.error).toMatchObject({
    code: 'VALIDATION_FAILED',
    details: [{ path: '', message: 'Unknown query parameters.' }],
  })
  const bytes = new Uint8Array([...Buffer.from('{"name":"a'), 0xff, 0xfe, ...Buffer.from('x"}')])
  expect((await send('lists/create', bytes, asOwner)).body.error.code).toBe('INVALID_JSON')
})

test('Every route names its methods in a 405.', async () => {
  for (const [method, path, allow] of [
    ['GET', '/user/login', 'POST'],
    ['POST', '/user/me', 'GET, HEAD, PATCH'],
    ['GET', '/project/list', 'POST'],
    ['POST', '/healthz', 'GET, HEAD'],
  ] as const) {
    const answer = await world.fetch(path, { method })
    expect([path, answer.status, answer.headers.get('allow')]).toEqual([path, 405, allow])
  }
  expect((await world.fetch('/healthz', { method: 'HEAD' })).status).toBe(200)
})
