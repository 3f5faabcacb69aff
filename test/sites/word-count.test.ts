import { expect, test } from 'bun:test'
import { wordCount } from '../../src/sites/word-count.ts'

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
])('The text %j has %i words.', (html, count) => {
  expect(wordCount(html)).toBe(count)
})

function duration(work: () => void): number {
  const begun = performance.now()
  work()
  return performance.now() - begun
}

test.each(['<script', '<!--', '<', '</', '&', '<a href="'])(
  'Counting words takes linear time when %j is repeated and never closed.',
  (part) => {
    const [small, large] = [part.repeat(5_000), part.repeat(80_000)]
    // Sixteen small texts are as much text as the large one. Linear work takes as long for both; quadratic work takes
    // sixteen times as long for the large one, in every pair, however busy the machine is.
    const ratios = Array.from({ length: 5 }, () => {
      const smalls = duration(() => Array.from({ length: 16 }, () => wordCount(small)))
      return duration(() => wordCount(large)) / smalls
    })
    expect(Math.min(...ratios)).toBeLessThan(6)
  },
)
