import { expect, test } from 'bun:test'
import { AppError } from '../../../src/errors.ts'
import {
  type FieldDefinition,
  mergeValues,
  requireCustomValues,
  valueFlaw,
} from '../../../src/newsletter/contacts/custom-values.ts'
import type { CustomValue } from '../../../src/store/tables/audience.ts'

const field = (type: FieldDefinition['type'], options: string[] | null = null): FieldDefinition => ({
  key: type,
  type,
  options,
  slot: null,
})

const ACCEPTED: [FieldDefinition, CustomValue | null][] = [
  [field('text'), ''],
  [field('text'), 'a'.repeat(1000)],
  [field('number'), -0.5],
  [field('boolean'), false],
  [field('date'), '2024-02-29'],
  [field('select', ['S', 'M']), 'M'],
  ...(['text', 'number', 'boolean', 'date', 'select'] as const).map((type): [FieldDefinition, null] => [
    field(type),
    null,
  ]),
]

const TEXT = 'Expected a text of at most 1000 characters, in well-formed Unicode without NUL.'
const REFUSED: [FieldDefinition, CustomValue, string][] = [
  [field('text'), 'a'.repeat(1001), TEXT],
  [field('text'), 'a\u0000b', TEXT],
  [field('text'), 'a\ud800', TEXT],
  [field('text'), 7, TEXT],
  [field('number'), '7', 'Expected a number.'],
  [field('number'), Number.POSITIVE_INFINITY, 'Expected a number.'],
  [field('boolean'), 1, 'Expected true or false.'],
  [field('date'), '2023-02-29', 'Expected a day as YYYY-MM-DD.'],
  [field('date'), '2024-02-29T00:00:00Z', 'Expected a day as YYYY-MM-DD.'],
  [field('date'), 20240229, 'Expected a day as YYYY-MM-DD.'],
  [field('select', ['S', 'M']), 'm', 'Expected one of: S, M.'],
  [field('select', ['S', 'M']), true, 'Expected one of: S, M.'],
  [field('select'), 'M', 'Expected one of: .'],
]

test.each(ACCEPTED)('A custom value that its field allows has no flaw: %j.', (definition, value) => {
  expect(valueFlaw(definition, value)).toBeNull()
})

test.each(REFUSED)(
  'The flaw of a custom value that its field does not allow is described: %j.',
  (definition, value, message) => {
    expect(valueFlaw(definition, value)).toBe(message)
  },
)

test('Every wrong key is reported at its own path, with the key escaped.', () => {
  const refused = () => requireCustomValues([field('number')], { number: 'x', 'a/b~': 1 })
  expect(refused).toThrow(AppError)
  try {
    refused()
  } catch (error) {
    expect((error as AppError).details).toEqual([
      { path: '/custom_fields/number', message: 'Expected a number.' },
      { path: '/custom_fields/a~1b~0', message: 'The project has no such custom field.' },
    ])
  }
  expect(() => requireCustomValues([field('number')], { number: 7 })).not.toThrow()
  expect(() => requireCustomValues([], undefined)).not.toThrow()
})

test('Given values replace stored ones, and null removes a value.', () => {
  const stored = { city: 'Bern', age: 30 }
  expect(mergeValues(stored, { age: 31, city: null, size: 'M' })).toEqual({ age: 31, size: 'M' })
  expect(mergeValues({}, { age: null, size: 'M' })).toEqual({ size: 'M' })
  expect(mergeValues(stored, undefined)).toBe(stored)
  expect(stored).toEqual({ city: 'Bern', age: 30 })
})

test('A key named __proto__ is a value like any other.', () => {
  const merged = mergeValues({ city: 'Bern' }, JSON.parse('{"__proto__":"x"}') as Record<string, string>)
  expect(Object.keys(merged)).toEqual(['city', '__proto__'])
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype)
})
