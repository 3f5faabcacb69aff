import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import type { Caller } from '../../src/access/caller.ts'
import { note } from '../../src/audit/record.ts'
import { AppError } from '../../src/errors.ts'
import { mutation, type Operation, read } from '../../src/operation/declare.ts'
import { createRateLimiter, type RateLimiter } from '../../src/operation/rate-limit.ts'
import { type Call, runOperation } from '../../src/operation/run.ts'
import { obj } from '../../src/schema.ts'
import { projects } from '../../src/store/tables/accounts.ts'
import { type LibsqlServer, startLibsqlServer } from '../support/libsql-server.ts'
import { createWorld, type World } from '../support/world.ts'

describe.each(['file', 'server'] as const)('On a database of kind %s:', (kind) => {
  let server: LibsqlServer | undefined
  let world: World
  let limiter: RateLimiter
  beforeAll(async () => {
    if (kind === 'server') server = await startLibsqlServer()
    world = await createWorld(server && { database_url: server.url })
    limiter = createRateLimiter(world.service.runtime.store, () => world.clock.now())
  })
  afterAll(async () => {
    await limiter.close()
    await world.close()
    await server?.close()
  })

  const Answer = obj({ count: Type.Integer() })
  const person = (): Caller => ({ kind: 'session', confirmed_at: 0, user_id: world.users.owner, session_hash: 'hash' })
  let calls = 0
  async function run(operation: Operation, caller: Caller, more: Partial<Call> = {}) {
    const call: Call = {
      caller,
      callerIn: async () => caller,
      body: { value: { project_id: world.project.public_id } },
      idempotency_header: operation.act.kind === 'mutation' ? `call-${++calls}` : null,
      request_id: 'req_test',
      address: '127.0.0.1',
      user_agent: 'test',
      inTurn: (work) => work(),
      headers: {},
      ...more,
    }
    const answer = await runOperation(world.service.runtime, limiter, operation, call)
    return { answer, headers: call.headers }
  }

  /** What a call throws, or its answer. `expect().rejects` delays `setImmediate`, and with it each write to a file. */
  const refusal = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error)

  test.each([
    ['NOT_FOUND', 'stored', 1],
    ['CONFLICT', 'stored', 1],
    ['VALIDATION_FAILED', 'dropped', 2],
  ] as const)('The receipt of a mutation that answers %s is %s.', async (code, _, runs) => {
    let ran = 0
    const failing = mutation({
      path: `/test/fails-${code}`,
      scope: 'write',
      audit: { target: 'project' },
      summary: 'Fails.',
      errors: ['NOT_FOUND', 'CONFLICT'],
      request: obj({}),
      response: Answer,
      run: async () => {
        ran++
        throw new AppError(code, 'No.')
      },
    })
    const key = { idempotency_header: `fails-${code}` }
    expect(await refusal(run(failing, person(), key))).toMatchObject({ code })
    const again = await refusal(run(failing, person(), key))
    // A write to a server goes on before it knows of an earlier receipt, and what it did is rolled back.
    if (kind === 'file') expect(ran).toBe(runs)
    if (runs === 1) expect(again).toMatchObject({ headers: { 'Idempotent-Replayed': 'true' } })
    else expect(again).toMatchObject({ code })
  })

  test('Work after the commit does not run when the transaction fails.', async () => {
    const effects: string[] = []
    const operation = (fails: boolean) =>
      mutation({
        path: '/test/effects',
        scope: 'write',
        audit: { target: 'project' },
        summary: 'Has effects.',
        request: obj({}),
        response: Answer,
        run: async (_, { afterCommit }) => {
          afterCommit(() => effects.push(fails ? 'failed' : 'done'))
          if (fails) throw new Error('broken')
          return { count: 1 }
        },
      })
    expect(await refusal(run(operation(true), person()))).toMatchObject({ message: 'broken' })
    await run(operation(false), person())
    expect(effects).toEqual(['done'])
  })

  test('Calls of a set that leaves notes for the audit log run alone, so that each has its own.', async () => {
    const sets: number[] = []
    const noting = mutation({
      path: '/test/notes',
      scope: 'write',
      audit: { target: 'project' },
      summary: 'Leaves a note.',
      request: obj({}),
      response: Answer,
      run: async (_, { tx, request_id }) => {
        note(tx, { target: `noted:${request_id}` })
        return { count: 1 }
      },
      set: {
        keyOf: () => 'all',
        run: async (tx, members) => {
          sets.push(members.length)
          for (const { context } of members) note(tx, { target: `noted:${context.request_id}` })
          return members.map(() => ({ count: 1 }))
        },
      },
    })
    const ids = ['req_one', 'req_two', 'req_three']
    await Promise.all(ids.map((request_id) => run(noting, person(), { request_id })))
    // On a server the calls are counted one after the other, so they seldom wait together.
    if (kind === 'file') expect(Math.max(...sets)).toBeGreaterThan(1)
    const { store } = world.service.runtime
    const rows = await store.query("SELECT request_id, target FROM audit_log WHERE target LIKE 'noted:%' ORDER BY id")
    expect(rows.map(({ target }) => target).sort()).toEqual(ids.map((id) => `noted:${id}`).sort())
    expect(rows.every(({ request_id, target }) => target === `noted:${request_id}`)).toBe(true)
  })

  test('An answer that is not the declared one is an error where answers are checked.', async () => {
    const wrong = read({
      path: '/test/wrong',
      scope: 'read',
      summary: 'Answers what it does not declare.',
      request: obj({}),
      response: Answer,
      run: async () => ({ count: 0.5 }),
    })
    expect(String(await refusal(run(wrong, person())))).toContain('The answer of /test/wrong is not what it declares')
  })

  test('A response that is too large to store is refused, and the mutation leaves nothing.', async () => {
    const name = 'x'.repeat(4_900_000)
    const large = mutation({
      path: '/test/large',
      scope: 'write',
      audit: { target: 'project' },
      summary: 'Answers more than a receipt takes.',
      request: obj({ length: Type.Integer() }),
      response: obj({ name: Type.String() }),
      run: async ({ length }, { tx, project_id }) => {
        await tx.update(projects).set({ name: 'Renamed' }).where(eq(projects.id, project_id))
        return { name: name.slice(0, length) }
      },
    })
    const ofLength = (length: number) => ({ body: { value: { project_id: world.project.public_id, length } } })
    const key = { idempotency_header: 'large' }
    expect(await refusal(run(large, person(), { ...key, ...ofLength(4_900_000) }))).toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      status: 413,
    })
    const { db } = world.service.runtime.store
    expect(await db.select({ name: projects.name }).from(projects).where(eq(projects.id, world.project.id))).toEqual([
      { name: 'Harbour News' },
    ])
    await run(large, person(), { ...key, ...ofLength(1) })
  })
})
