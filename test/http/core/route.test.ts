import { Type } from '@sinclair/typebox'
import { expect, test } from 'bun:test'
import { auditRule } from '../../../src/audit/call.ts'
import { formRefusal, platformRefusal } from '../../../src/http/core/exchange.ts'
import { route } from '../../../src/http/core/route.ts'
import { checker, Id, obj } from '../../../src/schema.ts'

const Answer = obj({ ok: Type.Boolean() })
const plain = { method: 'GET', path: '/things', summary: 'Things.', response: Answer } as const
const read = () => ({ ok: true })

test('A route without more than it needs has the documented defaults.', () => {
  const { errors, query, params, act, refuse, refuse_method, ...rest } = route({ ...plain, auth: 'public', read })
  expect(rest).toEqual({
    methods: ['GET'],
    path: '/things',
    summary: 'Things.',
    auth: 'public',
    own_pages: false,
    confirmed: false,
    cost: 1,
    operator: false,
    scope: null,
    role: null,
    project: null,
    params_error: 'NOT_FOUND',
    catch_all: false,
    body: null,
    takes: [],
    forms: null,
    media_type: 'text/plain',
    also: null,
    max_body: 1024 * 1024,
    response: Answer,
    status: 200,
    every_process: false,
    repeatable: true,
    audit: auditRule(),
  })
  expect([act.kind, refuse, refuse_method]).toEqual(['read', platformRefusal, platformRefusal])
  expect([[...errors], Object.keys(params.properties)]).toEqual([
    ['MISDIRECTED_REQUEST', 'INTERNAL', 'DATABASE_UNAVAILABLE', 'TOO_MANY_UNREAD'],
    [],
  ])
  // Parameters of a campaign or a proxy do no harm.
  expect(checker(query).Check({ utm_source: 'x' })).toBe(true)
})

test("A route's declarations replace the defaults.", () => {
  const refuse = () => new Response()
  const refuse_method = () => new Response()
  const made = route({
    ...plain,
    method: ['PUT', 'PATCH'],
    auth: 'session',
    confirmed: true,
    cost: 5,
    operator: true,
    takes: ['text/csv'],
    max_body: 7,
    status: 202,
    params_error: 'VALIDATION_FAILED',
    catch_all: true,
    every_process: true,
    errors: ['CONFLICT'],
    audit: { rows: 'noted', details: ['ok'] },
    query: obj({ ok: Type.String() }),
    refuse,
    refuse_method,
    read,
  })
  expect(made).toMatchObject({
    methods: ['PUT', 'PATCH'],
    confirmed: true,
    cost: 5,
    operator: true,
    takes: ['text/csv'],
    max_body: 7,
    status: 202,
    params_error: 'VALIDATION_FAILED',
    catch_all: true,
    every_process: true,
    audit: auditRule({ rows: 'noted', details: ['ok'] }),
  })
  expect([made.refuse, made.refuse_method]).toEqual([refuse, refuse_method])
  for (const code of ['CONFLICT', 'CONFIRMATION_REQUIRED', 'UNAUTHORIZED'] as const)
    expect([code, made.errors.has(code)]).toEqual([code, true])
  expect(route({ ...plain, auth: 'oauth', scope: 'profile', read }).scope).toBe('profile')
  const changing = {
    ...plain,
    method: 'PUT',
    auth: 'session',
    audit: { target: 'user' },
    write: async () => read(),
  } as const
  expect([route(changing), route({ ...changing, repeatable: true })].map((one) => one.repeatable)).toEqual([
    false,
    true,
  ])
})

test("A route for the service's own pages tells forms every flaw, and another method in the platform's shape.", () => {
  const of = (more: object) => {
    const { refuse, refuse_method } = route({ ...plain, auth: 'public', read, ...more } as never)
    return [refuse, refuse_method]
  }
  expect(of({ auth: 'session' })).toEqual([formRefusal, platformRefusal])
  expect(of({ own_pages: true })).toEqual([formRefusal, platformRefusal])
  const refuse = () => new Response()
  expect(of({ refuse })).toEqual([refuse, refuse])
  // A page that is asked for in a wrong way has nothing to show.
  expect(of({ refuse, response: 'page' })).toEqual([refuse, platformRefusal])
})

test('A role needs a project: in the body unless said otherwise, or where the route finds it.', () => {
  const spec = { ...plain, method: 'POST', auth: 'session', role: 'editor', audit: { target: 'project' } } as const
  const write = async () => ({ ok: true })
  const body = obj({ name: Type.String() })
  const inBody = route({ ...spec, body, write })
  expect([inBody.project, inBody.role]).toEqual(['body', 'editor'])
  const of = (schema: typeof inBody.body, value: unknown) => checker(schema!).Check(value)
  expect(of(inBody.body, { project_id: 'prj_1', name: 'x' })).toBe(true)
  for (const wrong of [{ name: 'x' }, { project_id: '', name: 'x' }, { project_id: 'prj_1', name: 'x', more: 1 }])
    expect([wrong, of(inBody.body, wrong)]).toEqual([wrong, false])
  expect(Object.keys(route({ ...spec, write }).body!.properties)).toEqual(['project_id'])

  const inQuery = route({ ...spec, project: 'query', body, write })
  expect([inQuery.project, Object.keys(inQuery.body!.properties)]).toEqual(['query', ['name']])
  expect(of(inQuery.query as never, { project_id: 'prj_1', more: '1' })).toBe(true)
  expect(of(inQuery.query as never, {})).toBe(false)

  const locate = async () => 'prj_1'
  const found = route({ ...spec, path: '/things/:id', project: locate, write })
  expect([found.project, found.body]).toEqual([locate, null])
  expect(Object.keys(found.query.properties)).toEqual([])
})

test('The parameters of a path are texts unless they are declared, and no name stands in two places.', () => {
  const made = route({ ...plain, path: '/things/:id/parts/:part', auth: 'public', params: obj({ id: Id }), read })
  const ok = (params: unknown) => checker(made.params).Check(params)
  expect([ok({ id: 5, part: 'x' }), ok({ id: 'x', part: 'x' }), ok({ id: 5 })]).toEqual([true, false, false])
  const twice = () =>
    route({ ...plain, path: '/things/:id', auth: 'public', query: obj({ id: Type.String() }), read } as never)
  expect(twice).toThrow('The route /things/:id names id twice.')
})

test('Each kind of handler is run as such, and a write without preparation prepares nothing.', async () => {
  const kindOf = (handler: object) => route({ ...plain, auth: 'public', ...handler } as never).act
  expect(kindOf({ run: read }).kind).toBe('run')
  expect(kindOf({ respond: () => new Response() }).kind).toBe('respond')
  const write = async () => ({ ok: true })
  const bare = kindOf({ write }) as Extract<ReturnType<typeof kindOf>, { kind: 'write' }>
  expect([bare.kind, bare.run as unknown]).toEqual(['write', write])
  expect(await bare.prepare({}, {} as never)).toBeUndefined()
  const prepare = async () => 'prepared'
  expect(kindOf({ write, prepare })).toMatchObject({ kind: 'write', prepare })
})
