import { type SQL, sql } from 'drizzle-orm'
import type { ProjectId } from '../ids.ts'
import type { Keys } from '../secrets.ts'
import type { Store } from '../store/open.ts'
import { type CursorPosition, type Page, page } from '../store/page.ts'

/** A user as operators see it. */
export interface Person {
  id: string
  email: string
  first_name: string
  last_name: string
  admin: boolean
  created_at: number
  last_sign_in_at: number | null
  disabled_at: number | null
  sessions: number
  projects: number
  apps: number
  /** Whether signing in with the password asks for a code. */
  second_factor: boolean
  passkeys: number
}

export interface PeopleQuery {
  /** Filters by a part of the address or the name. */
  search?: string | undefined
  status?: 'enabled' | 'disabled' | undefined
  limit?: number | undefined
  cursor?: string | undefined
}

/** One page of the users, newest first. Throws INVALID_CURSOR. */
export function listPeople(
  { heavy }: Pick<Store, 'heavy'>,
  keys: Keys,
  { limit, cursor, ...filter }: PeopleQuery,
  now: number,
): Promise<Page<Person>> {
  return page(
    { keys, operation: 'operator/users', project_id: 0 as ProjectId, filters: filter, order: 'newest', cursor, limit },
    (after, most) => heavy<Row>(people(filter, after, { most, now })),
    ({ id: _, user_id, admin, second_factor, ...row }) => ({
      ...row,
      id: user_id,
      admin: admin === 1,
      second_factor: second_factor === 1,
    }),
  )
}

type Row = Omit<Person, 'id' | 'admin' | 'second_factor'> &
  Record<'id' | 'admin' | 'second_factor', number> & { user_id: string }

/** SQLite's own row ids ascend with the time of creation. */
function people(
  { search, status }: PeopleQuery,
  after: CursorPosition | null,
  { most, now }: Record<'most' | 'now', number>,
): SQL {
  const conditions = [
    sql`u.deleted_at IS NULL`,
    after !== null && sql`u.rowid < ${after.id}`,
    search !== undefined && matches(search.trim().toLowerCase()),
    status === 'enabled' && sql`u.disabled_at IS NULL`,
    status === 'disabled' && sql`u.disabled_at IS NOT NULL`,
  ].filter((condition) => condition !== false)
  return sql`
    SELECT u.rowid AS id, u.id AS user_id, u.email, u.first_name, u.last_name, u.admin, u.created_at, u.last_sign_in_at,
      u.disabled_at,
      (SELECT count(*) FROM sessions s WHERE s.user_id = u.id AND s.expires_at > ${now}) AS sessions,
      (SELECT count(*) FROM members m WHERE m.user_id = u.id) AS projects,
      (SELECT count(*) FROM apps a WHERE a.user_id = u.id)
        + (SELECT count(*) FROM app_team t WHERE t.user_id = u.id) AS apps,
      EXISTS (SELECT 1 FROM totp_factors f WHERE f.user_id = u.id) AS second_factor,
      (SELECT count(*) FROM passkeys p WHERE p.user_id = u.id) AS passkeys
    FROM users u WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY u.rowid DESC LIMIT ${most}`
}

function matches(text: string): SQL {
  return sql`(
    instr(u.email_key || ' ' || lower(u.email), ${text}) > 0
    OR instr(lower(u.first_name || ' ' || u.last_name), ${text}) > 0)`
}
