import type { ProjectId } from '../ids.ts'
import { createHash } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import { newToken, sameSecret, tokenHash } from '../secrets.ts'
import type { Tx } from '../store/open.ts'
import { users } from '../store/tables/accounts.ts'
import { apps } from '../store/tables/apps.ts'
import { authorization_codes } from '../store/tables/oauth.ts'
import { type App, isRegistered, mayAuthorize } from './clients.ts'
import { endAuthorization, startAuthorization } from './authorizations.ts'
import { invalidGrant } from './errors.ts'
import { PKCE_TEXT } from './request.ts'
import { type Granted, issueTokens } from './tokens.ts'

export const CODE_LIFE_MS = 60_000

interface Approval {
  app_id: string
  user_id: string
  redirect_uri: string
  scopes: readonly string[]
  project_ids: ProjectId[]
  code_challenge: string | null
}

/** Stores what a user approved and returns the code for it, which works once and for a minute. */
export async function issueCode(tx: Tx, { scopes, ...approval }: Approval, now: number): Promise<string> {
  const code = newToken('svc_ac_')
  await tx.insert(authorization_codes).values({
    ...approval,
    code_hash: tokenHash(code),
    scope: scopes.join(' '),
    created_at: now,
    expires_at: now + CODE_LIFE_MS,
  })
  return code
}

interface CodeExchange {
  code: string
  redirect_uri: string
  code_verifier: string | null
  /** The life of the access token. */
  ttl_seconds: number
  /** Whether the service's own page of the first call exchanges the code. Apps register all other addresses. */
  is_first_call?: boolean
}

/**
 * Exchanges a code (RFC 6749, 4.1.3). Reuse is checked after the proofs of possession, so a stolen code without its
 * verifier revokes nothing. A proven second use revokes what the first one gave, however late it comes
 * (RFC 9700, 2.1.1).
 */
export async function exchangeCode(tx: Tx, app: App, exchange: CodeExchange, now: number): Promise<Granted> {
  const code_hash = tokenHash(exchange.code)
  const [row] = await tx
    .select({ code: authorization_codes, disabled_at: users.disabled_at, redirect_uris: apps.redirect_uris })
    .from(authorization_codes)
    .innerJoin(apps, eq(apps.id, authorization_codes.app_id))
    .innerJoin(users, eq(users.id, authorization_codes.user_id))
    .where(eq(authorization_codes.code_hash, code_hash))
  if (!row || row.code.app_id !== app.id || row.disabled_at !== null)
    return { refusal: invalidGrant('The code is unknown or belongs to another client.') }
  const { code } = row
  if (!provesPossession(code.code_challenge, exchange.code_verifier))
    return { refusal: invalidGrant('The code_verifier does not belong to the code.') }
  if (code.redirect_uri !== exchange.redirect_uri)
    return { refusal: invalidGrant('The redirect_uri is not the one that the code was sent to.') }
  if (!exchange.is_first_call && !isRegistered(row, code.redirect_uri))
    return { refusal: invalidGrant('The app has removed the redirect_uri that the code was sent to.') }
  if (code.authorization_id !== null) {
    await endAuthorization(tx, code.authorization_id, now)
    return {
      refusal: invalidGrant('The code was used before. What it gave has been revoked.'),
      ended: code.authorization_id,
    }
  }
  if (code.expires_at <= now) return { refusal: invalidGrant('The code has expired.') }
  if (!(await mayAuthorize(tx, app, code.user_id)))
    return { refusal: invalidGrant('The app is in development, and the user has left its team.') }
  const authorization_id = await startAuthorization(tx, code, now)
  if (authorization_id === null)
    return { refusal: invalidGrant('The user has no access to the approved projects any more.') }
  await tx
    .update(authorization_codes)
    .set({ authorization_id })
    .where(and(eq(authorization_codes.code_hash, code_hash), isNull(authorization_codes.authorization_id)))
  const answer = await issueTokens(tx, { authorization_id, scope: code.scope, ttl_seconds: exchange.ttl_seconds }, now)
  return { answer, grant: { authorization_id, user_id: code.user_id } }
}

/** RFC 7636, 4.6. A verifier for a code without a challenge is refused as well (RFC 9700, 2.1.1). */
function provesPossession(challenge: string | null, verifier: string | null): boolean {
  if (challenge === null || verifier === null) return challenge === verifier
  return PKCE_TEXT.test(verifier) && sameSecret(createHash('sha256').update(verifier).digest('base64url'), challenge)
}
