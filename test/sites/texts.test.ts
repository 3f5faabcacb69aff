import { expect, test } from 'bun:test'
import { encodedPath, pagePath, requestedPaths } from '../../src/sites/paths.ts'
import { slugOf } from '../../src/sites/slugs.ts'
import { wordCount } from '../../src/sites/word-count.ts'

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
  [`/${'a'.repeat(500)}`, null],
  ['/\uD800', null],
])('the path %j is kept as %j', (text, path) => {
  expect(pagePath(text)).toBe(path)
})

test.each([
  ['/a', ['/a']],
  ['/a/', ['/a']],
  ['/a.html', ['/a.html', '/a']],
  ['/a/index.html', ['/a/index.html', '/a']],
  ['/index.htm', ['/index.htm', '/']],
  ['/%61', ['/a']],
  ['/a%2fb', []],
  ['/a%5Cb', []],
  ['/%', []],
  ['/%25', []],
  ['/a/%2e%2e/b', []],
])('the address %j may mean %j', (address, paths) => {
  expect(requestedPaths(address)).toEqual(paths)
})

test('a path as an address leads back to it', () => {
  for (const path of ['/', '/a b/ü', '/a&b=c;d', '/😀'])
    expect(requestedPaths(new URL(encodedPath(path), 'http://x').pathname)).toEqual([path])
})

test.each([
  ['', 0],
  ['<p>One two</p><p>three</p>', 3],
  ['one<br>two', 2],
  ['a < b and c > d', 5],
  ["don't e-mail 1.5", 3],
  ['caf&eacute; &nbsp; x', 2],
  ['<!-- a b --> c', 1],
  ['<script>a b</script><style>c</style>d', 1],
  ['<script>never closed', 0],
  ['<!-- never closed', 0],
  ['日本語', 1],
  ['<a title="x y">z</a', 1],
])('%j has %i words', (html, count) => {
  expect(wordCount(html)).toBe(count)
})

test('words are counted in one pass, whatever is left open', () => {
  const begun = performance.now()
  for (const part of ['<script', '<!--', '<', '</', '&', '<a href="']) wordCount(part.repeat(100_000))
  expect(performance.now() - begun).toBeLessThan(2000)
})

test.each([
  ['Hello World', 'hello-world'],
  ['  Über Straßen & Co. ', 'uber-stra-en-co'],
  ['日本', 'untitled'],
  ['---', 'untitled'],
])('%j has the slug %j', (title, slug) => {
  expect(slugOf(title)).toBe(slug)
})
