import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'

/**
 * Which faults does the test suite miss? Puts single faults into a copy of the tree, one at a time, runs the tests that
 * are related to the file, and reports what came of each:
 *
 *   caught     a related test failed
 *   MISSED     all related tests passed
 *   UNTESTED   no test is related
 *   STALE      the text to be replaced is not in the file, or not exactly once: the fault was not applied
 *
 * Related are the test at the file's mirror path (`src/a/b.ts` → `test/a/b.test.ts`, `static/app/a/b.tsx` →
 * `test/app/a/b.test.ts`), tests that the fault names, tests that import the file, and the other tests of the mirrored
 * folder. A test that fails without any fault is reported
 * first and left out.
 *
 *   bun bench/faults.ts                    every list in bench/faults/
 *   bun bench/faults.ts first-version      one list
 *   bun bench/faults.ts '' fence           the faults whose name contains "fence", of every list
 *   bun bench/faults.ts --stale            only looks for stale faults; takes a second
 *
 * Exits with 1 when a fault is missed, untested or stale.
 */
export interface Fault {
  /** Unique, short; what the report calls it. */
  name: string
  /** What goes wrong for people when this fault is in the code. */
  harm: string
  /** Below the root. */
  file: string
  /** Exact text that stands in the file once. */
  find: string
  replace: string
  /** Tests beside the related ones, below the root; `all` for the whole suite. */
  tests?: readonly string[] | 'all'
}

const ROOT = join(import.meta.dir, '..')
const RUN_TIMEOUT_MS = 600_000

interface Result {
  fault: Fault
  verdict: 'caught' | 'MISSED' | 'UNTESTED' | 'STALE'
  detail: string
}

const args = process.argv.slice(2).filter((arg) => !arg.startsWith('--'))
const faults = (await loadFaults(args[0] ?? '')).filter(({ name }) => name.includes(args[1] ?? ''))
const results = process.argv.includes('--stale') ? staleFaults(faults) : await judge(faults)
for (const verdict of ['STALE', 'UNTESTED', 'MISSED', 'caught'] as const) {
  const those = results.filter((result) => result.verdict === verdict)
  if (those.length > 0) console.log(`${verdict}: ${those.length}`)
  if (verdict !== 'caught')
    for (const { fault, detail } of those) console.log(`  ${fault.name} (${fault.file}) ${detail}`)
}
process.exit(results.every(({ verdict }) => verdict === 'caught') ? 0 : 1)

async function loadFaults(list: string): Promise<Fault[]> {
  const lists = [...new Bun.Glob('*.ts').scanSync({ cwd: join(import.meta.dir, 'faults') })].sort()
  const chosen = lists.filter((file) => list === '' || basename(file, '.ts') === list)
  const loaded = await Promise.all(
    chosen.map(async (file) => ((await import(`./faults/${file}`)) as { faults: Fault[] }).faults),
  )
  return loaded.flat()
}

function staleFaults(given: readonly Fault[]): Result[] {
  return given.flatMap((fault) => {
    const detail = staleness(fault, ROOT)
    return detail === null ? [] : [{ fault, verdict: 'STALE' as const, detail }]
  })
}

/** Why a fault cannot be applied, or null. */
function staleness({ file, find }: Fault, root: string): string | null {
  const path = join(root, file)
  if (!existsSync(path)) return 'the file is gone'
  const found = readFileSync(path, 'utf8').split(find).length - 1
  return found === 1 ? null : `its text is found ${found} times`
}

async function judge(given: readonly Fault[]): Promise<Result[]> {
  const copy = copyOfTree()
  try {
    const all = [...new Bun.Glob('test/**/*.test.ts').scanSync({ cwd: copy })].sort()
    const imported = importsOf(copy, all)
    const related = new Map(given.map((fault) => [fault, relatedTests(fault, all, imported)]))
    const broken = await failingAnyway(copy, [...new Set([...related.values()].flat())].sort())
    if (broken.length > 0) console.log(`Fail without any fault, and are left out:\n  ${broken.join('\n  ')}`)
    const results: Result[] = []
    for (const fault of given) {
      const tests = related.get(fault)!.filter((test) => !broken.includes(test))
      const result = await judgeOne(copy, fault, tests)
      console.log(`${result.verdict.padEnd(8)} ${fault.name}${result.detail && `: ${result.detail}`}`)
      results.push(result)
    }
    return results
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

async function judgeOne(copy: string, fault: Fault, tests: readonly string[]): Promise<Result> {
  const stale = staleness(fault, copy)
  if (stale !== null) return { fault, verdict: 'STALE', detail: stale }
  if (tests.length === 0) return { fault, verdict: 'UNTESTED', detail: '' }
  const path = join(copy, fault.file)
  const sound = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    sound.replace(fault.find, () => fault.replace),
  )
  try {
    const failed = await failureOf(copy, tests)
    return failed === null
      ? { fault, verdict: 'MISSED', detail: `by ${tests.join(', ')}` }
      : { fault, verdict: 'caught', detail: failed }
  } finally {
    writeFileSync(path, sound)
  }
}

/** The tree as it is now, changes that are not committed included, in a folder of its own; modules are shared. */
function copyOfTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'masthead-faults-'))
  const listed = Bun.spawnSync(['git', 'ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
  for (const file of listed.stdout.toString().split('\n')) {
    if (file === '' || !existsSync(join(ROOT, file))) continue
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(ROOT, file), join(copy, file))
  }
  for (const shared of ['node_modules', '.tools']) {
    if (existsSync(join(ROOT, shared)) && !existsSync(join(copy, shared)))
      symlinkSync(join(ROOT, shared), join(copy, shared))
  }
  return copy
}

/** For each test file, the source files that it imports itself. */
function importsOf(copy: string, tests: readonly string[]): Map<string, string[]> {
  return new Map(
    tests.map((test) => [
      test,
      [...readFileSync(join(copy, test), 'utf8').matchAll(/from '(\.[^']+)'/g)].map(([, path]) =>
        relative(copy, join(copy, dirname(test), path!)),
      ),
    ]),
  )
}

function relatedTests({ file, tests }: Fault, all: string[], imported: Map<string, string[]>): string[] {
  if (tests === 'all') return all
  const mirror = file.replace(/^(?:src|static)\//, 'test/').replace(/\.tsx?$/, '.test.ts')
  const importing = all.filter((test) => imported.get(test)!.includes(file))
  const neighbors = all.filter((test) => dirname(test) === dirname(mirror))
  const absent = tests?.filter((test) => !all.includes(test)) ?? []
  if (absent.length > 0) console.log(`There is no test ${absent.join(', ')}`)
  // The mirror first: it is the likeliest to fail, and the first failure settles the fault.
  return [...new Set([mirror, ...(tests ?? []), ...importing, ...neighbors])].filter((test) => all.includes(test))
}

async function failingAnyway(copy: string, tests: readonly string[]): Promise<string[]> {
  if (tests.length === 0 || (await failureOf(copy, tests)) === null) return []
  const failing: string[] = []
  for (const test of tests) if ((await failureOf(copy, [test])) !== null) failing.push(test)
  return failing
}

/** The title of the first failing test, or null when all pass. */
async function failureOf(copy: string, tests: readonly string[]): Promise<string | null> {
  const files = tests.map((test) => `./${test}`)
  const run = Bun.spawn([process.execPath, 'test', '--no-orphans', '--bail=1', '--timeout=60000', ...files], {
    cwd: copy,
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: RUN_TIMEOUT_MS,
  })
  const [output, errors, code] = await Promise.all([
    new Response(run.stdout).text(),
    new Response(run.stderr).text(),
    run.exited,
  ])
  if (code === 0) return null
  return /^\(fail\) (.+?)(?: \[[\d.]+ms\])?$/m.exec(output + errors)?.[1] ?? 'the tests do not run to their end'
}
