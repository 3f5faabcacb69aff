import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const ROOT = join(import.meta.dir, '..')

/** Every text that people read: source, tests, scripts, documents. */
const FILES = [
  ...new Bun.Glob('{src,test,bin,bench,docs,static}/**/*').scanSync({ cwd: ROOT }),
  'README.md',
  'CHANGELOG.md',
]
  .filter((path) => !/\.(png|webp|ico|svg|woff2|eml)$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

const DOCUMENTS = FILES.filter(({ path }) => path.endsWith('.md'))

test('Every pointer to a document leads to a file and a heading that exist.', () => {
  const broken = FILES.flatMap(({ path, text }) =>
    [...text.matchAll(/(?<![\w/-])(docs\/[\w./-]+\.md)(?:#([\w-]+))?/g)]
      .filter(([, file, anchor]) => !leadsSomewhere(file!, anchor))
      .map(([pointer]) => `${path}: ${pointer}`),
  )
  expect(broken).toEqual([])
})

test('Every link between documents leads to a file and a heading that exist.', () => {
  const broken = DOCUMENTS.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target]) => target!)
      .filter((target) => !/^(https?|mailto):/.test(target))
      .filter((target) => {
        const [file = '', anchor] = target.split('#')
        const linked = file === '' ? path : relative(ROOT, join(ROOT, dirname(path), file))
        return !leadsSomewhere(linked, anchor)
      })
      .map((target) => `${path}: ${target}`),
  )
  expect(broken).toEqual([])
})

test('Every file that a document names exists.', () => {
  const missing = DOCUMENTS.filter(
    ({ path }) => path !== 'CHANGELOG.md' && !path.startsWith('docs/decisions/'),
  ).flatMap(({ path, text }) =>
    [...text.matchAll(/`((?:src|test|bin|bench|migrations|static)\/[\w./-]*)`/g)]
      .filter(([, file]) => !existsSync(join(ROOT, file!)))
      .map(([, file]) => `${path}: ${file}`),
  )
  expect(missing).toEqual([])
})

test('No document has two headings with one anchor.', () => {
  const repeated = DOCUMENTS.flatMap(({ path, text }) => {
    const anchors = anchorsOf(text)
    return anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index).map((anchor) => `${path}#${anchor}`)
  })
  expect(repeated.filter((one) => !one.startsWith('CHANGELOG.md'))).toEqual([])
})

test('The layout in docs/architecture.md names every folder and file directly below src, and no other.', () => {
  const layout = /^src\/\n([\s\S]*?)^```/m.exec(readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8'))![1]!
  const missing = entriesOf('src').filter(
    (name) => !new RegExp(`(?<![\\w-])${name.replace('.ts', '')}(?![\\w-])`).test(layout),
  )
  expect(missing).toEqual([])
  const folders = [...layout.matchAll(/(?<![\w/])([\w-]+)\/(?= |$)/gm)].map(([, name]) => name!)
  const known = new Set([
    ...entriesOf('src'),
    ...entriesOf('src/newsletter'),
    ...entriesOf('src/http'),
    ...entriesOf('src/store'),
  ])
  expect(folders.filter((name) => !known.has(name))).toEqual([])
})

function entriesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder))
}

const headings = new Map<string, ReadonlySet<string>>()

/** Whether a path below the root is a file or folder and, where an anchor is given, has a heading of that name. */
function leadsSomewhere(path: string, anchor: string | undefined): boolean {
  const file = join(ROOT, path)
  if (!existsSync(file)) return false
  if (anchor === undefined) return true
  let known = headings.get(file)
  if (!known) headings.set(file, (known = new Set(anchorsOf(readFileSync(file, 'utf8')))))
  return known.has(anchor)
}

/** Anchors of a document's headings, as GitHub makes them: lower case, punctuation dropped, spaces to hyphens. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading]) =>
    heading!
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  )
}
