/**
 * Times of audience queries: `bun bench/audience.ts [CONTACTS] [FOLDER]`. Fills a database with CONTACTS (default
 * 100,000) contacts with custom fields, two lists, ten tags and events, starts the service on it and calls it over
 * HTTP. FOLDER keeps the database for the next run. Prints medians in milliseconds.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { systemClock } from '../src/clock.ts'
import { configOf } from '../src/config.ts'
import { newId, type ProjectId } from '../src/ids.ts'
import { keyColumns, keyValues, type IndexedField } from '../src/newsletter/contacts/rule-columns.ts'
import type { Rule, RuleGroup } from '../src/store/tables/segments.ts'
import { newToken, tokenHash } from '../src/secrets.ts'
import { migrationsFolder, startService } from '../src/service.ts'
import { migrate } from '../src/store/migrate.ts'
import { openStore, type Store } from '../src/store/open.ts'
import { api_keys, members, projects, users } from '../src/store/tables/accounts.ts'
import { custom_fields } from '../src/store/tables/audience.ts'
import { wordingId } from '../src/newsletter/consent/wordings.ts'

const count = Number(process.argv[2] ?? 100_000)
const kept = process.argv[3]
const ROUNDS = 7

const FIELDS = [
  { key: 'country', type: 'text', slot: 1 },
  { key: 'plan', type: 'text', slot: 2 },
  { key: 'age', type: 'number', slot: 3 },
  { key: 'since', type: 'date', slot: 4 },
  { key: 'vip', type: 'boolean', slot: 5 },
] as const satisfies readonly IndexedField[]
const FIRST = [
  'Anna',
  'Björn',
  'Çelik',
  'Dmitri',
  'Élodie',
  'Ferran',
  'Greta',
  'Hugo',
  'Jörg',
  'Karin',
  'Łukasz',
  'Mia',
  'Øystein',
  'Иван',
  'Ольга',
  'Zoë',
]
const LAST = [
  'Berg',
  'Müller',
  'Öztürk',
  'Petrov',
  'García',
  'Lindqvist',
  'van Dam',
  'Šimić',
  'Smith',
  'Дмитриев',
  'Ångström',
]
const DOMAINS = ['example.com', 'mail.example.org', 'post.example.net', 'letters.example']
const COUNTRIES = Array.from(
  { length: 40 },
  (_, index) => `${['DE', 'FR', 'ES', 'IT', 'SE', 'NO', 'DK', 'PL', 'TR', 'UA'][index % 10]}${Math.floor(index / 10)}`,
)
const PLANS = ['free', 'basic', 'pro', 'enterprise']
const STATUSES = [
  'subscribed',
  'subscribed',
  'subscribed',
  'subscribed',
  'subscribed',
  'subscribed',
  'unsubscribed',
  'pending',
  'bounced',
  'complained',
]
const START = Date.UTC(2024, 0, 1)

let state = 7
function below(n: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * n)
}
const pick = <T>(from: readonly T[]): T => from[below(from.length)]!

async function populate(store: Store, project_id: ProjectId): Promise<void> {
  const at = { created_at: START, updated_at: START }
  const CHUNK = 2000
  await store.write(async (tx) => {
    await tx.insert(custom_fields).values(FIELDS.map((field) => ({ project_id, label: field.key, ...field, ...at })))
    for (const id of [1, 2])
      await tx.run(
        sql`
          INSERT INTO lists (id, project_id, name, name_key, created_at, updated_at)
          VALUES (${id}, ${project_id}, ${`l${id}`}, ${`l${id}`}, 0, 0)`,
      )
    for (let id = 1; id <= 10; id++)
      await tx.run(
        sql`
          INSERT INTO tags (id, project_id, name, name_key, created_at, updated_at)
          VALUES (${id}, ${project_id}, ${`t${id}`}, ${`t${id}`}, 0, 0)`,
      )
  })
  await store.write((tx) => wordingId(tx, project_id, 'I agree to receive the newsletter of Harbour News.'))
  const columns = keyColumns(FIELDS)
  const values = sql.raw(columns.map((_, index) => `value->>${index + 8}`).join(', '))
  for (let made = 0; made < count; made += CHUNK) {
    const rows = Array.from({ length: Math.min(CHUNK, count - made) }, (_, index) => contactRow(made + index))
    await store.write((tx) =>
      tx.run(sql`
      INSERT INTO contacts (project_id, email, email_key, first_name, last_name, search_key, global_status,
        custom_fields, consent_wording_id, consent_source, consent_at, created_at, updated_at,
        ${sql.raw(columns.join(', '))})
      SELECT ${project_id}, value->>0, value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, 1, 'import',
        value->>6, value->>6, value->>7, ${values}
      FROM json_each(${JSON.stringify(rows)})`),
    )
  }
  await store.write(async (tx) => {
    await tx.run(
      sql`
        INSERT INTO memberships (contact_id, list_id, status, subscribed_at) SELECT id, 1, 'subscribed', created_at
        FROM contacts`,
    )
    await tx.run(
      sql`
        INSERT INTO memberships (contact_id, list_id, status, subscribed_at)
        SELECT id, 2, iif(id % 10, 'subscribed', 'pending'), created_at FROM contacts WHERE id % 5 = 0`,
    )
    await tx.run(
      sql`
        INSERT INTO contact_tags (contact_id, tag_id) SELECT contact.id, tag.id FROM contacts contact, tags tag
        WHERE (contact.id * 7919) % (tag.id + 7) = 0`,
    )
    await tx.run(
      sql`
        INSERT INTO events (project_id, type, campaign_id, contact_id, at, machine)
        SELECT ${project_id}, iif(id % 3, 'open', 'click'), 1 + id % 4, id, created_at + 86400000, id % 7 = 0
        FROM contacts WHERE id % 2 = 0`,
    )
  })
}

function contactRow(index: number): unknown[] {
  const [first_name, last_name, email] = [pick(FIRST), pick(LAST), `person${index}@${pick(DOMAINS)}`]
  const custom = {
    country: pick(COUNTRIES),
    plan: pick(PLANS),
    age: below(90),
    since: `20${10 + below(15)}-0${1 + below(9)}-1${below(9)}`,
    vip: below(2) === 1,
  }
  const created_at = START + index * 60_000
  return [
    email,
    first_name,
    last_name,
    `${email} ${first_name} ${last_name}`.toLowerCase(),
    pick(STATUSES),
    JSON.stringify(custom),
    created_at,
    created_at + below(1e9),
    ...keyValues({ first_name, last_name, custom_fields: custom }, FIELDS),
  ]
}

/** Rules of every kind, the same for the same seed. */
function leaf(): Rule {
  switch (below(14)) {
    case 0:
      return { field: 'email', operator: 'contains', value: pick(['letters', 'ple.org', '99', 'person1']) }
    case 1:
      return { field: 'first_name', operator: 'eq', value: pick(FIRST) }
    case 2:
      return { field: 'last_name', operator: 'starts_with', value: pick(['b', 'M', 'å']) }
    case 3:
      return { field: 'global_status', operator: 'eq', value: pick(['subscribed', 'pending', 'bounced']) }
    case 4:
      return { field: 'created_at', operator: 'gte', value: new Date(START + below(count) * 60_000).toISOString() }
    case 5:
      return { field: 'custom.country', operator: 'eq', value: pick(COUNTRIES) }
    case 6:
      return { field: 'custom.country', operator: 'in', value: [pick(COUNTRIES), pick(COUNTRIES), pick(COUNTRIES)] }
    case 7:
      return { field: 'custom.plan', operator: 'neq', value: pick(PLANS) }
    case 8:
      return { field: 'custom.age', operator: 'gt', value: below(90) }
    case 9:
      return { field: 'custom.since', operator: 'between', value: ['2012-01-01', `20${13 + below(12)}-06-01`] }
    case 10:
      return { field: 'tag', operator: pick(['in', 'not_in']), value: [1 + below(10)] }
    case 11:
      return { field: 'list', operator: 'in', value: [1 + below(2)] }
    case 12:
      return { field: 'opened', value: { campaign_id: 1 + below(4) } }
    default:
      return { field: 'email_domain', operator: 'eq', value: pick(DOMAINS) }
  }
}

/** Four levels and sixty rules: on each of the first three levels some rules and some groups. */
function sixty(seed: number, op: 'and' | 'or'): RuleGroup {
  state = seed
  const other = { and: 'or', or: 'and' } as const
  const group = (level: number, own: 'and' | 'or'): RuleGroup => ({
    op: own,
    rules:
      level === 4
        ? [leaf(), leaf(), leaf()]
        : [
            ...Array.from({ length: level === 1 ? 0 : 1 }, leaf),
            ...Array.from({ length: level === 1 ? 4 : 2 }, () => group(level + 1, other[own])),
          ],
  })
  return group(1, op)
}

const PREVIEWS: [string, RuleGroup][] = [
  ['everybody', { op: 'and', rules: [] }],
  [
    '2 rules',
    {
      op: 'and',
      rules: [
        { field: 'custom.country', operator: 'eq', value: 'DE1' },
        { field: 'custom.plan', operator: 'eq', value: 'pro' },
      ],
    },
  ],
  [
    '4 rules nested',
    {
      op: 'and',
      rules: [
        {
          op: 'or',
          rules: [
            { field: 'custom.country', operator: 'eq', value: 'DE1' },
            { field: 'custom.country', operator: 'eq', value: 'FR2' },
          ],
        },
        {
          op: 'or',
          rules: [
            { field: 'custom.plan', operator: 'eq', value: 'pro' },
            { field: 'email', operator: 'contains', value: 'person12' },
          ],
        },
      ],
    },
  ],
  [
    '4 rules, list, tag',
    {
      op: 'and',
      rules: [
        { field: 'list', operator: 'in', value: [1] },
        { field: 'tag', operator: 'in', value: [3] },
        {
          op: 'not',
          rules: [
            { field: 'opened', value: {} },
            { field: 'custom.vip', operator: 'eq', value: true },
          ],
        },
      ],
    },
  ],
  ...[11, 12, 13, 14].flatMap((seed): [string, RuleGroup][] => [
    [`60 rules, 4 levels, and ${seed}`, sixty(seed, 'and')],
    [`60 rules, 4 levels, or ${seed}`, sixty(seed, 'or')],
  ]),
]

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
    await populate(store, project_id)
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

function rulesIn(group: RuleGroup): number {
  return group.rules.reduce((sum, member) => sum + ('rules' in member ? rulesIn(member) : 1), 0)
}
