import { AppError, type Flaw, invalidRequest } from '../errors.ts'
import { hashPassword, newToken, passwordMatches } from '../secrets.ts'

export const PASSWORD_MIN_CHARACTERS = 8
/** The cost of hashing grows with the length. */
export const PASSWORD_MAX_BYTES = 1024

/** Concurrent hashes, and how many more may wait: each takes 19 MiB and a core for some hundredths of a second. */
const AT_ONCE = 4
const MAX_WAITING = 200

export function passwordFlaws(password: string): Flaw[] {
  const message =
    [...password].length < PASSWORD_MIN_CHARACTERS
      ? `A password has at least ${PASSWORD_MIN_CHARACTERS} characters.`
      : Buffer.byteLength(password) > PASSWORD_MAX_BYTES
        ? `A password has at most ${PASSWORD_MAX_BYTES} bytes.`
        : null
  return message === null ? [] : [{ path: '/password', message }]
}

/** VALIDATION_FAILED for a password that is not acceptable. */
export function requireGoodPassword(password: string): void {
  const details = passwordFlaws(password)
  if (details.length > 0) throw invalidRequest(details)
}

/** The hash to store. Slow by design; never call it inside a transaction. */
export function hashNewPassword(password: string): Promise<string> {
  return withHashingSlot(() => hashPassword(password))
}

let decoyHash: Promise<string> | undefined

/**
 * Whether the password matches the hash. Without a hash (unknown address) it does the same work and returns false, so
 * the time reveals no accounts.
 */
export async function checkPassword(password: string, hash: string | null): Promise<boolean> {
  decoyHash ??= hashPassword(newToken('svc_ss_'))
  const compared = hash ?? (await decoyHash)
  const possible = Buffer.byteLength(password) <= PASSWORD_MAX_BYTES ? password : ''
  const matches = await withHashingSlot(() => passwordMatches(possible, compared))
  return matches && hash !== null
}

let running = 0
const waiting: (() => void)[] = []

/** Runs `work` while fewer than AT_ONCE hashes are computed. RATE_LIMITED when too many wait. */
async function withHashingSlot<T>(work: () => Promise<T>): Promise<T> {
  if (running < AT_ONCE) running++
  else await freeSlot()
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

function freeSlot(): Promise<void> {
  if (waiting.length >= MAX_WAITING) {
    throw new AppError('RATE_LIMITED', 'Too many people are signing in. Try again in a moment.', {
      headers: { 'Retry-After': '1' },
    })
  }
  return new Promise((resolve) => waiting.push(resolve))
}
