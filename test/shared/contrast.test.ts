import { expect, test } from 'bun:test'
import { channels, contrast, longHex, luminance } from '../../src/shared/contrast.ts'

test.each([
  ['#AbC', '#aabbcc'],
  ['#A1B2C3', '#a1b2c3'],
  ['#abcd', null],
  ['red', null],
  ['#12345g', null],
  ['', null],
  [null, null],
])('The long notation of %j is %j.', (given, expected) => {
  expect(longHex(given)).toBe(expected)
})

test('Contrast is that of WCAG, whatever the order of the colors.', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#ffffff', '#767676')).toBeCloseTo(4.54, 2)
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
  expect(contrast('#26457d', '#26457d')).toBe(1)
})

test('Luminance weighs green most and blue least.', () => {
  expect([luminance('#ff0000'), luminance('#00ff00'), luminance('#0000ff')]).toEqual([0.2126, 0.7152, 0.0722])
})

test('A channel is linear up to 0.04045 and a power above.', () => {
  expect(channels('#0a0b80')).toEqual([10, 11, 128])
  expect(luminance('#0a0a0a')).toBeCloseTo(10 / 255 / 12.92, 10)
  expect(luminance('#0b0b0b')).toBeCloseTo(((11 / 255 + 0.055) / 1.055) ** 2.4, 10)
})
