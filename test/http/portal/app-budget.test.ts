import { expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { appManifest, findAppFile } from '../../../src/app-files.ts'
import { PLACES } from '../../../static/app/pages.ts'
import { LOADERS } from '../../../static/app/loaders.ts'

/** What the web application weighs, compressed (docs/web-application.md#build). */

const KB = 1000
const { script, first, styles, preload } = appManifest()
const pages = PLACES.flatMap(({ pages }) => pages)

function weight(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + gzipSync(findAppFile(name)!.bytes, { level: 9 }).length, 0)
}

test('The first load has at most 60 kB of JavaScript and 14 kB of CSS.', () => {
  const busiest = ['site/home/home', 'site/contacts/contacts', 'site/report/report']
  const over = busiest.filter((source) => weight([script, ...first, ...preload[source]!]) >= 60 * KB)
  expect(over).toEqual([])
  expect(weight([styles.app!])).toBeLessThan(14 * KB)
})

/** Pages that carry an editor or read files may weigh more than others. */
const HEAVY: readonly (readonly [RegExp, number])[] = [
  [/^letter\//, 92],
  [/^code\/|script|^site\/site\//, 190],
  [/^import\//, 20],
  [/^developer\/api$/, 25],
]
/** With the code that it shares with few others and that comes in the same file. */
const PAGE_KB = 16

test('Each further page weighs at most what its kind may.', () => {
  const over = pages.flatMap(({ source }) => {
    const [, most = PAGE_KB] = HEAVY.find(([kind]) => kind.test(source)) ?? []
    const kb = weight(preload[source] ?? []) / KB
    return kb > most ? [`${source}: ${kb.toFixed(1)} kB of ${most}`] : []
  })
  expect(over).toEqual([])
})

/** With the document, its style sheets and the first calls, a page makes at most twenty requests. */
const MAX_FILES = 14

test('A page needs few files of JavaScript.', () => {
  const many = pages
    .map(({ source }) => ({ source, files: 1 + first.length + (preload[source] ?? []).length }))
    .filter(({ files }) => files > MAX_FILES)
  expect(many).toEqual([])
})

test('Each page has code, and each code a page.', () => {
  const sources = pages.map(({ source }) => source)
  expect([...new Set(sources)].toSorted()).toEqual(Object.keys(LOADERS).toSorted())
  expect(sources.filter((source) => !preload[source])).toEqual([])
})
