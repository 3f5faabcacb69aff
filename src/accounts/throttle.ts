import { addressBlock } from '../access/address.ts'
import { type RateLimiter, rateLimited } from '../operation/rate-limit.ts'
import { sha256 } from '../secrets.ts'
import { emailKey } from '../address.ts'

/**
 * Counts an attempt for the client's address and, with half the limit, for the account. RATE_LIMITED when there were
 * too many in a minute. Unknown accounts are counted too, so that the limit reveals nothing.
 */
export async function throttle(
  limiter: RateLimiter,
  what: 'login' | 'reset' | 'sign-up',
  { address, email }: Record<'address' | 'email', string>,
  per_minute: number,
): Promise<void> {
  await throttleAddress(limiter, what, address, per_minute)
  await throttleBucket(limiter, `${what}:account:${sha256(emailKey(email))}`, Math.max(1, Math.floor(per_minute / 2)))
}

/** As `throttle`, without an account. */
export function throttleAddress(
  limiter: RateLimiter,
  what: 'login' | 'reset' | 'sign-up',
  address: string,
  per_minute: number,
): Promise<void> {
  return throttleBucket(limiter, `${what}:address:${addressBlock(address)}`, per_minute)
}

/** Counts for a signed-in user. */
export function throttleUser(
  limiter: RateLimiter,
  what: 'invitation' | 'domain' | 'email',
  user_id: string,
  per_minute: number,
): Promise<void> {
  return throttleBucket(limiter, `${what}:user:${user_id}`, per_minute)
}

/** Counts in a bucket of any name. */
export async function throttleBucket(limiter: RateLimiter, bucket: string, limit: number): Promise<void> {
  const allowance = await limiter.take(bucket, limit)
  if (!allowance.allowed) throw rateLimited(allowance)
}
