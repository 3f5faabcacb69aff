import { expect, test } from 'bun:test'
import {
  keyOf,
  keysOf,
  matches,
  type Node,
  readSelector,
  specificityOf,
} from '../../../src/newsletter/email/selectors.ts'

const node = (name: string, id = '', ...classes: string[]): Node => ({ name, id, classes: new Set(classes) })
const fits = (selector: string, path: Node[], left = 1000): boolean =>
  matches({ steps: readSelector(selector)!, path, budget: { left } })

test('A selector is read from outside to inside.', () => {
  expect(readSelector(' TABLE.a.b>td #x * ')).toEqual([
    { name: 'table', id: '', classes: ['a', 'b'], direct: false },
    { name: 'td', id: '', classes: [], direct: true },
    { name: '', id: 'x', classes: [], direct: false },
    { name: '', id: '', classes: [], direct: false },
  ])
})

test('Other selectors are not supported.', () => {
  for (const selector of ['', 'a:hover', 'a[href]', 'a+b', 'a~b', 'a >', '>', '.', 'a..b', 'ü'])
    expect([selector, readSelector(selector)]).toEqual([selector, null])
  expect(readSelector('a b c d e')).toHaveLength(5)
  expect(readSelector('a b c d e f')).toBeNull()
  expect(readSelector('.a'.repeat(20))).not.toBeNull()
  expect(readSelector('.a'.repeat(21))).toBeNull()
})

test('An id outweighs classes, a class outweighs names, and * weighs nothing.', () => {
  const weight = (selector: string) => specificityOf(readSelector(selector)!)
  expect(['*', 'a', 'a b', '.a', 'a.b', '.a.b', '#a', '#a .b c'].map(weight)).toEqual([
    0, 1, 2, 100, 101, 200, 10_000, 10_101,
  ])
})

test('The key of a selector is one of the keys of each element that it matches.', () => {
  expect(['x #a.b', 'x .b.c', 'x y', '*'].map((selector) => keyOf(readSelector(selector)!))).toEqual([
    '#a',
    '.b',
    'y',
    '*',
  ])
  expect(keysOf(node('td', 'a', 'b', 'c'))).toEqual(['*', 'td', '#a', '.b', '.c'])
})

test('The last step matches the element, the others match elements around it.', () => {
  const path = [node('div', 'top'), node('table', '', 'a'), node('td', 'x', 'b', 'c')]
  for (const selector of ['td', '.b.c', '#x', '*', 'div td', '#top > table > td', 'div > .a td', 'td.b#x'])
    expect([selector, fits(selector, path)]).toEqual([selector, true])
  for (const selector of ['table', '.b.d', '#top', 'div > td', 'td td', '.a > div td', 'p td', 'table div td'])
    expect([selector, fits(selector, path)]).toEqual([selector, false])
})

test('An earlier ancestor is tried when the nearest one does not lead to a match.', () => {
  expect(fits('.a > p b', [node('div', '', 'a'), node('p'), node('p'), node('b')])).toBe(true)
})

test('Without a budget a selector of several steps matches nothing, and one of a single step still does.', () => {
  const path = [node('div'), node('p'), node('b')]
  expect([fits('div b', path, 2), fits('div b', path, 1), fits('b', path, 0)]).toEqual([true, false, true])
})
