import { expect, test } from 'bun:test'
import type { Caller } from '../../../src/access/caller.ts'
import { flushRequests } from '../../../src/developer/request-log.ts'
import { AppError } from '../../../src/errors.ts'
import { projectNamed } from '../../../src/http/core/access-log.ts'
import { logCall, logCallOfApp } from '../../../src/http/core/app-log.ts'
import type { Exchange } from '../../../src/http/core/exchange.ts'
import type { Runtime } from '../../../src/runtime.ts'
import { newApp, newUser, NOW, sharedStore } from '../../support/shared-store.ts'

test('Only what has the form of an id is named as a project.', () => {
  for (const id of ['prj_ab12', `prj_${'a'.repeat(40)}`]) expect(projectNamed(id)).toBe(id)
  for (const given of ['prj_', 'prj_A', `prj_${'a'.repeat(41)}`, 'xprj_a', 'ada@example.com', 5, null, undefined])
    expect([given, projectNamed(given)]).toEqual([given, null])
})

test('A call of an app is logged with its outcome, a refusal by the name that its answer carries.', async () => {
  const store = await sharedStore()
  const app = await newApp(await newUser())
  const runtime = { store, log: { warn: () => undefined } } as unknown as Runtime
  const exchange = {
    request: new Request('http://x/', { method: 'POST' }),
    url: new URL('http://x/'),
    request_id: 'req_log',
    now: NOW,
  } as Exchange
  const named = { app_id: app.id, authorization_id: null, route: 'things/list', shape: 'platform' } as const
  const answer = { status: 202 }
  expect(
    await logCall(runtime, exchange, named, async (call) => {
      call.project = 'prj_one'
      return answer
    }),
  ).toBe(answer)
  await logCall(runtime, exchange, named, async (call) => {
    call.error = 'RATE_LIMITED'
    return { status: 429 }
  })
  const failing = (shape: 'platform' | 'newsletter', error: unknown) =>
    expect(logCall(runtime, exchange, { ...named, shape }, () => Promise.reject(error))).rejects.toBe(error)
  const conflict = new AppError('CONFLICT', 'In use.')
  await failing('platform', conflict)
  await failing('newsletter', conflict)
  await failing('platform', new Error('broken on purpose'))
  const caller = { kind: 'oauth', app_id: app.id } as Caller
  await logCallOfApp(runtime, exchange, { caller, route: 'by app', shape: 'platform' }, async () => answer)
  const person = { kind: 'session' } as Caller
  const quiet = { caller: person, route: 'by person', shape: 'platform' } as const
  expect(await logCallOfApp(runtime, exchange, quiet, async () => answer)).toBe(answer)
  await flushRequests(store)
  const text = 'SELECT at, method, route, status, error, project FROM app_requests WHERE app_id = ? ORDER BY id'
  const common = { at: NOW, method: 'POST', route: 'things/list', project: null }
  expect(await store.query(text, [app.id])).toEqual([
    { ...common, status: 202, error: null, project: 'prj_one' },
    { ...common, status: 429, error: 'RATE_LIMITED' },
    { ...common, status: 409, error: 'conflict' },
    { ...common, status: 409, error: 'CONFLICT' },
    { ...common, status: 500, error: 'internal_error' },
    { ...common, route: 'by app', status: 202, error: null },
  ])
})
