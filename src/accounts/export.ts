import { sql } from 'drizzle-orm'
import type { Store } from '../store/open.ts'

/** Rows of the audit log in the export of an account, the newest. */
const MAX_ACTIONS = 10_000

/** The sections of an account's export, each with its query. Columns that end in `_at` or `_on` are times. */
const SECTIONS = {
  account: sql`SELECT id, email, first_name, last_name, admin, created_at, last_sign_in_at FROM users WHERE id = `,
  sessions: sql`SELECT created_at, last_used_at, expires_at, address, user_agent FROM sessions WHERE user_id = `,
  devices: sql`SELECT created_at, last_used_at, address, user_agent FROM devices WHERE user_id = `,
  passkeys: sql`SELECT name, created_at, last_used_at FROM passkeys WHERE user_id = `,
  one_time_codes: sql`SELECT created_at FROM totp_factors WHERE user_id = `,
  identities: sql`SELECT issuer, subject, created_at, last_used_at FROM identities WHERE user_id = `,
  projects: sql`
    SELECT p.public_id AS id, p.name, p.slug, m.role, m.added_at
    FROM members m JOIN projects p ON p.id = m.project_id WHERE m.user_id = `,
  invitations_sent: sql`SELECT email, role, created_at, expires_at FROM invitations WHERE invited_by = `,
  api_keys: sql`
    SELECT k.id, k.name, k.hint, p.name AS project, k.created_at, k.last_used_at, k.revoked_at, k.role, k.scopes,
      k.expires_at
    FROM api_keys k JOIN projects p ON p.id = k.project_id WHERE k.user_id = `,
  apps: sql`SELECT id, client_id, display_name, description, homepage, status, created_at FROM apps WHERE user_id = `,
  teams: sql`
    SELECT a.id, a.display_name, t.added_at FROM app_team t JOIN apps a ON a.id = t.app_id WHERE t.user_id = `,
  connected_apps: sql`
    SELECT a.display_name AS app, z.scope, z.created_at, z.last_used_at, z.revoked_at
    FROM authorizations z JOIN apps a ON a.id = z.app_id WHERE z.user_id = `,
  reviews_submitted: sql`
    SELECT id, app_id, version_id, status, created_at, decided_at FROM review_requests WHERE submitted_by = `,
} as const

type Value = string | number | null

/** The data that the service stores about a user, by section, without credentials. */
export async function exportAccount(
  { db, heavy }: Pick<Store, 'db' | 'heavy'>,
  user_id: string,
): Promise<Record<string, Record<string, Value>[]>> {
  const sections: Record<string, Record<string, Value>[]> = {}
  for (const [name, query] of Object.entries(SECTIONS)) sections[name] = await db.all(sql`${query}${user_id}`)
  const actor = `user:${user_id}`
  sections.actions = await heavy(sql`
    SELECT at AS created_at, action, target, ip, outcome FROM audit_log WHERE actor = ${actor}
    ORDER BY id DESC LIMIT ${MAX_ACTIONS}`)
  return sections
}
