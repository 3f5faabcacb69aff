/** Numbers and times in readable form, in the language of the page. */

const made = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat>()

function language(): string {
  return globalThis.document?.documentElement.lang || 'en'
}

/**
 * `Intl` objects are slow to create, so they are cached. The first one of a page costs a sixth of its first drawing,
 * so what tables and headings show is written without them in English.
 */
function kept<T extends Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat>(
  key: string,
  make: (locale: string) => T,
): T {
  const locale = language()
  const name = `${locale} ${key}`
  let format = made.get(name) as T | undefined
  if (!format) {
    format = make(locale)
    made.set(name, format)
  }
  return format
}

/** 1204 → "1,204" */
export function number(value: number): string {
  if (language() === 'en' && Number.isSafeInteger(value)) return String(value).replace(THOUSANDS, ',')
  return kept('number', (locale) => new Intl.NumberFormat(locale)).format(value)
}

const THOUSANDS = /\B(?=(?:\d{3})+$)/g

/** 12480 → "12.5K", for small spaces. */
export function shortNumber(value: number): string {
  return kept(
    'short',
    (locale) => new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }),
  ).format(value)
}

/** A share from 0 to 1: 0.4213 → "42.1%" */
export function percent(share: number, digits = 1): string {
  return kept(
    `percent ${digits}`,
    (locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: digits }),
  ).format(share)
}

/** A share of a whole, or a dash where there is no whole. */
export function share(part: number, whole: number, digits = 1): string {
  return whole > 0 ? percent(part / whole, digits) : '–'
}

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** 38912 → "38 kB" */
export function bytes(value: number): string {
  let size = value
  let at = 0
  while (size >= 1000 && at < SIZES.length - 1) {
    size /= 1024
    at += 1
  }
  // Browsers abbreviate every unit but this one.
  if (at === 0) return count(size, 'byte', 'bytes')
  const unit = SIZES[at]
  const digits = at > 1 && size < 10 ? 1 : 0
  return kept(
    `bytes ${unit} ${digits}`,
    (locale) => new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: digits }),
  ).format(size)
}

/** "1 person", "1,204 people" */
export function count(value: number, one: string, many: string): string {
  return `${number(value)} ${value === 1 ? one : many}`
}

/** "Ada, Bo, and Liv" */
export function enumeration(names: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(names)
}

/** "3 May 2026, 14:02", in the zone of the reader unless another is given. */
export function dateTime(iso: string, zone?: string): string {
  if (isPlain(zone)) return `${day(iso)}, ${clock(iso)}`
  return kept(
    `time ${zone}`,
    (locale) => new Intl.DateTimeFormat(british(locale), { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }),
  ).format(new Date(iso))
}

/** "3 May 2026" */
export function day(iso: string, zone?: string): string {
  if (isPlain(zone)) return `${dayAndMonth(iso)} ${new Date(iso).getFullYear()}`
  return kept(
    `day ${zone}`,
    (locale) => new Intl.DateTimeFormat(british(locale), { dateStyle: 'medium', timeZone: zone }),
  ).format(new Date(iso))
}

/** "3 May", where the year is obvious. */
export function dayAndMonth(iso: string): string {
  const date = new Date(iso)
  if (isPlain()) return `${date.getDate()} ${MONTHS[date.getMonth()]}`
  return kept('month', (locale) => new Intl.DateTimeFormat(british(locale), { day: 'numeric', month: 'short' })).format(
    date,
  )
}

/** "14:02" */
export function clock(iso: string, zone?: string): string {
  if (isPlain(zone)) return new Date(iso).toTimeString().slice(0, 5)
  return kept(
    `clock ${zone}`,
    (locale) => new Intl.DateTimeFormat(british(locale), { timeStyle: 'short', timeZone: zone }),
  ).format(new Date(iso))
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec']

/** Whether times can be written without `Intl`: in English, in the zone of the reader. */
function isPlain(zone?: string): boolean {
  return zone === undefined && language() === 'en'
}

/** English without a country puts the day first and uses 24 hours, as most of the world does. */
function british(locale: string): string {
  return locale === 'en' ? 'en-GB' : locale
}

const STEPS: [number, Intl.RelativeTimeFormatUnit][] = [
  [60, 'second'],
  [60, 'minute'],
  [24, 'hour'],
  [7, 'day'],
  [4.35, 'week'],
  [12, 'month'],
  [Infinity, 'year'],
]

/** "3 minutes ago", "in 2 days" */
export function relative(iso: string, now: number | Date): string {
  let amount = (new Date(iso).getTime() - Number(now)) / 1000
  for (const [size, unit] of STEPS) {
    if (Math.abs(Math.round(amount)) < size) {
      return kept('relative', (locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })).format(
        Math.round(amount),
        unit,
      )
    }
    amount /= size
  }
  return ''
}

/** A length of time: 95000 → "1 min 35 s" */
export function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  const parts: [number, string][] = [
    [Math.floor(seconds / 3600), 'hour'],
    [Math.floor(seconds / 60) % 60, 'minute'],
    [seconds % 60, 'second'],
  ]
  const first = Math.max(
    0,
    parts.findIndex(([value]) => value > 0),
  )
  const shown = seconds === 0 ? parts.slice(2) : parts.slice(first, first + 2).filter(([value]) => value > 0)
  return shown
    .map(([value, unit]) =>
      kept(`length ${unit}`, (locale) => new Intl.NumberFormat(locale, { style: 'unit', unit })).format(value),
    )
    .join(' ')
}
