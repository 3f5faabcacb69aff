import { expect, test } from 'bun:test'
import type { Schema } from '../../../src/shared/schema-fields.ts'
import { firstValue, fits, shapeOf, singleValue } from '../../../static/app/developer/api-shapes.ts'

const SCHEMAS = {
  Rule: {
    type: 'object',
    required: ['field', 'value'],
    properties: { note: { type: 'string' }, field: { const: 'tag' }, value: { type: 'string' } },
  },
  Days: {
    type: 'object',
    required: ['field', 'days'],
    properties: { field: { enum: ['opened'] }, days: { type: 'integer', minimum: 1 } },
  },
} satisfies Record<string, Schema>
const RULE: Schema = { $ref: '#/components/schemas/Rule' }
const DAYS: Schema = { $ref: '#/components/schemas/Days' }
const shape = (schema: Schema | undefined) => shapeOf(schema, SCHEMAS)
const text: Schema = { type: 'string' }
const NULL: Schema = { type: 'null' }

test.each<[string, Schema | undefined, object]>([
  ['a constant', { const: 7 }, { kind: 'choice', choices: [7] }],
  ['names to choose from', { type: 'string', enum: ['a', 'b'] }, { kind: 'choice', choices: ['a', 'b'] }],
  ['yes or no', { type: 'boolean' }, { kind: 'choice', choices: [true, false] }],
  ['a list', { type: 'array', items: text }, { kind: 'list', items: text }],
  ['a named object', RULE, { kind: 'object', schema: SCHEMAS.Rule }],
  ['values by name', { type: 'object', patternProperties: { '^.*$': text } }, { kind: 'record', values: text }],
  ['a text', text, { kind: 'single', types: ['string'] }],
  ['a number', { type: 'integer' }, { kind: 'single', types: ['integer'] }],
  ['a text or nothing', { anyOf: [text, NULL] }, { kind: 'single', types: ['string'] }],
  ['a text or a number', { anyOf: [text, { type: 'number' }, NULL] }, { kind: 'single', types: ['string', 'number'] }],
  ['one of constants', { anyOf: [{ const: 'a' }, { const: null }] }, { kind: 'choice', choices: ['a', null] }],
  ['anything', {}, { kind: 'json' }],
  ['an object of anything', { type: 'object' }, { kind: 'json' }],
  ['what is not known', undefined, { kind: 'json' }],
  ['nothing', { anyOf: [NULL] }, { kind: 'json' }],
])('Each kind of value has a control of its own: %s.', (_, schema, expected) => {
  expect(shape(schema)).toEqual(expected as never)
})

test('Variants are told by the name of their schema, by what they can be, or by their place.', () => {
  const of = (...anyOf: Schema[]) => {
    const found = shape({ anyOf })
    return found.kind === 'variants' ? found.variants.map(({ label }) => label) : found.kind
  }
  const kind: Schema = { type: 'object', properties: { at: text, type: { enum: ['a', 'b'] } } }
  expect(of(RULE, { type: 'array', items: text }, text, kind)).toEqual(['Rule', 'A list', 'string', 'a, b'])
  expect(of(RULE, {}, { type: 'object', properties: { at: text } })).toEqual(['Rule', 'Variant 2', 'Variant 3'])
})

test.each<[string, Schema, unknown]>([
  ['the first choice', { enum: ['a', 'b'] }, 'a'],
  ['an empty text', text, ''],
  ['the least number', { type: 'integer', minimum: 3 }, 3],
  ['zero', { type: 'number' }, 0],
  ['an empty list', { items: text }, []],
  ['what an object requires', RULE, { field: 'tag', value: '' }],
  ['no names', { patternProperties: { x: text } }, {}],
  ['the first variant', { anyOf: [DAYS, RULE] }, { field: 'opened', days: 1 }],
  ['nothing', {}, null],
  ['the number of what may be nothing', { anyOf: [{ type: 'integer', minimum: 5 }, NULL] }, 5],
])('A value begins with %s.', (_, schema, value) => {
  expect(firstValue(schema, SCHEMAS)).toEqual(value)
})

test.each<[Schema, unknown[], unknown[]]>([
  [{ enum: ['a'] }, ['a'], ['b', 1]],
  [{ type: 'integer' }, [1], ['1', true]],
  [{ anyOf: [text, { type: 'boolean' }, { type: 'number' }] }, ['a', true, 2], [{}, []]],
  [{ items: text }, [[]], [{}, 'a']],
  [
    RULE,
    [
      { field: 'tag', value: '' },
      { field: 'tag', value: 5 },
    ],
    [{ field: 'tag' }, { field: 'list', value: '' }, null, []],
  ],
  [{ patternProperties: { x: text } }, [{}], [[], 'a']],
  [{ anyOf: [RULE, { items: text }] }, [[], { field: 'tag', value: '' }], [{ field: 'x' }, 'a']],
  [{}, [null, 'a', {}], []],
])('A value that fits a schema is told from one that does not: %j.', (schema, good, bad) => {
  for (const value of good) expect(fits(schema, value, SCHEMAS)).toBe(true)
  for (const value of bad) expect(fits(schema, value, SCHEMAS)).toBe(false)
})

test.each<[string, string[], unknown]>([
  ['12', ['integer'], 12],
  ['1.5', ['string', 'number'], 1.5],
  ['12', ['string'], '12'],
  ['x', ['number'], 'x'],
  [' ', ['number'], ' '],
  ['true', ['boolean'], true],
  ['false', ['boolean', 'string'], false],
  ['true', ['string'], 'true'],
  ['yes', ['boolean'], 'yes'],
])('The text %j is read as %j.', (written, types, value) => {
  expect(singleValue(written, types)).toEqual(value)
})
