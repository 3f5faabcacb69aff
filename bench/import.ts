import { Database } from 'bun:sqlite'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { callOk, makeLoneProject, post, UNLIMITED, withDatabase } from '../test/support/lone-project.ts'
import { startServiceProcess } from '../test/support/service-process.ts'
import type { ProjectId } from '../src/ids.ts'
import { wordingId } from '../src/newsletter/consent/wordings.ts'

/**
 * Speed of imports and exports: `bun bench/import.ts [ROUNDS] [CONTACTS_TO_EXPORT]`. Imports 100,000 contacts with two
 * custom fields into a list through the API (measured from the first call to the completed import), and exports
 * 100,000 and a million. Other calls are timed during an import. The references are SQLite with the same rows in the
 * same run: prepared INSERTs in one transaction, and a SELECT written as CSV.
 */
const ROWS = 100_000
const rounds = Number(process.argv[2] ?? 3)
const most = Number(process.argv[3] ?? 1_000_000)

const csv = [
  'email,first_name,last_name,country,plan',
  ...Array.from(
    { length: ROWS },
    (_, n) => `p${n}@example.com,First${n},Last${n},${n % 7 ? 'uk' : 'fr'},${n % 3 ? 'free' : 'pro'}`,
  ),
].join('\n')
const MAPPING = { 0: 'email', 1: 'first_name', 2: 'last_name', 3: 'custom.country', 4: 'custom.plan' }

const seconds = (since: number) => (performance.now() - since) / 1000
const perSecond = (rows: number, since: number) => Math.round(rows / seconds(since))
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

async function inFolder<T>(work: (folder: string) => Promise<T> | T): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-bench-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function plainInsert(folder: string): number {
  const database = new Database(join(folder, 'plain.db'))
  database.run('PRAGMA journal_mode=WAL')
  database.run('CREATE TABLE people (email TEXT UNIQUE, first_name TEXT, last_name TEXT, country TEXT, plan TEXT)')
  const insert = database.prepare('INSERT INTO people VALUES (?, ?, ?, ?, ?)')
  const begun = performance.now()
  database.transaction(() => {
    for (const line of csv.split('\n').slice(1)) insert.run(...line.split(','))
  })()
  const rate = perSecond(ROWS, begun)
  database.close()
  return rate
}

interface Imported {
  rate: number
  parts: string
  /** Latency of the calls that others made meanwhile: the slowest, and the 99th percentile. */
  slowest_ms: number
  p99_ms: number
}

async function importAll(folder: string): Promise<Imported> {
  const { key } = await makeLoneProject(folder)
  const service = await startServiceProcess(folder, UNLIMITED)
  const call = (operation: string, body: Record<string, unknown>) => callOk(service.url, key, operation, body)
  const { list } = await call('lists/create', { name: 'News' })
  for (const field of ['country', 'plan'])
    await call('custom-fields/create', { key: field, label: field, type: 'text' })
  const begun = performance.now()
  const {
    import: { id: import_id },
  } = await call('imports/create', { csv, filename: 'people.csv' })
  const created = seconds(begun)

  const others: number[] = []
  let done = false
  const othersCall = (async () => {
    while (!done) {
      const from = performance.now()
      await call('lists/list', {})
      others.push(performance.now() - from)
      await Bun.sleep(5)
    }
  })()
  const { summary } = await call('imports/dry-run', {
    import_id,
    mapping: MAPPING,
    options: { list_ids: [list.id], consent_confirmed: true, consent_text: 'Signed up at the fair' },
  })
  if (summary.valid !== ROWS) throw new Error(`Only ${summary.valid} rows are valid.`)
  const examined = seconds(begun)
  await call('imports/commit', { import_id })
  for (;;) {
    const {
      import: { status, counters },
    } = await call('imports/get', { import_id })
    if (status === 'failed' || counters.failed > 0) throw new Error('The import failed.')
    if (status === 'completed') break
    await Bun.sleep(20)
  }
  const rate = perSecond(ROWS, begun)
  const parts =
    `create ${created.toFixed(2)} s, dry-run ${(examined - created).toFixed(2)} s, commit ` +
    `${(seconds(begun) - examined).toFixed(2)} s`
  done = true
  await othersCall
  await service.stop()
  const sorted = others.toSorted((a, b) => a - b)
  return { rate, parts, slowest_ms: sorted.at(-1)!, p99_ms: sorted[Math.floor(sorted.length * 0.99)]! }
}

async function fill(folder: string, project_id: ProjectId, contacts: number): Promise<void> {
  const CHUNK = 20_000
  await withDatabase(folder, async (store) => {
    await store.write(async (tx) => {
      await wordingId(tx, project_id, 'Signed up at the fair')
      await tx.run(
        sql`
          INSERT INTO lists (id, project_id, name, name_key, created_at, updated_at)
          VALUES (1, ${project_id}, 'News', 'news', 0, 0)`,
      )
      for (const [slot, key] of ['country', 'plan'].entries())
        await tx.run(
          sql`
            INSERT INTO custom_fields (project_id, key, label, type, slot, created_at, updated_at)
            VALUES (${project_id}, ${key}, ${key}, 'text', ${slot + 1}, 0, 0)`,
        )
    })
    for (let from = 0; from < contacts; from += CHUNK) {
      const numbers = JSON.stringify(
        Array.from({ length: Math.min(CHUNK, contacts - from) }, (_, index) => from + index),
      )
      await store.write(async (tx) => {
        await tx.run(sql`
          INSERT INTO contacts (id, project_id, email, email_key, first_name, last_name, search_key, global_status,
            custom_fields, consent_wording_id, consent_source, consent_at, created_at, updated_at, slot_1, slot_2)
          SELECT value + 1, ${project_id}, 'p' || value || '@example.com', 'p' || value || '@example.com',
            'First' || value, 'Last' || value, 'p' || value || '@example.com', 'subscribed',
            '{"country":"uk","plan":"pro"}', 1, 'import', 1750000000000, 1750000000000, 1750000000000, 'uk', 'pro'
            FROM json_each(${numbers})`)
        await tx.run(
          sql`
            INSERT INTO memberships (contact_id, list_id, status, subscribed_at)
            SELECT value + 1, 1, 'subscribed', 1750000000000 FROM json_each(${numbers})`,
        )
      })
    }
  })
}

/** The reference for exports: a plain SELECT of five columns. */
function plainSelect(folder: string, contacts: number): number {
  const database = new Database(join(folder, 'masthead.db'), { readonly: true })
  const begun = performance.now()
  const lines: string[] = []
  for (const cells of database
    .query(`SELECT email, first_name, last_name, custom_fields ->> 'country', custom_fields ->> 'plan' FROM contacts`)
    .values())
    lines.push(cells.join(','))
  writeFileSync(join(folder, 'plain.csv'), lines.join('\n'))
  const rate = perSecond(contacts, begun)
  database.close()
  return rate
}

async function exportAll(folder: string, contacts: number): Promise<void> {
  const { key, project_id } = await makeLoneProject(folder)
  await fill(folder, project_id, contacts)
  const plain = plainSelect(folder, contacts)
  const service = await startServiceProcess(folder, UNLIMITED)
  for (const columns of [['email', 'first_name', 'last_name', 'custom.country', 'custom.plan'], undefined]) {
    const begun = performance.now()
    const response = await post(service.url, key, 'contacts/export', columns ? { columns } : {})
    let bytes = 0
    let memory = 0
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength
      memory = Math.max(memory, ownMemory(service.child.pid))
    }
    const rate = perSecond(contacts, begun)
    console.log(
      `export of ${contacts}, ${columns ? 'five columns' : 'all columns'}: ${rate} rows/s ` +
        `(${(bytes / 1e6).toFixed(0)} MB), ${(rate / plain).toFixed(2)} of a plain SELECT of five; at most ${memory} ` +
        `MB of memory but for the mapped database`,
    )
  }
  await service.stop()
}

/** Resident memory in MB; 0 where the system does not report it. */
function ownMemory(pid: number): number {
  try {
    return Math.round(Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)
  } catch {
    return 0
  }
}

const rates: { own: number; plain: number }[] = []
for (let round = 1; round <= rounds; round++) {
  const plain = await inFolder(plainInsert)
  const { rate, parts, slowest_ms, p99_ms } = await inFolder(importAll)
  rates.push({ own: rate, plain })
  console.log(
    `import ${round}: ${rate} rows/s (${parts}); plain INSERTs ${plain} rows/s; other calls meanwhile: p99 ` +
      `${p99_ms.toFixed(1)} ms, slowest ${slowest_ms.toFixed(1)} ms`,
  )
}
console.log(
  `import of ${ROWS}: ${median(rates.map(({ own }) => own))} rows/s, ` +
    `${median(rates.map(({ own, plain }) => own / plain)).toFixed(3)} of plain INSERTs (medians of ${rounds})`,
)
for (const contacts of new Set([Math.min(100_000, most), most])) await inFolder((folder) => exportAll(folder, contacts))
