import { expect, test } from 'bun:test'
import { groupsOf } from '../../src/shared/calls.ts'

const described = (more: object) => ({
  operationId: 'op',
  summary: 'Does it.',
  tags: ['things'] as [string],
  security: [{ apiKey: [] }, { oauth2: ['newsletter:read'] }] as Record<string, string[]>[],
  parameters: [],
  responses: {},
  ...more,
})
const only = (method: string, more: object, root = '/root') =>
  groupsOf(
    {
      paths: { '/things/list': { [method]: described(more) } },
      components: { schemas: {}, responses: { Gone: { description: '`NOT_FOUND`: Unknown. `CONFLICT`: In use.' } } },
    },
    root,
    '/docs/api',
  ).get('things')!
const call = (more: object, root?: string) => only('post', more, root).calls[0]!

test('An operation is named by its path, a route by its method and path.', () => {
  expect(call({})).toMatchObject({
    name: 'things/list',
    method: 'POST',
    path: '/root/things/list',
    anchor: 'op',
    description: '',
  })
  expect(call({}, '')).toMatchObject({ name: 'POST /things/list', path: '/things/list' })
  expect(only('get', {})).toMatchObject({ name: 'things', href: '/docs/api/things' })
})

test('A call says what its caller shows.', () => {
  expect(call({})).toMatchObject({ auth: 'key', scope: 'newsletter:read' })
  expect(call({ security: [{ session: [] }] })).toMatchObject({ auth: 'session', scope: null })
  expect(call({ security: [{ oauth2: [] }] })).toMatchObject({ auth: 'oauth2', scope: null })
  expect(call({ security: [{ client: [] }] }).auth).toBe('client')
  expect(call({ security: [] }).auth).toBe('none')
})

test('Headers are no parameters, and the key of a mutation is told apart.', () => {
  const parameters = [
    { name: 'Idempotency-Key', in: 'header' },
    { name: 'id', in: 'path' },
  ]
  expect(call({ parameters })).toMatchObject({ needs_key: true, parameters: [{ name: 'id' }] })
  expect(call({ parameters: parameters.slice(1) }).needs_key).toBe(false)
})

test('The body is a file itself where it can also be a part of a form.', () => {
  const content = { 'multipart/form-data': { schema: { type: 'object' } }, 'text/csv': { schema: { type: 'string' } } }
  expect(call({ requestBody: { content } })).toMatchObject({ body_type: 'text/csv', body: { type: 'string' } })
  expect(call({})).toMatchObject({ body_type: null, body: null })
})

test('The answer of an operation is its data, that of a route the whole; refusals are all others.', () => {
  const schema = { type: 'object', properties: { data: { type: 'integer' } } }
  const responses = {
    '201': { description: 'Done.', content: { 'application/json': { schema } } },
    '404': { $ref: '#/components/responses/Gone' },
    '500': { description: 'Failed.' },
  }
  expect(call({ responses }).answer).toEqual({ type: 'integer' })
  expect(call({ responses }, '').answer).toEqual(schema)
  expect(call({ responses }).refusals).toEqual([
    {
      status: '404',
      codes: [
        { code: 'NOT_FOUND', says: 'Unknown.' },
        { code: 'CONFLICT', says: 'In use.' },
      ],
    },
    { status: '500', codes: [{ code: '', says: 'Failed.' }] },
  ])
  expect(call({}).answer).toEqual({})
  const stream = { '200': { description: 'Done.', content: { 'text/csv': { schema: { type: 'string' } } } } }
  expect(call({ responses: stream }).answer).toEqual({ type: 'string' })
})
