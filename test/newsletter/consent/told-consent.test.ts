import { expect, test } from 'bun:test'
import { toldConsent } from '../../../src/newsletter/consent/told-consent.ts'

const NOW = Date.UTC(2026, 0, 15, 9)
const at = (text: string) => toldConsent({ at: text }, NOW).at

test('The time of a told consent is not later than now, and on a day of the calendar.', () => {
  expect(at('2026-01-15T09:00:00Z')).toBe(NOW)
  expect(() => at('2026-01-15T09:00:00.001Z')).toThrow('The request is not valid.')
  expect(() => at('2025-02-30T09:00:00Z')).toThrow('The request is not valid.')
})

test('The words told beside the time are kept, and without a time there are none.', () => {
  expect(toldConsent({ ip: '::1', source: 'fair' }, NOW)).toEqual({ ip: '::1', source: 'fair' })
  expect(toldConsent({ at: '2025-01-01T00:00:00Z', user_agent: 'x' }, NOW)).toEqual({
    at: Date.UTC(2025, 0, 1),
    user_agent: 'x',
  })
})
