import { Type } from '@sinclair/typebox'
import { expect, test } from 'bun:test'
import { auditRule } from '../../src/audit/call.ts'
import { mutation, read, type ScopeSuffix, stream } from '../../src/operation/declare.ts'
import { obj } from '../../src/schema.ts'

const request = obj({ n: Type.Optional(Type.Integer()) })
const response = obj({ count: Type.Integer() })
const spec = { path: '/things/do', scope: 'read', summary: 'Does it.', request, response } as const
const audit = { target: 'project' } as const
const run = async () => ({ count: 1 })

test('An operation without more than it needs has the role of its scope and the documented defaults.', () => {
  const { act, cost, errors, ...rest } = read({ ...spec, run })
  expect(rest as object).toEqual({
    ...spec,
    role: 'member',
    max_body: 2 * 1024 * 1024,
    audit: auditRule(),
    repeatable: true,
    status: 200,
  })
  expect([act.kind, cost({}), errors.has('INSUFFICIENT_ROLE')]).toEqual(['read', 1, false])
  const roleOf = (scope: ScopeSuffix) => read({ ...spec, scope, run }).role
  expect((['read', 'write', 'send', 'admin'] as const).map(roleOf)).toEqual([
    'member',
    'editor',
    'editor',
    'administrator',
  ])
})

test("An operation's declarations replace the defaults, and its cost may depend on the input.", () => {
  const audit = { target: 'project', details: ['n'] } as const
  const made = mutation({ ...spec, scope: 'write', role: 'owner', max_body: 7, audit, status: 202, run })
  expect(made).toMatchObject({ role: 'owner', max_body: 7, audit: auditRule(audit), status: 202 })
  const costOf = (cost: number | ((input: unknown) => number)) => read({ ...spec, cost, run }).cost({ n: 4 })
  expect([costOf(5), costOf((input) => (input as { n: number }).n)]).toEqual([5, 4])
})

test('An operation answers with the errors that it declares and those that its kind, role and request imply.', () => {
  const request = obj({ list_ids: Type.Integer() })
  const made = mutation({ ...spec, scope: 'write', audit, request, errors: ['NOT_READY'], run })
  const codes = ['NOT_READY', 'NOT_FOUND', 'INSUFFICIENT_ROLE', 'REQUEST_IN_PROGRESS', 'INVALID_CURSOR'] as const
  expect(codes.filter((code) => made.errors.has(code))).toEqual(codes.slice(0, 4))
})

test('A mutation is given what it prepared, and may tell its status by its answer.', async () => {
  const seen: unknown[] = []
  const made = mutation({
    ...spec,
    scope: 'write',
    audit,
    prepare: async (input) => ({ prepared: input }),
    run: async (input, _, prepared) => {
      seen.push(input, prepared)
      return { count: 2 }
    },
    statusOf: ({ count }) => (count === 2 ? 202 : 200),
  })
  if (made.act.kind !== 'mutation') throw new Error('It is no mutation.')
  const prepared = await made.act.prepare({ n: 1 }, {} as never)
  expect(await made.act.run({ n: 1 }, {} as never, prepared)).toEqual({ count: 2 })
  expect(seen).toEqual([{ n: 1 }, { prepared: { n: 1 } }])
  expect([made.act.statusOf?.({ count: 2 }), made.act.statusOf?.({ count: 1 })]).toEqual([202, 200])
  const bare = mutation({ ...spec, scope: 'write', audit, run })
  if (bare.act.kind !== 'mutation') throw new Error('It is no mutation.')
  expect([await bare.act.prepare({}, {} as never), 'statusOf' in bare.act, bare.status]).toEqual([
    undefined,
    false,
    200,
  ])
})

test('A stream has its own media type in place of an answer.', () => {
  const pieces = (async function* () {})()
  const made = stream({ ...spec, audit, media_type: 'text/csv', filename: 'things.csv', run: async () => pieces })
  expect(made).toMatchObject({ status: 200, act: { kind: 'stream', media_type: 'text/csv', filename: 'things.csv' } })
  expect(made.response).toMatchObject({ type: 'string' })
})
