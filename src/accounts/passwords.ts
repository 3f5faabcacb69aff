import { AppError, type Flaw, invalidRequest } from '../errors.ts'
import { hashPassword, newToken, passwordMatches } from '../secrets.ts'
import { sharedTurns } from '../turns.ts'
import { isGuessable, PASSWORD_MIN_CHARACTERS } from './guessable.ts'

/** The cost of hashing grows with the length. */
const PASSWORD_MAX_BYTES = 1024

/** Concurrent hashes, and how many more may wait: each takes 19 MiB and a core for some hundredths of a second. */
const STRANGERS_AT_ONCE = 2
const KNOWN_AT_ONCE = 2
const MAX_WAITING = 200

/** `known`: a signed-in user, or a device that the account was signed in from before. */
type Caller = 'strangers' | 'known'

/**
 * What is wrong with a new password.
 *
 * @param email of the account; null when the operator sets the password, who may choose a common one
 */
export function passwordFlaws(password: string, email: string | null): Flaw[] {
  const message = messageFor(password, email)
  return message === null ? [] : [{ path: '/password', message }]
}

function messageFor(password: string, email: string | null): string | null {
  if ([...password].length < PASSWORD_MIN_CHARACTERS)
    return `A password has at least ${PASSWORD_MIN_CHARACTERS} characters.`
  if (Buffer.byteLength(password) > PASSWORD_MAX_BYTES) return `A password has at most ${PASSWORD_MAX_BYTES} bytes.`
  return email !== null && isGuessable(password, email)
    ? 'Others guess this password easily. Choose one that is neither common nor made of your address.'
    : null
}

/** VALIDATION_FAILED for a password that is not acceptable; `email` as in `passwordFlaws`. */
export function requireGoodPassword(password: string, email: string | null): void {
  const details = passwordFlaws(password, email)
  if (details.length > 0) throw invalidRequest(details)
}

/** The hash to store. Slow by design; never call it inside a transaction. */
export function hashNewPassword(password: string): Promise<string> {
  return withHashingSlot('strangers', () => hashPassword(password))
}

let decoyHash: Promise<string> | undefined

/**
 * Whether the password matches the hash. Without a hash (unknown address) it does the same work and returns false, so
 * the time reveals no accounts.
 */
export async function checkPassword(password: string, hash: string | null, from: Caller): Promise<boolean> {
  decoyHash ??= hashPassword(newToken('svc_ss_'))
  const compared = hash ?? (await decoyHash)
  const possible = Buffer.byteLength(password) <= PASSWORD_MAX_BYTES ? password : ''
  const matches = await withHashingSlot(from, () => passwordMatches(possible, compared))
  return matches && hash !== null
}

/**
 * Separate slots for strangers and known devices, so that a flood of sign-ins by strangers delays nobody on a known
 * device (docs/api/platform.md#devices).
 */
const rooms = {
  strangers: sharedTurns({ name: 'passwords of strangers', at_once: STRANGERS_AT_ONCE, max_waiting: MAX_WAITING }),
  known: sharedTurns({ name: 'passwords', at_once: KNOWN_AT_ONCE, max_waiting: MAX_WAITING }),
}

/** Runs `work` when it is its turn. RATE_LIMITED when too many wait. */
function withHashingSlot<T>(from: Caller, work: () => Promise<T>): Promise<T> {
  return rooms[from].take(
    work,
    () =>
      new AppError('RATE_LIMITED', 'Too many people are signing in. Try again in a moment.', {
        headers: { 'Retry-After': '1' },
      }),
  )
}
