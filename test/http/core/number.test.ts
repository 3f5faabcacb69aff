import { expect, test } from 'bun:test'
import { readNumber } from '../../../src/http/core/number.ts'

test('A number of the URL is positive, whole, exact and without a leading zero.', () => {
  expect(['1', '10', '9007199254740991'].map(readNumber)).toEqual([1, 10, 9007199254740991])
  for (const text of ['0', '01', '-1', '1.0', '1e3', ' 1', '', undefined, '9007199254740993', '10000000000000000'])
    expect([text, readNumber(text)]).toEqual([text, null])
})
