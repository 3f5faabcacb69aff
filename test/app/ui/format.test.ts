import { expect, test } from 'bun:test'
import * as format from '../../../static/app/ui/format.ts'
import { momentOf, wallTime } from '../../../static/app/ui/zoned-time.ts'

test('Numbers are written as people read them.', () => {
  expect(format.number(1204)).toBe('1,204')
  expect(format.shortNumber(12_480)).toBe('12.5K')
  expect(format.percent(0.4213)).toBe('42.1%')
  expect(format.share(3, 0)).toBe('–')
  expect(format.share(1, 8)).toBe('12.5%')
  expect(format.bytes(38_912)).toBe('38 kB')
  expect(format.bytes(5_452_595)).toBe('5.2 MB')
  expect([999, 1000, 1024 ** 2, 9.96 * 1024 ** 2, 2048 * 1024 ** 4].map(format.bytes)).toEqual([
    '999 bytes',
    '1 kB',
    '1 MB',
    '10 MB',
    '2,048 TB',
  ])
  expect([1_536, 40_400, 15.6 * 1024 ** 2, 1.54 * 1024 ** 3].map(format.bytes)).toEqual([
    ...['2 kB', '39 kB', '16 MB', '1.5 GB'],
  ])
  expect([format.share(1, 3), format.share(1, 3, 0), format.percent(0.12345, 2)]).toEqual(['33.3%', '33%', '12.35%'])
  expect(format.count(1, 'person', 'people')).toBe('1 person')
  expect(format.count(1204, 'person', 'people')).toBe('1,204 people')
})

test('Times are written by the clock of a zone.', () => {
  const iso = '2026-05-03T22:30:00.000Z'
  expect(format.dateTime(iso, 'Europe/Oslo')).toBe('4 May 2026, 00:30')
  expect(format.day(iso, 'America/New_York')).toBe('3 May 2026')
  expect(format.clock(iso, 'UTC')).toBe('22:30')
})

test('Numbers and times that are written without Intl are those of Intl.', () => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  for (let month = 0; month < 12; month++) {
    const iso = new Date(2026, month, 3 + month, 2 * month, 5).toISOString()
    expect([format.dateTime(iso), format.day(iso), format.clock(iso)]).toEqual([
      ...[format.dateTime(iso, zone), format.day(iso, zone), format.clock(iso, zone)],
    ])
  }
  const numbers = [0, 999, 1000, 1_234_567, -1, -1204, -123_456, 12.5]
  expect(numbers.map(format.number)).toEqual(numbers.map((value) => new Intl.NumberFormat('en').format(value)))
})

test('A distance in time is said in its largest unit.', () => {
  const now = Date.parse('2026-05-03T12:00:00.000Z')
  const said = (iso: string) => format.relative(iso, now)
  expect(said('2026-05-03T12:00:00.000Z')).toBe('now')
  expect(said('2026-05-03T11:57:00.000Z')).toBe('3 minutes ago')
  expect(said('2026-05-03T11:00:20.000Z')).toBe('1 hour ago')
  expect(said('2026-05-02T11:00:00.000Z')).toBe('yesterday')
  expect(said('2026-05-05T12:00:00.000Z')).toBe('in 2 days')
  expect(said('2024-05-05T12:00:00.000Z')).toBe('2 years ago')
  expect([said('2026-05-03T12:00:59.000Z'), said('2026-05-03T12:59:40.000Z')]).toEqual(['in 59 seconds', 'in 1 hour'])
  expect([said('2026-05-09T11:00:00.000Z'), said('2026-05-10T12:00:00.000Z')]).toEqual(['in 6 days', 'next week'])
  expect([said('2026-05-30T12:00:00.000Z'), said('2026-06-04T12:00:00.000Z')]).toEqual(['in 4 weeks', 'next month'])
  expect([said('2027-03-30T12:00:00.000Z'), said('2027-05-20T12:00:00.000Z')]).toEqual(['in 11 months', 'next year'])
  expect([3_600_000 + 61_000, 3_605_000, 1_499].map(format.duration)).toEqual(['1 hr 1 min', '1 hr', '1 sec'])
  expect(format.duration(95_000)).toBe('1 min 35 sec')
  expect(format.duration(0)).toBe('0 sec')
  expect(format.duration(7_200_000)).toBe('2 hr')
})

test('A time on a wall becomes a moment, also where clocks change.', () => {
  const oslo = 'Europe/Oslo'
  expect(momentOf('2026-05-03T14:02', oslo)).toBe('2026-05-03T12:02:00.000Z')
  expect(momentOf('2026-01-03T14:02', oslo)).toBe('2026-01-03T13:02:00.000Z')
  expect(momentOf('2026-05-03T14:02', 'Asia/Kathmandu')).toBe('2026-05-03T08:17:00.000Z')
  // Clocks go from 02:00 to 03:00: half past two does not come.
  expect(momentOf('2026-03-29T02:30', oslo)).toBe('2026-03-29T01:30:00.000Z')
  // Clocks go from 03:00 to 02:00: half past two comes twice.
  expect(momentOf('2026-10-25T02:30', oslo)).toBe('2026-10-25T00:30:00.000Z')
  expect(momentOf('', oslo)).toBeNull()
  expect(wallTime('2026-03-29T01:30:00.000Z', oslo)).toBe('2026-03-29T03:30')
})
