import { Type } from '@sinclair/typebox'
import { expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { configOf } from '../../../src/config.ts'
import { AppError } from '../../../src/errors.ts'
import { createBudgets, type Exchange } from '../../../src/http/core/exchange.ts'
import { type Route, route } from '../../../src/http/core/route.ts'
import { Success } from '../../../src/http/core/schemas.ts'
import { serve } from '../../../src/http/core/serve.ts'
import { createUploads, UPLOAD_LIMITS, type Uploads } from '../../../src/http/core/uploads.ts'
import type { RateLimiter } from '../../../src/operation/rate-limit.ts'
import type { Runtime } from '../../../src/runtime.ts'
import { Id, obj } from '../../../src/schema.ts'
import { newToken, tokenHash } from '../../../src/secrets.ts'
import type { Tx } from '../../../src/store/open.ts'
import type { Role } from '../../../src/shared/roles.ts'
import { authorization_projects } from '../../../src/store/tables/apps.ts'
import { KEYS, newApp, newProject, newUser, NOW, sharedStore, write } from '../../support/shared-store.ts'

/** The pipeline of a single route on the shared database. */

const ORIGIN = 'http://localhost:1'
const Any = Type.Unknown()
const plain = { path: '/things', summary: 'Things.', response: Any, audit: { target: 'project' } } as const

interface Sent {
  method?: string
  path?: string
  params?: Record<string, string>
  body?: unknown
  headers?: Record<string, string>
  now?: number
  uploads?: Uploads
}

interface Setting {
  /** Runs each write twice, as a libSQL server does after a lost race. */
  races?: boolean
  check_responses?: boolean
  remaining?: number
}

async function serving(declared: Route, { races = false, check_responses = false, remaining = 9 }: Setting = {}) {
  const shared = await sharedStore()
  const taken: unknown[][] = []
  const limiter: RateLimiter = {
    take: async (...asked) => {
      taken.push(asked)
      return { limit: asked[1], remaining, reset_seconds: 5, allowed: remaining >= 0 }
    },
    close: async () => undefined,
  }
  const again = new Error('lost the race')
  const store = races
    ? {
        ...shared,
        write: async <T>(work: (tx: Tx) => Promise<T>) => {
          await shared
            .write(async (tx) => {
              await work(tx)
              throw again
            })
            .catch((error: unknown) => {
              if (error !== again) throw error
            })
          return shared.write(work)
        },
      }
    : shared
  const config = configOf({ check_responses, platform_requests_per_minute: 20 })
  const runtime = { store, config, base_url: ORIGIN, keys: KEYS, log: { warn: () => undefined } } as unknown as Runtime
  const run = serve(runtime, limiter, declared)
  return {
    taken,
    async ask({
      method = declared.methods[0]!,
      path = '/things',
      params = {},
      body,
      headers = {},
      now = NOW,
      uploads = createUploads(),
    }: Sent) {
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
      const type: Record<string, string> = typeof body === 'object' ? { 'Content-Type': 'application/json' } : {}
      const request = new Request(ORIGIN + path, {
        method,
        body: text,
        headers: { ...type, ...headers },
      } as RequestInit)
      const exchange: Exchange = {
        request,
        url: new URL(request.url),
        params,
        told: { route: path },
        server: null,
        ...createBudgets({ uploads }),
        request_id: `req_${crypto.randomUUID()}`,
        address: '192.0.2.1',
        user_agent: '',
        now,
        always: {},
      }
      const outcome = await Promise.resolve(run(exchange)).then(
        async (response) => ({ status: response.status, body: await response.text(), response }),
        (error: unknown) => ({ error, refused: error instanceof AppError ? error.code : String(error) }),
      )
      const rows = await shared.query('SELECT actor, action, target, details FROM audit_log WHERE request_id = ?', [
        exchange.request_id,
      ])
      return { ...outcome, always: exchange.always, rows }
    },
  }
}

async function session(user_id: string): Promise<{ Cookie: string; Origin: string; hash: string }> {
  const token = newToken('svc_ss_')
  const hash = tokenHash(token)
  await write((tx) =>
    tx.run(sql`
      INSERT INTO sessions (token_hash, user_id, created_at, last_used_at, expires_at, confirmed_at)
      VALUES (${hash}, ${user_id}, ${NOW}, ${NOW}, ${NOW + 86_400_000}, ${NOW})`),
  )
  return { Cookie: `masthead_session=${token}`, Origin: ORIGIN, hash }
}

async function member(role: Role) {
  const project_id = await newProject()
  const [{ public_id }] = (await (
    await sharedStore()
  ).query('SELECT public_id FROM projects WHERE id = ?', [project_id])) as [{ public_id: string }]
  const user_id = await newUser({}, [project_id, role])
  const { hash, ...headers } = await session(user_id)
  return { project_id, public_id, user_id, hash, headers }
}

/** An access token of an app, with an authorization of the same id. */
async function granted(app_id: string, user_id: string): Promise<string> {
  const token = newToken('svc_at_')
  await write(async (tx) => {
    await tx.run(sql`
      INSERT INTO authorizations (id, app_id, user_id, grant_type, scope, created_at)
      VALUES (${app_id}, ${app_id}, ${user_id}, 'authorization_code', 'things:write', 0)`)
    await tx.run(sql`
      INSERT INTO access_tokens (token_hash, authorization_id, scope, created_at, expires_at)
      VALUES (${tokenHash(token)}, ${app_id}, 'things:write', 0, ${NOW + 1000})`)
  })
  return token
}

test('A session that ended between the first look and the write is refused, and nothing is written.', async () => {
  const ends: [string, (person: Awaited<ReturnType<typeof member>>) => string][] = [
    ['UNAUTHORIZED', ({ hash }) => `DELETE FROM sessions WHERE token_hash = '${hash}'`],
    ['UNAUTHORIZED', ({ user_id }) => `UPDATE users SET disabled_at = 1 WHERE id = '${user_id}'`],
    ['INSUFFICIENT_ROLE', ({ user_id }) => `UPDATE members SET role = 'member' WHERE user_id = '${user_id}'`],
    ['PROJECT_NOT_AUTHORIZED', ({ user_id }) => `DELETE FROM members WHERE user_id = '${user_id}'`],
    ['FORBIDDEN', ({ user_id }) => `UPDATE users SET admin = 0 WHERE id = '${user_id}'`],
  ]
  for (const [code, statement] of ends) {
    const person = await member('editor')
    await write((tx) => tx.run(sql`UPDATE users SET admin = 1 WHERE id = ${person.user_id}`))
    let written = false
    const declared = route({
      ...plain,
      method: 'POST',
      auth: 'session',
      operator: true,
      role: 'editor',
      prepare: () => write((tx) => tx.script(statement(person))),
      async write() {
        written = true
        return {}
      },
    })
    const { ask } = await serving(declared)
    const answer = await ask({ headers: person.headers, body: { project_id: person.public_id } })
    expect([statement(person), 'refused' in answer && answer.refused, written, answer.rows]).toEqual([
      statement(person),
      code,
      false,
      [],
    ])
    await write((tx) => tx.run(sql`UPDATE users SET admin = 0 WHERE id = ${person.user_id}`))
  }
})

test('A write is given the caller and the role that its transaction found.', async () => {
  const person = await member('editor')
  const seen: unknown[] = []
  const raise = () =>
    write((tx) => tx.run(sql`UPDATE members SET role = 'administrator' WHERE user_id = ${person.user_id}`))
  const declared = route({
    ...plain,
    method: 'POST',
    auth: 'session',
    role: 'editor',
    async prepare(_, { role }) {
      seen.push(role)
      await raise()
      return 'prepared'
    },
    async write(_, { role, caller, project_id, project_public_id }, prepared) {
      seen.push([role, caller.user_id, project_id, project_public_id, prepared])
      return {}
    },
  })
  const { ask } = await serving(declared)
  expect(await ask({ headers: person.headers, body: { project_id: person.public_id } })).toMatchObject({ status: 200 })
  expect(seen).toEqual(['editor', ['administrator', person.user_id, person.project_id, person.public_id, 'prepared']])
})

test('A token that lost its project between the first look and the write is refused there.', async () => {
  const person = await member('owner')
  const app = await newApp(person.user_id)
  const { project_id, public_id } = person
  const headers = { Authorization: `Bearer ${await granted(app.id, person.user_id)}` }
  await write((tx) => tx.insert(authorization_projects).values({ authorization_id: app.id, project_id }))
  const spec = { ...plain, method: 'POST', auth: 'oauth', role: 'editor', write: async () => ({}) } as const
  const withdraw = async () => {
    await write((tx) => tx.delete(authorization_projects).where(eq(authorization_projects.authorization_id, app.id)))
  }
  const asking = async (declared: Route) => (await serving(declared)).ask({ headers, body: { project_id: public_id } })
  const counted = await serving(route(spec))
  expect(await counted.ask({ headers, body: { project_id: public_id } })).toMatchObject({ status: 200 })
  expect(counted.taken).toEqual([[`platform:${app.id}:${project_id}`, 20, 1]])
  expect(await asking(route({ ...spec, prepare: withdraw }))).toMatchObject({
    refused: 'PROJECT_NOT_AUTHORIZED',
    rows: [],
  })
})

test('A token that was revoked between the first look and the write is refused.', async () => {
  const person = await member('owner')
  const app = await newApp(person.user_id)
  const token = await granted(app.id, person.user_id)
  const headers = { Authorization: `Bearer ${token}` }
  const revoke = async () => {
    await write((tx) => tx.run(sql`UPDATE access_tokens SET revoked_at = 1 WHERE token_hash = ${tokenHash(token)}`))
  }
  const spec = { ...plain, method: 'POST', auth: 'oauth', scope: 'things:write', write: async () => ({}) } as const
  const good = await serving(route(spec))
  const answer = await good.ask({ headers })
  expect([answer.rows.length, good.taken]).toEqual([1, [[`platform:${app.id}:${app.id}`, 20, 1]]])
  expect(await (await serving(route({ ...spec, scope: 'other' }))).ask({ headers })).toMatchObject({
    refused: 'INSUFFICIENT_SCOPE',
  })
  const { ask } = await serving(route({ ...spec, prepare: revoke }))
  expect(await ask({ headers })).toMatchObject({ refused: 'INVALID_TOKEN', rows: [] })
})

test('A key is no access token, even for a route of apps.', async () => {
  const person = await member('owner')
  const key = newToken('svc_pk_')
  await write((tx) =>
    tx.run(sql`
      INSERT INTO api_keys (id, project_id, user_id, name, key_hash, hint, created_at)
      VALUES (${key}, ${person.project_id}, ${person.user_id}, 'Key', ${tokenHash(key)}, 'hint', 0)`),
  )
  const { ask } = await serving(route({ ...plain, method: 'GET', auth: 'oauth', read: () => ({}) }))
  expect(await ask({ headers: { Authorization: key } })).toMatchObject({
    refused: 'INVALID_TOKEN',
    error: { headers: { 'WWW-Authenticate': expect.stringContaining('error="invalid_token"') } },
  })
})

test('A write that runs again after a lost race has its effects once, after the commit, and one row.', async () => {
  const { headers } = await member('editor')
  const effects: number[] = []
  let runs = 0
  const declared = route({
    ...plain,
    method: 'POST',
    auth: 'session',
    write: async (_, { afterCommit }) => {
      const run = ++runs
      afterCommit(() => effects.push(run))
      return { run }
    },
  })
  const { ask } = await serving(declared, { races: true })
  const answer = await ask({ headers })
  expect([runs, effects, answer.rows.length]).toEqual([2, [2], 1])
  expect(answer).toMatchObject({ status: 200, body: '{"run":2}' })
})

test('A row of the audit log names the caller, what was called and what it is about.', async () => {
  const person = await member('editor')
  const declared = route({
    ...plain,
    method: 'POST',
    path: '/things/update',
    auth: 'session',
    audit: { target: 'project', changes: true },
    role: 'editor',
    body: obj({ name: Type.String() }),
    write: async () => ({}),
  })
  const { ask } = await serving(declared)
  const { rows } = await ask({ headers: person.headers, body: { project_id: person.public_id, name: 'x' } })
  expect(rows).toEqual([
    {
      actor: `user:${person.user_id}`,
      action: 'POST /things/update',
      target: `project:${person.public_id}`,
      details: '{"fields":["name"]}',
    },
  ])
  const exporting = { ...plain, method: 'GET', auth: 'session', audit: { reads: true }, read: () => ({}) } as const
  const read = await serving(route(exporting))
  const asked = [
    await read.ask({ headers: person.headers }),
    await read.ask({ headers: person.headers, method: 'HEAD' }),
  ]
  expect(asked.map((one) => one.rows.length)).toEqual([1, 0])
  const silent = await serving(route({ ...exporting, audit: {} }))
  expect((await silent.ask({ headers: person.headers })).rows).toEqual([])
})

test('A route for those who administer the service is read by nobody else.', async () => {
  const person = await member('owner')
  const { ask } = await serving(route({ ...plain, method: 'GET', auth: 'session', operator: true, read: () => ({}) }))
  expect(await ask({ headers: person.headers })).toMatchObject({ refused: 'FORBIDDEN' })
  await write((tx) => tx.run(sql`UPDATE users SET admin = 1 WHERE id = ${person.user_id}`))
  expect(await ask({ headers: person.headers })).toMatchObject({ status: 200 })
  await write((tx) => tx.run(sql`UPDATE users SET admin = 0 WHERE id = ${person.user_id}`))
})

test('A call takes its cost from the window of its session, at most the whole window.', async () => {
  const person = await member('editor')
  const spec = { ...plain, method: 'GET', auth: 'session', read: () => ({}) } as const
  for (const [cost, units] of [
    [undefined, 1],
    [20, 20],
    [21, 20],
  ] as const) {
    const { ask, taken } = await serving(route({ ...spec, ...(cost && { cost }) }))
    const { always } = await ask({ headers: person.headers })
    expect(taken).toEqual([[`platform:${person.hash}`, 20, units]])
    expect(always).toMatchObject({ 'RateLimit-Policy': expect.stringContaining('platform') })
  }
  const { ask } = await serving(route(spec), { remaining: -1 })
  expect(await ask({ headers: person.headers })).toMatchObject({ refused: 'RATE_LIMITED' })
})

test('A session that has to be fresh is so for ten minutes, and only own pages change anything by it.', async () => {
  const { headers } = await member('editor')
  const spec = { ...plain, method: 'POST', auth: 'session', write: async () => ({}) } as const
  const { ask } = await serving(route({ ...spec, confirmed: true }))
  expect(await ask({ headers, now: NOW + 599_999 })).toMatchObject({ status: 200 })
  expect(await ask({ headers, now: NOW + 600_000 })).toMatchObject({ refused: 'CONFIRMATION_REQUIRED' })
  const free = await serving(route(spec))
  expect(await free.ask({ headers, now: NOW + 600_000 })).toMatchObject({ status: 200 })
  const foreign = { ...headers, Origin: 'https://elsewhere.example' }
  expect(await free.ask({ headers: foreign })).toMatchObject({ refused: 'FORBIDDEN' })
  expect(await free.ask({ headers: { Origin: ORIGIN } })).toMatchObject({ refused: 'UNAUTHORIZED' })
  const visited = { ...plain, method: 'POST', auth: 'public', run: () => ({}) } as const
  const own = await serving(route({ ...visited, own_pages: true }))
  expect(await own.ask({ headers: foreign })).toMatchObject({ refused: 'FORBIDDEN' })
  expect(await (await serving(route(visited))).ask({ headers: foreign })).toMatchObject({ status: 200 })
})

test('A body is JSON of its schema, and empty only where nothing is required.', async () => {
  const of = (body: Parameters<typeof obj>[0]) =>
    serving(route({ ...plain, method: 'POST', auth: 'public', body: obj(body), max_body: 25, run: (input) => input }))
  const required = await of({ name: Type.String() })
  expect(await required.ask({ body: { name: 'x' } })).toMatchObject({ status: 200, body: '{"name":"x"}' })
  const typed = { 'Content-Type': 'application/json' }
  expect(await required.ask({ headers: typed, body: '' })).toMatchObject({ refused: 'INVALID_JSON' })
  expect(await required.ask({})).toMatchObject({ refused: 'VALIDATION_FAILED' })
  const other = { 'Content-Type': 'application/x-www-form-urlencoded' }
  expect(await required.ask({ headers: other, body: 'name=x' })).toMatchObject({ refused: 'UNSUPPORTED_MEDIA_TYPE' })
  expect(await required.ask({ body: { name: 'x', more: 1 } })).toMatchObject({ refused: 'VALIDATION_FAILED' })
  expect(await required.ask({ body: { name: 'x'.repeat(15) } })).toMatchObject({ refused: 'PAYLOAD_TOO_LARGE' })
  const free = await of({ name: Type.Optional(Type.String()) })
  expect(await free.ask({ headers: typed, body: '' })).toMatchObject({ status: 200, body: '{}' })
})

test('A body counts towards the budgets of strangers, or of those whose credentials were accepted.', async () => {
  const none = { process_bytes: 0, address_bytes: 0 }
  const full = (of: 'anonymous' | 'known') =>
    createUploads({ ...UPLOAD_LIMITS, [of]: { ...UPLOAD_LIMITS[of], ...none } })
  const { headers } = await member('editor')
  const spec = { ...plain, method: 'POST', body: obj({}) } as const
  const open = await serving(route({ ...spec, auth: 'public', run: () => ({}) }))
  const own = await serving(route({ ...spec, auth: 'session', write: async () => ({}) }))
  for (const [of, strangers, members] of [
    ['anonymous', { refused: 'TOO_MANY_UPLOADS' }, { status: 200 }],
    ['known', { status: 200 }, { refused: 'TOO_MANY_UPLOADS' }],
  ] as const) {
    expect(await open.ask({ body: {}, uploads: full(of) })).toMatchObject(strangers)
    expect(await own.ask({ body: {}, headers, uploads: full(of) })).toMatchObject(members)
  }
})

test('A parameter of the address has its type, is given once, and is known to a strict route.', async () => {
  const query = { limit: Type.Optional(Type.Integer({ minimum: 0 })), word: Type.Optional(Type.String()) }
  const of = async (schema: ReturnType<typeof obj>) => {
    const { ask } = await serving(
      route({ ...plain, method: 'GET', auth: 'public', query: schema, read: (input) => input }),
    )
    return async (search: string) => {
      const answer = await ask({ path: `/things?${search}` })
      return 'refused' in answer ? answer.refused : JSON.parse(answer.body)
    }
  }
  const loose = await of(Type.Object(query) as never)
  expect(await loose('limit=5&word=7&utm=x')).toEqual({ limit: 5, word: '7' })
  expect(await loose('limit=0')).toEqual({ limit: 0 })
  for (const wrong of ['limit=x', 'limit=', 'limit=-1', 'limit=1e3', 'limit=01', 'limit=1&limit=1', 'word=a&word=b'])
    expect([wrong, await loose(wrong)]).toEqual([wrong, 'VALIDATION_FAILED'])
  const strict = await of(obj(query))
  expect(await strict('limit=5&utm=x')).toBe('VALIDATION_FAILED')
  expect(await strict('__proto__=x')).toBe('VALIDATION_FAILED')
})

test('An ill-formed part of the path is a thing that does not exist, unless the route says more.', async () => {
  const spec = {
    ...plain,
    method: 'GET',
    path: '/things/:id',
    auth: 'public',
    params: obj({ id: Id }),
    read: ({ id }: { id: number }) => ({ id }),
  } as const
  const { ask } = await serving(route(spec))
  expect(await ask({ params: { id: '5' } })).toMatchObject({ status: 200, body: '{"id":5}' })
  for (const id of ['x', '0', '05', '5x', ''])
    expect(await ask({ params: { id } })).toMatchObject({ refused: 'NOT_FOUND' })
  const strict = await serving(route({ ...spec, params_error: 'VALIDATION_FAILED' }))
  expect(await strict.ask({ params: { id: 'x' } })).toMatchObject({ refused: 'VALIDATION_FAILED' })
  const rest = await serving(route({ ...spec, catch_all: true }))
  expect(await rest.ask({ params: { '*': '7' } })).toMatchObject({ body: '{"id":7}' })
})

test('Answers and errors that a route does not declare are errors only where they are checked.', async () => {
  const answering = (checks: boolean, run: () => unknown, more: object = {}) =>
    serving(route({ ...plain, method: 'GET', auth: 'public', response: obj({ n: Id }), read: run, ...more } as never), {
      check_responses: checks,
    }).then(({ ask }) => ask({}))
  expect(await answering(true, () => ({ n: 0 }))).toMatchObject({
    refused: expect.stringContaining('is not what it declares'),
  })
  expect(await answering(false, () => ({ n: 0 }))).toMatchObject({ status: 200, body: '{"n":0}' })
  expect(await answering(true, () => ({ n: 1 }), { status: 202 })).toMatchObject({ status: 202 })
  const conflict = () => {
    throw new AppError('CONFLICT', 'In use.')
  }
  expect(await answering(true, conflict)).toMatchObject({
    refused: expect.stringContaining('does not declare CONFLICT'),
  })
  expect(await answering(true, conflict, { errors: ['CONFLICT'] })).toMatchObject({ refused: 'CONFLICT' })
  expect(await answering(false, conflict)).toMatchObject({ refused: 'CONFLICT' })
  expect(await answering(true, () => undefined, { response: Success })).toMatchObject({ body: '{"success":true}' })
})

test('Headers and cookies that a handler sets go out with its answer.', async () => {
  const declared = route({
    ...plain,
    method: 'POST',
    auth: 'public',
    run: (_, { headers, cookies }) => {
      headers['X-Thing'] = 'one'
      cookies.push('a=1; Path=/', 'b=2; Path=/')
      return {}
    },
  })
  const answer = await (await serving(declared)).ask({})
  const { headers } = (answer as { response: Response }).response
  expect([headers.get('x-thing'), headers.getSetCookie()]).toEqual(['one', ['a=1; Path=/', 'b=2; Path=/']])
})
