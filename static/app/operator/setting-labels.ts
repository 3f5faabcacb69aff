import { bytes, count, number } from '../ui/format.ts'

const MINUTE_S = 60
const HOUR_S = 60 * MINUTE_S
const DAY_S = 24 * HOUR_S
const MEGABYTE = 1024 * 1024

/** The units of settings, by the suffix of their names. */
const UNITS: readonly [end: string, words: (value: number) => string][] = [
  ['_seconds', duration],
  ['_hours', (value) => duration(value * HOUR_S)],
  ['_days', (value) => duration(value * DAY_S)],
  ['_megabytes', (value) => bytes(value * MEGABYTE)],
  ['_per_minute', (value) => `${number(value)} a minute`],
  ['_per_project', (value) => `${number(value)} in a project`],
  ['_per_user', (value) => `${number(value)} for a person`],
]

/** The value of a setting in readable form, as "14 days" for 336 hours; null when the value needs no translation. */
export function settingWords(name: string, value: string | number | boolean | null): string | null {
  if (typeof value === 'boolean') return value ? 'On' : 'Off'
  if (typeof value !== 'number') return null
  return UNITS.find(([end]) => name.endsWith(end))?.[1](value) ?? null
}

/** In the largest unit in which it is a whole number. */
function duration(seconds: number): string {
  if (seconds % DAY_S === 0) return count(seconds / DAY_S, 'day', 'days')
  if (seconds % HOUR_S === 0) return count(seconds / HOUR_S, 'hour', 'hours')
  if (seconds % MINUTE_S === 0) return count(seconds / MINUTE_S, 'minute', 'minutes')
  return count(seconds, 'second', 'seconds')
}
