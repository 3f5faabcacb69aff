import { expect, test } from 'bun:test'
import { scheduledMoment } from '../src/scheduled-time.ts'

const momentOf = (given: string, timezone: string): string => {
  try {
    return new Date(scheduledMoment(given, timezone)).toISOString()
  } catch (error) {
    return (error as { details: { message: string }[] }).details[0]!.message
  }
}

test.each([
  ['2026-01-15T11:30', 'Europe/Berlin', '2026-01-15T10:30:00.000Z'],
  ['2026-07-15T11:30:05.5', 'Europe/Berlin', '2026-07-15T09:30:05.500Z'],
  ['2026-07-15T11:30', 'Asia/Kolkata', '2026-07-15T06:00:00.000Z'],
  ['2026-12-31T23:30', 'Pacific/Auckland', '2026-12-31T10:30:00.000Z'],
  ['2026-07-15T11:30', 'America/St_Johns', '2026-07-15T14:00:00.000Z'],
  ['2026-07-15T11:30', 'UTC', '2026-07-15T11:30:00.000Z'],
])('%s without an offset is a time of the clocks in %s.', (given, timezone, moment) => {
  expect(momentOf(given, timezone)).toBe(moment)
})

test('A time that clocks show twice is the first of the two, and one that they skip is refused.', () => {
  expect(momentOf('2026-10-25T02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z')
  expect(momentOf('2026-10-25T03:00', 'Europe/Berlin')).toBe('2026-10-25T02:00:00.000Z')
  expect(momentOf('2026-03-29T02:30', 'Europe/Berlin')).toBe(
    'Clocks in Europe/Berlin skip this time when summer time begins.',
  )
  expect(momentOf('2026-03-29T03:00', 'Europe/Berlin')).toBe('2026-03-29T01:00:00.000Z')
  expect(momentOf('2026-11-01T01:30', 'America/New_York')).toBe('2026-11-01T05:30:00.000Z')
})

test('An offset must be one that the zone has at that moment; Z is always right.', () => {
  expect(momentOf('2026-07-15T11:30+02:00', 'Europe/Berlin')).toBe('2026-07-15T09:30:00.000Z')
  expect(momentOf('2026-10-25T02:30+01:00', 'Europe/Berlin')).toBe('2026-10-25T01:30:00.000Z')
  expect(momentOf('2026-07-15T11:30Z', 'Europe/Berlin')).toBe('2026-07-15T11:30:00.000Z')
  expect(momentOf('2026-07-15T11:30+01:00', 'Europe/Berlin')).toBe(
    'Europe/Berlin has the offset +02:00 at this time. Use it, Z, or no offset.',
  )
  expect(momentOf('2026-07-15T11:30+00:00', 'America/St_Johns')).toContain('-02:30')
  expect(momentOf('2026-07-15T11:30+00:00', 'UTC')).toBe('2026-07-15T11:30:00.000Z')
})

test('A day that does not exist is refused.', () => {
  for (const given of ['2026-02-30T09:00', '2026-04-31T09:00Z', '2026-02-29T09:00+01:00'])
    expect(momentOf(given, 'Europe/Berlin')).toBe('This date does not exist.')
})
