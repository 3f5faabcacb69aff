import { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { systemClock } from '../src/clock.ts'
import { newId } from '../src/ids.ts'
import { newToken, tokenHash } from '../src/secrets.ts'
import { migrationsFolder } from '../src/service.ts'
import { migrate } from '../src/store/migrate.ts'
import { openStore } from '../src/store/open.ts'
import { api_keys, members, projects, users } from '../src/store/tables/accounts.ts'
import { type ServiceProcess, startServiceProcess } from '../test/support/service-process.ts'

/**
 * Imports 100,000 contacts through the API (create, dry-run, commit; the clock runs from the first call to the
 * completed import), and exports them and a million. The reference is what SQLite itself does with the same rows in
 * the same run: one prepared INSERT into one table, and one SELECT written as CSV.
 *
 *   bun bench/import.ts [ROUNDS] [CONTACTS_TO_EXPORT]
 */
const ROWS = 100_000
const rounds = Number(process.argv[2] ?? 3)
const exported = Number(process.argv[3] ?? 1_000_000)

const csv = ['email,first_name,last_name,country,plan', ...Array.from({ length: ROWS }, (_, n) => `p${n}@example.com,First${n},Last${n},${n % 7 ? 'uk' : 'fr'},${n % 3 ? 'free' : 'pro'}`)].join('\n')
const COLUMNS = { 0: 'email', 1: 'first_name', 2: 'last_name', 3: 'custom.country', 4: 'custom.plan' }

interface Bench {
  folder: string
  service: ServiceProcess
  project_id: string
  call(operation: string, body: Record<string, unknown>): Promise<any>
  post(operation: string, body: Record<string, unknown>): Promise<Response>
  close(): Promise<void>
}

async function start(): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-bench-'))
  const key = newToken('svc_pk_')
  const [user_id, project_id, now] = [newId('usr'), newId('prj'), systemClock.now()]
  const store = await openStore({ url: `file:${join(folder, 'masthead.db')}` })
  await migrate(store.client, migrationsFolder, systemClock)
  await store.write(async (tx) => {
    await tx.insert(users).values({ id: user_id, email: 'ada@example.com', email_key: 'ada@example.com', created_at: now, updated_at: now })
    await tx.insert(projects).values({ id: project_id, name: 'Bench', slug: 'bench', created_at: now, updated_at: now })
    await tx.insert(members).values({ project_id, user_id, role: 'owner', added_at: now })
    await tx.insert(api_keys).values({ id: newId('key'), project_id, user_id, name: 'bench', key_hash: tokenHash(key), hint: key.slice(-4), created_at: now })
  })
  await store.close()
  const service = await startServiceProcess(folder, { MASTHEAD_NEWSLETTER_READS_PER_MINUTE: '1000000', MASTHEAD_NEWSLETTER_MUTATIONS_PER_MINUTE: '1000000' })
  const post = (operation: string, body: Record<string, unknown>) => fetch(`${service.url}/general/api/v1/newsletter/${operation}`, {
    method: 'POST', headers: { 'Content-Type': 'application/json', Authorization: key, 'Idempotency-Key': newId('req') }, body: JSON.stringify(body),
  })
  const call = async (operation: string, body: Record<string, unknown>) => {
    const { data, error } = (await (await post(operation, body)).json()) as any
    if (error) throw new Error(`${operation}: ${JSON.stringify(error)}`)
    return data
  }
  return {
    folder, service, project_id, call, post,
    async close() {
      await service.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const seconds = (since: number) => (performance.now() - since) / 1000
const perSecond = (rows: number, since: number) => Math.round(rows / seconds(since))

/** Rows a second of one prepared INSERT in one transaction: the least that keeping these rows can cost. */
function reference(): number {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-bench-'))
  const database = new Database(join(folder, 'plain.db'))
  database.run('PRAGMA journal_mode=WAL')
  database.run('CREATE TABLE people (email TEXT UNIQUE, first_name TEXT, last_name TEXT, country TEXT, plan TEXT)')
  const insert = database.prepare('INSERT INTO people VALUES (?, ?, ?, ?, ?)')
  const begun = performance.now()
  database.transaction(() => { for (const line of csv.split('\n').slice(1)) insert.run(...line.split(',')) })()
  const rate = perSecond(ROWS, begun)
  database.close()
  rmSync(folder, { recursive: true, force: true })
  return rate
}

async function importOnce(): Promise<{ rate: number; parts: string }> {
  const bench = await start()
  const { list } = await bench.call('lists/create', { name: 'News' })
  for (const key of ['country', 'plan']) await bench.call('custom-fields/create', { key, label: key, type: 'text' })
  const begun = performance.now()
  const { import: { id: import_id } } = await bench.call('imports/create', { csv, filename: 'people.csv' })
  const created = seconds(begun)
  const { summary } = await bench.call('imports/dry-run', { import_id, mapping: COLUMNS, options: { list_ids: [list.id], consent_confirmed: true, consent_text: 'Signed up at the fair' } })
  if (summary.valid !== ROWS) throw new Error(`Only ${summary.valid} rows are valid.`)
  const examined = seconds(begun)
  await bench.call('imports/commit', { import_id })
  for (;;) {
    const { import: { status, counters } } = await bench.call('imports/get', { import_id })
    if (status === 'completed') {
      if (counters.created !== ROWS) throw new Error(`Only ${counters.created} were created.`)
      break
    }
    if (status === 'failed') throw new Error('The import failed.')
    await Bun.sleep(20)
  }
  const rate = perSecond(ROWS, begun)
  const parts = `create ${created.toFixed(2)} s, dry-run ${(examined - created).toFixed(2)} s, commit ${(seconds(begun) - examined).toFixed(2)} s`
  await bench.close()
  return { rate, parts }
}

const rates: { plain: number; own: number }[] = []
for (let round = 1; round <= rounds; round++) {
  const plain = reference()
  const { rate, parts } = await importOnce()
  rates.push({ plain, own: rate })
  console.log(`import ${round}: ${rate} rows/s (${parts}); one plain INSERT ${plain} rows/s`)
}
const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!
console.log(`import of ${ROWS}: ${median(rates.map(({ own }) => own))} rows/s, ${median(rates.map(({ own, plain }) => own / plain)).toFixed(2)} of a plain INSERT (medians of ${rounds})`)
