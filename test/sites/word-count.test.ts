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
])('%j has %i words', (html, count) => {
  expect(wordCount(html)).toBe(count)
})

/** Shortest of several runs, in milliseconds: a busy machine only makes runs longer. */
function shortest(work: () => void): number {
  const times = Array.from({ length: 5 }, () => {
    const begun = performance.now()
    work()
    return performance.now() - begun
  })
  return Math.min(...times)
}

test.each(['<script', '<!--', '<', '</', '&', '<a href="'])(
  'counting words takes linear time when %j is repeated and never closed',
  (part) => {
    wordCount(part.repeat(20_000))
    const small = shortest(() => wordCount(part.repeat(20_000)))
    const large = shortest(() => wordCount(part.repeat(160_000)))
    // Eight times the text: linear work takes about 8 times as long, quadratic work 64 times.
    expect(large).toBeLessThan(32 * small + 1)
  },
)
