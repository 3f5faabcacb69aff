import { expect, test } from 'bun:test'
import {
  checkParameters,
  mergeParameters,
  PARAMETER_MAX_BYTES,
  PARAMETER_MAX_KEYS,
} from '../../src/scripts/parameters.ts'

const flawOf = (given: unknown) => {
  try {
    checkParameters(given)
    return null
  } catch (error) {
    return (error as { details: { path: string }[] }).details[0]!.path
  }
}
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]))

test.each([
  ['strings, numbers, booleans and null', { a: '', b: 1.5, c: false, d: null }],
  ['the most keys', keys(PARAMETER_MAX_KEYS)],
  ['the longest key', { ['k'.repeat(64)]: 1 }],
  ['the longest value', { a: 'é'.repeat(PARAMETER_MAX_BYTES / 2) }],
])('Parameters accept %s.', (_, given) => {
  expect(checkParameters(given)).toEqual(given as ReturnType<typeof checkParameters>)
})

test.each([
  ['an array', [], '/parameters'],
  ['null', null, '/parameters'],
  ['a string', 'a', '/parameters'],
  ['too many keys', keys(PARAMETER_MAX_KEYS + 1), '/parameters'],
  ['an empty key', { '': 1 }, '/parameters'],
  ['a key that is too long', { ['k'.repeat(65)]: 1 }, '/parameters'],
  ['a key with a space', { 'a b': 1 }, '/parameters'],
  ['an object as value', { a: {} }, '/parameters/a'],
  ['an array as value', { a: [] }, '/parameters/a'],
  ['a NUL character', { a: 'x\0' }, '/parameters/a'],
  ['a value that is too long in bytes', { a: `${'é'.repeat(PARAMETER_MAX_BYTES / 2)}x` }, '/parameters/a'],
])('Parameters refuse %s.', (_, given, path) => {
  expect(flawOf(given)).toBe(path)
})

test('Parameters of a connection override the defaults, null included.', () => {
  expect(mergeParameters({ a: 1, b: 2, c: 3 }, { b: 'x', c: null })).toEqual({ a: 1, b: 'x', c: null })
})
