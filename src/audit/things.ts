import { type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../store/open.ts'
import { first } from '../store/rows.ts'

/**
 * What the audit log keeps of the things that rows are about (docs/api/audit.md#rows): their names, so that a row can
 * be read when its thing is gone, and the plain values that a change replaced. Nothing of people is kept.
 */

interface Kind {
  table: string
  /** SQL of the name; null where it may name a person. */
  name: string | null
  /** SQL: whether a row is still to be found by people. */
  present?: string
  /** Columns whose values may stand in the log. They are called as the property of the request. */
  columns?: readonly string[]
}

/** Kinds of targets by the name that rows have for them. */
export const KINDS: Readonly<Record<string, Kind>> = {
  campaign: {
    table: 'campaigns',
    name: `coalesce(nullif(name, ''), subject)`,
    present: 'deleted_at IS NULL',
    // To read a column that is stored after the document, SQLite reads the whole document.
    columns: ['name', 'subject', 'preheader'],
  },
  template: { table: 'templates', name: 'name', columns: ['name', 'subject'] },
  list: { table: 'lists', name: 'name', columns: ['name', 'description', 'double_opt_in', 'public'] },
  tag: { table: 'tags', name: 'name', columns: ['name', 'color'] },
  segment: { table: 'segments', name: 'name', columns: ['name'] },
  custom_field: { table: 'custom_fields', name: 'label', columns: ['label'] },
  connection: {
    table: 'connections',
    name: 'name',
    columns: ['name', 'host', 'port', 'secure', 'max_per_second', 'max_per_day', 'max_connections'],
  },
  import: { table: 'imports', name: 'filename' },
  page: { table: 'pages', name: `coalesce(nullif(title, ''), path)`, columns: ['path', 'title', 'published'] },
  post: { table: 'cms_posts', name: 'title', columns: ['title', 'slug', 'status'] },
  item: { table: 'directory_items', name: null, columns: ['directory', 'slug'] },
  file: { table: 'files', name: 'name', columns: ['name', 'alt'] },
  form: { table: 'sign_up_forms', name: 'name', columns: ['name', 'title', 'button'] },
  api_key: { table: 'api_keys', name: 'name' },
  script: { table: 'scripts', name: 'name', present: 'removed_at IS NULL', columns: ['name', 'type', 'placement'] },
  app: { table: 'apps', name: 'display_name' },
  key: { table: 'dkim_keys', name: `selector || '._domainkey.' || domain` },
}

const BOOLEANS: ReadonlySet<string> = new Set([
  ...['track_opens', 'track_clicks', 'double_opt_in', 'public', 'secure', 'published', 'proof_of_work'],
  'consent_required',
])

type Value = string | number | boolean | null

/** A thing at one moment. */
export interface Known {
  name: string | null
  values: Readonly<Record<string, Value>>
}

interface Named {
  target: string
  /** Whether the call changes properties of the target. */
  changes: boolean
  /** The public id of the project. */
  project: string | null
}

const MAX_NAME = 100
const MAX_VALUE = 60

/** The target of a call before or after it; null for a kind of which nothing is kept. */
export async function knownOf(db: Reader, { target, changes, project }: Named): Promise<Known | null> {
  const [kind = '', id = ''] = split(target)
  if (kind === 'project' || kind === 'user') {
    if (!changes || project === null) return null
    const values = first(await db.all<Record<string, Value>>(kind === 'user' ? roleOf(project, id) : settingsOf(id)))
    return values && { name: null, values: plainValues(values) }
  }
  const known = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined
  if (!known) return null
  const columns = changes ? (known.columns ?? []) : []
  const chosen = sql.raw([`${known.name ?? 'NULL'} AS known_name`, ...columns].join(', '))
  const row = first(
    await db.all<Record<string, Value>>(sql`SELECT ${chosen} FROM ${sql.raw(known.table)} WHERE id = ${id}`),
  )
  if (!row) return null
  const { known_name, ...values } = row
  return {
    name: typeof known_name === 'string' ? cut(known_name, MAX_NAME) : null,
    values: plainValues(values),
  }
}

/** The kind and the id of a target. */
export function split(target: string): [kind: string, id: string] {
  const at = target.indexOf(':')
  return at < 0 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)]
}

function roleOf(project: string, user_id: string): SQL {
  return sql`
    SELECT m.role FROM members m JOIN projects p ON p.id = m.project_id
    WHERE p.public_id = ${project} AND m.user_id = ${user_id}`
}

function settingsOf(project: string): SQL {
  return sql`
    SELECT p.name, p.slug, p.domain, n.from_name, n.company_name, n.timezone, n.locale, n.track_opens, n.track_clicks,
      n.brand_color, n.logo_url, s.proof_of_work, c.consent_required
    FROM projects p
    LEFT JOIN newsletter_settings n ON n.project_id = p.id
    LEFT JOIN site_settings s ON s.project_id = p.id
    LEFT JOIN script_settings c ON c.project_id = p.id
    WHERE p.public_id = ${project}`
}

function plainValues(row: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, BOOLEANS.has(name) && value !== null ? value === 1 : value]),
  )
}

/** The details of a change: the name of the thing, what changed from which value to which, and the other fields. */
export function changeDetails(
  { fields, ...details }: Readonly<Record<string, unknown>> & { fields?: readonly string[] },
  input: Readonly<Record<string, unknown>>,
  before: Known | null,
  after: Known | null,
): Record<string, unknown> {
  const name = before?.name ?? after?.name ?? null
  const changes: Record<string, [Value, Value]> = {}
  const others: string[] = []
  for (const field of fields ?? []) {
    if (Object.hasOwn(details, field) && before?.values[field] === undefined) continue
    const column = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const [was, is] = [before?.values[column], after?.values[column]]
    if (was === undefined || is === undefined) others.push(field)
    else if (was !== is) changes[field] = [short(was), short(is)]
    // What was sent and is not there changed something else, such as a domain that has to be proven first.
    else if ((input[field] ?? null) !== was) others.push(field)
  }
  return {
    ...details,
    ...(name === null || name === '' ? {} : { name }),
    ...(others.length > 0 ? { fields: others } : {}),
    ...(Object.keys(changes).length > 0 ? { changes } : {}),
  }
}

function short(value: Value): Value {
  return typeof value === 'string' ? cut(value, MAX_VALUE) : value
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}
