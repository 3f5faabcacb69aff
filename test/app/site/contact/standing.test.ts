import { expect, test } from 'bun:test'
import { canJoin, leavesSuppression, standingOf } from '../../../../static/app/site/contact/standing.ts'

const who = (global_status: string, suppressed: string | null = null, consent_at: string | null = null) =>
  ({
    contact: { global_status, consent_at, created_at: '2026-05-03T12:00:00.000Z' },
    suppression: suppressed && { reason: suppressed, created_at: '2026-06-01T12:00:00.000Z' },
  }) as never

test('A suppression counts before the status, and names its reason and day.', () => {
  expect(standingOf(who('subscribed', 'complaint'))).toEqual({
    state: 'suppressed',
    sentence: 'Suppressed: complaint on 1 Jun 2026. Mail to this address is never sent.',
  })
})

test('A subscription counts from the consent, or from when the contact was made.', () => {
  expect(standingOf(who('subscribed')).sentence).toBe('Subscribed since 3 May 2026.')
  expect(standingOf(who('subscribed', null, '2026-07-02T12:00:00.000Z')).sentence).toBe('Subscribed since 2 Jul 2026.')
  expect(standingOf(who('bounced'))).toEqual({ state: 'bounced', sentence: 'Mail to this address bounced.' })
})

test('A contact who opted out, bounced, complained or is suppressed joins no list, also after deletion.', () => {
  for (const [status, joins] of [
    ['subscribed', true],
    ['pending', true],
    ['unsubscribed', false],
    ['bounced', false],
    ['complained', false],
  ] as const) {
    expect([canJoin(who(status)), leavesSuppression(who(status))], status).toEqual([joins, !joins])
    expect([canJoin(who(status, 'manual')), leavesSuppression(who(status, 'manual'))], status).toEqual([false, true])
  }
})
