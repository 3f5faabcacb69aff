import { and, asc, eq, isNull } from 'drizzle-orm'
import { AppError, invalidState } from '../errors.ts'
import { newId } from '../ids.ts'
import { newToken, tokenHash } from '../secrets.ts'
import type { Reader, Tx } from '../store/open.ts'
import { one, oneOrNotFound } from '../store/rows.ts'
import { app_secrets } from '../store/tables/oauth.ts'

/** A secret as it is shown: only its last four characters. */
export type AppSecret = Omit<typeof app_secrets.$inferSelect, 'secret_hash'>

/** Two, so that a secret can be replaced without a gap: create the new one, deploy it, then revoke the old one. */
const MAX_SECRETS = 2

export async function listSecrets(db: Reader, app_id: string): Promise<AppSecret[]> {
  return db
    .select(SECRET)
    .from(app_secrets)
    .where(eq(app_secrets.app_id, app_id))
    .orderBy(asc(app_secrets.created_at), asc(app_secrets.id))
}

/** Creates a secret, shown only in this answer. CONFLICT for a third active one, INVALID_STATE for a public client. */
export async function addSecret(
  tx: Tx,
  app: { id: string; client_type: string },
  now: number,
): Promise<{ secret: AppSecret; client_secret: string }> {
  if (app.client_type === 'public') throw invalidState('A public client has no secrets.', 'public')
  if ((await activeSecrets(tx, app.id)) >= MAX_SECRETS)
    throw new AppError('CONFLICT', `An app has at most ${MAX_SECRETS} active secrets. Revoke one first.`)
  return newSecret(tx, app.id, now)
}

export async function newSecret(
  tx: Tx,
  app_id: string,
  now: number,
): Promise<{ secret: AppSecret; client_secret: string }> {
  const client_secret = newToken('svc_cs_')
  const row = {
    id: newId('key'),
    app_id,
    secret_hash: tokenHash(client_secret),
    hint: client_secret.slice(-4),
    created_at: now,
  }
  return { secret: one(await tx.insert(app_secrets).values(row).returning(SECRET)), client_secret }
}

/** Revokes a secret. NOT_FOUND when it is unknown or already revoked, CONFLICT for the last active one. */
export async function revokeSecret(tx: Tx, app_id: string, secret_id: string, now: number): Promise<void> {
  const own = and(eq(app_secrets.id, secret_id), eq(app_secrets.app_id, app_id), isNull(app_secrets.revoked_at))
  oneOrNotFound(await tx.select({ id: app_secrets.id }).from(app_secrets).where(own), 'secret')
  if ((await activeSecrets(tx, app_id)) === 1)
    throw new AppError('CONFLICT', 'This is the last active secret. Create another one first.')
  await tx.update(app_secrets).set({ revoked_at: now }).where(own)
}

async function activeSecrets(db: Reader, app_id: string): Promise<number> {
  return db.$count(app_secrets, and(eq(app_secrets.app_id, app_id), isNull(app_secrets.revoked_at)))
}

const SECRET = {
  id: app_secrets.id,
  app_id: app_secrets.app_id,
  hint: app_secrets.hint,
  created_at: app_secrets.created_at,
  last_used_at: app_secrets.last_used_at,
  revoked_at: app_secrets.revoked_at,
}
