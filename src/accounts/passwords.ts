import { AppError, type Flaw, invalidRequest } from '../errors.ts'
import { hashPassword, newToken, passwordMatches } from '../secrets.ts'

export const PASSWORD_MIN_CHARACTERS = 8
/** What hashing takes grows with the length; nobody types more than this. */
export const PASSWORD_MAX_BYTES = 1024

/** Each hash takes 19 MiB and a core for some hundredths of a second: so many at once, so many more may wait. */
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

/** VALIDATION_FAILED for a password that cannot be one. */
export function requireGoodPassword(password: string): void {
  const details = passwordFlaws(password)
  if (details.length > 0) throw invalidRequest(details)
}

/** The hash to store. Takes its time: never inside a transaction. */
export function hashOf(password: string): Promise<string> {
  return inTurn(() => hashPassword(password))
}

let nobodysHash: Promise<string> | undefined

/**
 * Whether the password is the one behind the hash. Without a hash (nobody has this address) it does the same
 * work and answers false: the time does not tell who has an account.
 */
export async function passwordIs(password: string, hash: string | null): Promise<boolean> {
  nobodysHash ??= hashPassword(newToken('svc_ss_'))
  const compared = hash ?? (await nobodysHash)
  const possible = Buffer.byteLength(password) <= PASSWORD_MAX_BYTES ? password : ''
  const matches = await inTurn(() => passwordMatches(possible, compared))
  return matches && hash !== null
}

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < AT_ONCE) running++
  else await aTurn()
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

function aTurn(): Promise<void> {
  if (waiting.length >= MAX_WAITING) {
    throw new AppError('RATE_LIMITED', 'Too many people are signing in. Try again in a moment.', {
      headers: { 'Retry-After': '1' },
    })
  }
  return new Promise((resolve) => waiting.push(resolve))
}
