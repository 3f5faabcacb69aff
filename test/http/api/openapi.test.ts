import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, expect, test } from 'bun:test'
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
    const isOpen = node.additionalProperties !== false
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
    ...['200', '400', '401', '403', '408', '409', '413', '415', '429', '500', '503'],
  ])
  const { post: list } = document.paths['/general/api/v1/scripts/list']
  expect(list.parameters).toEqual([
    { name: 'project_id', in: 'query', required: true, schema: { type: 'string', minLength: 1 } },
  ])
  expect(list.security).toEqual([{ oauth2: ['scripts:read'] }])
})
