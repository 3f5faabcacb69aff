import { Type } from '@sinclair/typebox'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { Caller } from '../../src/access/caller.ts'
import { FixedClock } from '../../src/clock.ts'
import { configOf } from '../../src/config.ts'
import { AppError } from '../../src/errors.ts'
import { newId } from '../../src/ids.ts'
import { type CallContext, mutation, type Operation, read, stream } from '../../src/operation/declare.ts'
import type { RateLimiter } from '../../src/operation/rate-limit.ts'
import { type Call, runOperation } from '../../src/operation/run.ts'
import type { Runtime } from '../../src/runtime.ts'
import { createClaims } from '../../src/shared-claims.ts'
import { obj } from '../../src/schema.ts'
import type { Store } from '../../src/store/open.ts'
import { signIn } from '../http/signed-in.ts'
import { KEYS, newProject, newUser, NOW, sharedStore } from '../support/shared-store.ts'
import { createWorld, type World } from '../support/world.ts'

let world: World
let cookie: string
beforeAll(async () => {
  world = await createWorld({ newsletter_reads_per_minute: 3, newsletter_mutations_per_minute: 2 })
  cookie = await signIn(world, 'owner')
})
afterAll(() => world.close())

async function atTheDashboard(operation: string, body: object = {}) {
  const response = await world.fetch(`/project/newsletter/${operation}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Cookie: cookie, 'Idempotency-Key': newId('req') },
    body: JSON.stringify({ project_id: world.project.public_id, ...body }),
  })
  const { headers } = response
  return [response.status, headers.get('ratelimit-remaining'), headers.get('ratelimit-policy')?.split(';')[0]]
}

test('Integrations share a window per project, and the dashboard has its own, for both classes.', async () => {
  for (const as of [world.keys.owner, world.keys.member, await world.token('owner')])
    expect((await world.call('lists/list', {}, { as })).status).toBe(200)
  expect((await world.call('lists/list')).status).toBe(429)
  expect(await atTheDashboard('lists/list')).toEqual([200, '2', '"dashboard-read"'])

  for (const name of ['One', 'Two']) expect((await world.call('lists/create', { name })).status).toBe(200)
  expect((await world.call('lists/create', { name: 'Three' })).status).toBe(429)
  expect(await atTheDashboard('lists/create', { name: 'Three' })).toEqual([200, '1', '"dashboard-mutation"'])
  expect(await atTheDashboard('lists/create', { name: 'Four' })).toEqual([200, '0', '"dashboard-mutation"'])
  expect((await atTheDashboard('lists/create', { name: 'Five' }))[0]).toBe(429)

  const other = await world.call('lists/list', {}, { as: world.keys.other })
  expect([other.status, other.headers.get('ratelimit-remaining')]).toEqual([200, '2'])
})

/** The pipeline on the shared database, with operations that the test declares. */
describe('The pipeline', () => {
  const Answer = obj({ count: Type.Integer() })
  const spec = {
    path: '/test/run',
    summary: 'Runs.',
    request: obj({ n: Type.Optional(Type.Integer()) }),
    response: Answer,
  }
  const changing = { ...spec, scope: 'write', audit: { target: 'project' } } as const
  const reading = { ...spec, scope: 'read' } as const

  async function setUp({ races = false, remaining = 5 } = {}) {
    const shared = await sharedStore()
    const project_id = await newProject()
    const [{ public_id }] = (await shared.query('SELECT public_id FROM projects WHERE id = ?', [project_id])) as [
      { public_id: string },
    ]
    const user_id = await newUser({}, [project_id, 'editor'])
    const caller: Caller = { kind: 'session', confirmed_at: 0, user_id, session_hash: 'hash' }
    const taken: unknown[][] = []
    const limiter: RateLimiter = {
      take: async (...asked) => {
        taken.push(asked)
        return { limit: asked[1], remaining, reset_seconds: 9, allowed: remaining >= 0 }
      },
      close: async () => undefined,
    }
    const lost = new Error('lost the race')
    const store: Store = {
      ...shared,
      flush: async () => {
        await new Promise(setImmediate)
        flushes.push('flush')
      },
      write: async (work, options) => {
        await writes.before?.()
        if (options?.durable !== false) flushes.push('durable write')
        if (races)
          await shared
            .write(async (tx) => {
              await work(tx)
              throw lost
            })
            .catch((error: unknown) => {
              if (error !== lost) throw error
            })
        return shared.write(work, options)
      },
    }
    const flushes: string[] = []
    const writes: { before?: () => Promise<unknown> } = {}
    const logged: unknown[][] = []
    const runtime = {
      store,
      clock: new FixedClock(NOW),
      config: configOf({ newsletter_reads_per_minute: 30, newsletter_mutations_per_minute: 2 }),
      keys: KEYS,
      claims: createClaims(null),
      log: {
        error: (...given: unknown[]) => void logged.push(given),
        warn: (...given: unknown[]) => void logged.push(given),
      },
    } as unknown as Runtime
    let calls = 0
    const run = async (operation: Operation, more: Partial<Call> = {}) => {
      const call: Call = {
        caller,
        callerIn: async () => caller,
        body: { value: { project_id: public_id } },
        idempotency_header: `call-${public_id}-${++calls}`,
        request_id: newId('req'),
        address: '192.0.2.1',
        user_agent: 'test',
        inTurn: (work) => work(),
        headers: {},
        ...more,
      }
      const answer = await runOperation(runtime, limiter, operation, call).catch((error: unknown) => error)
      const rows = await shared.query('SELECT actor, action, target, details FROM audit_log WHERE request_id = ?', [
        call.request_id,
      ])
      return { answer: answer as { status: number; body: string; code?: string }, headers: call.headers, rows }
    }
    return { run, project_id, public_id, user_id, caller, taken, flushes, writes, logged, store: shared }
  }

  test('The pipeline runs the effects of the attempt that was committed, once.', async () => {
    const { run } = await setUp({ races: true })
    const effects: number[] = []
    let runs = 0
    const operation = mutation({
      ...changing,
      run: async (_, { afterCommit }) => {
        const attempt = ++runs
        afterCommit(() => effects.push(attempt))
        return { count: attempt }
      },
    })
    const { answer, rows } = await run(operation)
    expect([answer.status, JSON.parse(answer.body).data, effects, rows.length]).toEqual([200, { count: 2 }, [2], 1])
  })

  test('The pipeline gives an operation its request without project and key, and the call.', async () => {
    const { run, project_id, public_id, user_id } = await setUp()
    const seen: unknown[] = []
    const seeing = (input: unknown, context: CallContext) => {
      const { now, request_id, address, user_agent, role, project_public_id, caller } = context
      const known = { now, request_id, address, user_agent, role, project_public_id, project_id: context.project_id }
      seen.push([input, { ...known, user_id: caller.user_id }])
      return { count: 1 }
    }
    const body = { value: { project_id: public_id, idempotency_key: `own-${public_id}`, n: 5 } }
    const more = { body, idempotency_header: null, request_id: 'req_known' }
    const given = async (input: unknown, context: CallContext) => seeing(input, context)
    await run(mutation({ ...changing, prepare: given, run: given }), more)
    await run(read({ ...reading, run: given }), more)
    const known = { now: NOW, request_id: 'req_known', address: '192.0.2.1', user_agent: 'test', role: 'editor' }
    const expected = [{ n: 5 }, { ...known, project_public_id: public_id, project_id, user_id }]
    expect(seen).toEqual([expected, expected, expected])
  })

  test.each([false, true])(
    'The pipeline replays an answer that is on the disk, and says so (prepares: %p).',
    async (p) => {
      const { run, flushes } = await setUp()
      let runs = 0
      const prepare = p ? { prepare: async () => null } : {}
      const operation = mutation({ ...changing, status: 202, ...prepare, run: async () => ({ count: ++runs }) })
      const key = { idempotency_header: newId('req') }
      const first = await run(operation, key)
      expect(first.headers['Idempotent-Replayed']).toBeUndefined()
      flushes.length = 0
      const again = await run(operation, key)
      expect([runs, again.answer, flushes.at(-1), again.headers['Idempotent-Replayed'], again.rows]).toEqual([
        1,
        { status: 202, body: first.answer.body },
        p ? 'flush' : 'durable write',
        'true',
        [],
      ])
    },
  )

  test.each([
    [false, []],
    [true, ['pending']],
  ])('A call that dies while it runs leaves a receipt only when it prepares something (%p).', async (p, left) => {
    const { run, store } = await setUp()
    const key = newId('req')
    const seen: unknown[] = []
    const look = async () => {
      const rows = await store.query('SELECT state FROM receipts WHERE idempotency_key = ?', [key])
      seen.push(...rows.map(({ state }) => state))
      return { count: 1 }
    }
    await run(mutation({ ...changing, ...(p ? { prepare: async () => null } : {}), run: look }), {
      idempotency_header: key,
    })
    expect(seen).toEqual(left)
  })

  test('Of two calls with one key at once, one runs and one is in progress; both are replayed later.', async () => {
    const { run, public_id } = await setUp()
    const operation = mutation({ ...changing, run: async () => ({ count: 1 }) })
    const key = { idempotency_header: newId('req') }
    const other = { ...key, body: { value: { project_id: public_id, n: 2 } } }
    const outcomes = async (...calls: Partial<Call>[]) =>
      (await Promise.all(calls.map((call) => run(operation, call)))).map(
        ({ answer, headers }) => answer.code ?? headers['Idempotent-Replayed'] ?? answer.status,
      )
    expect(await outcomes(key, key, other)).toEqual([200, 'REQUEST_IN_PROGRESS', 'IDEMPOTENCY_CONFLICT'])
    expect(await outcomes(key, key, other)).toEqual(['true', 'true', 'IDEMPOTENCY_CONFLICT'])
  })

  test('A call that fails gets what another process answered to the same key in the meantime.', async () => {
    const { run, writes, store } = await setUp()
    const key = newId('req')
    const operation = mutation({
      ...changing,
      run: async () => {
        writes.before = () =>
          store.write((tx) =>
            tx.run(sql`
              INSERT INTO receipts (project_id, actor, operation, idempotency_key, fingerprint, state, status, response,
                created_at, completed_at)
              SELECT project_id, actor, operation, ${key}, fingerprint, state, 200, 'theirs', created_at, completed_at
              FROM receipts WHERE idempotency_key = ${`${key}-model`}`),
          )
        throw new AppError('CONFLICT', 'No.')
      },
      errors: ['CONFLICT'],
    })
    const quick = mutation({ ...changing, run: async () => ({ count: 1 }) })
    await run(quick, { idempotency_header: `${key}-model` })
    const { answer, headers } = await run(operation, { idempotency_header: key })
    expect([answer, headers['Idempotent-Replayed']]).toEqual([{ status: 200, body: 'theirs' }, 'true'])
  })

  test('The pipeline asks again inside the transaction whether the caller may still do it.', async () => {
    const { run, store, user_id, caller } = await setUp()
    let ran = false
    const operation = (prepare: () => Promise<unknown>) =>
      mutation({
        ...changing,
        prepare,
        run: async () => {
          ran = true
          return { count: 1 }
        },
      })
    const demote = () => store.write((tx) => tx.run(sql`UPDATE members SET role = 'member' WHERE user_id = ${user_id}`))
    expect((await run(operation(demote))).answer.code).toBe('INSUFFICIENT_ROLE')
    await store.write((tx) => tx.run(sql`UPDATE members SET role = 'editor' WHERE user_id = ${user_id}`))
    const gone = Promise.reject(new AppError('INVALID_TOKEN', 'It ended.'))
    gone.catch(() => undefined)
    expect(
      (
        await run(
          operation(async () => null),
          { caller, callerIn: () => gone },
        )
      ).answer.code,
    ).toBe('INVALID_TOKEN')
    expect(ran).toBe(false)
  })

  test('The pipeline counts a read with its cost and a mutation once, in windows of the dashboard.', async () => {
    const { run, taken, project_id } = await setUp()
    const read1 = read({ ...reading, cost: 3, run: async () => ({ count: 1 }) })
    const { headers } = await run(read1)
    expect(taken).toEqual([[`newsletter:${project_id}:dashboard-read`, 30, 3]])
    expect(headers).toMatchObject({ 'RateLimit-Remaining': '5', 'RateLimit-Policy': '"dashboard-read";q=30;w=60' })
    const write1 = mutation({ ...changing, run: async () => ({ count: 1 }) })
    await run(write1)
    expect(taken.slice(1)).toEqual([[`newsletter:${project_id}:dashboard-mutation`, 2]])
    const full = await setUp({ remaining: -1 })
    for (const operation of [read1, write1]) expect((await full.run(operation)).answer.code).toBe('RATE_LIMITED')
  })

  test('The pipeline runs a counted read in its turn, and a mutation and a wrong read without one.', async () => {
    const { run, public_id } = await setUp()
    const order: string[] = []
    const inTurn: Call['inTurn'] = async (work) => {
      order.push('turn')
      const result = await work()
      order.push('rendered')
      return result
    }
    const ran = async () => ({ count: order.push('ran') })
    expect((await run(read({ ...reading, run: ran }), { inTurn })).answer.status).toBe(200)
    expect(order.splice(0)).toEqual(['turn', 'ran', 'rendered'])
    await run(mutation({ ...changing, run: ran }), { inTurn })
    await run(read({ ...reading, run: ran }), { inTurn, body: { value: { project_id: public_id, n: 'one' } } })
    expect(order).toEqual(['ran'])
  })

  test('The pipeline checks key and request before anything runs, and a wrong request counts.', async () => {
    const { run, public_id, taken } = await setUp()
    const operation = mutation({ ...changing, run: async () => ({ count: 1 }) })
    const body = { value: { project_id: public_id, n: 'x' } }
    expect((await run(operation, { body })).answer.code).toBe('VALIDATION_FAILED')
    expect((await run(operation, { idempotency_header: null })).answer.code).toBe('IDEMPOTENCY_KEY_REQUIRED')
    expect(taken).toHaveLength(2)
    for (const value of [null, [], 'x', 5])
      expect((await run(operation, { body: { value } })).answer.code).toBe('VALIDATION_FAILED')
  })

  test('The pipeline notes a change by its subject, an update by its fields, and a read by nothing.', async () => {
    const { run, public_id, user_id } = await setUp()
    const request = obj({ thing_id: Type.Integer(), name: Type.String() })
    const body = { value: { project_id: public_id, thing_id: 5, name: 'x' } }
    const target = { kind: 'thing', input: 'thing_id' } as const
    const made = (changes: boolean) =>
      mutation({ ...changing, audit: { target, changes }, request, run: async () => ({ count: 1 }) })
    expect((await run(made(true), { body })).rows).toEqual([
      { actor: `user:${user_id}`, action: 'test/run', target: 'thing:5', details: '{"fields":["name"]}' },
    ])
    expect((await run(made(false), { body })).rows).toMatchObject([{ target: 'thing:5', details: null }])
    const bare = await setUp()
    const plain = mutation({ ...changing, run: async () => ({ count: 1 }) })
    expect((await bare.run(plain)).rows).toMatchObject([{ target: `project:${bare.public_id}` }])
    expect((await bare.run(read({ ...reading, run: async () => ({ count: 1 }) }))).rows).toEqual([])
    const pieces = (async function* () {})()
    const streaming = stream({
      path: '/test/stream',
      summary: 'Streams.',
      scope: 'read',
      audit: { target: 'project' },
      request: spec.request,
      media_type: 'text/csv',
      filename: 'a.csv',
      run: async () => pieces,
    })
    const streamed = await bare.run(streaming)
    expect(streamed.answer as object).toEqual({ status: 200, pieces, media_type: 'text/csv', filename: 'a.csv' })
    expect(streamed.rows).toMatchObject([{ action: 'test/stream' }])
  })

  test('The pipeline stores when a key was last used, at most once a minute.', async () => {
    const { run, store, user_id, project_id, public_id, logged } = await setUp()
    await store.write((tx) =>
      tx.run(sql`
        INSERT INTO api_keys (id, project_id, user_id, name, key_hash, hint, created_at)
        VALUES (${public_id}, ${project_id}, ${user_id}, 'Key', ${public_id}, 'hint', 0)`),
    )
    const operation = read({ ...reading, run: async () => ({ count: 1 }) })
    const touched = async (last_used_at: number | null) => {
      await store.write((tx) => tx.run(sql`UPDATE api_keys SET last_used_at = ${last_used_at} WHERE id = ${public_id}`))
      const of_project = { project_id, project_public_id: public_id, role: 'editor' }
      const caller = {
        kind: 'api_key',
        api_key_id: public_id,
        user_id,
        scopes: null,
        use: { last_used_at },
        ...of_project,
      } as Caller
      await run(operation, { caller })
      await store.write(async () => undefined)
      return (await store.query('SELECT last_used_at FROM api_keys WHERE id = ?', [public_id]))[0]!.last_used_at
    }
    // A token has no such time, and nothing is written for it.
    const token: Caller = {
      ...{ kind: 'oauth', user_id, app_id: 'app_x', client_id: 'cli_x', authorization_id: 'aut_x' },
      scopes: new Set(['newsletter:read']),
      projects: new Map([[public_id, { project_id, role: 'editor' }]]),
    }
    const { answer } = await run(operation, { caller: token })
    await store.write(async () => undefined)
    expect([answer.status, logged]).toEqual([200, []])
    expect([await touched(null), await touched(NOW - 60_000), await touched(NOW - 59_999)]).toEqual([
      NOW,
      NOW,
      NOW - 59_999,
    ])
  })
})
