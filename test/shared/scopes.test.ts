import { expect, test } from 'bun:test'
import { isScope, scopeNames } from '../../src/shared/scopes.ts'

test('The names of a scope parameter keep their order, each once.', () => {
  expect(scopeNames(' b a  b ')).toEqual(['b', 'a'])
  expect(scopeNames('')).toEqual([])
})

test('A scope is one of the known, and no inherited property.', () => {
  expect(['newsletter:read', 'newsletter', 'toString', ''].map(isScope)).toEqual([true, false, false, false])
})
