import { expect, test } from 'bun:test'
import { wordCount } from '../../src/sites/word-count.ts'
import { isLinear } from '../support/cpu-time.ts'

test.each([
  ['', 0],
  ['<p>One two</p><p>three</p>', 3],
  ['one<br>two', 2],
  ['a < b and c > d', 5],
  ["don't e-mail 1.5", 3],
  ['caf&eacute; &nbsp; x', 2],
  ['a&nbsp;b&#160;c&ensp;d&emsp;e&thinsp;f', 6],
  ['x&amp;y', 1],
  ['<!-- a b --> c', 1],
  ['<!-- a > b <p>c</p> --> d', 1],
  ['<script>if (a > b) c()</script> d', 1],
  ['<style>a > b {}</style> c', 1],
  ['<script>a b</script><style>c</style>d', 1],
  ['<script>never closed', 0],
  ['<!-- never closed', 0],
  ['日本語', 1],
  ['<a title="x y">z</a', 1],
])('The text %j has %i words.', (html, count) => {
  expect(wordCount(html)).toBe(count)
})

test.each(['<script', '<!--', '<', '</', '&', '<a href="'])(
  'Counting words takes linear time when %j is repeated and never closed.',
  (part) => {
    const [small, large] = [part.repeat(5_000), part.repeat(80_000)]
    expect(isLinear({ small: () => wordCount(small), large: () => wordCount(large) }, 16, 6)).toBe(true)
  },
)
