/**
 * Times of audience queries: `bun bench/audience.ts [CONTACTS] [FOLDER]`. Fills a database with CONTACTS (default
 * 100,000) contacts with custom fields, two lists, ten tags and events, starts the service on it and calls it over
 * HTTP. FOLDER keeps the database for the next run. Prints medians in milliseconds.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { systemClock } from '../src/clock.ts'
import { configOf } from '../src/config.ts'
import { newId, type ProjectId } from '../src/ids.ts'
import type { RuleGroup } from '../src/store/tables/segments.ts'
import { newToken, tokenHash } from '../src/secrets.ts'
import { migrationsFolder, startService } from '../src/service.ts'
import { migrate } from '../src/store/migrate.ts'
import { openStore } from '../src/store/open.ts'
import { api_keys, members, projects, users } from '../src/store/tables/accounts.ts'
import { populate, START } from './audience-data.ts'
import { previewsOf, rulesIn } from './audience-rules.ts'

const count = Number(process.argv[2] ?? 100_000)
const kept = process.argv[3]
const ROUNDS = 7

const PREVIEWS = previewsOf(count)
const folder = kept ?? mkdtempSync(join(tmpdir(), 'masthead-bench-'))
const file = join(folder, 'masthead.db')
const key = newToken('svc_pk_')
await prepare()
const service = await startService(
  configOf({
    port: 0,
    data_dir: folder,
    log_level: 'error',
    newsletter_reads_per_minute: 1e9,
    newsletter_mutations_per_minute: 1e9,
  }),
)
try {
  for (const [name, rules] of PREVIEWS)
    await measure(`segments/preview ${name} (${rulesIn(rules)})`, '/segments/preview', { rules })
  await measureMeanwhile('contacts/get while previews of 60 rules run', PREVIEWS[6]![1])
  const first = await measure('contacts/list, first page', '/contacts/list', {})
  await measure('contacts/list, next page', '/contacts/list', { cursor: first.next_cursor })
  await measure('contacts/list, of a list', '/contacts/list', { list_id: 2 })
  await measure('contacts/list, with a tag', '/contacts/list', { tag_id: 3 })
  await measure('contacts/get', '/contacts/get', { contact_id: count >> 1 })
  await measure('lists/list, with counts', '/lists/list', {})
  await measure('tags/list, with counts', '/tags/list', {})
  await measure('contacts/list, filter of 2 rules', '/contacts/list', { filter: PREVIEWS[1]![1] })
  await measure('contacts/list, filter of 60 rules', '/contacts/list', { filter: PREVIEWS[4]![1] })
  await measure('contacts/list, filter that fits nobody', '/contacts/list', {
    filter: { op: 'and', rules: [{ field: 'custom.country', operator: 'eq', value: 'nowhere' }] },
  })
  await measure('contacts/stats', '/contacts/stats', {})
  await measure('contacts/stats, filter of 2 rules', '/contacts/stats', { filter: PREVIEWS[1]![1] })
  await measure('campaigns/audience-count, all', '/campaigns/audience-count', {
    audience_spec: { include: [{ type: 'all' }] },
  })
} finally {
  await service.close()
  if (!kept) rmSync(folder, { recursive: true })
}

async function prepare(): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const isThere = existsSync(file)
  const store = await openStore({ url: `file:${file}` })
  await migrate(store, migrationsFolder, systemClock)
  const at = { created_at: START, updated_at: START }
  if (!isThere) {
    const [project_id, user_id] = [1 as ProjectId, newId('usr')]
    await store.write(async (tx) => {
      await tx.insert(users).values({ id: user_id, email: 'owner@example.com', email_key: 'owner@example.com', ...at })
      await tx.insert(projects).values({ id: project_id, public_id: newId('prj'), name: 'Bench', slug: 'bench', ...at })
      await tx.insert(members).values({ project_id, user_id, role: 'owner', added_at: START })
      await tx.insert(api_keys).values({
        id: newId('key'),
        project_id,
        user_id,
        name: 'bench',
        key_hash: tokenHash(key),
        hint: '',
        created_at: START,
      })
    })
    const started = performance.now()
    await populate(store, project_id, count)
    console.log(`${count} contacts made in ${Math.round(performance.now() - started)} ms`)
  } else
    await store.write((tx) =>
      tx
        .update(api_keys)
        .set({ key_hash: tokenHash(key) })
        .where(eq(api_keys.name, 'bench')),
    )
  await store.close()
}

/** The parts of an answer that are printed or used for the next call. */
interface Answer {
  count?: number
  total?: number
  items?: unknown[]
  next_cursor?: string | null
}

async function ask(path: string, body: unknown): Promise<Answer> {
  const answer = await fetch(`${service.url}/general/api/v1/newsletter${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: key },
    body: JSON.stringify(body),
  })
  const { data, error } = (await answer.json()) as { data: Answer; error?: unknown }
  if (error) throw new Error(JSON.stringify(error))
  return data
}

/** The latency of other calls while one caller requests previews without a pause. */
async function measureMeanwhile(name: string, rules: RuleGroup): Promise<void> {
  const times: number[] = []
  let going = true
  const previews = (async () => {
    for (let round = 0; round < 2 * ROUNDS; round++) await ask('/segments/preview', { rules })
    going = false
  })()
  while (going) {
    const started = performance.now()
    await ask('/contacts/get', { contact_id: 1 + ((times.length * 7919) % count) })
    times.push(performance.now() - started)
    await Bun.sleep(2)
  }
  await previews
  times.sort((a, b) => a - b)
  console.log(
    `${name.padEnd(52)} ${times[times.length >> 1]!.toFixed(1).padStart(8)} ms   p99 ` +
      `${times[Math.floor(times.length * 0.99)]!.toFixed(1)}   of ${times.length}`,
  )
}

async function measure(name: string, path: string, body: unknown): Promise<Answer> {
  const times: number[] = []
  let data: Answer = {}
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now()
    data = await ask(path, body)
    times.push(performance.now() - started)
  }
  times.sort((a, b) => a - b)
  console.log(
    `${name.padEnd(52)} ${times[ROUNDS >> 1]!.toFixed(1).padStart(8)} ms   best ${times[0]!.toFixed(1)}   ` +
      `${data.count ?? data.total ?? data.items?.length}`,
  )
  return data
}
