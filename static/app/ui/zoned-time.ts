/** Converts between instants and the local time of a zone. */

/** "2026-05-03T14:02", the local time of a zone at an instant. */
export function wallTime(iso: string, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(new Date(iso))
  const part = (type: string) => parts.find((entry) => entry.type === type)!.value
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`
}

/**
 * The instant of a local time. A time that is skipped when clocks go forward is read as if they had not changed yet; of
 * a time that occurs twice, the first is used.
 */
export function momentOf(wall: string, zone: string): string | null {
  const as_utc = Date.parse(`${wall}Z`)
  if (Number.isNaN(as_utc)) return null
  const offset = (moment: number) => Date.parse(`${wallTime(new Date(moment).toISOString(), zone)}Z`) - moment
  const day = 86_400_000
  const before = as_utc - offset(as_utc - day)
  const after = as_utc - offset(as_utc + day)
  const fits = [before, after].filter((moment) => moment + offset(moment) === as_utc)
  return new Date(fits.length > 0 ? Math.min(...fits) : before).toISOString()
}

/** The zone of the user. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}
