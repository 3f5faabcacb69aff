import { expect, test } from 'bun:test'
import { FixedClock, iso, isoOrNull, localDate } from '../src/clock.ts'

const NOW = Date.UTC(2026, 0, 1, 23, 30)

test('A fixed clock moves only when it is told to, for every thread that shares its memory.', () => {
  const clock = new FixedClock(NOW)
  const other = FixedClock.over(clock.memory)
  clock.advance(1000)
  other.advance(1)
  expect([clock.now(), other.now()]).toEqual([NOW + 1001, NOW + 1001])
})

test('Times leave the service as ISO 8601 with milliseconds; the beginning of 1970 is a time, too.', () => {
  expect(iso(NOW)).toBe('2026-01-01T23:30:00.000Z')
  expect([isoOrNull(0), isoOrNull(null), isoOrNull(undefined)]).toEqual(['1970-01-01T00:00:00.000Z', null, null])
})

test('A day is that of the time zone in the words of the language, or of UTC where either is unknown.', () => {
  expect(localDate(NOW, 'de', 'Europe/Berlin')).toBe('2. Januar 2026')
  expect(localDate(NOW, 'de', 'Europe/Nowhere')).toBe('2026-01-01')
  expect(localDate(NOW, '!', 'UTC')).toBe('2026-01-01')
})
