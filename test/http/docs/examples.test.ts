import { expect, test } from 'bun:test'
import type { Schema } from '../../../src/http/docs/schema-fields.ts'
import { bodyExample, exampleOf, operationExample } from '../../../src/http/docs/examples.ts'

const SCHEMAS: Record<string, Schema> = {
  Color: { type: 'string', enum: ['red', 'blue'] },
  Thing: {
    type: 'object',
    required: ['color', 'size'],
    properties: { color: { $ref: '#/components/schemas/Color' }, size: { type: 'integer' }, note: { type: 'string' } },
  },
}
const of = (schema: Schema, name?: string) => exampleOf(schema, SCHEMAS, name)

test('An example of a type is its least or first value.', () => {
  expect(of({ type: 'integer' })).toBe(1)
  expect(of({ type: 'integer', minimum: 0 })).toBe(0)
  expect(of({ type: 'number', minimum: 2.5 })).toBe(2.5)
  expect(of({ type: 'boolean' })).toBe(true)
  expect(of({ type: 'string' })).toBe('…')
  expect(of({ type: 'string', enum: ['weekly', 'daily'] })).toBe('weekly')
  expect(of({ const: null })).toBeNull()
  expect(of({})).toBe('…')
})

test('An example of an object has what is required, and a reference leads to its schema.', () => {
  expect(of({ $ref: '#/components/schemas/Thing' })).toEqual({ color: 'red', size: 1 })
  expect(of({ type: 'object' })).toEqual({})
  expect(of({ type: 'object', required: ['lost'] })).toEqual({ lost: '…' })
  expect(of({ $ref: '#/components/schemas/Lost' })).toBe('…')
})

test('An example of several variants is the first one that says something.', () => {
  expect(of({ anyOf: [{}, { type: 'integer', minimum: 7 }, { type: 'null' }] })).toBe(7)
  expect(of({ anyOf: [{ $ref: '#/components/schemas/Color' }, { type: 'null' }] })).toBe('red')
  expect(of({ anyOf: [{ const: 'all' }, { type: 'integer' }] })).toBe('all')
})

test('An example of a list is empty, unless it needs something or names things.', () => {
  const items: Schema = { type: 'integer', minimum: 3 }
  expect(of({ type: 'array', items })).toEqual([])
  expect(of({ type: 'array', items, minItems: 1 })).toEqual([3])
  expect(of({ type: 'array', items }, 'tag_ids')).toEqual([3])
  expect(of({ type: 'array', items }, 'tags')).toEqual([])
})

test('A field with a known name has its value, whatever its type, and so has a call that says more.', () => {
  expect(of({ type: 'integer' }, 'email')).toBe('ada@example.com')
  const schema: Schema = {
    type: 'object',
    required: ['project_id', 'idempotency_key', 'label', 'count'],
    properties: { count: { type: 'integer' } },
  }
  expect(bodyExample('things/create', schema, SCHEMAS)).toEqual({
    project_id: 'prj_…',
    idempotency_key: '…',
    label: 'Town',
    count: 1,
  })
  expect(operationExample('things/create', schema, SCHEMAS)).toEqual({ label: 'Town', count: 1 })
  expect(operationExample('tags/update', schema, SCHEMAS)).toEqual({ tag_id: 1, color: '#336699' })
})
