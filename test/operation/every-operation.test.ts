import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { ERROR_CODES } from '../../src/errors.ts'
import { newId } from '../../src/ids.ts'
import { operations } from '../../src/newsletter/operations.ts'
import type { Operation } from '../../src/operation/declare.ts'
import { bodyHash } from '../../src/operation/json-body.ts'
import { tokenHash } from '../../src/secrets.ts'
import { ROLES, type Role } from '../../src/shared/roles.ts'
import { api_keys } from '../../src/store/tables/accounts.ts'
import { receipts } from '../../src/store/tables/operation.ts'
import { PRIVATE, rowsOf } from '../support/audit.ts'
import { oneOf } from '../support/one-of.ts'
import { createWorld, PASSWORD, SCOPES, type World } from '../support/world.ts'
import { type Body, type Seed, samples, seed } from './samples.ts'
import { OTHER_READS, SPECIFIED } from './specification.ts'

/** What holds for every operation: each is called with a body that succeeds, and with that body spoiled. */

let world: World
let seeded: Seed
let cookie: string
let document: any

beforeAll(async () => {
  world = await createWorld()
  seeded = await seed(world)
  const login = await world.fetch('/user/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'owner@example.com', password: PASSWORD }),
  })
  cookie = login.headers.get('set-cookie')!.split(';')[0]!
  document = await (await world.fetch('/general/api/v1/newsletter/openapi.json')).json()
})
afterAll(() => world.close())

const isMutation = (operation: Operation): boolean => operation.act.kind === 'mutation'
/** A streamed answer has no envelope. */
const isStream = (operation: Operation): boolean => operation.act.kind === 'stream'
const sample = (operation: Operation): Promise<Body> => Promise.resolve(samples[operation.path]!(seeded, world))
/** One sample of an operation for all calls that are refused before they use anything of it up. */
const refused = new Map<Operation, Promise<Body>>()
const sampleToRefuse = (operation: Operation): Promise<Body> => {
  const body = refused.get(operation) ?? sample(operation)
  refused.set(operation, body)
  return body
}
const tokens = new Map<string, Promise<string>>()
const tokenOf = (role: Role, scopes: readonly string[] = SCOPES): Promise<string> => {
  const name = [role, ...scopes].join(' ')
  const token = tokens.get(name) ?? world.token(role, scopes)
  tokens.set(name, token)
  return token
}

test('The 79 operations of the specification are declared, each once, and each has a sample.', () => {
  const specified: string[] = Object.values(SPECIFIED).flat()
  expect(specified).toHaveLength(79)
  expect(operations.map(({ path }) => path).toSorted()).toEqual(specified.toSorted())
  expect(Object.keys(samples).toSorted()).toEqual(specified.toSorted())
})

test.each(operations.map((operation) => [operation.path, operation] as const))(
  '%s has the scope, the role and the kind that the specification gives it.',
  (path, operation) => {
    expect((SPECIFIED[operation.scope] as readonly string[]).includes(path)).toBe(true)
    const role: Role =
      path === '/contacts/export'
        ? 'editor'
        : ({ read: 'member', write: 'editor', send: 'editor', admin: 'administrator' } as const)[operation.scope]
    expect(operation.role).toBe(role)
    expect(isMutation(operation)).toBe(operation.scope !== 'read' && !OTHER_READS.includes(path))
  },
)

describe.each(operations.map((operation) => [operation.path, operation] as const))('%s', (path, operation) => {
  test('An operation succeeds in its least role, and leaves one audit row when it changes or exports.', async () => {
    const body = await sample(operation)
    const requestId = `audit-${path.slice(1).replace('/', '-')}`
    const answer = await world.call(path, body, {
      as: world.keys[operation.role],
      key: `audit ${path}`,
      headers: { 'X-Request-ID': requestId },
    })
    if (isStream(operation)) {
      expect([answer.status, answer.headers.get('content-type'), typeof answer.body]).toEqual([
        200,
        'text/csv; charset=utf-8',
        'string',
      ])
    } else {
      expect([answer.status, Object.keys(answer.body), typeof answer.body.data]).toEqual([
        operation.status,
        ['data', 'request_id'],
        'object',
      ])
      expect([answer.body.request_id, answer.headers.get('x-request-id')]).toEqual([requestId, requestId])
    }
    for (const header of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'ratelimit', 'ratelimit-policy'])
      expect(answer.headers.get(header)).not.toBeNull()
    const rows = await rowsOf(world, requestId)
    if (operation.act.kind === 'read') return expect(rows).toEqual([])
    expect(rows).toEqual([
      {
        id: expect.any(Number),
        at: world.clock.now(),
        actor: expect.stringMatching(/^key:key_/),
        action: path.slice(1),
        target: expect.stringMatching(/^[a-z_]+:[\w]+$/),
        ip: '127.0.0.1',
        request_id: requestId,
        project_id: world.project.id,
        outcome: 'done',
        details: rows[0]!.details,
        hash: expect.any(String),
      },
    ])
    expect(JSON.stringify(rows)).not.toMatch(PRIVATE)
  })

  test("An operation answers 401 without credentials and with bad ones, in the platform's shape.", async () => {
    const none = await fetch(`${world.url}/general/api/v1/newsletter${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{',
    })
    expect(none.status).toBe(401)
    expect(await none.json()).toMatchObject({ error: 'unauthorized' })
    expect(none.headers.get('www-authenticate')).toStartWith('Bearer')
    // Of what is wrong in the same way each operation gets one.
    const bad = await world.call(path, {}, { as: oneOf(path, ['svc_pk_unknown', 'svc_at_unknown']) })
    expect(bad.status).toBe(401)
    expect(bad.body).toMatchObject({ error: 'invalid_token', message: expect.any(String) })
    expect(bad.headers.get('www-authenticate')).toContain('error="invalid_token"')
  })

  test('An operation answers 403 INSUFFICIENT_SCOPE with every scope but its own.', async () => {
    const as = await tokenOf(
      'owner',
      SCOPES.filter((scope) => scope !== `newsletter:${operation.scope}`),
    )
    const answer = await world.call(path, await sampleToRefuse(operation), { as })
    expect(answer.status).toBe(403)
    expect(answer.body.error.code).toBe('INSUFFICIENT_SCOPE')
    expect(answer.headers.get('ratelimit-limit')).toBeNull()
  })

  test('An operation answers 403 INSUFFICIENT_ROLE to each lower role, and its own role gets through.', async () => {
    const lower = ROLES.slice(ROLES.indexOf(operation.role) + 1)
    for (const role of lower) {
      const answer = await world.call(path, await sampleToRefuse(operation), { as: world.keys[role] })
      expect([role, answer.status, answer.body.error?.code]).toEqual([role, 403, 'INSUFFICIENT_ROLE'])
    }
    const byToken = await world.call(path, await sample(operation), {
      as: await tokenOf(operation.role, [`newsletter:${operation.scope}`]),
    })
    expect(byToken.status).toBe(operation.status)
  })

  test('An operation finds nothing of another project by its id.', async () => {
    const body = await sampleToRefuse(operation)
    if (!/"(\w+_)?ids?":\[?\d/.test(JSON.stringify(body))) return
    const answer = await world.call(path, body, { as: world.keys.other })
    expect([answer.status, answer.body.error?.code]).toEqual([404, 'NOT_FOUND'])
  })

  test('An operation answers 403 project_not_authorized for another project.', async () => {
    const foreign = await world.call(
      path,
      { ...(await sampleToRefuse(operation)), project_id: world.other.public_id },
      { as: oneOf(path, [await tokenOf('owner'), world.keys.owner]) },
    )
    expect([foreign.status, foreign.body.error]).toEqual([403, 'project_not_authorized'])
  })

  test('An operation answers 400 without a project for a token.', async () => {
    const answer = await world.call(
      path,
      { ...(await sampleToRefuse(operation)), project_id: undefined },
      { as: await tokenOf('owner') },
    )
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_FAILED'])
  })

  test('An operation answers 400 with its path for an unknown property on every level.', async () => {
    for (const { body, pointer } of spoiled(await sampleToRefuse(operation))) {
      const answer = await world.call(path, body)
      expect([pointer, answer.status, answer.body.error?.code]).toEqual([pointer, 400, 'VALIDATION_FAILED'])
      expect(answer.body.error.details.map((flaw: { path: string }) => flaw.path)).toContain(pointer)
    }
  })

  test('An operation answers 400 to what is no JSON object, and 415 to what is no JSON.', async () => {
    const send = (body: string, type: string) =>
      fetch(`${world.url}/general/api/v1/newsletter${path}`, {
        method: 'POST',
        headers: { 'Content-Type': type, Authorization: world.keys.owner, 'Idempotency-Key': newId('req') },
        body,
      })
    for (const [text, code] of [
      ['{', 'INVALID_JSON'],
      [oneOf(path, ['[]', 'null', '"text"']), 'VALIDATION_FAILED'],
    ] as const) {
      const answer = await send(text, 'application/json')
      expect([answer.status, ((await answer.json()) as any).error.code]).toEqual([400, code])
    }
    const form = await send('a=1', 'application/x-www-form-urlencoded')
    expect([form.status, ((await form.json()) as any).error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  test('The API and the dashboard agree.', async () => {
    const throughDashboard = async (body: Body, headers: Record<string, string> = {}) => {
      const response = await world.fetch(`/project/newsletter${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Cookie: cookie, 'Idempotency-Key': newId('req'), ...headers },
        body: JSON.stringify({ project_id: world.project.public_id, ...body }),
      })
      const text = await response.text()
      return {
        status: response.status,
        body: response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text,
      }
    }
    const body = await sample(operation)
    const dashboard = await throughDashboard(body)
    if (isStream(operation)) expect(dashboard).toMatchObject({ status: 200, body: (await world.call(path, body)).body })
    else expect([dashboard.status, Object.keys(dashboard.body)]).toEqual([operation.status, ['data', 'request_id']])
    if (!isMutation(operation)) expect(dashboard.body.data).toEqual((await world.call(path, body)).body.data)
    else expect(shape(dashboard.body.data)).toEqual(shape((await world.call(path, await sample(operation))).body.data))
    const foreign = await throughDashboard(await sampleToRefuse(operation), { Origin: 'https://evil.example' })
    expect(foreign.status).toBe(403)
    const withKey = await world.fetch(`/project/newsletter${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: world.keys.owner },
      body: JSON.stringify(body),
    })
    expect(withKey.status).toBe(401)
  })

  test('An operation stands in the OpenAPI document with its security and its answers.', async () => {
    const described = document.paths[path].post
    const successes = operation.act.kind === 'mutation' && operation.act.statusOf ? ['200', '202'] : []
    expect(described.security).toEqual([{ oauth2: [`newsletter:${operation.scope}`] }, { apiKey: [] }])
    const refusals = [...operation.errors].map((code) => String(ERROR_CODES[code].status))
    expect(new Set(Object.keys(described.responses))).toEqual(
      new Set([String(operation.status), ...successes, ...refusals]),
    )
    expect(described.requestBody.content['application/json'].schema.properties).toHaveProperty('project_id')
  })

  if (!isMutation(operation)) {
    test('The operation takes and ignores an idempotency key.', async () => {
      const body = { ...(await sample(operation)), idempotency_key: 'ignored' }
      const first = await world.call(path, body, { key: null })
      const second = await world.call(path, body, { key: null })
      expect([first.status, second.status, second.headers.get('idempotent-replayed')]).toEqual([
        operation.status,
        operation.status,
        null,
      ])
    })
    return
  }

  test('An operation answers 400 without an idempotency key, also when the body is wrong.', async () => {
    const body = oneOf(path, [await sampleToRefuse(operation), { surprise: 1 }])
    const answer = await world.call(path, body, { key: null })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'IDEMPOTENCY_KEY_REQUIRED'])
  })

  test("An operation answers 400 to a malformed key and to two that differ; the body's key is enough.", async () => {
    const body = await sample(operation)
    const malformed = { ...body, idempotency_key: oneOf(path, ['k'.repeat(256), 'tab\there']) }
    const refusal = await world.call(path, malformed, { key: null })
    expect([refusal.status, refusal.body.error.code]).toEqual([400, 'VALIDATION_FAILED'])
    const differing = await world.call(path, { ...body, idempotency_key: 'one' }, { key: 'two' })
    expect(differing.status).toBe(400)
    const inBody = await world.call(path, { ...body, idempotency_key: newId('req') }, { key: null })
    expect(inBody.status).toBe(operation.status)
  })

  test('A replay gives the same bytes and runs nothing; another body is a conflict.', async () => {
    const [body, key] = [await sample(operation), newId('req')]
    const send = (text: string) =>
      fetch(`${world.url}/general/api/v1/newsletter${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: world.keys.owner, 'Idempotency-Key': key },
        body: text,
      })
    const first = await send(JSON.stringify(body))
    const firstText = await first.text()
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([operation.status, null])
    const reordered = Object.fromEntries(
      Object.entries({ ...body, project_id: world.project.public_id, idempotency_key: key }).reverse(),
    )
    const second = await send(JSON.stringify(reordered))
    expect(await rowsOf(world, second.headers.get('x-request-id')!)).toEqual([])
    expect([second.status, second.headers.get('idempotent-replayed'), await second.text()]).toEqual([
      operation.status,
      'true',
      firstText,
    ])
    expect(second.headers.get('x-request-id')).not.toBe(JSON.parse(firstText).request_id)

    const conflict = await world.call(path, varied(body), { key })
    expect([conflict.status, conflict.body.error.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    const otherActor = await world.call(path, await sample(operation), { key, as: world.keys.administrator })
    expect([otherActor.status, otherActor.headers.get('idempotent-replayed')]).toEqual([operation.status, null])
  })

  test('An operation answers 409 REQUEST_IN_PROGRESS to its own caller while the first runs.', async () => {
    const [body, key] = [await sample(operation), newId('req')]
    await leavePending({ operation: path, idempotency_key: key, fingerprint: bodyHash(body) })
    const codeFor = async (as: string) => (await world.call(path, body, { key, as })).body.error?.code
    const { headers, body: refused } = await world.call(path, body, { key })
    expect([refused.error, headers.get('retry-after')]).toMatchObject([
      { code: 'REQUEST_IN_PROGRESS', retryable: true },
      '1',
    ])
    const others = [world.keys.administrator, world.keys.editor, world.keys.member, await tokenOf('owner')]
    expect(await codeFor(oneOf(path, others))).not.toBe('REQUEST_IN_PROGRESS')
  })

  test('The same key at once runs once.', async () => {
    const [body, key] = [await sample(operation), newId('req')]
    const answers = await Promise.all(Array.from({ length: 3 }, () => world.call(path, body, { key })))
    const ran = answers.filter(
      ({ status, headers }) => status === operation.status && !headers.get('idempotent-replayed'),
    )
    expect(ran).toHaveLength(1)
    for (const { status, headers, body: answered } of answers) {
      const inOrder = status === operation.status || (status === 409 && answered.error.code === 'REQUEST_IN_PROGRESS')
      expect([inOrder, headers.get('ratelimit-limit')]).toEqual([true, expect.any(String)])
    }
  })
})

/** What a call with the owner's key leaves that never ended, four days ago. */
async function leavePending(call: Pick<typeof receipts.$inferInsert, 'operation' | 'idempotency_key' | 'fingerprint'>) {
  const { store } = world.service.runtime
  const [key] = await store.db
    .select({ id: api_keys.id })
    .from(api_keys)
    .where(eq(api_keys.key_hash, tokenHash(world.keys.owner)))
  const created_at = world.clock.now() - 100 * 3_600_000
  const by = { project_id: world.project.id, actor: `key:${key!.id}` }
  await store.write((tx) => tx.insert(receipts).values({ ...by, ...call, state: 'pending', created_at }))
}

test('Calls that never ended, such as those of a crash, are in progress for good.', async () => {
  await leavePending({ operation: '/lists/create', idempotency_key: newId('req'), fingerprint: '' })
  const { store } = world.service.runtime
  const pending = () => store.db.select({ key: receipts.idempotency_key }).from(receipts).where(isPending)
  const isPending = eq(receipts.state, 'pending')
  const before = await pending()
  await world.service.drain('maintenance')
  expect([before.length > 0, await pending()]).toEqual([true, before])
})

/** The body with an unknown property put into each of its objects, and where. */
function spoiled(body: Body): { body: Body; pointer: string }[] {
  const places = objectsIn(body, '')
  return places.map((pointer) => {
    const copy = structuredClone(body)
    const target = pointer
      .split('/')
      .slice(1)
      .reduce<any>((value, key) => value[key], copy)
    target.surprise_zz = 1
    return { body: copy, pointer: `${pointer}/surprise_zz` }
  })
}

function objectsIn(value: unknown, pointer: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => objectsIn(item, `${pointer}/${index}`))
  if (value === null || typeof value !== 'object') return []
  return [pointer, ...Object.entries(value).flatMap(([key, item]) => objectsIn(item, `${pointer}/${key}`))]
}

/** Another body that is as well-formed: the first id or text is changed. */
function varied(body: Body): Body {
  const copy = structuredClone(body)
  for (const [key, value] of Object.entries(copy)) {
    if (typeof value === 'number') return { ...copy, [key]: 999_999 }
    if (key === 'email') return { ...copy, email: `other-${String(value)}` }
    if (key === 'emails') return { ...copy, emails: ['other@example.com'] }
    if (typeof value === 'string' && !['provider', 'secure', 'reason', 'type', 'host', 'key'].includes(key))
      return { ...copy, [key]: `${value}x` }
  }
  throw new Error(`No way to vary ${JSON.stringify(body)}`)
}

/** The names in an answer, without what they hold. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 0 ? [shape(value[0])] : []
  if (value === null || typeof value !== 'object') return typeof value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, item === null ? 'null' : shape(item)]))
}
