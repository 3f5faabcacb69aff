import { MINUTE_MS } from '../clock.ts'
import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { and, asc, eq, sql } from 'drizzle-orm'
import { AppError, invalid, notFound } from '../errors.ts'
import { newId } from '../ids.ts'
import { type Keys, sha256 } from '../secrets.ts'
import type { Runtime } from '../runtime.ts'
import type { Reader, Tx } from '../store/open.ts'
import { deleteWhere, type RetentionRule } from '../store/retention.ts'
import { first, hasRows } from '../store/rows.ts'
import { passkeys, used_challenges } from '../store/tables/sign-in.ts'
import type { User } from './users.ts'

/**
 * Passkeys (WebAuthn): discoverable credentials that verify their user, so one replaces password and second factor
 * (docs/api/platform.md#passkeys). @simplewebauthn implements the protocol.
 */
export type Passkey = typeof passkeys.$inferSelect

/** The purpose of a challenge. An answer is valid only for the purpose of its challenge. */
type PasskeyUse = 'register' | 'sign-in' | 'confirm'

const MAX_PASSKEYS = 20
const CHALLENGE_MS = 5 * MINUTE_MS

/** Loaded with the first use: its certificates take 90 ms and 25 MB. */
const webauthn = () => import('@simplewebauthn/server')

interface RelyingParty {
  id: string
  origin: string
}

/**
 * The service as browsers name it in a credential; null where they accept none, because the public address is an IP
 * address. The names of this machine are one: a passkey works on localhost.
 */
export function relyingParty(base_url: string): RelyingParty | null {
  const { protocol, hostname, port, origin } = new URL(base_url)
  const host = hostname.replace(/^\[|\]$/g, '')
  if (host === 'localhost' || host === '::1' || host.startsWith('127.'))
    return { id: 'localhost', origin: `${protocol}//localhost${port && `:${port}`}` }
  return isIP(host) ? null : { id: host, origin }
}

type Keyed = Pick<Runtime, 'keys' | 'base_url'>

/** WebAuthn options with which the browser creates a passkey. CONFLICT when the user has as many as allowed. */
export async function registrationOptions(db: Reader, context: Keyed, user: User, now: number) {
  const own = await listPasskeys(db, user.id)
  requireRoomForPasskey(own.length)
  const { generateRegistrationOptions } = await webauthn()
  return generateRegistrationOptions({
    rpName: 'Masthead',
    rpID: requireParty(context).id,
    userID: new TextEncoder().encode(user.id),
    userName: user.email,
    userDisplayName: `${user.first_name} ${user.last_name}`.trim() || user.email,
    challenge: newChallenge(context.keys, 'register', user.id, now),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    excludeCredentials: own.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** A verified answer to `registrationOptions`, ready for `addPasskey`. */
interface NewPasskey {
  challenge: string
  credential_id: string
  public_key: string
  counter: number
  transports: string[]
}

/** Verifies the answer of a browser that made a passkey. VALIDATION_FAILED for any flaw. */
export async function verifyRegistration(
  context: Keyed,
  user_id: string,
  response: unknown,
  now: number,
): Promise<NewPasskey> {
  const party = requireParty(context)
  const { verifyRegistrationResponse } = await webauthn()
  let challenge = ''
  const verified = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: (given) => {
      challenge = given
      return isChallenge(context.keys, given, { use: 'register', subject: user_id }, now)
    },
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
  }).catch(() => null)
  if (!verified?.verified) throw invalid('/response', 'The browser did not make a passkey for this account. Try again.')
  const { id, publicKey, counter, transports } = verified.registrationInfo.credential
  return {
    challenge,
    credential_id: id,
    public_key: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: transports ?? [],
  }
}

/** Stores a passkey. CONFLICT when the user has as many as allowed, or the credential is known. */
export async function addPasskey(
  tx: Tx,
  { user_id, name, challenge, ...credential }: NewPasskey & { user_id: string; name: string },
  now: number,
): Promise<Passkey> {
  if (!(await useChallenge(tx, challenge, now))) throw invalid('/response', 'This answer was used already. Try again.')
  requireRoomForPasskey(await tx.$count(passkeys, eq(passkeys.user_id, user_id)))
  const row = { id: newId('psk'), user_id, name, ...credential, created_at: now }
  const added = first(await tx.insert(passkeys).values(row).onConflictDoNothing().returning())
  if (!added) throw new AppError('CONFLICT', 'This passkey is already in use.')
  return added
}

/**
 * WebAuthn options with which the browser signs a challenge by a passkey. `subject` binds the answer: a session, or
 * empty at a sign-in.
 */
export async function authenticationOptions(context: Keyed, use: PasskeyUse, subject: string, now: number) {
  const { generateAuthenticationOptions } = await webauthn()
  return generateAuthenticationOptions({
    rpID: requireParty(context).id,
    challenge: newChallenge(context.keys, use, subject, now),
    timeout: CHALLENGE_MS,
    userVerification: 'required',
  })
}

/** A verified answer with a passkey, ready for `usePasskey`. */
interface PasskeyAnswer {
  passkey: Passkey
  challenge: string
  counter: number
}

/**
 * Verifies the answer of a browser with a passkey; null for any flaw: an unknown credential, a wrong signature, origin
 * or challenge, no user verification, or a counter that did not grow (WebAuthn, 7.2).
 */
export async function verifyPasskey(
  db: Reader,
  context: Keyed,
  { use, subject, response }: { use: PasskeyUse; subject: string; response: unknown },
  now: number,
): Promise<PasskeyAnswer | null> {
  const party = requireParty(context)
  const answer = response as AuthenticationResponseJSON
  if (typeof answer?.id !== 'string' || typeof answer.response !== 'object') return null
  const passkey = first(await db.select().from(passkeys).where(eq(passkeys.credential_id, answer.id)))
  if (!passkey) return null
  const handle = answer.response?.userHandle
  if (handle !== undefined && Buffer.from(handle, 'base64url').toString() !== passkey.user_id) return null
  const { verifyAuthenticationResponse } = await webauthn()
  let challenge = ''
  const verified = await verifyAuthenticationResponse({
    response: answer,
    expectedChallenge: (given) => {
      challenge = given
      return isChallenge(context.keys, given, { use, subject }, now)
    },
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      counter: passkey.counter,
    },
    requireUserVerification: true,
  }).catch(() => null)
  if (!verified?.verified) return null
  return { passkey, challenge, counter: verified.authenticationInfo.newCounter }
}

/** Uses an answer, once; false when it was used or the passkey was used or removed meanwhile. */
export async function usePasskey(
  tx: Tx,
  { passkey, challenge, counter }: PasskeyAnswer,
  now: number,
): Promise<boolean> {
  if (!(await useChallenge(tx, challenge, now))) return false
  const used = await tx
    .update(passkeys)
    .set({ counter, last_used_at: now })
    .where(and(eq(passkeys.id, passkey.id), eq(passkeys.counter, passkey.counter)))
    .returning({ id: passkeys.id })
  return used.length > 0
}

export async function listPasskeys(db: Reader, user_id: string): Promise<Passkey[]> {
  return db
    .select()
    .from(passkeys)
    .where(eq(passkeys.user_id, user_id))
    .orderBy(asc(passkeys.created_at), asc(passkeys.id))
}

/** Whether any user of the service has a passkey: before a sign-in nobody knows whose browser it is. */
export async function anyPasskey(db: Reader): Promise<boolean> {
  return hasRows(await db.select({ id: passkeys.id }).from(passkeys).limit(1))
}

/** Removes a passkey and returns its name. NOT_FOUND for another user's. */
export async function removePasskey(tx: Tx, user_id: string, id: string): Promise<string> {
  const [removed] = await tx
    .delete(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.user_id, user_id)))
    .returning({ name: passkeys.name })
  if (!removed) throw notFound('passkey')
  return removed.name
}

function requireRoomForPasskey(count: number): void {
  if (count >= MAX_PASSKEYS) throw new AppError('CONFLICT', `An account has at most ${MAX_PASSKEYS} passkeys.`)
}

function requireParty({ base_url }: Keyed): RelyingParty {
  const party = relyingParty(base_url)
  if (!party) throw new AppError('CONFLICT', 'Passkeys need a host name: this service has an IP address.')
  return party
}

/** Signed, so nothing is stored before an answer is accepted. */
function newChallenge(keys: Keys, use: PasskeyUse, subject: string, now: number): string {
  const nonce = randomBytes(16).toString('base64url')
  return keys.sign('passkey', JSON.stringify([use, subject, now + CHALLENGE_MS, nonce]))
}

/** @param given the challenge as browsers repeat it: in base64url */
function isChallenge(keys: Keys, given: string, expected: { use: PasskeyUse; subject: string }, now: number): boolean {
  const payload = keys.verify('passkey', Buffer.from(given, 'base64url').toString())
  if (payload === null) return false
  const [use, subject, expires_at] = JSON.parse(payload.toString()) as [PasskeyUse, string, number]
  return use === expected.use && subject === expected.subject && expires_at > now
}

async function useChallenge(tx: Tx, challenge: string, now: number): Promise<boolean> {
  const used = await tx
    .insert(used_challenges)
    .values({ challenge_hash: sha256(challenge), expires_at: now + CHALLENGE_MS })
    .onConflictDoNothing()
    .returning({ expires_at: used_challenges.expires_at })
  return used.length > 0
}

export const challengeRetention: RetentionRule = {
  rows: 'answered challenges of passkeys and forms',
  kept: 'until they expire',
  statement: (now, limit) => deleteWhere('used_challenges', 'challenge_hash', sql`expires_at <= ${now}`, limit),
}
