import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openBench, type Row, Skipped, type Workload } from './bench.ts'
import { type Measured, writePage } from './performance-page.ts'
import { isMet, told } from './report.ts'
import { fetchPeers } from './peers/packages.ts'
import { contacts } from './workloads/contacts.ts'
import { growth, growthOf, pressure } from './workloads/growth.ts'
import { hostedPages } from './workloads/hosted-pages.ts'
import { oauth } from './workloads/oauth.ts'
import { footprint, threads } from './workloads/footprint.ts'
import { libsqlServer } from './workloads/libsql-server.ts'
import { reads } from './workloads/reads.ts'
import { segments } from './workloads/segments.ts'
import { campaignMemory, sending, signedSending } from './workloads/sending.ts'
import { exports, importIntoMany, imports } from './workloads/transfer.ts'

/**
 * Masthead beside its peers: builds the executable, gets the peers, measures each workload in turn with its reference,
 * and writes docs/performance.md with its plots.
 */
const WORKLOADS: readonly Workload[] = [
  contacts,
  reads,
  segments,
  imports,
  importIntoMany,
  exports,
  sending,
  signedSending,
  campaignMemory,
  oauth,
  hostedPages,
  libsqlServer,
  threads,
  footprint,
  pressure,
  growth,
]
const HELP = `bench/run [--quick] [--only NAME,…] [--pairs N] [--executable PATH] [--no-write]
  --quick     small sizes and three pairs, within five minutes without growth
  --only      ${WORKLOADS.map(({ name }) => name).join(', ')}
  --pairs     runs of each side, in turn; five in a full run
  --executable  measure this one, and build none
  --no-write  leave docs/performance.md as it is; a run of some workloads replaces their figures there and keeps the
              others
`
const ROOT = join(import.meta.dir, '..')
/** What earlier runs have measured: a run of some workloads keeps the figures of the others. */
const MEASURED = join(ROOT, 'build/performance.json')
const WIDTH = 52

const { values: given } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    pairs: { type: 'string' },
    executable: { type: 'string' },
    'no-write': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (given.help) {
  process.stdout.write(HELP)
  process.exit(0)
}
const wanted = given.only?.split(',') ?? WORKLOADS.map(({ name }) => name)
const unknown = wanted.filter((name) => !WORKLOADS.some((workload) => workload.name === name))
if (unknown.length > 0) {
  process.stderr.write(`There is no workload ${unknown.join(', ')}.\n${HELP}`)
  process.exit(2)
}

const executable = given.executable ?? join(ROOT, 'dist/masthead')
if (!given.executable) {
  const builds = [process.execPath, join(ROOT, 'bin/build.ts')]
  if (Bun.spawnSync(builds, { stdout: 'ignore', stderr: 'inherit' }).exitCode !== 0) process.exit(1)
}
const folder = mkdtempSync(join(tmpdir(), 'masthead-peers-'))
const { packages, missing } = await fetchPeers(folder)
for (const sentence of missing) say(sentence)
const pairs = Number(given.pairs ?? (given.quick ? 3 : 5))
const bench = openBench({ executable, quick: given.quick, pairs, packages }, tmpdir())
const measured: Measured = given.only && existsSync(MEASURED) ? await Bun.file(MEASURED).json() : { workloads: {} }
let failed = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void bench.endWorkload().finally(() => (bench.close(), process.exit(130))))
for (const workload of WORKLOADS.filter(({ name }) => wanted.includes(name))) await measure(workload)
bench.close()
rmSync(folder, { recursive: true, force: true })
if (!given['no-write']) {
  mkdirSync(join(ROOT, 'build'), { recursive: true })
  writeFileSync(MEASURED, JSON.stringify(measured))
  const names = WORKLOADS.map(({ name }) => name)
  writePage(measured, names, missing)
}
process.exit(failed ? 1 : 0)

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function measure({ name, run }: Workload): Promise<void> {
  const rows: Row[] = []
  const at = new Date().toISOString().slice(0, 10)
  try {
    for await (const row of run(bench)) {
      rows.push(row)
      for (const [index, figure] of row.figures.entries()) {
        const mark = { true: 'met   ', false: 'missed', null: '      ' }[String(isMet(figure)) as 'true']
        say(`${(index === 0 ? row.name : '').padEnd(WIDTH)} ${mark} ${told(figure)}`)
      }
    }
    measured.workloads[name] = {
      at,
      quick: given.quick,
      pairs,
      rows,
      ...(name === 'growth' && growthOf ? { growth: growthOf } : {}),
    }
  } catch (error) {
    if (!(error instanceof Skipped)) failed = true
    const reason = error instanceof Error ? error.message : String(error)
    say(`${name} was ${error instanceof Skipped ? 'skipped' : 'broken off'}: ${reason}`)
    measured.workloads[name] = { at, quick: given.quick, pairs, rows, skipped: reason }
  } finally {
    await bench.endWorkload()
  }
}
