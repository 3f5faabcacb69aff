/**
 * Type check, lint, build and all tests, or `bun test` with the arguments given. Whatever happens, the last line
 * is `N passed, N failed, N skipped`, where a check that fails counts as one failed test. The line before tells what
 * the tests take of their budget. The exit code is 1 when anything failed and, with CI=true, when anything was skipped.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { judge, measure } from './budget.ts'

/** What the tests start as a process of its own, and the web application that their services answer with. */
const BUILD = { build: [join(import.meta.dir, 'build.ts')] }
/** Scripts of package.json. No test waits for them. */
const CHECKS = {
  check: ['--bun', 'run', '--silent', 'check', '--checkers', '1'], // each of several would work out the same types
  lint: ['--bun', 'run', '--silent', 'lint'],
  format: ['--bun', 'run', '--silent', 'format:check'],
}
const EXECUTABLE = join(import.meta.dir, '../dist/masthead')
const TESTS = join(import.meta.dir, '../test')
// Three processes, because tests also wait. Modules are loaded once in each process instead of once for each file.
const ALL_TESTS = ['--parallel=3', '--no-isolate']
/** Folders and names of tests that take or wait for seconds. They start first: no process is left with one at the end. */
const LONG = /browser|outbox|restore|kill|uploads|every-|^cli/
const TIMEOUT = '--timeout=60000' // ends a test that hangs; slowness alone must not fail one
// The processes live for minutes only: giving freed memory back to the system costs more than it is worth, and so does
// the last step of compilation, to the fastest code, and a look for garbage each second, besides those that allocation
// causes: it reads the code and data of hundreds of test files, also while a test waits.
const SHORT_LIFE = { MIMALLOC_PURGE_DELAY: '-1', BUN_JSC_useFTLJIT: '0', BUN_GC_TIMER_DISABLE: '1' }
/** The type check, written in Go, takes a sixth less CPU time when it keeps its garbage, below this many bytes. */
const NO_COLLECTION = { GOGC: 'off', GOMEMLIMIT: '2GiB' }

interface Tally {
  passed: number
  failed: number
  skipped: number
}

const MEMORY_FOLDER = '/dev/shm'
const MEMORY_NEEDED = 2 * 1024 ** 3

keepFilesInMemory()
const args = process.argv.slice(2)
let failedChecks = 0
let tests: Tally
if (args.length > 0) tests = await runTests(args)
else {
  failedChecks += await runChecks(BUILD)
  const checks = runChecks(CHECKS, ['nice', '-n', '10']) // in the time for which tests wait
  tests = await runTests([...ALL_TESTS, ...longFirst()], { TESTED_EXECUTABLE: EXECUTABLE })
  failedChecks += await checks
  const budget = judge(measure(join(import.meta.dir, '..'), performance.now() / 1000))
  console.log(budget.line)
  if (!budget.isWithin) failedChecks++
}

const failed = tests.failed + failedChecks
const skipCounts = process.env.CI === 'true' && tests.skipped > 0
if (skipCounts) console.log('With CI=true a skipped test is a failure.')
console.log(`${tests.passed} passed, ${failed} failed, ${tests.skipped} skipped`)
process.exitCode = failed > 0 || skipCounts ? 1 : 0

/**
 * Tests make a thousand data folders, and the service waits for the disk at each commit. Without a file system in
 * memory that is large enough and runs programs, the usual folder stays.
 */
function keepFilesInMemory(): void {
  if (!existsSync(MEMORY_FOLDER)) return
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
  if (bavail * bsize < MEMORY_NEEDED) return
  const folder = mkdtempSync(join(MEMORY_FOLDER, 'masthead-tests-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1))
  const program = join(folder, 'program')
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 })
  if (isRunnable(program)) process.env.TMPDIR = folder
}

function isRunnable(program: string): boolean {
  try {
    return Bun.spawnSync([program]).success
  } catch {
    return false
  }
}

async function runChecks(checks: Record<string, string[]>, prefix: string[] = []): Promise<number> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, command]) => {
      const env = { ...process.env, ...NO_COLLECTION }
      const check = Bun.spawn([...prefix, process.execPath, ...command], { stdout: 'pipe', stderr: 'pipe', env })
      const output = await Promise.all([new Response(check.stdout).text(), new Response(check.stderr).text()])
      return { name, output: output.join(''), ok: (await check.exited) === 0 }
    }),
  )
  for (const { name, output, ok } of results)
    console.log(`${name}: ${ok ? 'ok' : 'failed'}\n${ok ? '' : output}`.trimEnd())
  return results.filter(({ ok }) => !ok).length
}

/** Options that make `bun test` start the long files first, as if they had been measured. */
function longFirst(): string[] {
  const names = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'))
  const files = Object.fromEntries(names.map((name) => [`test/${name}`, LONG.test(name) ? 10_000 : 100]))
  const timings = join(import.meta.dir, '../build/order.json')
  writeFileSync(timings, JSON.stringify({ version: 1, files }))
  return [`--timings=${timings}`]
}

/** Runs `bun test`, passing its report through and reading the summary at its end. */
async function runTests(options: string[], variables: Record<string, string> = {}): Promise<Tally> {
  const run = Bun.spawn([process.execPath, 'test', '--no-orphans', TIMEOUT, ...options], {
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'pipe',
    env: { ...process.env, ...SHORT_LIFE, ...variables, ...(process.stderr.isTTY ? { FORCE_COLOR: '1' } : {}) },
  })
  let report = ''
  const decoder = new TextDecoder()
  for await (const chunk of run.stderr) {
    report += decoder.decode(chunk, { stream: true })
    process.stderr.write(chunk)
  }
  const tally = readSummary(Bun.stripANSI(report))
  // A file that ends the process leaves no summary; an error between two tests may not be in its count.
  if ((await run.exited) !== 0 && tally.failed === 0) tally.failed = 1
  return tally
}

/** The lines ` 12 pass`, ` 1 skip`, ` 1 todo`, ` 2 fail` that stand above the last `Ran 15 tests across 3 files.` */
function readSummary(report: string): Tally {
  const end = report.lastIndexOf('\nRan ')
  const start = report.lastIndexOf('\n\n', end)
  const counts = new Map<string, number>()
  if (end >= 0) {
    for (const [, count, word] of report.slice(start, end).matchAll(/^ *(\d+) (pass|fail|skip|todo)$/gm))
      counts.set(word!, Number(count))
  }
  const of = (word: string) => counts.get(word) ?? 0
  return { passed: of('pass'), failed: of('fail'), skipped: of('skip') + of('todo') }
}
