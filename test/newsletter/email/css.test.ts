import { expect, test } from 'bun:test'
import { readMedia, styleElements, topLevel } from '../../../src/newsletter/email/css.ts'

test('Style elements are read with their media, and only with an end tag.', () => {
  expect([...styleElements('<style>a</style>b<STYLE media="print">c</style><style media=\'all\' x>d</STYLE>')]).toEqual(
    [
      { media: '', css: 'a' },
      { media: 'print', css: 'c' },
      { media: 'all', css: 'd' },
    ],
  )
  expect([...styleElements('<style>a')]).toEqual([])
  expect([...styleElements('<style')]).toEqual([])
  expect([...styleElements('</style><style>a<style>b</style>')]).toEqual([{ media: '', css: 'a<style>b' }])
  // A tag that would end inside its own start tag ends nothing.
  expect([...styleElements('<style title="</style>a</style>')]).toEqual([{ media: '', css: 'a' }])
})

test('A comment counts as a space, and one without an end stays.', () => {
  const css = (text: string) => [...styleElements(`<style>${text}</style>`)][0]!.css
  expect(css('a/* x */b/**/c')).toBe('a b c')
  expect(css('a/*/b*/c')).toBe('a c')
  expect(css('a/* b')).toBe('a/* b')
  expect(css('<!--a-->')).toBe(' a ')
})

test('Rules are cut at their outer braces.', () => {
  expect([...topLevel('a{b}@media x{c{d}e{f}} ;@import y; g {h}')]).toEqual([
    ['a', 'b'],
    ['@media x', 'c{d}e{f}'],
    ['g', 'h'],
  ])
  for (const css of ['a{b}}c{d}', 'a{b}}c{d{e}f}']) expect([...topLevel(css)]).toEqual([['a', 'b']])
  expect([...topLevel('a{b')]).toEqual([])
})

test('Media queries are widths and dark mode; others are left out of a list.', () => {
  expect(readMedia('')).toBe('')
  expect(readMedia('all')).toBe('')
  expect(readMedia('only screen')).toBe('')
  expect(readMedia('print')).toBeNull()
  expect(readMedia('print, screen')).toBe('')
  expect(readMedia('(min-width:480px), screen')).toBe('')
  expect(readMedia('(min-width:480px), print')).toBe('only screen and (min-width:480px)')
  expect(readMedia('screen and (max-width: 30.125em) and (prefers-color-scheme: dark)')).toBe(
    'only screen and (max-width:30.125em) and (prefers-color-scheme:dark)',
  )
  expect(readMedia('not screen and (max-width:1px)')).toBeNull()
  expect(readMedia('(max-width:12345px)')).toBeNull()
  expect(readMedia(`${' '.repeat(285)}(min-width:1px)`)).not.toBeNull()
  expect(readMedia(`${' '.repeat(286)}(min-width:1px)`)).toBeNull()
})
