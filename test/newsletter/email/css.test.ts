import { expect, test } from 'bun:test'
import { readMedia, rulesOf, styleElements } from '../../../src/newsletter/email/css.ts'

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

test('Braces and semicolons in strings and comments end no rule.', () => {
  const css = '.a:after{content:"}"}/* } */.b{color:red;font-family:"a;b"}<!-- i{x:y} --> u{z'
  expect(rulesOf(css, '', { left: 1 })).toEqual([
    { selectors: '.a:after', body: 'content:"}"', query: '' },
    { selectors: '.b', body: 'color:red;font-family:"a;b"', query: '' },
    { selectors: 'i', body: 'x:y', query: '' },
    { selectors: 'u', body: 'z', query: '' },
  ])
})

test('A rule of a media query has its query, and other at-rules are named.', () => {
  const css = '@import "x.css";@media (max-width:9px){p{a:b}@media print{i{a:b}}}@font-face{a:b} u{a:b!important}'
  expect(rulesOf(css, '', { left: 1 })).toEqual([
    { at_rule: '@import "x.css"' },
    { selectors: 'p', body: 'a:b', query: 'only screen and (max-width:9px)' },
    { at_rule: '@media print' },
    { at_rule: '@font-face' },
    { selectors: 'u', body: 'a:b!important', query: '' },
  ])
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
