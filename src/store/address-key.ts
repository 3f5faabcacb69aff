import { sql } from 'drizzle-orm'
import type { ProjectId } from '../ids.ts'
import { one } from './rows.ts'
import type { Reader, Tx } from './store.ts'

/**
 * Keyed hashes that stand for addresses: in suppressions of deleted contacts (docs/api/consent.md#deleting) and in
 * facts (docs/operations.md#facts). The key is random for each project and never changes.
 */

/** Reads the project's hash key; null when it has none yet. */
export async function findAddressKey(db: Reader, project_id: ProjectId): Promise<string | null> {
  const [found] = await db.all<{ key: string }>(sql`SELECT key FROM address_keys WHERE project_id = ${project_id}`)
  return found?.key ?? null
}

/** Reads the project's hash key, and creates it for a project that has none. */
export async function addressKey(tx: Tx, project_id: ProjectId): Promise<string> {
  const rows = await tx.all<{ key: string }>(sql`
    INSERT INTO address_keys (project_id, key) VALUES (${project_id}, lower(hex(randomblob(32))))
    ON CONFLICT DO UPDATE SET key = key RETURNING key`)
  return one(rows).key
}

/** The keyed hash that is stored in place of an address. It begins with `#`, so it never equals an address. */
export function addressMark(key: string, email_key: string): string {
  return `#${new Bun.CryptoHasher('sha256', key).update(email_key).digest('base64url')}`
}
