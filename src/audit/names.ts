import { type SQL, sql } from 'drizzle-orm'
import { jsonText } from '../store/json-text.ts'
import type { Reader } from '../store/open.ts'
import { KINDS, split } from './things.ts'

/**
 * The present names of what rows of the audit log are about (docs/api/audit.md#reading). Names of people are looked up
 * when the log is read, so that the names of those who were deleted are in no answer.
 */

/** Kinds whose names are not kept, and actors: the SQL of id and name. */
const OTHERS: Readonly<Record<string, SQL>> = {
  user: sql`SELECT id, coalesce(nullif(trim(first_name || ' ' || last_name), ''), email) AS name FROM users`,
  contact: sql`SELECT id, coalesce(nullif(trim(first_name || ' ' || last_name), ''), email) AS name FROM contacts`,
  invitation: sql`SELECT id, email AS name FROM invitations`,
  item: sql`SELECT id, title AS name FROM directory_items`,
  script_connection: sql`
    SELECT connection.id, script.name FROM script_connections connection
    JOIN scripts script ON script.id = connection.script_id`,
  authorization: sql`
    SELECT granted.id, app.display_name AS name FROM authorizations granted JOIN apps app ON app.id = granted.app_id`,
  client: sql`SELECT client_id AS id, display_name AS name FROM apps`,
}
/** Names that rows have for a kind besides its own. */
const ALIASES: Readonly<Record<string, string>> = {
  key: 'api_key',
  field: 'custom_field',
  default_connection: 'connection',
}

interface Row {
  actor: string
  target: string | null
  details: Readonly<Record<string, unknown>>
}

/** Names by kind and id, such as `campaign:5`, of targets, actors and the ids in the details. */
export async function namesIn(db: Reader, rows: readonly Row[]): Promise<Record<string, string>> {
  const wanted = new Map<string, Map<string, string[]>>()
  const want = (kind: string, id: string, shown: string) => {
    const ids = wanted.get(kind) ?? new Map<string, string[]>()
    wanted.set(kind, ids)
    ids.set(id, [...(ids.get(id) ?? []), shown])
  }
  for (const { actor, target, details } of rows) {
    for (const part of actor.split(' for ')) {
      const [kind, id] = split(part)
      want(kind === 'app' ? 'client' : (ALIASES[kind] ?? kind), id, part)
    }
    if (target !== null) want(...split(target), target)
    for (const [name, id] of Object.entries(details)) {
      const kind = /^(.+)_id$/.exec(name)?.[1]
      if (kind !== undefined && (typeof id === 'string' || typeof id === 'number'))
        want(ALIASES[kind] ?? kind, String(id), `${kind}:${id}`)
    }
  }
  const names: Record<string, string> = {}
  for (const [kind, ids] of wanted) {
    const source = sourceOf(kind)
    if (!source) continue
    const given = jsonText([...ids.keys()].map(idOf))
    const found = await db.all<{ id: string | number; name: string | null }>(sql`
      SELECT id, name FROM (${source}) WHERE id IN (SELECT value FROM json_each(${given}))`)
    for (const { id, name } of found)
      if (name !== null && name !== '') for (const shown of ids.get(String(id)) ?? []) names[shown] = name
  }
  return names
}

function sourceOf(kind: string): SQL | null {
  if (Object.hasOwn(OTHERS, kind)) return OTHERS[kind]!
  const known = Object.hasOwn(KINDS, kind) ? KINDS[kind]! : null
  return known?.name
    ? sql.raw(`SELECT id, ${known.name} AS name FROM ${known.table} WHERE ${known.present ?? 'true'}`)
    : null
}

/** Ids of most tables are integers, and a text is none of them. */
function idOf(id: string): string | number {
  return /^\d{1,15}$/.test(id) ? Number(id) : id
}
