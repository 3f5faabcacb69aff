import { sql } from 'drizzle-orm'
import { NO_TEXTS } from '../src/shared/contact-fields.ts'
import type { ProjectId } from '../src/ids.ts'
import { wordingId } from '../src/newsletter/consent/wordings.ts'
import { type IndexedField, keyColumns, keyValues } from '../src/newsletter/contacts/rule-columns.ts'
import type { Store } from '../src/store/open.ts'
import { custom_fields } from '../src/store/tables/audience.ts'

/** The contacts of bench/audience.ts. */

const FIELDS = [
  { key: 'country', type: 'text', slot: 1 },
  { key: 'plan', type: 'text', slot: 2 },
  { key: 'age', type: 'number', slot: 3 },
  { key: 'since', type: 'date', slot: 4 },
  { key: 'vip', type: 'boolean', slot: 5 },
] as const satisfies readonly IndexedField[]
export const FIRST = [
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
export const DOMAINS = ['example.com', 'mail.example.org', 'post.example.net', 'letters.example']
export const COUNTRIES = Array.from(
  { length: 40 },
  (_, index) => `${['DE', 'FR', 'ES', 'IT', 'SE', 'NO', 'DK', 'PL', 'TR', 'UA'][index % 10]}${Math.floor(index / 10)}`,
)
export const PLANS = ['free', 'basic', 'pro', 'enterprise']
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
export const START = Date.UTC(2024, 0, 1)

let state = 7
/** Begins the series of numbers that the seed gives. */
export function reseed(seed: number): void {
  state = seed
}
/** A number below `n`; the same series for the same seed. */
export function below(n: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * n)
}
export const pick = <T>(from: readonly T[]): T => from[below(from.length)]!

/** Fills a project with `count` contacts, their lists, tags and events. */
export async function populate(store: Store, project_id: ProjectId, count: number): Promise<void> {
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
    ...keyValues({ ...NO_TEXTS, first_name, last_name, custom_fields: custom }, FIELDS),
  ]
}
