import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, expect, test } from 'bun:test'
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
