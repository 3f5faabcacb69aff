import { expect, test } from 'bun:test'
import { outcomeOf, unsent, wasUnreachable } from '../../../src/newsletter/outbox/outcome.ts'
import type { SmtpOutcome } from '../../../src/mail/smtp-outcome.ts'

const HOUR_MS = 3_600_000
const NOW = 1_000 * HOUR_MS
const REFUSED: SmtpOutcome = {
  kind: 'temporary',
  scope: 'recipient',
  stage: 'rcpt',
  code: 451,
  enhanced: '4.3.0',
  message: 'later',
}
const DOWN: SmtpOutcome = { kind: 'temporary', scope: 'connection', stage: 'connect', message: 'refused' }
const row = { attempts: 0, created_at: 0 }
const at = (down_since: number | null = null) => ({ down_since, now: NOW })

test('A refusal for now is tried again after 1, 5, 15 and 30 minutes, and fails at the fifth attempt.', () => {
  const pauses = [0, 1, 2, 3].map((attempts) => {
    const outcome = outcomeOf(REFUSED, { ...row, attempts }, at())
    return outcome.status === 'retry' ? (outcome.due_at - NOW) / 60_000 : outcome.status
  })
  expect(pauses).toEqual([1, 5, 15, 30])
  expect(outcomeOf(REFUSED, { ...row, attempts: 4 }, at())).toEqual({ status: 'failed', error: '451 4.3.0 later' })
})

test('A refusal that speaks of a quota or a rate is tried again for up to 72 hours, hours apart.', () => {
  const words = [
    'Daily user sending quota exceeded',
    'rate limit reached',
    'too many messages',
    'Throttling failure',
    'Messages temporarily deferred due to unexpected volume',
    'receiving mail too quickly',
    'hourly allowance used up',
    '500 messages per day',
  ]
  for (const message of words) {
    const waits = [0, 1, 2, 3, 4, 5].map((attempts) => {
      const outcome = outcomeOf({ ...REFUSED, message }, { ...row, attempts }, at())
      return outcome.status === 'retry' ? (outcome.due_at - NOW) / HOUR_MS : 0
    })
    expect(Math.min(...waits)).toBeGreaterThan(1)
    // Somewhere between 24 and 72 hours a day's quota has returned.
    const sum = waits.reduce((one, other) => one + other)
    expect([sum > 24, sum <= 72]).toEqual([true, true])
    expect(outcomeOf({ ...REFUSED, message }, { ...row, attempts: 6 }, at()).status).toBe('failed')
  }
  for (const message of ['Greylisted, try again in 300 seconds', 'separate delivery', 'later'])
    expect(outcomeOf({ ...REFUSED, message }, row, at())).toMatchObject({ due_at: NOW + 60_000 })
})

test('An address that does not exist bounces; another permanent refusal of the recipient fails.', () => {
  const refusal = { kind: 'permanent', scope: 'recipient', stage: 'rcpt', code: 550, message: 'no' } as const
  expect(outcomeOf({ ...refusal, bad_address: true }, row, at()).status).toBe('bounced')
  expect(outcomeOf({ ...refusal, bad_address: false }, row, at()).status).toBe('failed')
})

test('A permanent refusal of the connection says nothing about the recipient: it is tried again.', () => {
  const refusal: SmtpOutcome = {
    kind: 'permanent',
    scope: 'connection',
    stage: 'mail',
    code: 550,
    message: 'no',
    bad_address: false,
  }
  expect([wasUnreachable(refusal), outcomeOf(refusal, row, at()).status]).toEqual([false, 'retry'])
  // Only a temporary answer promises that a quota returns.
  for (const message of ['no', 'too many connections'])
    expect(outcomeOf({ ...refusal, message }, row, at())).toMatchObject({ due_at: NOW + 60_000 })
})

test('A message that was accepted, in doubt or not composed is final.', () => {
  expect(outcomeOf({ kind: 'sent', response: '250' }, row, at())).toEqual({ status: 'sent' })
  expect(outcomeOf({ kind: 'uncertain', message: 'lost' }, row, at())).toEqual({ status: 'uncertain', error: 'lost' })
  expect(outcomeOf(null, row, at()).status).toBe('failed')
})

test('Messages fail when their relay has been unreachable for more than 72 hours since both began.', () => {
  const after = (down_hours: number, age_hours: number) =>
    outcomeOf(DOWN, { attempts: 0, created_at: NOW - age_hours * HOUR_MS }, at(NOW - down_hours * HOUR_MS)).status
  expect(after(73, 100)).toBe('failed')
  expect(after(72, 100)).toBe('unreachable')
  // A campaign that starts while the relay is already down has its own 72 hours.
  expect(after(100, 1)).toBe('unreachable')
  expect(outcomeOf(DOWN, row, at(null))).toEqual({ status: 'unreachable', error: 'refused', due_at: NOW + 30_000 })
})

test('An error begins with the codes of the answer, once.', () => {
  const error = (more: Partial<SmtpOutcome>) => outcomeOf({ ...REFUSED, ...more } as SmtpOutcome, row, at())
  expect(error({})).toMatchObject({ error: '451 4.3.0 later' })
  expect(error({ message: '451 4.3.0 later' })).toMatchObject({ error: '451 4.3.0 later' })
  expect(error({ enhanced: undefined })).toMatchObject({ error: '451 later' })
})

test('A message that was marked and not handed over is due at once.', () => {
  expect(unsent()).toMatchObject({ status: 'unsent', due_at: 0 })
})

test('An error is one line of at most 500 characters.', () => {
  const long: SmtpOutcome = { ...DOWN, message: `a\r\n  b ${'x'.repeat(600)}` }
  const outcome = outcomeOf(long, row, at())
  expect(outcome).toMatchObject({ error: expect.stringMatching(/^a b x{496}$/) })
})
