import { expect, test } from 'bun:test'
import { fieldRows, namesIn, type Schema } from '../../src/shared/schema-fields.ts'

const row = (schema: Schema) => fieldRows({ properties: { a: schema } })[0]!

test('Required fields come first, each followed by those inside it.', () => {
  const rows = fieldRows({
    required: ['b'],
    properties: {
      a: { type: 'string', description: 'First.' },
      b: { type: 'object', required: ['d'], properties: { c: { type: 'null' }, d: { type: 'integer' } } },
      e: { type: 'array', items: { type: 'object', properties: { f: { type: 'boolean' } } } },
    },
  })
  expect(rows.map(({ name, required, type }) => [name, required, type])).toEqual([
    ['b', true, 'object'],
    ['b.d', true, 'integer'],
    ['b.c', false, 'null'],
    ['a', false, 'string'],
    ['e', false, 'list of object'],
    ['e[].f', false, 'boolean'],
  ])
  expect(rows.map(({ description }) => description)).toEqual(['', '', '', 'First.', '', ''])
  expect(fieldRows({})).toEqual([])
})

test('A type is named by its schema, its values or its variants.', () => {
  expect(row({ $ref: '#/components/schemas/Contact' })).toMatchObject({ type: 'Contact', refers_to: 'Contact' })
  expect(row({ items: { $ref: '#/x/Contact' } })).toMatchObject({ type: 'list of Contact', refers_to: 'Contact' })
  expect(row({ anyOf: [{ type: 'string' }, { type: 'null' }, { type: 'string' }] }).type).toBe('string or null')
  expect(row({ anyOf: [{ const: 'x' }, { const: 1 }] }).type).toBe('"x" or 1')
  const [one, two] = ['One', 'Two'].map((name) => ({ $ref: `#/components/schemas/${name}` }))
  expect(row({ anyOf: [one!, two!] })).toMatchObject({ type: 'One or Two', refers_to: 'One' })
  expect(row({ anyOf: [{ anyOf: [one!, { type: 'null' }] }] }).type).toBe('One or null')
  expect(row({ enum: ['a', 'b'] }).type).toBe('"a" or "b"')
  expect(row({ const: null }).type).toBe('null')
  // Variants that only say what is required are no types.
  expect(row({ type: 'object', anyOf: [{ required: ['x'] }] }).type).toBe('object')
  expect(row({})).toMatchObject({ type: 'any', refers_to: null })
})

test('The fields of an object that may be null are listed.', () => {
  const inner = { type: 'object', properties: { b: { type: 'string' } } }
  expect(fieldRows({ properties: { a: { anyOf: [inner, { type: 'null' }] } } }).map(({ name }) => name)).toEqual([
    'a',
    'a.b',
  ])
  const list = { anyOf: [{ type: 'array', items: inner }, { type: 'null' }] }
  expect(fieldRows({ properties: { a: list } }).map(({ name }) => name)).toEqual(['a', 'a[].b'])
  expect(fieldRows({ properties: { a: { anyOf: [inner, { type: 'string' }] } } })).toHaveLength(1)
})

test('Limits are told in words, those of a value that may be null as well.', () => {
  const limits = (schema: Schema) => row(schema).limits
  expect(limits({ minimum: 0, maximum: 5 })).toBe('0 to 5')
  expect(limits({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })).toBe('at least 1')
  expect(limits({ minLength: 0, maxLength: 5 })).toBe('at most 5 characters')
  expect(limits({ minItems: 1, maxItems: 5, default: [] })).toBe('1 to 5 entries; default []')
  expect(limits({ default: false })).toBe('default false')
  expect(limits({ anyOf: [{ type: 'string', maxLength: 5 }, { type: 'null' }] })).toBe('at most 5 characters')
  expect(limits({})).toBe('')
})

test('The schemas that a schema refers to are found at any depth, each once.', () => {
  const to = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  expect(namesIn([{ a: to('A'), b: [to('B'), { c: to('A') }] }, null, 'x'])).toEqual(['A', 'B'])
})
