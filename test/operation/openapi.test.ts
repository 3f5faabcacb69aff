import { Validator } from '@seriousme/openapi-schema-validator'
import { Type } from '@sinclair/typebox'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mutation, type Operation, read, stream } from '../../src/operation/declare.ts'
import { operationsOpenApi } from '../../src/operation/openapi-operations.ts'
import { plain } from '../../src/operation/openapi-schema.ts'
import { obj } from '../../src/schema.ts'
import { createWorld, type World } from '../support/world.ts'

let world: World
let document: any

beforeAll(async () => {
  world = await createWorld()
  document = await (await world.fetch('/general/api/v1/newsletter/openapi.json')).json()
})
afterAll(() => world.close())

test('The document is valid OpenAPI 3.1 by an independent validator.', async () => {
  const validator = new Validator()
  const result = await validator.validate(structuredClone(document))
  expect(result).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
})

test('The document needs no credentials, counts in no window, and is cached by its ETag.', async () => {
  const first = await world.fetch('/general/api/v1/newsletter/openapi.json')
  expect([first.status, first.headers.get('ratelimit-limit')]).toEqual([200, null])
  const again = await world.fetch('/general/api/v1/newsletter/openapi.json', {
    headers: { 'If-None-Match': first.headers.get('etag')! },
  })
  expect(again.status).toBe(304)
})

test('The server of the document is the newsletter root of the public address.', () => {
  expect(document.servers).toEqual([{ url: `${world.url}/general/api/v1/newsletter` }])
})

test('Every object of a request is strict, and every reference leads somewhere.', () => {
  const loose: string[] = []
  const dangling: string[] = []
  const walk = (node: any, path: string) => {
    if (node === null || typeof node !== 'object') return
    if (node.type === 'object' && node.properties && node.additionalProperties !== false) loose.push(path)
    if (typeof node.$ref === 'string' && !resolves(node.$ref)) dangling.push(node.$ref)
    for (const [key, value] of Object.entries(node)) walk(value, `${path}/${key}`)
  }
  for (const [path, { post }] of Object.entries<any>(document.paths)) walk(post.requestBody, path)
  walk(document.paths, '')
  expect(loose.filter((path) => path.includes('requestBody'))).toEqual([])
  expect(dangling).toEqual([])
})

test('Lists say what a page is.', () => {
  for (const path of ['/contacts/list', '/lists/list', '/campaigns/list', '/suppressions/list']) {
    const { post } = document.paths[path]
    expect(post.requestBody.content['application/json'].schema.properties.limit).toMatchObject({
      type: 'integer',
      minimum: 1,
      maximum: 200,
      default: 50,
    })
    expect(post.responses['200'].content['application/json'].schema.properties.data.required).toEqual(
      expect.arrayContaining(['items', 'next_cursor']),
    )
  }
})

function resolves(reference: string): boolean {
  return (
    reference
      .slice(2)
      .split('/')
      .reduce<any>((node, key) => node?.[key], document) !== undefined
  )
}

const request = obj({ n: Type.Optional(Type.Integer()) })
const response = obj({ count: Type.Integer() })
const spec = {
  path: '/things/do-it',
  scope: 'write',
  summary: 'Does it.',
  request,
  response,
  audit: { target: 'project' },
} as const
const run = async () => ({ count: 1 })
const WORDING = { words: { n: ['How many.', 3], count: ['How many.', 4] }, requests: {} } as const
const only = (operation: Operation): any =>
  Object.values<any>((operationsOpenApi([operation], 'https://m.example/root', WORDING) as any).paths)[0].post

test('The most exact word for a property describes it, and its first value that fits is the example.', () => {
  const words = {
    size: ['A size.', 'large', 5],
    'box.size': ['The size of the box.', 7],
    'things/size': ['Of a thing.'],
  } as const
  const request = obj({
    size: Type.Integer(),
    box: obj({ size: Type.Integer() }),
    own: Type.String({ description: 'Own.' }),
  })
  const { paths }: any = operationsOpenApi([read({ ...spec, request, run })], 'https://m.example/root', {
    words,
    requests: {},
  })
  const { schema, example } = paths['/things/do-it'].post.requestBody.content['application/json']
  const { size, box, own } = schema.properties
  expect([size.description, box.properties.size.description, own.description]).toEqual([
    'Of a thing.',
    'The size of the box.',
    'Own.',
  ])
  expect(example).toEqual({ size: 1, box: { size: 7 }, own: 'text' })
})

test('A mutation takes a key in the header or in the body, and says so; a read ignores one.', () => {
  const found = only(mutation({ ...spec, run }))
  expect(found).toMatchObject({
    operationId: 'things_do_it',
    summary: 'Does it.',
    description: 'Scope `newsletter:write`, role editor or higher. A mutation: needs an idempotency key.',
    tags: ['things'],
    security: [{ oauth2: ['newsletter:write'] }, { apiKey: [] }],
  })
  const key = { type: 'string', minLength: 1, maxLength: 255 }
  expect(found.parameters).toMatchObject([{ name: 'Idempotency-Key', in: 'header', required: false, schema: key }])
  const properties = (operation: any) => operation.requestBody.content['application/json'].schema.properties
  expect(Object.keys(properties(found))).toEqual(['project_id', 'idempotency_key', 'n'])
  expect(properties(found)).toMatchObject({
    project_id: { type: 'string' },
    idempotency_key: { ...key, pattern: '^[\\x20-\\x7E]+$' },
  })
  const reading = only(read({ ...spec, scope: 'read', run }))
  expect([reading.parameters, reading.description]).toEqual([[], 'Scope `newsletter:read`, role member or higher.'])
  expect(properties(reading).idempotency_key).toEqual({ description: 'Ignored.' })
  expect(reading.responses[202]).toBeUndefined()
})

test('The answers of an operation are its own and all refusals, each with its shape and its headers.', () => {
  const { responses } = only(mutation({ ...spec, errors: ['CONFLICT'], statusOf: () => 202, run }))
  const accepted = { 200: 'Done.', 202: 'Accepted: the work is queued.' } as const
  for (const [status, description] of Object.entries(accepted)) {
    expect([status, responses[status].description]).toEqual([status, description])
    expect(responses[status].content['application/json'].schema).toMatchObject({
      required: ['data', 'request_id'],
      additionalProperties: false,
      properties: { data: { properties: { count: { type: 'integer' } } }, request_id: { type: 'string' } },
    })
  }
  const refused = Object.entries<any>(responses).filter(([status]) => !(status in accepted))
  expect(refused.map(([status, { $ref }]) => [Number(status), $ref.split('/').at(-1)])).toEqual([
    [400, 'ValidationFailedOrInvalidJsonOrIdempotencyKeyRequired'],
    [401, 'UnauthorizedOrInvalidToken'],
    [403, 'ForbiddenOrInsufficientScopeOrInsufficientRoleOrProjectNotAuthorized'],
    [408, 'RequestTimeout'],
    [409, 'ConflictOrIdempotencyConflictOrRequestInProgress'],
    [413, 'PayloadTooLarge'],
    [415, 'UnsupportedMediaType'],
    [421, 'MisdirectedRequest'],
    [429, 'RateLimited'],
    [500, 'Internal'],
    [503, 'RateLimitUnavailableOrDatabaseUnavailableOrTooManyUploadsOrTooManyUnread'],
    [507, 'InsufficientStorage'],
  ])
  expect(Object.keys(only(mutation({ ...spec, status: 202, run })).responses)[0]).toBe('202')
  const streaming = stream({
    ...spec,
    media_type: 'text/csv',
    filename: 'a.csv',
    run: async () => (async function* () {})(),
  })
  expect(only(streaming).responses[200].content).toMatchObject({ 'text/csv': { schema: { type: 'string' } } })
})

test('The shared parts of the document are the shapes of errors, the headers and the credentials.', () => {
  const { components, security, tags }: any = operationsOpenApi(
    [read({ ...spec, path: '/render', run }), read({ ...spec, path: '/overview', run }), read({ ...spec, run })],
    'https://m.example/root',
    WORDING,
  )
  expect([security, tags]).toEqual([
    [{ oauth2: [] }, { apiKey: [] }],
    [{ name: 'project' }, { name: 'things' }],
  ])
  const { code } = components.schemas.Error.properties.error.properties
  expect([code.enum.includes('NOT_FOUND'), code.enum.includes('UNAUTHORIZED')]).toEqual([true, false])
  expect(components.schemas.PlatformError).toMatchObject({
    required: ['error', 'message'],
    additionalProperties: false,
  })
  const inUse = components.responses.ForbiddenOrInsufficientScopeOrInsufficientRoleOrProjectNotAuthorized
  expect(Object.keys(inUse.headers)).toEqual(expect.arrayContaining(['WWW-Authenticate', 'X-Request-ID']))
  expect(inUse.content['application/json'].schema.oneOf).toHaveLength(2)
  const integer = { type: 'integer' }
  expect(components.headers).toMatchObject({
    'RateLimit-Limit': { schema: integer },
    'RateLimit-Remaining': { schema: integer },
    'RateLimit-Reset': { schema: { ...integer, minimum: 1, maximum: 60 } },
    'Retry-After': { schema: { ...integer, minimum: 1 } },
  })
  const { apiKey, oauth2 } = components.securitySchemes
  expect(apiKey).toMatchObject({ type: 'apiKey', in: 'header', name: 'Authorization' })
  expect(oauth2.flows.authorizationCode).toMatchObject({
    authorizationUrl: 'https://m.example/general/oauth/authorize',
    tokenUrl: 'https://m.example/general/oauth/token',
    refreshUrl: 'https://m.example/general/oauth/token',
  })
  expect(Object.keys(oauth2.flows.authorizationCode.scopes)).toEqual(
    ['read', 'write', 'send', 'admin'].map((scope) => `newsletter:${scope}`),
  )
})

test('A schema with a name is described once, wherever it is used.', () => {
  const named = {}
  const Inner = Type.Object({ n: Type.Integer() }, { $id: 'Inner' })
  const reference = { $ref: '#/components/schemas/Inner' }
  expect(plain(obj({ one: Inner, many: Type.Array(Inner) }), named)).toMatchObject({
    properties: { one: reference, many: { type: 'array', items: reference } },
  })
  expect(named).toEqual({ Inner: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } } })
})
