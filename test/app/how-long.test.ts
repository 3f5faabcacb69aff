import { expect, test } from 'bun:test'
import { howLong } from '../../static/app/site/campaigns/how-long.ts'

const usage = (sent_in_24_hours: number, limit: number | null, limits_ahead: (number | null)[] = []) => ({
  sent_in_24_hours,
  limit,
  limits_ahead,
})

test.each([
  [
    'the sandbox',
    5,
    { provider: 'sandbox' as const, max_per_second: 10, usage: usage(0, null) },
    'The sandbox keeps the messages in the mailbox: nobody gets one.',
  ],
  [
    'a rate',
    1204,
    { provider: 'smtp' as const, max_per_second: 10, usage: usage(0, null) },
    'It takes about 2 min at 10 a second.',
  ],
  [
    'no limit',
    5,
    { provider: 'smtp' as const, max_per_second: null, usage: usage(0, null) },
    'It leaves as fast as the relay takes it.',
  ],
  [
    'a warm-up',
    1204,
    { provider: 'smtp' as const, max_per_second: 10, usage: usage(0, 200, [400, 800]) },
    'It is spread over 3 days: 200, 400, 604.',
  ],
  [
    'a day of which much is used',
    1000,
    { provider: 'smtp' as const, max_per_second: null, usage: usage(700, 800) },
    'It is spread over 3 days: 100, 800, 100.',
  ],
  [
    'a day that is used up',
    100,
    { provider: 'smtp' as const, max_per_second: null, usage: usage(800, 800) },
    'It is spread over 2 days: 0, 100.',
  ],
  [
    'many days',
    10_000,
    { provider: 'smtp' as const, max_per_second: null, usage: usage(0, 1000) },
    'It is spread over 10 days: at most 1,000 leave in a day.',
  ],
])('How long a campaign takes is told for %s.', (_, people, connection, words) => {
  expect(howLong(people, connection)).toBe(words)
})
