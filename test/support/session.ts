import { cookieName, SESSION_COOKIE } from '../../src/access/session.ts'
import { newToken, tokenHash } from '../../src/secrets.ts'
import type { Role } from '../../src/shared/roles.ts'
import { sessions } from '../../src/store/tables/accounts.ts'
import type { World } from './world.ts'

/** The cookie of a new session of a person of the world, made without the cost of checking a password. */
export async function newSession(
  { service, users, clock }: World,
  role: Role | 'outsider',
  details: Partial<typeof sessions.$inferInsert> = {},
): Promise<{ name: string; value: string }> {
  const { store, base_url } = service.runtime
  const value = newToken('svc_ss_')
  const now = clock.now()
  await store.write((tx) =>
    tx.insert(sessions).values({
      token_hash: tokenHash(value),
      user_id: users[role],
      created_at: now,
      last_used_at: now,
      expires_at: now + 86_400_000,
      ...details,
    }),
  )
  return { name: cookieName(base_url, SESSION_COOKIE), value }
}
