import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { normalForm } from '../../normal-form.ts'
import { CONTACT_FIELDS } from '../../shared/contact-fields.ts'
import { invalid } from '../../errors.ts'
import type { ProjectId } from '../../ids.ts'
import { isEmail } from '../../address.ts'
import { nullable, obj } from '../../schema.ts'
import type { Reader } from '../../store/open.ts'
import type { Delimiter, FileColumn } from '../../store/tables/imports.ts'
import { foldText } from '../contacts/rule-columns.ts'
import { type CsvRecord, csvReader } from './csv.ts'

export const Column = obj({
  index: Type.Integer({ minimum: 0 }),
  header: Type.String({ description: 'Empty where the file has no header.' }),
  samples: Type.Array(Type.String()),
  suggested_field: nullable(
    Type.String({ description: 'The field that the header suggests: a value for the mapping.' }),
  ),
})

/** The header, columns and first rows of a file. */
export interface Head {
  /** The cells of the first rows, without the header. */
  rows: string[][]
  /** False when the first record contains an address: then it is data. */
  has_header: boolean
  columns: FileColumn[]
}

/** A custom field and the label that is compared with headers to suggest the field. */
interface CustomLabel {
  key: string
  label: string
}

export async function customFields(db: Reader, project_id: ProjectId): Promise<CustomLabel[]> {
  return db.all(sql`SELECT key, label FROM custom_fields WHERE project_id = ${project_id}`)
}

const MAX_COLUMNS = 1000
const EXAMINED_ROWS = 10
/** Records that are read for the format of days. */
const HEAD_ROWS = 200
const SAMPLES = 3
const SAMPLE_LENGTH = 100
const HEADER_LENGTH = 200
/** After this many malformed lines the search for the first records ends: damage everywhere is expensive to read. */
const MAX_FLAWS = 1000
/** Characters from which the first records are read. */
const MAX_HEAD = 2 * 1024 * 1024

/** Reads the beginning of a file. Throws VALIDATION_FAILED, pointing at `path`, for no or too many columns. */
export function requireHead(
  texts: Iterable<string>,
  delimiter: Delimiter,
  custom: readonly CustomLabel[],
  path: string,
): Head {
  const [first, ...others] = firstRecords(refusingBinaries(texts, path), delimiter)
  if (!first) throw invalid(path, 'The file has no rows.')
  const has_header = !first.cells.some((cell) => isEmail(cell.trim()))
  const data = (has_header ? others : [first, ...others]).map(({ cells }) => cells)
  const rows = data.slice(0, EXAMINED_ROWS + (has_header ? 0 : 1))
  const width = has_header ? first.cells.length : Math.max(...rows.map((cells) => cells.length))
  if (width > MAX_COLUMNS) throw invalid(path, `The file has ${width} columns; at most ${MAX_COLUMNS} are allowed.`)
  const suggest = suggestions(custom)
  return {
    rows: data,
    has_header,
    columns: Array.from({ length: width }, (_, index) => {
      const header = has_header ? clip(first.cells[index]!.trim(), HEADER_LENGTH) : ''
      const values = rows.map((cells) => (cells[index] ?? '').trim()).filter((value) => value !== '')
      return {
        index,
        header,
        samples: samplesOf(values, index, data),
        suggested_field: has_header ? suggest(header) : suggest(values.some(isEmail) ? 'email' : ''),
      }
    }),
  }
}

/**
 * The first values of a column. The last of them gives way to one with a leading zero, where the first records have
 * one: such digits are no number.
 */
function samplesOf(values: readonly string[], index: number, records: readonly string[][]): string[] {
  const first = values.slice(0, SAMPLES)
  const isPadded = (value: string | undefined) => value !== undefined && /^0\d/.test(value)
  const padded = first.some(isPadded) ? undefined : records.find((cells) => isPadded(cells[index]?.trim()))
  const shown = padded === undefined ? first : [...first.slice(0, SAMPLES - 1), padded[index]!.trim()]
  return shown.map((value) => clip(value, SAMPLE_LENGTH))
}

/** The first characters of binary files, and the file type that they identify. */
const BINARIES: readonly [start: string, what: string][] = [
  ['PK\u0003\u0004', 'an Excel workbook (.xlsx) or another ZIP archive'],
  ['\u00D0\u00CF\u0011\u00E0', 'an Excel workbook (.xls)'],
  ['\u001F\u2039', 'a gzip archive'],
]

/** Passes the text on; throws VALIDATION_FAILED for a workbook or an archive. */
function* refusingBinaries(texts: Iterable<string>, path: string): Generator<string> {
  let isFirst = true
  for (const text of texts) {
    const binary = isFirst ? BINARIES.find(([start]) => text.startsWith(start)) : undefined
    if (binary)
      throw invalid(
        path,
        `The file is ${binary[1]}, not CSV. Open it, save the sheet as "CSV UTF-8", and import that file.`,
      )
    isFirst &&= text === ''
    yield text
  }
}

function firstRecords(texts: Iterable<string>, delimiter: Delimiter): CsvRecord[] {
  const reader = csvReader(delimiter)
  const records: CsvRecord[] = []
  let flaws = 0
  let length = 0
  const take = (read: readonly CsvRecord[]): void => {
    for (const record of read) {
      if (record.flaw !== undefined) flaws++
      else if (records.length <= HEAD_ROWS) records.push(record)
    }
  }
  for (const text of texts) {
    take(reader.push(text))
    length += text.length
    if (records.length > HEAD_ROWS || flaws > MAX_FLAWS || length > MAX_HEAD) return records
  }
  take(reader.end())
  return records
}

const headersOf = (those: typeof CONTACT_FIELDS) =>
  Object.fromEntries(those.map(({ name, headers }) => [name, headers]))

/** The headers that mean a field. */
const MEANINGS: Readonly<Record<string, readonly string[]>> = {
  email: [
    'email',
    'emailaddress',
    'mail',
    'mailaddress',
    'emailadresse',
    'adresseemail',
    'correo',
    'correoelectronico',
    'subscriber',
  ],
  ...headersOf(CONTACT_FIELDS.filter(({ beats_custom }) => beats_custom)),
}

/** As `MEANINGS`, where no custom field of the project has that name. */
const WEAK_MEANINGS: Readonly<Record<string, readonly string[]>> = {
  ...headersOf(CONTACT_FIELDS.filter(({ beats_custom }) => !beats_custom)),
  full_name: ['name', 'fullname', 'displayname'],
  tags: [
    ...['tags', 'labels', 'stichworte', 'schlagworte', 'schlagworter'],
    ...['etiquettes', 'motscles', 'etiquetas', 'etichette'],
  ],
  status: ['status', 'globalstatus', 'subscriptionstatus', 'emailstatus', 'subscribedtoemails'],
  opted_out: ['unsubscribed', 'unsubtime', 'unsubscribedat', 'emaildisabled', 'optedout', 'blocklisted', 'blacklisted'],
  bounced: ['cleantime', 'bounced'],
  complained: ['complained'],
  consent_at: ['consentat', 'confirmtime', 'optintime'],
  consent_text: ['consenttext'],
  consent_ip: ['consentip', 'confirmip', 'optinip'],
  consent_source: ['consentsource'],
}

/** Suggests a field for a header, each field once. */
function suggestions(custom: readonly CustomLabel[]): (header: string) => string | null {
  const meanings = new Map<string, string>()
  for (const [field, words] of Object.entries(WEAK_MEANINGS)) for (const word of words) meanings.set(word, field)
  for (const { key, label } of custom)
    for (const word of [label, key, `custom.${key}`]) meanings.set(letters(word), `custom.${key}`)
  for (const [field, words] of Object.entries(MEANINGS)) for (const word of words) meanings.set(word, field)
  const used = new Set<string>()
  return (header) => {
    const field = meanings.get(letters(header))
    if (field === undefined || used.has(field)) return null
    used.add(field)
    return field
  }
}

/** Letters and digits alone, without case and accents: `E-Mail`, `e_mail` and `email` are the same. */
export function letters(text: string): string {
  return normalForm(foldText(text), 'NFD').replaceAll(/[^\p{L}\p{N}]/gu, '')
}

export function clip(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`
}
