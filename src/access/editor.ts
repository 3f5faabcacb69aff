import { sql } from 'drizzle-orm'
import { type Static, Type } from '@sinclair/typebox'
import type { ProjectId } from '../ids.ts'
import { enumOf, obj } from '../schema.ts'
import type { Reader } from '../store/open.ts'
import { first } from '../store/rows.ts'

/** The user, API key or app that changed a thing last, as shown to other members. */
export const Editor = obj(
  { kind: enumOf(['user', 'api_key', 'app']), id: Type.String(), name: Type.String() },
  {
    $id: 'Editor',
    description:
      'The member, API key or app that changed it last; null for the service itself and where it is unknown.',
  },
)
export type Editor = Static<typeof Editor>

/** A thing as the audit log names it (`campaign:5`), and the time of its last change. */
export interface Changed {
  /** Null for what belongs to no project. */
  project_id: ProjectId | null
  target: string
  updated_at: number
}

/** Several changes in one millisecond push `updated_at` ahead of the time of their audit rows. */
const MAX_AHEAD_MS = 60_000

/** Who made the last change of a thing, from the audit log (docs/api/conventions.md#edits-that-cross). */
export async function findEditor(db: Reader, { project_id, target, updated_at }: Changed): Promise<Editor | null> {
  const row = first(
    await db.all<{ actor: string }>(sql`
      SELECT actor FROM audit_log
      WHERE project_id IS ${project_id} AND at BETWEEN ${updated_at - MAX_AHEAD_MS} AND ${updated_at}
        AND target = ${target} AND outcome = 'done'
      ORDER BY at DESC, id DESC LIMIT 1`),
  )
  const [, kind, id] = /^(user|key|app):([^ ]+)/.exec(row?.actor ?? '') ?? []
  return kind === undefined ? null : named(db, kind as keyof typeof NAMES, id!)
}

/** A member without a name is called by the part of the address before the @. */
const NAMES = {
  user: {
    kind: 'user',
    query: (id: string) => sql`
      SELECT coalesce(nullif(trim(first_name || ' ' || last_name), ''), substr(email, 1, instr(email, '@') - 1)) AS name
      FROM users WHERE id = ${id} AND deleted_at IS NULL`,
  },
  key: { kind: 'api_key', query: (id: string) => sql`SELECT name FROM api_keys WHERE id = ${id}` },
  app: { kind: 'app', query: (id: string) => sql`SELECT display_name AS name FROM apps WHERE client_id = ${id}` },
} as const

async function named(db: Reader, by: keyof typeof NAMES, id: string): Promise<Editor | null> {
  const { kind, query } = NAMES[by]
  const row = first(await db.all<{ name: string }>(query(id)))
  return row && { kind, id, name: row.name }
}
