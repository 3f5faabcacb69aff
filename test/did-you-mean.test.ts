import { expect, test } from 'bun:test'
import { didYouMean } from '../src/did-you-mean.ts'

const suggests = (name: string, ...known: string[]): boolean => didYouMean(name, known) !== ''

test('The nearest name is suggested.', () => {
  expect(didYouMean('prot', ['host', 'port'])).toBe(' Did you mean port?')
  expect(didYouMean('x', ['port'])).toBe('')
  expect(didYouMean('x', [])).toBe('')
})

test('One typing error is allowed in four characters, two in nine, three in more.', () => {
  expect([suggests('abcX', 'abcd'), suggests('abXX', 'abcd')]).toEqual([true, false])
  expect([suggests('abcXX', 'abcde'), suggests('abXXX', 'abcde')]).toEqual([true, false])
  expect([suggests('abcdefgXX', 'abcdefghi'), suggests('abcdefXXX', 'abcdefghi')]).toEqual([true, false])
  expect([suggests('abcdefgXXX', 'abcdefghij'), suggests('abcdefXXXX', 'abcdefghij')]).toEqual([true, false])
})

test('An insertion, a deletion, a substitution and a swap of neighbors are one error each.', () => {
  for (const name of ['porrt', 'pot', 'pert', 'prot', 'opr', 'ports']) {
    expect([name, suggests(name, 'port')]).toEqual([name, name !== 'opr'])
  }
  // Letters that are apart are not swapped, and a swap needs both letters.
  for (const name of ['tor', 'orx', 'xro']) expect([name, suggests(name, 'rot')]).toEqual([name, false])
})

test('A prefix is no part of the name, and must be the same.', () => {
  expect(didYouMean('MASTHEAD_PROT', ['--prot', 'MASTHEAD_PORT'])).toBe(' Did you mean MASTHEAD_PORT?')
  expect(didYouMean('--prot', ['MASTHEAD_PORT', '--port'])).toBe(' Did you mean --port?')
  expect(suggests('MASTHEAD_AXX', 'MASTHEAD_ABC')).toBe(false)
})
