import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '..')
const MAX_COLUMNS = 120

const FILES = [
  ...new Bun.Glob('{src,static,test,bin,bench,docs,migrations}/**/*').scanSync({ cwd: ROOT }),
  'README.md',
  'CHANGELOG.md',
]
  .filter((path) => !path.endsWith('bun.lock'))
  .filter((path) => !/\.(png|webp|eml|svg|ico|woff2|zst)$|\.LICENSE$|\.d\.ts$|\/(passkeys|altcha|docs)\.js$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

const LINES = FILES.flatMap(({ path, text: whole }) =>
  whole.split('\n').map((text, index) => ({ path, at: `${path}:${index + 1}`, text })),
)

/** Where a longer line stays whole, and why. */
const WHOLE: { path: RegExp; text: RegExp; because: string }[] = [
  { path: /\/exports\/.*\.csv$/, text: /,/, because: 'a record of an export stands on one line' },
  { path: /\/mjml\/.*\.html$/, text: /./, because: 'the compiler of MJML wrote it' },
  { path: /\/recorded\/.*\.txt$/, text: /./, because: 'a value, element or row of a recording stands on one line' },
  { path: /\.md$/, text: /^\|/, because: 'a table row cannot break' },
  { path: /^src\/i18n\//, text: /['`]/, because: 'translators see a whole sentence' },
  {
    path: /^static\/app\/.*\.tsx$/,
    text: /^\s*(?:(?:sentence|hint)=|[?:] ['`]|<(?:Empty|StateMark|KeyHint|code)\b)/,
    because: 'a sentence of the interface stands on one line',
  },
  { path: /\/icon-paths\.ts$/, text: /[Mm][\d.]/, because: 'an outline cannot break' },
  { path: /\.ts$/, text: /^\s*['"]Mozilla\//, because: 'a user agent is compared whole' },
  {
    path: /\.ts$/,
    text: /^\s*(\w+: |const \w+ = )?\/.*\/[dgimsuy]*[,)]*$/,
    because: 'a regular expression cannot break',
  },
]

test('No line is longer than 120 columns.', () => {
  const long = LINES.filter(
    ({ path, text }) =>
      text.length > MAX_COLUMNS && !WHOLE.some((rule) => rule.path.test(path) && rule.text.test(text)),
  )
  expect(long.map(({ at, text }) => `${at} (${text.length})`)).toEqual([])
})

test('No text refers to a document that its reader does not have.', () => {
  const elsewhere =
    /contract-details|contract section|\(contract\b|\(spec[,;] |\bspec\.md|\bcontract\.md|[(,] ?details \d/
  const found = LINES.filter(({ path, text }) => elsewhere.test(text) && path !== 'test/text.test.ts')
  expect(found.map(({ at, text }) => `${at} ${text.trim()}`)).toEqual([])
})

test('A title of a test is a whole sentence, subject first, and only a table fills its placeholders.', () => {
  const title = /^(?:test\(|test\.[^]*?\)\()\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`),/
  // A sentence begins with a capital letter, or with a word of code: a path, a name, a placeholder.
  const sentence = /^.(?:\P{Ll}|\S*[^\p{Ll}\s,:;-]).*[^.]\..$/u
  const clauseFirst = /^.(?:Who(?:ever|m|se)?|What(?:ever)?)\b/ // has to be read twice
  const wrong = FILES.filter(({ path }) => /^test\/.*\.test\.tsx?$/.test(path)).flatMap(({ path, text }) =>
    text
      .split(/^\s*(?=(?:test|describe)\b)/m)
      .filter((part) => /^test[.(]/.test(part))
      .map((part) => ({
        given: title.exec(part)?.[1] ?? part.split('\n')[0]!,
        isTable: /^test(?:\.\w+\([^)]*\))*\.each\b/.test(part),
      }))
      .filter(
        ({ given, isTable }) => !sentence.test(given) || clauseFirst.test(given) || (!isTable && /%[a-z]/.test(given)),
      )
      .map(({ given }) => `${path}: ${given}`),
  )
  expect(wrong).toEqual([])
})
