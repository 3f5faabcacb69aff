import { existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Row, Workload } from '../bench.ts'
import { load } from '../load.ts'
import { type Figure, figuresOf, inTurn, measured, megabytes, type Run } from '../measure.ts'
import { prepare, start } from '../peers/masthead.ts'
import { programOf, startOn, startPocketBase } from '../peers/pocketbase.ts'
import { ownPlan } from './plans.ts'

/** What the service takes before it does anything, and what several threads give. */
const CONTACTS = 100_000
const SETTLED_MS = 3_000

export const footprint: Workload = {
  name: 'footprint',
  async *run(bench) {
    const prepared = await prepare(bench, CONTACTS)
    const one_thread = { MASTHEAD_HTTP_THREADS: '1' }
    const begin = async (starting: () => Promise<{ started_in: number; pid: number; stop(): Promise<void> }>) => {
      const service = await starting()
      await Bun.sleep(SETTLED_MS)
      const run: Run = { count: 1, seconds: service.started_in, cpu_seconds: 0, megabytes: megabytes([service.pid]) }
      await service.stop()
      return run
    }
    const peer = await startPocketBase(bench, CONTACTS).catch(() => null)
    await peer?.stop()
    const runs: { own: Run[]; other: Run[] } = { own: [], other: [] }
    for (let pair = -1; pair < bench.pairs; pair++) {
      const other = peer && (await begin(() => startOn(programOf(bench), peer.folder)))
      const own = await begin(() => start(bench, prepared, one_thread))
      if (pair < 0) continue
      runs.own.push(own)
      if (other) runs.other.push(other)
    }
    const figures: Figure[] = [
      { measure: 'value', unit: 'ms', values: runs.own.map(({ seconds }) => seconds * 1_000), at_most: 120 },
      { measure: 'value', unit: 'MB', values: runs.own.map(({ megabytes }) => megabytes), at_most: 90 },
    ]
    const theirs = runs.other.map(
      ({ seconds, megabytes: mb }) => `${Math.round(seconds * 1e3)} ms, ${Math.round(mb)} MB`,
    )
    yield {
      name: 'start to /readyz with 100k contacts, and memory at rest, one HTTP thread',
      reference: theirs[0] ? `PocketBase: ${theirs[0]}` : '–',
      figures,
      own: [],
      other: [],
    }
    yield await size(bench.executable, bench.folder('bare'))
  },
}

async function size(executable: string, folder: string): Promise<Row> {
  mkdirSync(folder, { recursive: true })
  await Bun.write(join(folder, 'bare.ts'), '')
  const outfile = join(folder, 'bare')
  await Bun.build({ entrypoints: [join(folder, 'bare.ts')], target: 'bun', compile: { outfile } })
  const megabytes_of = (file: string) => (existsSync(file) ? statSync(file).size / 1e6 : Number.NaN)
  return {
    name: 'dist/masthead',
    reference: `a Bun executable without code: ${Math.round(megabytes_of(outfile))} MB`,
    figures: [{ measure: 'value', unit: 'MB', values: [megabytes_of(executable)], at_most: 140 }],
    own: [],
    other: [],
  }
}

export const threads: Workload = {
  name: 'threads',
  async *run(bench) {
    const cores = navigator.hardwareConcurrency
    const at_least = cores >= 4 ? 2.5 : 1.5
    const contacts = bench.quick ? 5_000 : CONTACTS
    for (const [name, plan] of [
      ['contacts/list 50', { path: '/contacts/list', body: '{"limit":50}', expect: '"next_cursor":"' }],
      ['contacts/get', { path: '/contacts/get', body: '{"contact_id":{n}}', first: 1, span: 5_000, expect: '"email"' }],
    ] as const) {
      const requests = bench.quick ? 4_000 : 20_000
      // Two services cannot run on one folder, so each run has its own start.
      const side = (settings: Record<string, string>) => ({
        pids: () => [],
        async run() {
          const prepared = await prepare(bench, contacts)
          const own = { ...prepared, ...(await start(bench, prepared, settings)) }
          const ask = { pids: () => [own.pid], run: () => load(ownPlan(own, { ...plan, requests })) }
          await ask.run()
          const { count, ...run } = await measured(ask)
          await own.stop()
          return { requests: count, ...run }
        },
      })
      const runs = await inTurn(side({ MASTHEAD_HTTP_THREADS: '1' }), side({}), bench.pairs)
      yield {
        name: `${name} on ${cores} cores`,
        reference: 'one HTTP thread',
        figures: figuresOf(runs, [{ measure: 'rate', at_least }]),
        ...runs,
        ...(cores >= 4 ? {} : { note: 'the load generator on the same cores' }),
      }
    }
  },
}
