import { afterAll, beforeAll, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { routesOpenApi } from '../../../src/http/api/openapi.ts'
import { route } from '../../../src/http/core/route.ts'
import { type ApiDocument, type Call, type Group, groupsOf } from '../../../src/http/docs/calls.ts'
import { groupMarkup, snippetOf } from '../../../src/http/docs/call-markup.ts'
import { exampleOf } from '../../../src/http/docs/examples.ts'
import { fieldRows, type Schema, type Schemas } from '../../../src/http/docs/schema-fields.ts'
import { curl, fetchCode, python, type SnippetCall } from '../../../src/http/docs/snippets.ts'
import { enumOf, Id, nullable, obj } from '../../../src/schema.ts'
import { type DeveloperTour, tourOf } from '../../developer/tour.ts'
import { expectRecorded } from '../../support/recorded.ts'
import { createWorld, type World } from '../../support/world.ts'

let world: World
let tour: DeveloperTour
beforeAll(async () => {
  world = await createWorld()
  tour = await tourOf(world, [])
})
afterAll(() => world.close())

/** What the fields of calls mean, by their names. */
const told = new Set<string>()

const PLATFORM = '/general/api/v1'
const NEWSLETTER = `${PLATFORM}/newsletter`

test('Examples and needs of all calls, and the pages of the reference, are those that are recorded.', async () => {
  const newsletter = (await (await world.fetch(`${NEWSLETTER}/openapi.json`)).json()) as ApiDocument
  const platform = (await (await world.fetch(`${PLATFORM}/openapi.json`)).json()) as ApiDocument
  tour.heading('Operations')
  for (const group of groupsOf(newsletter, NEWSLETTER, '/docs/api').values()) calls(group)
  tour.heading('Routes')
  for (const group of groupsOf(platform, '', '/docs/platform').values()) calls(group)
  tour.heading('What fields mean')
  for (const { components } of [newsletter, platform])
    for (const schema of Object.values(components.schemas))
      for (const { name, description } of fieldRows(schema))
        if (description !== '') told.add(`${name.replace(/^.*[.]/, '')}: ${description}`)
  tour.write(...[...told].sort().map((line) => `  ${line}`))
  expectRecorded('developer/calls.txt', tour.text())
  tour = await tourOf(world, [])
  described()
  schemas()
  snippets()
  markup()
  await pages()
  expectRecorded('developer/reference.txt', tour.text())
})

/** The refusals of the call before. */
let before = ''

/** What a call needs, and what its example sends. */
function calls({ name, href, calls: all, schemas: known }: Group): void {
  tour.write(`${name}: ${href}`)
  for (const call of all) {
    const { url, body, file_type, idempotency_key } = snippetOf(call, known, '')
    const needs = [call.auth, call.scope, idempotency_key && 'key', file_type].filter(Boolean).join(' ')
    const all_statuses = call.refusals.map(({ status }) => status).join(' ')
    const statuses = all_statuses === before ? 'as before' : all_statuses
    before = all_statuses
    const address = url === call.path ? '' : ` ${url}`
    tour.write(
      `  ${call.method} ${call.path}${address}: ${needs}; ${statuses}; ${JSON.stringify(body)} ${call.summary}`,
    )
    for (const schema of [
      call.body,
      call.answer,
      ...call.parameters.map((one) => ({ properties: { [one.name]: one.schema } })),
    ])
      for (const { name: field, description } of fieldRows((schema ?? {}) as Schema))
        if (description !== '') told.add(`${field.replace(/^.*[.]/, '')}: ${description}`)
  }
}

const Named = Type.Object({ at: Type.String({ format: 'date-time' }) }, { $id: 'Named', additionalProperties: false })
const common = { summary: 'Does something.', response: obj({ ok: Type.Boolean() }) }

/** Routes of each kind, as the document describes them. */
function described(): void {
  const read = () => ({ ok: true })
  const respond = () => new Response()
  const routes = [
    route({ ...common, method: 'GET', path: '/healthz', auth: 'public', read }),
    route({
      ...common,
      method: 'GET',
      path: '/user/developer/apps/:id/of/:other',
      auth: 'session',
      read,
      params: obj({ other: Id }),
      query: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })), after: Type.String() }),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/project/pages/save',
      auth: 'session',
      role: 'editor',
      errors: ['CONFLICT', 'NOT_FOUND'],
      status: 201,
      write: async () => ({ ok: true, named: null }),
      body: obj({
        title: Type.String({ maxLength: 9 }),
        kind: Type.Optional(enumOf(['one', 'two'])),
        named: Type.Optional(Named),
      }),
      response: obj({ ok: Type.Boolean(), named: nullable(Named) }),
    }),
    route({
      ...common,
      method: ['POST', 'OPTIONS'],
      path: '/general/oauth/token',
      auth: 'client',
      body: obj({ grant_type: Type.String() }),
      respond,
    }),
    route({
      ...common,
      method: 'DELETE',
      path: '/general/api/v1/scripts/:id',
      auth: 'oauth',
      scope: 'scripts:delete',
      write: async () => ({ ok: true }),
    }),
    route({ ...common, method: 'GET', path: '/general/api/v1/token/x', auth: 'oauth', read }),
    route({
      ...common,
      method: 'POST',
      path: '/user/operator/x',
      auth: 'session',
      operator: true,
      takes: ['multipart/form-data', 'text/csv'],
      write: async () => ({ ok: true }),
    }),
    route({ ...common, method: 'GET', path: '/general/apps', auth: 'public', read }),
    route({ ...common, method: 'GET', path: '/general/sandbox/mailbox', auth: 'public', read }),
    route({ ...common, method: 'GET', path: '/user/review-requests', auth: 'session', read }),
    route({ ...common, method: 'GET', path: '/user/me', auth: 'session', read }),
    route({ ...common, method: 'POST', path: '/project/list', auth: 'session', read }),
    route({ ...common, method: 'GET', path: '/.well-known/x', auth: 'public', read }),
    route({ ...common, method: 'GET', path: '/portal/x', auth: 'public', response: 'page', respond }),
    route({ ...common, method: 'ALL', path: '/portal/*', auth: 'public', respond }),
  ]
  tour.heading('Routes of each kind')
  const { paths, components, ...rest } = routesOpenApi(routes, 'https://a.example') as any
  const { title, license } = rest.info
  tour.json({ ...rest, info: { title, license }, security: components.securitySchemes, schemas: components.schemas })
  for (const [path, methods] of Object.entries<any>(paths))
    for (const [method, { responses, ...call }] of Object.entries<any>(methods)) {
      tour.write(`  ${method} ${path}`)
      tour.json(call)
      const shown = path.includes('save') || path.includes('oauth')
      for (const [status, { description, ...answer }] of Object.entries<any>(responses))
        tour.write(`    ${status} ${description} ${shown ? JSON.stringify(answer) : Object.keys(answer).join(' ')}`)
    }
}

const SCHEMAS: Schemas = {
  Address: {
    type: 'object',
    required: ['town'],
    properties: { town: { type: 'string', maxLength: 40 }, near: { $ref: '#/c/Address' } },
  },
  Kind: { enum: ['one', 'two'] },
}
const EVERYTHING: Schema = {
  type: 'object',
  required: ['name', 'address', 'list_ids', 'count'],
  properties: {
    late: { type: 'boolean', description: 'Whether it is late.', default: false },
    name: { type: 'string', minLength: 1, maxLength: 9 },
    count: { type: 'integer', minimum: 2, maximum: Number.MAX_SAFE_INTEGER },
    share: { type: 'number', minimum: 0, maximum: 1, default: 0.5 },
    most: { type: 'integer', maximum: 7 },
    address: { $ref: '#/c/Address' },
    list_ids: { type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 0, maxItems: 3 },
    kinds: { type: 'array', items: { $ref: '#/c/Kind' }, minItems: 1 },
    maybe: { anyOf: [{ type: 'string', minLength: 3 }, { type: 'null' }] },
    either: { anyOf: [{ type: 'string' }, { type: 'integer' }, { $ref: '#/c/Kind' }] },
    only: { const: 'this' },
    choice: { enum: ['a', 1, null] },
    inner: { type: 'object', required: ['b'], properties: { a: { type: 'string' }, b: { type: 'boolean' } } },
    rows: { type: 'array', items: { type: 'object', properties: { x: { type: 'number' } } } },
    hidden: { anyOf: [{ type: 'object', properties: { y: { type: 'string' } } }, { type: 'null' }] },
    strange: { anyOf: [{}, {}] },
    any: {},
    long: { type: 'string', minLength: 0 },
  },
}

function schemas(): void {
  tour.heading('Fields')
  for (const row of fieldRows(EVERYTHING)) tour.write(`  ${JSON.stringify(row)}`)
  tour.write(`  ${JSON.stringify(exampleOf(EVERYTHING, SCHEMAS))}`)
  for (const [name, schema] of Object.entries(EVERYTHING.properties!))
    tour.write(`  ${name}: ${JSON.stringify(exampleOf(schema, SCHEMAS, name))}`)
  const names =
    'email emails consent_text name displayName title subject editor_json audience_spec rules filter csv filename'
  const more = 'mapping scheduled_at timezone key label project_id path html domain slug url password other_ids other'
  for (const name of [...names.split(' '), ...more.split(' ')])
    tour.write(`  ${name}: ${JSON.stringify(exampleOf({ type: 'array', items: { type: 'number' } }, SCHEMAS, name))}`)
  tour.write(`  ${JSON.stringify(exampleOf({ $ref: '#/c/Nothing' }, SCHEMAS))}`)
}

function snippets(): void {
  tour.heading('Examples in three languages')
  const body = { text: "it's", list: [1, true, null], inner: { a: 'é"' } }
  const all: SnippetCall[] = [
    { method: 'GET', url: 'https://a.example/x?y=1', auth: 'none', body: null },
    { method: 'POST', url: 'https://a.example/x', auth: 'key', idempotency_key: true, body },
    { method: 'PATCH', url: 'https://a.example/x', auth: 'key', idempotency_key: 'mine', body: {} },
    { method: 'POST', url: 'https://a.example/x', auth: 'client', body: { grant_type: 'a b', code: "c'" } },
    { method: 'POST', url: 'https://a.example/x', auth: 'session', file_type: 'text/csv', body: null },
    { method: 'DELETE', url: 'https://a.example/x', auth: 'oauth2', body: null },
  ]
  for (const call of all)
    for (const text of [curl(call), fetchCode(call), python(call)])
      tour.write(...text.split('\n').map((line) => `  > ${line}`), '  >')
}

/** A group with calls of each kind, as its page shows it. */
function markup(): void {
  tour.heading('The page of a group')
  const call: Call = {
    ...{ name: 'things/save', group: 'things', anchor: 'things_save', method: 'POST', path: '/root/things/save' },
    ...{
      summary: 'Saves <it>.',
      description: 'Needs `code`.',
      auth: 'key',
      scope: 'newsletter:write',
      needs_key: true,
    },
    parameters: [],
    body: EVERYTHING,
    body_type: 'application/json',
    answer: { $ref: '#/c/Address' },
    refusals: [
      { status: '400', description: 'Wrong.' },
      { status: '404', description: 'Gone.' },
    ],
  }
  const parameters = [
    { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'limit', in: 'query', required: false, schema: { type: 'integer', minimum: 1 }, description: 'How many.' },
    { name: 'key', in: 'query', required: true, schema: { type: 'string', description: 'Of what.' } },
  ]
  const plain = { ...call, description: '', needs_key: false, refusals: [], answer: {}, body: null, body_type: null }
  const group: Group = {
    name: 'things',
    href: '/docs/api/things',
    schemas: SCHEMAS,
    calls: [
      call,
      {
        ...plain,
        anchor: 'second',
        auth: 'oauth2',
        scope: 'scripts:read',
        method: 'GET',
        path: '/x/{id}/y',
        parameters,
      },
      { ...plain, anchor: 'third', auth: 'session', scope: null, body: EVERYTHING, body_type: 'text/csv' },
      {
        ...plain,
        anchor: 'fourth',
        auth: 'client',
        scope: null,
        body: { type: 'object' },
        body_type: 'application/x-www-form-urlencoded',
      },
      { ...plain, anchor: 'fifth', auth: 'none', scope: null, method: 'GET' },
    ],
  }
  tour.write(
    ...groupMarkup(group, 'https://a.example')
      .text.split('\n')
      .map((line) => `  > ${line}`),
  )
}

async function pages(): Promise<void> {
  tour.heading('Pages')
  const main = async (path: string) => {
    const answer = await world.fetch(path)
    const text = await answer.text()
    return { answer, text, main: /<main[^]*<\/main>/.exec(text)?.[0] ?? text }
  }
  const first = await main('/docs')
  const headers = [...first.answer.headers].filter(([name]) => !['date', 'etag', 'content-length'].includes(name))
  const shown = headers.map(([name, value]) => `${name}: ${value.replace(/'sha256-[^']+'/, "'sha256-…'")}`).sort()
  tour.write(
    `  ${first.answer.status}`,
    ...shown.filter((line) => !line.startsWith('x-request-id')).map((line) => `  ${line}`),
  )
  const [before, , after] = first.text.split(/(<style>[^]*<\/style>)/)
  tour.write(...before!.split('\n').map((line) => `  > ${line}`))
  const nav = /<div class="wide">[^]*?<\/nav>/.exec(after!)![0]
  tour.write(...nav.split('\n').map((line) => `  > ${line}`))
  const start = first.main.split('<h2>Operations by resource</h2>')[0]!
  tour.write(...start.split('\n').map((line) => `  > ${line}`))
  const again = await world.fetch('/docs', { headers: { 'if-none-match': first.answer.headers.get('etag')! } })
  tour.write(`  again: ${again.status}`)
  for (const path of [
    '/docs/api/tags',
    '/docs/platform/scripts',
    '/docs/platform/oauth',
    '/docs/errors',
    '/docs/guides/oauth',
  ]) {
    const { text, main: body } = await main(path)
    const current = /<a href="[^"]*" aria-current="page">[^<]*/.exec(text)?.[0]
    tour.write(`  ${path}: ${/<title>.*<\/title>/.exec(text)![0]} ${current} ${/<h1>.*<\/h1>/.exec(body)![0]}`)
    tour.write(
      `    links ${(body.match(/<a /g) ?? []).length}, sections ` +
        `${(body.match(/<section/g) ?? []).length}, tables ${(body.match(/<table/g) ?? []).length}`,
    )
  }
  const errors = (await main('/docs/errors')).main.match(/<tr id="CONFLICT">[^]*?<\/tr>/)![0]
  tour.write(`  ${errors.replaceAll('\n', ' ')}`)
  for (const path of [
    '/docs/none',
    '/docs/api/none',
    '/docs/platform/none',
    '/docs/guides/none',
    '/docs/guides/tags',
    '/docs/api/oauth',
  ]) {
    const { answer, text } = await main(path)
    tour.write(
      `  ${path}: ${answer.status} ${answer.headers.get('content-type')} ` +
        `${/<h1>.*<\/h1>/.exec(text)?.[0] ?? text.slice(0, 80)}`,
    )
  }
}
