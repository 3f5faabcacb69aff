import { MINUTE_MS } from '../clock.ts'
import { randomBytes } from 'node:crypto'
import { and, eq, lt } from 'drizzle-orm'
import type { TOTP } from 'otpauth'
import { AppError, invalid } from '../errors.ts'
import { once } from '../once.ts'
import { type Keys, sha256 } from '../secrets.ts'
import type { Reader, Tx } from '../store/open.ts'
import { first, hasRows } from '../store/rows.ts'
import { seal, SEALED, unseal } from '../store/sealed.ts'
import { recovery_codes, totp_factors } from '../store/tables/sign-in.ts'

/**
 * The second factor of a user: one-time passwords of an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds,
 * which is what all apps support) and ten recovery codes. It is asked for after the password
 * (docs/api/platform.md#second-factor).
 */

const PERIOD_S = 30
/** Codes of the neighboring time steps are accepted, because clocks differ (RFC 6238, 5.2). */
const WINDOW = 1
/** The validity of a set-up that has begun. */
const ENROLLMENT_MS = 30 * MINUTE_MS

interface Enrollment {
  /** In base 32, for people who type it. */
  secret: string
  /** The key as authenticator apps read it. */
  otpauth_url: string
  /** `otpauth_url` as a QR code in SVG. */
  qr_svg: string
  /** The sealed secret, to send back with the first code. Nothing is stored until then. */
  enrollment: string
}

/** A new secret for a user who sets the factor up. */
export function beginEnrollment(
  { keys, base_url }: { keys: Keys; base_url: string },
  user: { id: string; email: string },
  now: number,
): Enrollment {
  const secret = new (otpauth().Secret)({ buffer: new Uint8Array(randomBytes(20)).buffer }).base32
  // A name has no colon: it would end the issuer.
  const names = { issuer: `Masthead (${new URL(base_url).hostname.replaceAll(':', '.')})`, label: user.email }
  const otpauth_url = totpOf(secret, names).toString()
  return {
    secret,
    otpauth_url,
    qr_svg: uqr().renderSVG(otpauth_url, { border: 4 }),
    enrollment: keys.seal('totp', JSON.stringify([secret, now + ENROLLMENT_MS]), enrollmentContext(user.id)),
  }
}

/** The secret of an enrollment; null when it is forged, another user's or expired. */
function readEnrollment(keys: Keys, user_id: string, enrollment: string, now: number): string | null {
  const text = keys.unseal('totp', enrollment, enrollmentContext(user_id))
  const [secret, expires_at] = text === null ? [null, 0] : (JSON.parse(text) as [string, number])
  return expires_at > now ? secret : null
}

/** Turns the factor on, and returns the recovery codes. VALIDATION_FAILED for a wrong code, CONFLICT if it is on. */
export async function enroll(
  tx: Tx,
  keys: Keys,
  { user_id, enrollment, code }: { user_id: string; enrollment: string; code: string },
  now: number,
): Promise<string[]> {
  const secret = readEnrollment(keys, user_id, enrollment, now)
  if (secret === null) throw invalid('/enrollment', 'This set-up has expired. Begin again.')
  const step = stepOf(secret, code, now)
  if (step === null) throw invalid('/code', 'This code is wrong. Check the clock of your device.')
  const secret_sealed = seal(keys, SEALED.totp_secret, secret, { user_id })
  const added = await tx
    .insert(totp_factors)
    .values({ user_id, secret_sealed, last_step: step, created_at: now })
    .onConflictDoNothing()
    .returning({ user_id: totp_factors.user_id })
  if (added.length === 0) throw new AppError('CONFLICT', 'One-time codes are already set up.')
  return newRecoveryCodes(tx, user_id)
}

/** Turns the factor off, with its recovery codes; false when it was off. */
export async function removeTotp(tx: Tx, user_id: string): Promise<boolean> {
  await tx.delete(recovery_codes).where(eq(recovery_codes.user_id, user_id))
  return hasRows(
    await tx.delete(totp_factors).where(eq(totp_factors.user_id, user_id)).returning({ id: totp_factors.user_id }),
  )
}

interface TotpState {
  created_at: number
  recovery_codes_left: number
}

/** The factor of a user; null when it is off. */
export async function totpState(db: Reader, user_id: string): Promise<TotpState | null> {
  const row = first(
    await db
      .select({ created_at: totp_factors.created_at })
      .from(totp_factors)
      .where(eq(totp_factors.user_id, user_id)),
  )
  if (!row) return null
  return { ...row, recovery_codes_left: await db.$count(recovery_codes, eq(recovery_codes.user_id, user_id)) }
}

/** Accepts a one-time code or a recovery code, each once; null for any other text. */
export async function acceptCode(
  tx: Tx,
  keys: Keys,
  { user_id, code }: { user_id: string; code: string },
  now: number,
): Promise<'totp' | 'recovery_code' | null> {
  const factor = first(await tx.select().from(totp_factors).where(eq(totp_factors.user_id, user_id)))
  if (!factor) return null
  const secret = unseal(keys, SEALED.totp_secret, factor.secret_sealed, { user_id })
  const step = secret === null ? null : stepOf(secret, code, now)
  if (step !== null) {
    const used = await tx
      .update(totp_factors)
      .set({ last_step: step })
      .where(and(eq(totp_factors.user_id, user_id), lt(totp_factors.last_step, step)))
      .returning({ last_step: totp_factors.last_step })
    return used.length > 0 ? 'totp' : null
  }
  const spent = await tx
    .delete(recovery_codes)
    .where(and(eq(recovery_codes.user_id, user_id), eq(recovery_codes.code_hash, recoveryHash(user_id, code))))
    .returning({ user_id: recovery_codes.user_id })
  return spent.length > 0 ? 'recovery_code' : null
}

const RECOVERY_CODES = 10
const RECOVERY_ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'

/** Replaces the recovery codes of a user. The texts are shown once; only hashes are stored. */
export async function newRecoveryCodes(tx: Tx, user_id: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  await tx.delete(recovery_codes).where(eq(recovery_codes.user_id, user_id))
  await tx.insert(recovery_codes).values(codes.map((code) => ({ user_id, code_hash: recoveryHash(user_id, code) })))
  return codes
}

/** 120 random bits in six groups, so a fast hash is enough for a thief of the database, too. */
function newRecoveryCode(): string {
  const letters = [...randomBytes(24)].map((byte) => RECOVERY_ALPHABET[byte & 31])
  return [0, 4, 8, 12, 16, 20].map((start) => letters.slice(start, start + 4).join('')).join('-')
}

function recoveryHash(user_id: string, code: string): string {
  return sha256(`recovery code:${user_id}:${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`)
}

/** The time step of a code, or null for a wrong one. */
function stepOf(secret: string, code: string, now: number): number | null {
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return null
  const delta = totpOf(secret).validate({ token, timestamp: now, window: WINDOW })
  return delta === null ? null : Math.floor(now / 1000 / PERIOD_S) + delta
}

const otpauth = once(() => require('otpauth') as typeof import('otpauth'))
const uqr = once(() => require('uqr') as typeof import('uqr'))

function totpOf(secret: string, names: { issuer?: string; label?: string } = {}): TOTP {
  const { Secret, TOTP: Totp } = otpauth()
  return new Totp({ ...names, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: PERIOD_S })
}

function enrollmentContext(user_id: string): string {
  return `enrollment:${user_id}`
}
