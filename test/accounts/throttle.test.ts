import { expect, test } from 'bun:test'
import { throttle, throttleAddress, throttleUser } from '../../src/accounts/throttle.ts'
import type { RateLimiter } from '../../src/operation/rate-limit.ts'

/** A limiter that notes what it is asked for, and refuses some buckets. */
function limiter(refuses = (_bucket: string) => false) {
  const asked: [string, number][] = []
  const take = async (bucket: string, limit: number) => {
    asked.push([bucket, limit])
    return { allowed: !refuses(bucket), limit, remaining: 0, reset_seconds: 5 }
  }
  return { asked, limiter: { take } as unknown as RateLimiter }
}
const WHO = { address: '192.0.2.1', email: 'Ada@Example.com' }

test('An attempt counts for the network of the client, and with half the limit for the account.', async () => {
  const { asked, limiter: taking } = limiter()
  await throttle(taking, 'login', WHO, 11)
  expect(asked.map(([, limit]) => limit)).toEqual([11, 5])
  expect(asked[0]![0]).toBe('login:address:192.0.2.1')
  expect(asked[1]![0]).not.toContain('example')
  await throttle(taking, 'login', { ...WHO, email: 'ada@example.com' }, 1)
  expect(asked[3]).toEqual([asked[1]![0], 1])
  await throttle(taking, 'reset', WHO, 4)
  expect(asked[4]![0]).toStartWith('reset:')
})

test('An IPv6 network counts as one address.', async () => {
  const { asked, limiter: taking } = limiter()
  await throttleAddress(taking, 'reset', '2001:db8::1', 5)
  await throttleAddress(taking, 'reset', '2001:db8::2', 5)
  expect(asked[0]![0]).toBe(asked[1]![0])
})

test('A request beyond the limit is refused, by either count.', async () => {
  for (const part of [':address:', ':account:'])
    await expect(throttle(limiter((bucket) => bucket.includes(part)).limiter, 'login', WHO, 5)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    })
  await expect(throttleUser(limiter(() => true).limiter, 'domain', 'usr_a', 5)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
  })
})
