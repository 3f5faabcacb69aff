import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import type { Bench, Row, Workload } from '../bench.ts'
import { load } from '../load.ts'
import {
  cpuSeconds,
  figuresOf,
  type Goal,
  inTurn,
  median,
  megabytes,
  type Run,
  type Side,
  type Timed,
} from '../measure.ts'
import { prepare, start } from '../peers/masthead.ts'
import { RECORDS, startPocketBase } from '../peers/pocketbase.ts'
import { program, runTimed } from '../peers/processes.ts'
import { COLUMNS, CONSENT, csvOf, writeCsv } from '../people.ts'
import { type Own, startOwn, timed } from './plans.ts'

/** Imports and exports beside PocketBase and the sqlite3 program. */
const ROWS = 100_000
const MANY = 1_000_000
const SMALL = 20_000
const MAPPING = { 0: 'email', 1: 'first_name', 2: 'last_name', 3: 'custom.country', 4: 'custom.plan' }
const EXPORTED = ['email', 'first_name', 'last_name', 'custom.country', 'custom.plan']
const CELLS = ['email', 'first_name', 'last_name', "custom_fields ->> 'country'", "custom_fields ->> 'plan'"]
const SELECT = `SELECT ${CELLS.join()} FROM contacts`

/** Creates, examines and commits an import, and waits until it is complete. */
export async function importCsv(own: Own, csv: string, rows: number): Promise<Timed> {
  const begun = performance.now()
  const { id: import_id } = (await own.call('imports/create', { csv, filename: 'people.csv' })).import
  const { summary } = await own.call('imports/dry-run', {
    import_id,
    mapping: MAPPING,
    options: { list_ids: [own.list_id], consent_confirmed: true, consent_text: CONSENT },
  })
  if (summary.valid !== rows) throw new Error(`Only ${summary.valid} of ${rows} rows are valid.`)
  await own.call('imports/commit', { import_id })
  for (;;) {
    const { status, counters } = (await own.call('imports/get', { import_id })).import
    if (status === 'failed' || counters.failed > 0) throw new Error('The import failed.')
    if (status === 'completed') break
    await Bun.sleep(20)
  }
  return { requests: rows, seconds: (performance.now() - begun) / 1000 }
}

/** Reads an export to its end. */
export async function exportAll(own: Own): Promise<Timed> {
  let lines = 0
  const taken = await timed(own.contacts, async () => {
    const answer = await fetch(`${own.url}/general/api/v1/newsletter/contacts/export`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: own.key },
      body: JSON.stringify({ columns: EXPORTED }),
    })
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>)
      for (const byte of chunk) if (byte === 10) lines++
  })
  if (lines < own.contacts) throw new Error(`The export has ${lines} lines.`)
  return taken
}

export const imports: Workload = {
  name: 'import',
  async *run(bench) {
    const csv = csvOf(0, ROWS)
    // Each run begins with an empty project and a process that has imported a little.
    const ours: Side = {
      pids: () => [],
      async run() {
        const prepared = await prepare(bench, 0)
        const service = await start(bench, prepared)
        const own = { ...prepared, ...service }
        await importCsv(own, csvOf(ROWS, 1_000), 1_000)
        const before = cpuSeconds([own.pid])
        const taken = await importCsv(own, csv, ROWS)
        const done = { ...taken, cpu_seconds: cpuSeconds([own.pid]) - before, megabytes: megabytes([own.pid], 'VmHWM') }
        await own.stop()
        return done
      },
    }
    const compare = async (name: string, reference: string, side: Side, goals: Goal[]): Promise<Row> => {
      const measured = await inTurn(side, ours, bench.pairs)
      return { name, reference, figures: figuresOf(measured, goals), ...measured }
    }
    const other = await startPocketBase(bench, 0)
    bench.atEnd(other.stop)
    const requests = bench.quick ? 3_000 : 20_000
    let turn = 0
    const create: Side = {
      pids: () => [other.pid],
      run: () =>
        load({
          ...{ url: other.url, method: 'POST', path: RECORDS, headers: other.headers, requests, connections: 32 },
          first: ++turn * 1_000_000,
          body:
            `{"email":"p{n}@example.com","first_name":"First{n}","last_name":"Last{n}","country":"DE","plan":"pro",` +
            `"lists":["${other.list_id}"]}`,
          expect: '"email":"p',
        }),
    }
    yield await compare('import 100k', 'PocketBase, a request a row', create, [{ measure: 'rate', at_least: 12 }])
    const sqlite = await sqliteSide(bench)
    yield await compare('import 100k, beside sqlite3', 'sqlite3, the same tables', sqlite, [
      { measure: 'rate', at_least: 0.35 },
    ])
  },
}

/** The rows into the tables of contacts and memberships with their indexes, without the triggers. */
async function sqliteSide(bench: Bench): Promise<Side> {
  const { folder } = await prepare(bench, 0)
  const database = new Database(join(folder, 'masthead.db'), { readonly: true })
  const schema = database
    .query<{ sql: string }, []>(
      `SELECT sql FROM sqlite_master WHERE tbl_name IN ('contacts', 'memberships') AND type IN ('table', 'index')
        AND sql IS NOT NULL`,
    )
    .all()
  database.close()
  const csv = join(bench.folder('sqlite'), 'people.csv')
  writeCsv(csv, ROWS)
  const script = `
PRAGMA journal_mode = WAL;
${schema.map(({ sql }) => `${sql};`).join('\n')}
CREATE TEMP TABLE raw (${COLUMNS.join()});
.mode csv
.import --skip 1 ${csv} raw
INSERT INTO contacts (project_id, email, email_key, first_name, last_name, first_name_key, last_name_key, search_key,
  global_status, custom_fields, created_at, updated_at, slot_1, slot_2)
SELECT 1, email, lower(email), first_name, last_name, lower(first_name), lower(last_name),
  lower(email || ' ' || first_name || ' ' || last_name), 'subscribed',
  json_object('country', country, 'plan', plan), 1, 1, lower(country), lower(plan) FROM raw;
INSERT INTO memberships (contact_id, list_id, status, subscribed_at) SELECT id, 1, 'subscribed', 1 FROM contacts;`
  return {
    pids: () => [],
    async run() {
      const [into, file] = [bench.folder('sqlite-run'), join(bench.folder('sqlite-script'), 'import.sql')]
      await Bun.write(file, script)
      return runTimed([program('sqlite3'), join(into, 'plain.db'), `.read ${file}`], ROWS)
    },
  }
}

export const importIntoMany: Workload = {
  name: 'import-into-many',
  async *run(bench) {
    const [few, many] = bench.quick ? [20_000, 200_000] : [ROWS, MANY]
    const [small, large] = [await startOwn(bench, few), await startOwn(bench, many)]
    let turn = 0
    const side = (own: Own): Side => ({
      pids: () => [own.pid],
      run: () => importCsv(own, csvOf(10_000_000 + ++turn * SMALL, SMALL), SMALL),
    })
    const measured = await inTurn(side(small), side(large), bench.pairs)
    yield {
      name: 'import of 20k into 1M, cost of a row',
      reference: 'into 100k',
      figures: figuresOf(measured, [{ measure: 'time', at_most: 1.3 }]),
      ...measured,
      ...(many === MANY ? {} : { note: 'into 200k beside 20k' }),
    }
  },
}

export const exports: Workload = {
  name: 'export',
  async *run(bench) {
    const own = await startOwn(bench, ROWS)
    const ours: Side = { pids: () => [own.pid], run: () => exportAll(own) }
    const sqlite = (folder: string, rows: number): Side => ({
      pids: () => [],
      run: () => runTimed([program('sqlite3'), '-csv', join(folder, 'masthead.db'), SELECT], rows),
    })
    const other = await startPocketBase(bench, ROWS)
    bench.atEnd(other.stop)
    const pages: Side = {
      pids: () => [other.pid],
      run: () =>
        timed(ROWS, async () => {
          for (let page = 1; page <= ROWS / 500; page++) {
            const { items } = await other.get(`${RECORDS}?perPage=500&page=${page}&skipTotal=1&sort=id`)
            if (items.length !== 500) throw new Error(`Page ${page} has ${items.length} records.`)
          }
        }),
    }
    const beside = await inTurn(pages, ours, bench.pairs)
    const figures = figuresOf(beside, [{ measure: 'rate', at_least: 10 }])
    yield { name: 'export 100k', reference: 'PocketBase, pages of 500', figures, ...beside }
    const plain = await inTurn(sqlite(own.folder, ROWS), ours, bench.pairs)
    const goals: Goal[] = [{ measure: 'rate', at_least: 0.6 }]
    yield {
      name: 'export 100k, beside sqlite3',
      reference: 'sqlite3 -csv',
      figures: figuresOf(plain, goals),
      ...plain,
    }
    if (bench.quick) return
    const large = await startOwn(bench, MANY)
    const many = await inTurn(
      sqlite(large.folder, MANY),
      { pids: () => [large.pid], run: () => exportAll(large) },
      bench.pairs,
    )
    const memory = (runs: Run[]) => median(runs.map((run) => run.megabytes))
    const flat = { measure: 'value' as const, unit: '× the memory of 100k', at_most: 1.1 }
    yield {
      name: 'export 1M, beside sqlite3',
      reference: 'sqlite3 -csv',
      figures: [...figuresOf(many, goals), { ...flat, values: [memory(many.own) / memory(plain.own)] }],
      ...many,
    }
  },
}
