import { DAY_MS } from '../clock.ts'
import { eq, sql } from 'drizzle-orm'
import type { Config } from '../config.ts'
import { newToken, SecretKey, tokenHash } from '../secrets.ts'
import type { Tx } from '../store/open.ts'
import { first, hasRows } from '../store/rows.ts'
import { access_tokens } from '../store/tables/apps.ts'
import { refresh_tokens } from '../store/tables/oauth.ts'
import { endAuthorization } from './authorizations.ts'
import type { App } from './clients.ts'
import { invalidGrant, OAuthError } from './errors.ts'

/** RFC 6749, 5.1. */
export interface TokenAnswer {
  access_token: string
  token_type: 'Bearer'
  /** Whole seconds from now. */
  expires_in: number
  refresh_token: string
  scope: string
}

/** The outcome of a token request. A refusal is a value, not an exception, because its changes must be committed. */
export type Granted =
  | { answer: TokenAnswer; /** What the tokens belong to. */ grant: { authorization_id: string; user_id: string } }
  | { refusal: OAuthError; /** The authorization that was ended. */ ended?: string }

interface Grant {
  authorization_id: string
  scope: string
  ttl_seconds: number
}

/** Issues the first token pair of an authorization. */
export async function issueTokens(tx: Tx, grant: Grant, now: number): Promise<TokenAnswer> {
  return rendered(await mint(tx, grant, newPair(grant, now), now), now)
}

interface RefreshRequest {
  presented: string
  /** Scopes of the access token, null for all of the grant; the refresh token always keeps the whole grant. */
  requested_scopes: readonly string[] | null
  /** Lifetime of the access token. */
  ttl_seconds: number
  life: RefreshTokenLife
}

interface RefreshTokenLife {
  /** Days after which an unused refresh token ends. */
  idle_days: number
  /** Days after which all refresh tokens of an authorization end. */
  longest_days: number
}

/** A refresh token and its authorization. */
interface Held {
  authorization_id: string
  app_id: string
  user_id: string
  scope: string
  rotated_at: number | null
  created_at: number
  authorized_at: number
}

export function refreshTokenLife(
  config: Pick<Config, 'refresh_token_idle_days' | 'refresh_token_longest_days'>,
): RefreshTokenLife {
  return { idle_days: config.refresh_token_idle_days, longest_days: config.refresh_token_longest_days }
}

/** When a refresh token ends unless it is used before. */
export function refreshTokenEnd(
  { created_at, authorized_at }: Pick<Held, 'created_at' | 'authorized_at'>,
  { idle_days, longest_days }: RefreshTokenLife,
): number {
  return Math.min(created_at + idle_days * DAY_MS, authorized_at + longest_days * DAY_MS)
}

/**
 * Exchanges a refresh token (RFC 6749, 6) and rotates it.
 *
 *     active ──first use──▶ rotated ──used again within 30 seconds──────────────▶ rotated (the same pair again)
 *                              ├─────within a day, its successor unused────────▶ rotated (a new pair; that one ends)
 *                              └─────used otherwise────────────────────────────▶ the whole authorization ends
 *
 * A token that is not used for some days ends by itself, and so does each token of an authorization that has become
 * old (OAuth 2.0 Security, RFC 9700, 4.14.2); the authorization stays. The 30 seconds are for clients that
 * refresh in parallel, the day for a response that was lost. Rotation, response and the end of a grant are one
 * transaction (docs/api/oauth.md#refresh-rotation).
 */
export async function refreshTokens(
  tx: Tx,
  app: App,
  { presented, requested_scopes, ttl_seconds, life }: RefreshRequest,
  now: number,
): Promise<Granted> {
  const token_hash = tokenHash(presented)
  const [held] = await tx.all<Held>(sql`
    SELECT authorization.id AS authorization_id, authorization.app_id, authorization.user_id, authorization.scope,
      token.rotated_at, token.created_at, authorization.created_at AS authorized_at
    FROM refresh_tokens token
    JOIN authorizations authorization ON authorization.id = token.authorization_id
    JOIN users user ON user.id = authorization.user_id
    WHERE token.token_hash = ${token_hash} AND authorization.revoked_at IS NULL AND user.disabled_at IS NULL`)
  if (!held || held.app_id !== app.id)
    return { refusal: invalidGrant('The refresh token is unknown, revoked, or belongs to another client.') }
  const { idle_days, longest_days } = life
  if (now >= held.authorized_at + longest_days * DAY_MS)
    return { refusal: invalidGrant(`The refresh token ended: the user authorized the app ${longest_days} days ago.`) }
  if (held.rotated_at === null && now >= refreshTokenEnd(held, life))
    return { refusal: invalidGrant(`The refresh token ended: it was not used for ${idle_days} days.`) }

  const { authorization_id } = held
  const grant = { authorization_id, scope: requested_scopes?.join(' ') ?? held.scope, ttl_seconds }
  const isTooWide = requested_scopes !== null && !within(requested_scopes, held.scope)
  const pair = newPair(grant, now)
  if (held.rotated_at === null) {
    if (isTooWide) return { refusal: tooWide() }
    if (await rotate(tx, presented, pair, now))
      return { answer: rendered(await mint(tx, grant, pair, now), now), grant: held }
  }
  const stored = await storedAnswer(tx, presented, now)
  if (!stored) {
    await endAuthorization(tx, authorization_id, now)
    return {
      refusal: invalidGrant('The refresh token was used before. The authorization has been revoked.'),
      ended: authorization_id,
    }
  }
  if (isTooWide) return { refusal: tooWide() }
  if (!stored.is_lost) return { answer: rendered(stored.pair, now), grant: held }
  await replaceLost(tx, presented, { lost: stored.pair, pair }, now)
  return { answer: rendered(await mint(tx, grant, pair, now), now), grant: held }
}

/** How long a rotated token gives the same pair, and how long a new one while its successor is unused. */
const GRACE_MS = 30_000
export const LOST_ANSWER_MS = DAY_MS

interface Pair {
  access_token: string
  refresh_token: string
  scope: string
  expires_at: number
}

function newPair({ scope, ttl_seconds }: Grant, now: number): Pair {
  return {
    access_token: newToken('svc_at_'),
    refresh_token: newToken('svc_rt_'),
    scope,
    expires_at: now + ttl_seconds * 1000,
  }
}

async function mint(tx: Tx, { authorization_id }: Grant, pair: Pair, now: number): Promise<Pair> {
  await tx.run(sql`
    INSERT INTO refresh_tokens (token_hash, authorization_id, created_at)
    VALUES (${tokenHash(pair.refresh_token)}, ${authorization_id}, ${now})`)
  await tx.run(sql`
    INSERT INTO access_tokens (token_hash, authorization_id, scope, created_at, expires_at)
    VALUES (${tokenHash(pair.access_token)}, ${authorization_id}, ${pair.scope}, ${now}, ${pair.expires_at})`)
  await tx.run(sql`UPDATE authorizations SET last_used_at = ${now} WHERE id = ${authorization_id}`)
  return pair
}

/** True for the one request that finds the token active. Its response is stored for the token's grace period. */
async function rotate(tx: Tx, presented: string, pair: Pair, now: number): Promise<boolean> {
  const successor_hash = tokenHash(pair.refresh_token)
  const sealed_answer = keyOf(presented).seal('receipt', JSON.stringify(pair), successor_hash)
  return hasRows(
    await tx.all(sql`
      UPDATE refresh_tokens
      SET rotated_at = ${now}, successor_hash = ${successor_hash}, sealed_answer = ${sealed_answer}
      WHERE token_hash = ${tokenHash(presented)} AND rotated_at IS NULL RETURNING 1`),
  )
}

/** The stored response of a rotated token, and whether its successor may be replaced; null when it proves a theft. */
async function storedAnswer(tx: Tx, presented: string, now: number): Promise<{ pair: Pair; is_lost: boolean } | null> {
  const row = first(
    await tx
      .select()
      .from(refresh_tokens)
      .where(eq(refresh_tokens.token_hash, tokenHash(presented))),
  )
  if (!row?.sealed_answer || row.rotated_at === null || row.successor_hash === null) return null
  const successor = first(
    await tx.select().from(refresh_tokens).where(eq(refresh_tokens.token_hash, row.successor_hash)),
  )
  if (!successor) return null
  const is_lost = now - successor.created_at > GRACE_MS
  if (is_lost && !(now - row.rotated_at < LOST_ANSWER_MS && successor.rotated_at === null)) return null
  const opened = keyOf(presented).unseal('receipt', row.sealed_answer, row.successor_hash)
  return opened === null ? null : { pair: JSON.parse(opened) as Pair, is_lost }
}

/**
 * Puts a new pair in the place of one whose response was lost. The lost refresh token counts as replaced, so it ends
 * the grant when it is shown again; the lost access token ends.
 */
async function replaceLost(
  tx: Tx,
  presented: string,
  { lost, pair }: Record<'lost' | 'pair', Pair>,
  now: number,
): Promise<void> {
  const successor_hash = tokenHash(pair.refresh_token)
  await tx
    .update(refresh_tokens)
    .set({ rotated_at: now, successor_hash })
    .where(eq(refresh_tokens.token_hash, tokenHash(lost.refresh_token)))
  await tx
    .update(access_tokens)
    .set({ revoked_at: now })
    .where(eq(access_tokens.token_hash, tokenHash(lost.access_token)))
  await tx
    .update(refresh_tokens)
    .set({ successor_hash, sealed_answer: keyOf(presented).seal('receipt', JSON.stringify(pair), successor_hash) })
    .where(eq(refresh_tokens.token_hash, tokenHash(presented)))
}

/** The token itself is the key. Only its hash is stored, so the database alone does not reveal the response. */
function keyOf(token: string): SecretKey {
  return new SecretKey(token)
}

function rendered({ access_token, refresh_token, scope, expires_at }: Pair, now: number): TokenAnswer {
  return {
    access_token,
    token_type: 'Bearer',
    expires_in: Math.max(0, Math.floor((expires_at - now) / 1000)),
    refresh_token,
    scope,
  }
}

function within(names: readonly string[], scope: string): boolean {
  return new Set(names).isSubsetOf(new Set(scope.split(' ')))
}

function tooWide(): OAuthError {
  return new OAuthError(
    'invalid_scope',
    'A refresh cannot widen what was granted. For more, the user has to authorize the app again.',
  )
}
