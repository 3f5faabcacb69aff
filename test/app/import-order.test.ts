import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, extname, join, relative } from 'node:path'

/**
 * The application reads the document as soon as its code is loaded, and `support/tab.ts` makes one for tests. A test
 * that loads the application first passes only after other tests in the same process.
 */
const ROOT = join(import.meta.dir, '../..')
const MAKES_DOCUMENT = 'test/support/tab.ts'
const READS_DOCUMENT = 'static/app/api/data.ts'

const transpilers = { '.ts': new Bun.Transpiler({ loader: 'ts' }), '.tsx': new Bun.Transpiler({ loader: 'tsx' }) }
const known = new Map<string, string[]>()

/** The files of the project that a file imports, in their order, without types. */
function importsOf(path: string): string[] {
  const found = known.get(path)
  if (found) return found
  const absolute = join(ROOT, path)
  const transpiler = existsSync(absolute) ? transpilers[extname(path) as keyof typeof transpilers] : undefined
  const imports = transpiler?.scanImports(readFileSync(absolute, 'utf8')) ?? []
  const local = imports.filter(({ kind, path: to }) => kind === 'import-statement' && to.startsWith('.'))
  const files = local.map(({ path: to }) => relative(ROOT, join(dirname(absolute), to)))
  known.set(path, files)
  return files
}

/** Which of the two files is loaded first. */
function firstOf(path: string, seen = new Set<string>()): string | undefined {
  if (path === MAKES_DOCUMENT || path === READS_DOCUMENT) return path
  if (seen.has(path)) return undefined
  seen.add(path)
  for (const imported of importsOf(path)) {
    const first = firstOf(imported, seen)
    if (first !== undefined) return first
  }
  return undefined
}

test('A test of the application makes a document before it loads code that reads it.', () => {
  const tests = [...new Bun.Glob('test/app/**/*.test.ts').scanSync({ cwd: ROOT })]
  const first = tests.map((path) => firstOf(path))
  expect(first.filter((path) => path === MAKES_DOCUMENT).length).toBeGreaterThan(100)
  expect(tests.filter((_, at) => first[at] === READS_DOCUMENT)).toEqual([])
})
