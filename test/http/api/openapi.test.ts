import { Validator } from '@seriousme/openapi-schema-validator'
import { Type } from '@sinclair/typebox'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { routesOpenApi } from '../../../src/http/api/openapi.ts'
import { route } from '../../../src/http/core/route.ts'
import { obj } from '../../../src/schema.ts'
import { createWorld, type World } from '../../support/world.ts'

const PATH = '/general/api/v1/openapi.json'

let world: World
let document: any
let described: any[]
beforeAll(async () => {
  world = await createWorld()
  document = await (await world.fetch(PATH)).json()
  described = Object.values<any>(document.paths).flatMap((methods) => Object.values(methods))
})
afterAll(() => world.close())

test('The document of the platform routes is valid OpenAPI 3.1 by an independent validator.', async () => {
  const validator = new Validator()
  expect(await validator.validate(structuredClone(document))).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
})

test('The document is public and cached by its ETag.', async () => {
  const first = await world.fetch(PATH)
  expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'public, max-age=300'])
  const again = await world.fetch(PATH, { headers: { 'If-None-Match': first.headers.get('etag')! } })
  expect(again.status).toBe(304)
  expect(document.servers).toEqual([{ url: world.url }])
})

test('Every operation id is unique, and every reference leads to a schema.', () => {
  const ids = described.map(({ operationId }) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
  const references = JSON.stringify(document).match(/#\/components\/schemas\/\w+/g) ?? []
  const missing = references.filter(
    (reference) => !Object.hasOwn(document.components.schemas, reference.split('/').at(-1)!),
  )
  expect([references.length > 0, missing]).toEqual([true, []])
})

// An OAuth endpoint ignores parameters it does not know (RFC 6749, 3.1 and 3.2).
test('Every object of a request and of a response is strict, but for those of OAuth.', () => {
  const loose: string[] = []
  const walk = (node: any, path: string) => {
    if (node === null || typeof node !== 'object') return
    // A part of allOf narrows an object that is strict.
    const isOpen = node.additionalProperties !== false && !/allOf\/\d$/.test(path)
    if (node.type === 'object' && Object.keys(node.properties ?? {}).length > 0 && isOpen) loose.push(path)
    for (const [key, value] of Object.entries(node)) walk(value, `${path}/${key}`)
  }
  walk(document.paths, '')
  expect(loose.filter((path) => !path.startsWith('//general/oauth/'))).toEqual([])
})

test('The newsletter operations and the pages are not in it.', () => {
  expect(Object.keys(document.paths).filter((path) => /newsletter\/(contacts|lists)|portal/.test(path))).toEqual([])
})

test('The project is a parameter where a role is needed, and its errors are declared.', () => {
  const { post } = document.paths['/project/pages/create']
  const schema = post.requestBody.content['application/json'].schema
  expect(schema.required).toEqual(['project_id', 'path', 'title', 'html'])
  expect(post.security).toEqual([{ session: [] }])
  expect(Object.keys(post.responses)).toEqual([
    ...['200', '400', '401', '403', '408', '409', '413', '415', '421', '429', '500', '503', '507'],
  ])
  const { post: list } = document.paths['/general/api/v1/scripts/list']
  expect(list.parameters).toMatchObject([
    { name: 'project_id', in: 'query', required: true, schema: { type: 'string', minLength: 1 } },
  ])
  expect(list.security).toEqual([{ oauth2: ['scripts:read'] }])
})

const describing = (...specs: object[]): any =>
  routesOpenApi(
    specs.map((spec) =>
      route({
        method: 'GET',
        path: '/things',
        summary: 'Things.',
        auth: 'public',
        response: obj({ ok: Type.Boolean() }),
        respond: () => new Response(),
        ...spec,
      } as never),
    ),
    'https://m.example',
  )
const only = (spec: object) => {
  const { paths } = describing(spec)
  return Object.values<any>(Object.values<any>(paths)[0])[0]
}

test('A route is described with its status, its role, its parameters and the errors by their status.', () => {
  const found = only({
    method: 'POST',
    path: '/project/things/:id',
    auth: 'session',
    role: 'editor',
    status: 202,
    query: obj({ limit: Type.Optional(Type.Integer()), word: Type.String() }),
    errors: ['CONFLICT'],
  })
  expect(found).toMatchObject({
    operationId: 'post_project_things__id',
    description: 'Needs the role editor or a higher one in the project.',
    tags: ['things'],
    security: [{ session: [] }],
    requestBody: { required: true },
    responses: { 202: { description: 'Done.' }, 409: { $ref: '#/components/responses/ConflictOfForm' } },
  })
  expect(found.parameters.map((one: any) => [one.name, one.in, one.required])).toEqual([
    ['id', 'path', true],
    ['limit', 'query', false],
    ['word', 'query', true],
  ])
  const statuses = Object.keys(found.responses)
  expect(statuses).toEqual(statuses.toSorted())
  expect(only({}).description).toBeUndefined()
  const least = only({ method: 'POST', auth: 'session', role: 'member', write: async () => ({}) })
  expect(least.description).toBe('Needs the role member or a higher one in the project.')
})

test('A body may be a form where an OAuth client or a page of a site sends it, and a file a part of a form.', () => {
  const body = obj({ name: Type.Optional(Type.String()) })
  const bodyOf = (spec: object) => only({ method: 'POST', ...spec }).requestBody
  expect([bodyOf({ body }).required, Object.keys(bodyOf({ body }).content)]).toEqual([false, ['application/json']])
  const client = { body, auth: 'client' }
  expect(Object.keys(bodyOf(client).content)).toEqual(['application/x-www-form-urlencoded', 'application/json'])
  const { responses } = only({ method: 'POST', ...client })
  expect(JSON.stringify(responses[400])).toContain('OAuthError')
  expect(responses[401].headers).toHaveProperty('WWW-Authenticate')
  expect(responses[429].headers).toHaveProperty('Retry-After')
  const form = only({ method: 'POST', body, forms: 'also' })
  expect(Object.keys(form.requestBody.content)).toEqual(['application/json', 'application/x-www-form-urlencoded'])
  expect(Object.keys(form.responses['200'].content)).toEqual(['application/json', 'text/html'])
  expect(Object.keys(form.responses['400'].content)).toEqual(['application/json', 'text/html'])
  expect(form.responses['303'].headers).toHaveProperty('Location')
  const file = { type: 'string', format: 'binary' }
  expect(bodyOf({ takes: ['text/csv', 'multipart/form-data'] })).toMatchObject({
    required: true,
    content: {
      'text/csv': { schema: file },
      'multipart/form-data': { schema: { type: 'object', required: ['file'], properties: { file } } },
    },
  })
  expect(bodyOf({})).toBeUndefined()
})

test('A route is called with the credentials that it takes.', () => {
  const securityOf = (spec: object) => only(spec).security
  expect(securityOf({})).toEqual([])
  expect(securityOf({ auth: 'oauth' })).toEqual([{ oauth2: [] }])
  expect(securityOf({ auth: 'oauth', scope: 'profile' })).toEqual([{ oauth2: ['profile'] }])
  expect(securityOf({ auth: 'client' })).toEqual([{ client: [] }, {}])
})

test('Each parameter of an authorization request is described, in the address and where it is pushed.', () => {
  const asked = document.paths['/general/oauth/authorize'].get.parameters
  const pushed = document.paths['/general/oauth/par'].post.requestBody.content['application/json'].schema.properties
  const names = ['response_type', 'response_mode', 'redirect_uri', 'scope', 'state', 'prompt', 'resource']
  names.push('client_id', 'code_challenge', 'code_challenge_method')
  const said = (all: [string, any][]) => all.filter(([, { description }]) => description).map(([name]) => name)
  expect(said(asked.map((one: any) => [one.name, one])).toSorted()).toEqual([...names, 'request_uri'].toSorted())
  expect(said(Object.entries(pushed)).toSorted()).toEqual([...names, 'client_secret'].toSorted())
})

test('A route is listed below the first words of its path that say what it is about.', () => {
  for (const [path, tag] of [
    ['/user/operator/users', 'operator'],
    ['/user/me', 'account'],
    ['/user/developer/apps', 'developer'],
    ['/user/review-requests/:id', 'developer'],
    ['/healthz', 'service'],
    ['/.well-known/oauth-authorization-server', 'oauth'],
    ['/general/apps/list', 'gallery'],
    ['/general/api/v1/scripts/list', 'scripts'],
    ['/general/oauth/token', 'oauth'],
    ['/general/newsletter/signup', 'signup'],
    ['/project/pages/create', 'pages'],
    ['/project/create', 'project'],
    ['/things/a/b', 'things'],
  ])
    expect([path, only({ path }).tags]).toEqual([path, [tag!]])
})

test('The document leaves out pages, catch-alls and preflight requests, and names what is described once.', () => {
  const named = Type.Object({ n: Type.Integer() }, { $id: 'Numbered' })
  const { paths, tags, components } = describing(
    { response: 'page', path: '/portal/page' },
    { method: 'ALL', path: '/all' },
    { method: ['OPTIONS', 'POST'], path: '/both/:id' },
    { response: named, path: '/both/:id' },
  )
  expect(Object.keys(paths)).toEqual(['/both/{id}'])
  expect(Object.keys(paths['/both/{id}'])).toEqual(['post', 'get'])
  expect(tags).toEqual([{ name: 'both' }])
  expect(components.schemas).toHaveProperty('Numbered')
  expect(JSON.stringify(paths)).toContain('#/components/schemas/Numbered')
  expect(components.securitySchemes.session.name).toBe('__Host-masthead_session')
})
