import { expect, test } from 'bun:test'
import { canonicalJson } from '../src/canonical-json.ts'

test('Equal values give equal text: keys are sorted at every level, lists keep their order.', () => {
  expect(canonicalJson({ b: [{ d: 1, c: 2 }, 'x'], a: null, aa: true })).toBe(
    '{"a":null,"aa":true,"b":[{"c":2,"d":1},"x"]}',
  )
})

test('An undefined property is left out, an undefined entry is null.', () => {
  expect(canonicalJson({ a: undefined, b: [undefined, 1] })).toBe('{"b":[null,1]}')
  expect([canonicalJson(null), canonicalJson('"'), canonicalJson(1.5)]).toEqual(['null', '"\\""', '1.5'])
})
