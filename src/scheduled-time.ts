import { Type } from '@sinclair/typebox'
import { DAY_MS, iso, MINUTE_MS } from './clock.ts'
import { invalid } from './errors.ts'

/** A time that somebody plans (docs/api/campaigns.md#scheduling, docs/api/sites.md#dates-of-posts). */
export const ScheduledTime = Type.String({
  pattern:
    '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,9})?)?' +
    '(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)?$',
  description:
    'ISO 8601. With an offset that the time zone has at that moment, or Z; without one it is the time of the clocks ' +
    'in the time zone, e.g. 2026-05-01T09:30.',
})

/**
 * The moment that a `ScheduledTime` names. Of a time that clocks show twice in a night, the first. VALIDATION_FAILED
 * at `path` for a day that does not exist, an offset that the zone does not have then, and a time that its clocks skip.
 */
export function scheduledMoment(given: string, timezone: string, path = '/scheduled_at'): number {
  const [, local = '', offset] = /^(.*?)(Z|[+-]\d\d:\d\d)?$/.exec(given)!
  const shown = Date.parse(`${local}Z`)
  const day = local.slice(0, 10)
  if (!iso(Date.parse(`${day}T00:00:00Z`)).startsWith(day)) throw invalid(path, 'This date does not exist.')
  if (offset === undefined) return momentShown(shown, timezone, path)
  const at = Date.parse(given)
  if (offset !== 'Z' && at !== shown - zoneOffset(at, timezone)) {
    const right = offsetText(zoneOffset(at, timezone))
    throw invalid(path, `${timezone} has the offset ${right} at this time. Use it, Z, or no offset.`)
  }
  return at
}

/** The first moment at which clocks in a zone show a time, given as if it were UTC. */
function momentShown(shown: number, timezone: string, path: string): number {
  // Offsets change at most once in two days, so the right one is that of the day before or of the day after.
  const candidates = [shown - DAY_MS, shown + DAY_MS].map((near) => shown - zoneOffset(near, timezone))
  const moment = candidates.find((at) => at + zoneOffset(at, timezone) === shown)
  if (moment === undefined) throw invalid(path, `Clocks in ${timezone} skip this time when summer time begins.`)
  return moment
}

/** The offset of a time zone from UTC at a moment, in milliseconds. */
function zoneOffset(at: number, timezone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' }).formatToParts(at)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours = '0', minutes = '0'] = /^GMT(?:([+-])(\d\d):(\d\d))?/.exec(name) ?? []
  const ahead = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS
  return sign === '-' ? -ahead : ahead
}

function offsetText(offset: number): string {
  const minutes = Math.abs(offset) / MINUTE_MS
  const two = (count: number) => String(count).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
