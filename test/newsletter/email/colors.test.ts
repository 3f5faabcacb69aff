import { expect, test } from 'bun:test'
import { contrast, READABLE, readableOn } from '../../../src/shared/contrast.ts'
import { dimmed, hexOfChannels, isDark, mutedOn, tintOn } from '../../../src/newsletter/email/colors.ts'

const COLORS = ['#000000', '#ffffff', '#808080', '#767676', '#0b5a6e', '#ffd9c7', '#5d1a2c', '#00ff00', '#1f1f23']

test('A background is dark when white stands out on it clearly.', () => {
  expect([isDark('#0b5a6e'), isDark('#808080')]).toEqual([true, false])
})

test('A readable color keeps the wanted one where it can, and is readable on every background.', () => {
  expect(readableOn('#ffffff', '#0b5a6e')).toBe('#0b5a6e')
  expect(readableOn('#0b5a6e', '#0b5a6e')).toBe('#ffffff')
  expect(readableOn('#ffffff', '#ffd9c7')).toBe('#1f1f23')
  for (const background of COLORS)
    for (const wanted of COLORS)
      expect(contrast(background, readableOn(background, wanted))).toBeGreaterThanOrEqual(READABLE)
})

test('The gray of secondary text is readable on every background.', () => {
  expect([mutedOn('#ffffff'), mutedOn('#000000')]).toEqual(['#66666e', '#b4b4bc'])
  for (const background of COLORS) expect(contrast(background, mutedOn(background))).toBeGreaterThanOrEqual(READABLE)
})

test('A tint keeps the hue, and has the contrast that was asked for on a dark background.', () => {
  for (const least of [1.4, 3, READABLE])
    for (const color of COLORS)
      expect(contrast('#1f1f23', tintOn('#1f1f23', color, least))).toBeGreaterThanOrEqual(least)
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    parseInt(tintOn('#1f1f23', '#0b5a6e').slice(at, at + 2), 16),
  )
  expect([blue > green, green > red]).toEqual([true, true])
})

test('A dimmed color is dark, of the same hue and less saturated.', () => {
  expect(dimmed('#ff0000')).toBe('#3f2727')
  expect(dimmed('#808080')).toBe('#333333')
  for (const color of COLORS) expect(isDark(dimmed(color))).toBe(true)
})

test('Channels are written with two digits each.', () => {
  expect(hexOfChannels([0, 10, 255])).toBe('#000aff')
})
