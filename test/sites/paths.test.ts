import { expect, test } from 'bun:test'
import { encodedPath, pagePath, requestedPaths, requirePagePath } from '../../src/sites/paths.ts'

test.each([
  ['/', '/'],
  ['/a', '/a'],
  ['/a/', '/a'],
  ['/a/b', '/a/b'],
  ['/cafe\u0301', '/café'],
  ['/A b', '/A b'],
  ['', null],
  ['a', null],
  ['/a//b', null],
  ['/./a', null],
  ['/a/..', null],
  ['/a\\b', null],
  ['/a?b', null],
  ['/a#b', null],
  ['/a%20b', null],
  ['/a\nb', null],
  [`/${'a'.repeat(499)}`, `/${'a'.repeat(499)}`],
  [`/${'a'.repeat(500)}`, null],
  ['/\uD800', null],
])('The path %j is stored as %j.', (text, path) => {
  expect(pagePath(text)).toBe(path)
})

test.each([
  ['/a', ['/a']],
  ['/a/', ['/a']],
  ['/a.html', ['/a.html', '/a']],
  ['/a.htm', ['/a.htm', '/a']],
  ['/a.HTML', ['/a.HTML', '/a']],
  ['/a/index.html', ['/a/index.html', '/a']],
  ['/index.htm', ['/index.htm', '/']],
  ['/%61', ['/a']],
  ['/a%2fb', []],
  ['/a%2Fb', []],
  ['/a%5cb', []],
  ['/a%5Cb', []],
  ['/%', []],
  ['/%25', []],
  ['/a/%2e%2e/b', []],
])('A request for %j looks up the pages %j.', (address, paths) => {
  expect(requestedPaths(address)).toEqual(paths)
})

test('An encoded path leads back to the stored path.', () => {
  for (const path of ['/', '/a b/ü', '/a&b=c;d', '/😀'])
    expect(requestedPaths(new URL(encodedPath(path), 'http://x').pathname)).toEqual([path])
})

test('requirePagePath throws VALIDATION_FAILED at /path for an invalid path.', () => {
  expect(requirePagePath('/a/')).toBe('/a')
  expect(() => requirePagePath('a')).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
})
