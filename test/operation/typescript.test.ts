import { expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { type JsonSchema, typeOf } from '../../src/operation/typescript.ts'
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

test('A reference is the name of its schema, which is noted.', () => {
  const used = new Set<string>()
  expect([typeOf({ type: 'array', items: { $ref: '#/components/schemas/Contact' } }, used), [...used]]).toEqual([
    'Contact[]',
    ['Contact'],
  ])
})
