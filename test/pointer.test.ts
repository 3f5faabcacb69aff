import { expect, test } from 'bun:test'
import { pointerTo } from '../src/pointer.ts'

test('A pointer appends each name below its base.', () => {
  expect(pointerTo('/rules', 0, 'value')).toBe('/rules/0/value')
  expect(pointerTo('', 'email')).toBe('/email')
})

test('The two characters that RFC 6901 reserves are escaped, the tilde first.', () => {
  expect(pointerTo('/custom_fields', 'a/b~c~1')).toBe('/custom_fields/a~1b~0c~01')
})

test('A long name of the caller is cut after 100 characters, and never within a surrogate pair.', () => {
  expect(pointerTo('', 'x'.repeat(500))).toBe(`/${'x'.repeat(100)}`)
  expect(pointerTo('', `${'x'.repeat(99)}😀`).isWellFormed()).toBe(true)
})
