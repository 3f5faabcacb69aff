import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { type JsonSchema, objectOf, typeOf } from '../../src/operation/typescript.ts'
import { enumOf, exactlyOneOf, nullable, obj, Timestamp } from '../../src/schema.ts'

const typed = (schema: unknown) => typeOf(JSON.parse(JSON.stringify(schema)) as JsonSchema, new Set())

test.each([
  ['a nullable number', nullable(Type.Integer()), 'number | null'],
  ['a choice', enumOf(['on', "it's"]), "'on' | 'it\\'s'"],
  ['an array of a union', Type.Array(nullable(Type.String())), 'Array<string | null>'],
  [
    'a record',
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
    'Record<string, string | number>',
  ],
  ['no properties', obj({}), 'Record<string, never>'],
  ['any object', Type.Object({}), 'Record<string, unknown>'],
  ['anything', Type.Unknown(), 'unknown'],
  ['an optional property', obj({ a: Type.Literal(1), 'b-c': Type.Optional(Timestamp) }), "{ a: 1; 'b-c'?: string }"],
  [
    'conditions between properties',
    obj({ a: Type.Optional(Type.String()), b: Type.Optional(Type.String()) }, exactlyOneOf('a', 'b').keywords),
    '{ a?: string; b?: string }',
  ],
])('The type of %s is written.', (_, schema, expected) => {
  expect(typed(schema)).toBe(expected)
})

test('A description becomes a comment that cannot end early.', () => {
  expect(typed(obj({ a: Type.String({ description: 'No */ end.\nTwo lines.' }) }))).toBe(
    '{\n  /** No *\\/ end. Two lines. */\n  a: string\n}',
  )
})

test('A union may be of references, constants and unions, and of anything where one of them is.', () => {
  const [one, two] = ['One', 'Two'].map((name) => ({ $ref: `#/components/schemas/${name}` }))
  const of = (...anyOf: JsonSchema[]) => typeOf({ anyOf }, new Set())
  expect([of(one!, two!), of({ const: 1 }, { const: 'a' }), of({ anyOf: [one!, { type: 'null' }] })]).toEqual([
    'One | Two',
    "1 | 'a'",
    'One | null',
  ])
  expect([of(one!, {}), of({ required: ['a'] })]).toEqual(['unknown', 'unknown'])
  expect(typeOf({ type: 'array' }, new Set())).toBe('unknown[]')
  expect([typeOf({ const: false }, new Set()), typeOf({ const: null }, new Set())]).toEqual(['false', 'null'])
})

test('Members stand on one line up to 100 columns, and below each other where one has a comment.', () => {
  const short = { name: 'a', type: 'string' }
  const wide = (length: number) => [short, { name: 'b', type: 'x'.repeat(length) }]
  const line = (length: number) => `{ a: string; b: ${'x'.repeat(length)} }`
  expect(line(82)).toHaveLength(100)
  expect(objectOf(wide(82), 0)).toBe(line(82))
  expect(objectOf(wide(83), 0)).toBe(`{\n  a: string\n  b: ${'x'.repeat(83)}\n}`)
  expect([objectOf(wide(80), 1), objectOf(wide(81), 1)]).toEqual([
    line(80),
    `{\n    a: string\n    b: ${'x'.repeat(81)}\n  }`,
  ])
  expect(objectOf([{ ...short, about: 'First.' }], 0)).toBe('{\n  /** First. */\n  a: string\n}')
  expect(objectOf([], 0)).toBe('Record<string, never>')
})

test('A reference is the name of its schema, which is noted.', () => {
  const used = new Set<string>()
  expect([typeOf({ type: 'array', items: { $ref: '#/components/schemas/Contact' } }, used), [...used]]).toEqual([
    'Contact[]',
    ['Contact'],
  ])
})
