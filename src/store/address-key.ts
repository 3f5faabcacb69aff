import { sql } from 'drizzle-orm'
import type { ProjectId } from '../ids.ts'
import { one } from './rows.ts'
import type { Reader, Tx } from './store.ts'

/**
 * Keyed hashes that stand for addresses: in suppressions of deleted contacts (docs/api/consent.md#deleting) and in
 * facts (docs/operations.md#facts). The key is random for each project and never changes.
 */

/** The key of a project; null while it has none. */
export async function findAddressKey(db: Reader, project_id: ProjectId): Promise<string | null> {
  const [found] = await db.all<{ key: string }>(sql`SELECT key FROM address_keys WHERE project_id = ${project_id}`)
  return found?.key ?? null
}

/** The key of a project. It is made with the project, or here for one that has none. */
export async function addressKey(tx: Tx, project_id: ProjectId): Promise<string> {
  const rows = await tx.all<{ key: string }>(sql`
    INSERT INTO address_keys (project_id, key) VALUES (${project_id}, lower(hex(randomblob(32))))
    ON CONFLICT DO UPDATE SET key = key RETURNING key`)
  return one(rows).key
}

/** The hash that stands for an address. No address begins with the number sign that it begins with. */
export function addressMark(key: string, email_key: string): string {
  return `#${new Bun.CryptoHasher('sha256', key).update(email_key).digest('base64url')}`
}
