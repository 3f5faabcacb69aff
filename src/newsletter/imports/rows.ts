import { Type } from '@sinclair/typebox'
import { DAY_MS } from '../../clock.ts'
import { addressFlaw, isEmail, tidyAddress } from '../../address.ts'
import { byContactField, type ContactFieldName } from '../../shared/contact-fields.ts'
import { withoutApostrophe } from '../../shared/csv.ts'
import { checker, line, nullable, obj, enumOf } from '../../schema.ts'
import type { CustomValue } from '../../store/tables/audience.ts'
import {
  type DateFormat,
  type ImportRowError,
  ROW_ERROR_CODES,
  type RowStatus,
  type SettledOptions,
} from '../../store/tables/imports.ts'
import type { ToldConsent } from '../consent/evidence.ts'
import { type FieldDefinition, valueFlaw } from '../contacts/custom-values.ts'
import { contactFieldFlaw } from '../contacts/field-schemas.ts'
import { nameKey } from '../names.ts'
import { clip } from './columns.ts'
import type { CsvRecord } from './csv.ts'
import type { StandardField, Target } from './mapping.ts'
import { otherTexts, type RowPerson } from './row-person.ts'
import { readStatus, REASON_OF_STATUS, saysYes, strictest } from './row-status.ts'
import { oneLine, readAddress, readDay, readInstant, readNames, readNumber, splitName } from './values.ts'

/** Why a row or a value is not imported (docs/api/imports.md#row-errors). */
export const RowError = obj({
  row: Type.Integer({
    minimum: 1,
    description: 'The number of the record, the header counted as 1, as spreadsheets do.',
  }),
  field: nullable(Type.String({ description: 'Null for an error of the whole row.' })),
  code: enumOf(ROW_ERROR_CODES),
  message: Type.String(),
  value: nullable(Type.String({ description: 'The cell, shortened.' })),
})

export const MAX_ROW_ERRORS = 100

/**
 * The result of reading a record. Without a person the row is invalid; with one, the errors are about values that were
 * dropped.
 */
interface ReadRow {
  person: RowPerson | null
  /** The opt-out of an invalid row whose address can be read. */
  opt_out?: RowPerson | null
  errors: ImportRowError[]
}

/** How cells are read. */
export interface RowRules extends Pick<SettledOptions, 'on_invalid_value' | 'default_status' | 'date_format'> {
  has_decimal_comma: boolean
  now: number
  /** The project's lists by the key of their name. */
  lists: ReadonlyMap<string, number>
  /** Whether a tag of this name may be given: it is known, or may be created. */
  allowsTag(key: string): boolean
}

const VALUE_SHOWN = 100

/** Reads a record as a person, or answers its errors. */
export function readRow(
  { number: row, cells, flaw }: CsvRecord,
  columns: number,
  targets: readonly Target[],
  rules: RowRules,
): ReadRow {
  const refused = (code: ImportRowError['code'], message: string, value: string | null): ReadRow => ({
    person: null,
    errors: [{ row, field: null, code, message, value }],
  })
  if (flaw) return refused(flaw, FLAWS[flaw], null)
  const surplus = cells.findIndex((cell, index) => index >= columns && cell.trim() !== '')
  if (surplus !== -1)
    return refused(
      'too_many_cells',
      `The row has more cells than the file has columns (${columns}).`,
      clip(cells[surplus]!, VALUE_SHOWN),
    )

  const errors: ImportRowError[] = []
  const custom: [string, CustomValue][] = []
  const read: Values = {}
  let isInvalid = false
  for (const target of targets) {
    const cell = textOf(cells[target.column] ?? '', target)
    const flawOf =
      'custom' in target ? readCustom(cell, target, rules, custom) : readStandard(cell, target.field, rules, read)
    if (!flawOf) continue
    const drops = rules.on_invalid_value === 'drop_value' && !NEVER_DROPPED.has(target.field)
    isInvalid ||= !drops
    const code = drops ? 'value_dropped' : (flawOf.code ?? 'value_invalid')
    errors.push({ row, field: target.field, code, message: flawOf.message, value: clip(cell, VALUE_SHOWN) })
  }
  if (!isInvalid) return { person: personOf(row, read, custom, rules), errors }
  const { email, status = rules.default_status } = read
  return { person: null, opt_out: email === undefined ? null : optOutAlone(row, email, status), errors }
}

/** The text of a cell. That of a custom text or choice keeps the blanks around it, unless there is nothing else. */
function textOf(cell: string, target: Target): string {
  const trimmed = cell.trim()
  const isKept = 'custom' in target && KEEPS_BLANKS.has(target.custom.type) && trimmed !== ''
  return withoutApostrophe(isKept ? cell : trimmed)
}

const KEEPS_BLANKS: ReadonlySet<string> = new Set(['text', 'select'])

/**
 * A person that carries only the opt-out of an address, without other values of its row; null when the status is no
 * opt-out.
 */
export function optOutAlone(row: number, email: string, status: RowStatus): RowPerson | null {
  return REASON_OF_STATUS[status] && [row, email, null, null, null, { status, alone: true }]
}

/** Without the address there is no person, and a status that cannot be read may be an opt-out. */
const NEVER_DROPPED: ReadonlySet<string> = new Set(['email', 'status'])

const FLAWS = {
  malformed: 'A quote in this line is not closed or not allowed.',
  too_long: 'The row is too long. Perhaps a quote is not closed.',
} as const

/** The cells of the standard fields, as they were read. */
interface Values extends Partial<Record<ContactFieldName, string>> {
  email?: string
  full_name?: string
  status?: RowStatus
  tags?: string[]
  list_ids?: number[]
  consent?: ToldConsent
}

function personOf(row: number, read: Values, custom: [string, CustomValue][], { default_status }: RowRules): RowPerson {
  const given = read.first_name === undefined && read.last_name === undefined && read.full_name !== undefined
  const names = given ? splitName(read.full_name!) : read
  const person: RowPerson = [
    row,
    read.email!,
    names.first_name || null,
    names.last_name || null,
    custom.length > 0 ? Object.fromEntries(custom) : null,
  ]
  const { status = default_status, tags, list_ids, consent } = read
  const fields = otherTexts(read)
  if (status !== 'subscribed' || tags || list_ids || consent || fields)
    person.push({
      ...(status !== 'subscribed' && { status }),
      ...(tags && { tags }),
      ...(list_ids && { list_ids }),
      ...(consent && { consent }),
      ...(fields && { fields }),
    })
  return person
}

interface CellFlaw {
  code?: ImportRowError['code']
  message: string
}

/** Reads a cell into `into`; answers what is wrong with it. */
function readStandard(cell: string, field: StandardField, rules: RowRules, into: Values): CellFlaw | null {
  if (field === 'email') {
    if (cell === '') return { code: 'email_missing', message: 'The row has no address.' }
    const { email, name } = isEmail(cell) ? { email: cell, name: '' } : readAddress(cell)
    const flaw = addressFlaw(email)
    if (flaw !== null) return { code: 'email_invalid', message: flaw }
    into.email = tidyAddress(email)
    if (name !== '' && isFullName(name)) into.full_name ??= name
    return null
  }
  return cell === '' ? null : FIELDS[field](cell, rules, into)
}

type FieldReader = (cell: string, rules: RowRules, into: Values) => CellFlaw | null

const FIELDS: Readonly<Record<Exclude<StandardField, 'email'>, FieldReader>> = {
  ...byContactField((field): FieldReader => (cell, _, into) => {
    const text = oneLine(cell).toWellFormed()
    const message = contactFieldFlaw(field, text)
    if (message !== null) return { message }
    into[field.name] = text
    return null
  }),
  full_name(cell, _, into) {
    const name = oneLine(cell).toWellFormed()
    if (!isFullName(name)) return { message: `Expected one line of at most ${FullName.maxLength} characters.` }
    into.full_name = name
    return null
  },
  tags(cell, { allowsTag }, into) {
    const names = readNames(cell).map((name) => name.toWellFormed())
    const wrong = names.find((name) => name.length > MAX_TAG_NAME || !allowsTag(nameKey(name)))
    into.tags = names.filter((name) => name.length <= MAX_TAG_NAME && allowsTag(nameKey(name)))
    return wrong === undefined ? null : { message: `The project has no tag ${clip(wrong, 50)}.` }
  },
  lists(cell, { lists }, into) {
    const names = readNames(cell)
    const wrong = names.find((name) => !lists.has(nameKey(name)))
    into.list_ids = names.flatMap((name) => lists.get(nameKey(name)) ?? [])
    return wrong === undefined ? null : { message: `The project has no list ${clip(wrong, 50)}.` }
  },
  status(cell, _, into) {
    const status = readStatus(cell)
    if (!status) return { message: 'Expected subscribed, pending, unsubscribed, bounced or complained.' }
    into.status = strictest(into.status, status)
    return null
  },
  opted_out: flagReader('unsubscribed'),
  bounced: flagReader('bounced'),
  complained: flagReader('complained'),
  consent_at(cell, { date_format, now }, into) {
    const at = readInstant(cell, date_format)
    if (at === undefined) return { message: `Expected a day or time (${date_format}).` }
    if (at > now + DAY_MS) return { message: 'Expected a time in the past.' }
    // A time without an offset may be of a zone that is ahead of UTC.
    into.consent = { ...into.consent, at: Math.min(at, now) }
    return null
  },
  consent_text: consentReader('text', 4000),
  consent_ip: consentReader('ip', 100),
  consent_source: consentReader('source', 200),
}

const MAX_TAG_NAME = 100

const FullName = line(200)
const isFullName = (name: string): boolean => checker(FullName).Check(name)

function flagReader(status: RowStatus): FieldReader {
  return (cell, _, into) => {
    if (saysYes(cell)) into.status = strictest(into.status, status)
    return null
  }
}

function consentReader(part: 'text' | 'ip' | 'source', most: number): FieldReader {
  return (cell, _, into) => {
    const text = cell.toWellFormed()
    if (text.length > most || text.includes('\u0000')) return { message: `Expected at most ${most} characters.` }
    into.consent = { ...into.consent, [part]: text }
    return null
  }
}

/**
 * Reads the cell as the field's type. An unreadable cell is checked as text, so that the field's own check names the
 * flaw.
 */
function readCustom(
  cell: string,
  { custom: definition }: Target & { custom: FieldDefinition },
  rules: RowRules,
  into: [string, CustomValue][],
): CellFlaw | null {
  if (cell === '') return null
  const value = READERS[definition.type](cell, definition, rules) ?? cell
  const message = valueFlaw(definition, value)
  if (message !== null) return { message }
  into.push([definition.key, value])
  return null
}

interface ValueRules {
  date_format: DateFormat
  has_decimal_comma: boolean
}

type CustomReader = (cell: string, definition: FieldDefinition, rules: ValueRules) => CustomValue | undefined

const READERS: Readonly<Record<FieldDefinition['type'], CustomReader>> = {
  text: (cell) => cell.toWellFormed(),
  number: (cell, _, { has_decimal_comma }) => readNumber(cell, has_decimal_comma),
  boolean: (cell) => YES_NO.get(cell.toLowerCase()),
  // Other programs write days as `2026-01-15 09:00:00`; the time is dropped.
  date: (cell, _, { date_format }) => readDay(cell, date_format),
  select: (cell, { options }) =>
    options?.find((option) => option === cell) ??
    options?.find((option) => option.trim().toLowerCase() === cell.trim().toLowerCase()),
}

const YES_NO: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'y', '1'].map((word) => [word, true] as const),
  ...['false', 'no', 'n', '0'].map((word) => [word, false] as const),
])
