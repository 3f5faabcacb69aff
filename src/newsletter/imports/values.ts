import { isDay } from '../../schema.ts'
import type { DateFormat } from '../../store/tables/imports.ts'

/** Reads cells as other programs write them (docs/api/imports.md#values). */

/** The address of `Name <address>`, `<address>` or `mailto:address`, and the name that stands beside it. */
export function readAddress(cell: string): { email: string; name: string } {
  const open = cell.endsWith('>') ? cell.lastIndexOf('<') : -1
  const isNamed = open !== -1 && cell.indexOf('>', open) === cell.length - 1
  const [name, address] = isNamed ? [cell.slice(0, open), cell.slice(open + 1, -1).trim()] : ['', cell]
  const bare = /^mailto:([^?]*)/i.exec(address)
  return { email: bare ? decoded(bare[1]!).trim() : address, name: unquoted(oneLine(name)) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Line breaks and tabs within a name become a space. */
export function oneLine(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return /[\u0000-\u001F\u007F-\u009F\u2028\u2029]/.test(text)
    ? text.replaceAll(/[\s\u0085]+/g, (spaces) => (BREAKS.test(spaces) ? ' ' : spaces)).trim()
    : text.trim()
}

// oxlint-disable-next-line no-control-regex
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]/

/** `Last, First`, or everything but the last word as the first name. */
export function splitName(full: string): { first_name: string; last_name: string } {
  const text = oneLine(full)
  const comma = text.indexOf(',')
  if (comma > 0) return { first_name: text.slice(comma + 1).trim(), last_name: text.slice(0, comma).trim() }
  const space = text.lastIndexOf(' ')
  return space === -1
    ? { first_name: text, last_name: '' }
    : { first_name: text.slice(0, space).trim(), last_name: text.slice(space + 1) }
}

/** Names that are separated by commas or semicolons; each may be in quotes. */
export function readNames(cell: string): string[] {
  const names = [...cell.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,;]*))\s*(?:[,;]|$)/g)].map(([, quoted, plain]) =>
    oneLine(quoted?.replaceAll('""', '"') ?? plain ?? ''),
  )
  return [...new Set(names.filter((name) => name !== ''))]
}

function unquoted(text: string): string {
  return /^"(.*)"$/.exec(text)?.[1]?.trim() ?? text
}

/** Longer cells are no numbers or times. They are not searched, which would take long. */
const LONGEST = 100
const PLAIN_NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i
const SPACES = /[\s\u00A0\u2009\u202F'’]/g
const CURRENCY = /^([+-]?)\s*(?:\p{Sc}|[A-Z]{3}\b)\s*|\s*(?:\p{Sc}|\b[A-Z]{3})$/gu

/**
 * A number with currency sign, thousands separators and decimal comma. One comma before exactly three digits separates
 * thousands, unless the file has decimal commas. Undefined for anything else.
 */
export function readNumber(cell: string, has_decimal_comma: boolean): number | undefined {
  if (PLAIN_NUMBER.test(cell)) return Number(cell)
  if (cell.length > LONGEST) return undefined
  const bare = cell.replaceAll(CURRENCY, '$1').trim()
  const grouped = /\d[\s\u00A0\u2009\u202F'’]\d/.test(bare)
  if (grouped && !/^[+-]?\d{1,3}([\s\u00A0\u2009\u202F'’]\d{3})+([.,]\d+)?$/.test(bare)) return undefined
  const text = bare.replaceAll(SPACES, '')
  if (/^[+-]?\d{1,3}(,\d{3})+$/.test(text) && !(has_decimal_comma && text.indexOf(',') === text.lastIndexOf(',')))
    return Number(text.replaceAll(',', ''))
  if (/^[+-]?\d{1,3}(,\d{3})+\.\d*$/.test(text)) return Number(text.replaceAll(',', ''))
  if (/^[+-]?\d{1,3}((\.\d{3})+,\d*|(\.\d{3}){2,})$/.test(text))
    return Number(text.replaceAll('.', '').replace(',', '.'))
  if (/^[+-]?\d*,\d+$/.test(text)) return Number(text.replace(',', '.'))
  return PLAIN_NUMBER.test(text) ? Number(text) : undefined
}

const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?=$|[T ])/
const YEAR_LAST = /^(\d{1,2})[-/.]\s?(\d{1,2})[-/.]\s?(\d{4})(?=$|[T ,])/

/** The day `YYYY-MM-DD` that a cell begins with; a year in front is always read as such. Undefined for none. */
export function readDay(cell: string, format: DateFormat): string | undefined {
  const parts = YEAR_FIRST.exec(cell)
  if (parts) return day(parts[1]!, parts[2]!, parts[3]!)
  const [, one, two, year] = YEAR_LAST.exec(cell) ?? []
  if (!one || !two || !year || format === 'iso') return undefined
  return format === 'dmy' ? day(year, two, one) : day(year, one, two)
}

function day(year: string, month: string, date: string): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  return isDay(text) ? text : undefined
}

const TIME = /^[T ,]\s*(\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?\s*(am|pm)?\s*(?:(Z|UTC|GMT)|([+-]\d\d):?(\d\d)?)?$/i

/** The milliseconds of a day with or without a time. A time without an offset is UTC. Undefined for anything else. */
export function readInstant(cell: string, format: DateFormat): number | undefined {
  const date = cell.length > LONGEST ? undefined : readDay(cell, format)
  if (date === undefined) return undefined
  const rest = cell.replace(YEAR_FIRST, '').replace(YEAR_LAST, '')
  if (rest === '') return Date.parse(`${date}T00:00:00Z`)
  const [, hour, minute, second = '00', fraction = '', half, , offsetHours, offsetMinutes = '00'] =
    TIME.exec(rest) ?? []
  if (hour === undefined) return undefined
  const hours = half ? (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : Number(hour)
  const zone = offsetHours === undefined ? 'Z' : `${offsetHours}:${offsetMinutes}`
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0')
  const at = Date.parse(`${date}T${String(hours).padStart(2, '0')}:${minute}:${second}.${milliseconds}${zone}`)
  return Number.isNaN(at) ? undefined : at
}

/**
 * The format of most days in these cells. A first number above 12 is a day, a second one too. Days that fit both ways
 * are read day first, unless slashes separate them and the cells have times with AM or PM.
 */
export function guessDateFormat(cells: readonly string[]): DateFormat {
  const others = cells.flatMap((cell) => {
    const [text, one, two] = YEAR_LAST.exec(cell) ?? []
    return text === undefined ? [] : [{ cell, one: Number(one), two: Number(two) }]
  })
  if (others.length <= cells.filter((cell) => YEAR_FIRST.test(cell)).length) return 'iso'
  if (others.some(({ one }) => one > 12)) return 'dmy'
  if (others.some(({ two }) => two > 12)) return 'mdy'
  return others.some(({ cell }) => cell.includes('/') && /[ap]m$/i.test(cell)) ? 'mdy' : 'dmy'
}
