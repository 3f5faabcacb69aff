import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { appManifest, findAppFile } from '../../../src/app-files.ts'
import { PLACES } from '../../../static/app/pages.ts'
import { LOADERS } from '../../../static/app/loaders.ts'

/** What the web application weighs, compressed (docs/web-application.md#build). */

const KB = 1000
const { script, first, styles, preload } = appManifest()
const pages = PLACES.flatMap(({ pages }) => pages)

const PARAMS = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
const weighed = new Map<string, number>()

/** By Brotli. The executable's files are compressed a little more strongly, which takes ten times as long. */
function weight(names: readonly string[]): number {
  for (const name of names)
    if (!weighed.has(name)) weighed.set(name, brotliCompressSync(findAppFile(name)!.bytes, PARAMS).length)
  return names.reduce((sum, name) => sum + weighed.get(name)!, 0)
}

/** The code of a page by `load`, with that of every page. What its components import later is not in it. */
const filesOf = (source: string): readonly string[] => [script, ...first, ...preload[source]!]

test('A page loads at most 60 kB of JavaScript, that of a letter at most 90, and 14 kB of CSS.', () => {
  const most: readonly (readonly [string, number])[] = [
    ...['site/home/home', 'site/contacts/contacts', 'site/report/report'].map((source) => [source, 60] as const),
    // The code that edits its texts follows.
    ...['letter/campaign-letter', 'letter/template-letter'].map((source) => [source, 90] as const),
  ]
  expect(most.filter(([source, kb]) => weight(filesOf(source)) > kb * KB)).toEqual([])
  expect(weight([styles.app!])).toBeLessThan(14 * KB)
})

/** Pages that carry an editor or read files may weigh more than others. */
const HEAVY: readonly (readonly [RegExp, number])[] = [
  [/^letter\//, 40],
  [/^developer\/api$/, 25],
]
/** With the code that it shares with few others and that comes in the same file. */
const PAGE_KB = 18

test('Each further page weighs at most what its kind may.', () => {
  const over = pages.flatMap(({ source }) => {
    const [, most = PAGE_KB] = HEAVY.find(([kind]) => kind.test(source)) ?? []
    const kb = weight(preload[source] ?? []) / KB
    return kb > most ? [`${source}: ${kb.toFixed(1)} kB of ${most}`] : []
  })
  expect(over).toEqual([])
})

/** With the document, its style sheets, its picture and the first calls, a page makes at most twenty requests. */
const MAX_FILES = 10

test('A page needs few files of JavaScript.', () => {
  const many = pages.map(({ source }) => [source, filesOf(source).length] as const).filter(([, n]) => n > MAX_FILES)
  expect(many).toEqual([])
})

test('No file makes an Intl object when it is loaded, which delays the first drawing by a sixth.', async () => {
  const folder = join(import.meta.dir, '../../../static/app')
  const early: string[] = []
  for await (const path of new Bun.Glob('**/*.{ts,tsx}').scan(folder))
    if (/^(?:export )?(?:const|let) [^(]*= new Intl\./m.test(await Bun.file(join(folder, path)).text()))
      early.push(path)
  expect(early).toEqual([])
})

test('Each page has code, and each code a page.', () => {
  const sources = pages.map(({ source }) => source)
  expect([...new Set(sources)].toSorted()).toEqual(Object.keys(LOADERS).toSorted())
  expect(sources.filter((source) => !preload[source])).toEqual([])
})
