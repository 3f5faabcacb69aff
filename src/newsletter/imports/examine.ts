import { setImmediate } from 'node:timers/promises'
import type { ProjectId } from '../../ids.ts'
import { sql } from 'drizzle-orm'
import { jsonText } from '../../store/json-text.ts'
import type { Reader } from '../../store/open.ts'
import type {
  Delimiter,
  DryRunSummary,
  ImportFindings,
  ImportRowError,
  SettledOptions,
} from '../../store/tables/imports.ts'
import { MAX_TAGS } from '../lists/tags.operations.ts'
import { type CsvRecord, csvReader } from './csv.ts'
import type { Target } from './mapping.ts'
import type { RowPerson } from './row-person.ts'
import { MAX_ROW_ERRORS, optOutAlone, readRow, type RowRules } from './rows.ts'
import { seenKeys } from './seen.ts'
import { refusalPages } from './refusals.ts'
import type { ReadPage } from './storage.ts'
import { one } from '../../store/rows.ts'
import { emailKey } from '../../address.ts'

/** How to read a file. */
export interface Reading {
  project_id: ProjectId
  delimiter: Delimiter
  has_header: boolean
  /** Number of columns. */
  columns: number
  targets: Target[]
  options: Pick<
    SettledOptions,
    'on_invalid_value' | 'date_format' | 'default_status' | 'create_tags' | 'send_confirmation'
  >
  now: number
}

/** The outcome of one row, for a report of every row. */
export interface RowReport {
  row: number
  email: string
  result: 'new' | 'existing' | 'duplicate' | 'invalid'
  /** The status that the row says; of an invalid one only an opt-out. */
  status: string
  /** Whether the address is suppressed already. */
  suppressed: boolean
  messages: string
}

interface Sinks {
  /** The number of addresses to keep in memory for finding duplicates; further ones go to a temporary file. */
  keys_in_memory: number
  keep(page: ReadPage): Promise<void> | void
  /** Called with the outcome of every row, in pages. */
  report?(rows: readonly RowReport[]): void
}

export interface Examination {
  summary: DryRunSummary
  findings: ImportFindings
  /** The first 100 row errors. */
  row_errors: ImportRowError[]
}

/** `keys_in_memory` for a file of any size. */
export const FEW_KEYS = 1000

/** Limits of a page: what one step of the job saves. */
const PAGE_PEOPLE = 1000
const PAGE_LENGTH = 512 * 1024

/** Reads a whole file: checks and counts every row, and yields the people in pages, each address once. */
export async function examine(
  db: Reader,
  text: AsyncIterable<string>,
  reading: Reading,
  sinks: Sinks,
): Promise<Examination> {
  const seen = seenKeys(sinks.keys_in_memory)
  try {
    return await examineRows(db, text, reading, { ...sinks, seen })
  } finally {
    seen.close()
  }
}

async function examineRows(
  db: Reader,
  text: AsyncIterable<string>,
  reading: Reading,
  { keep, report, seen }: Sinks & { seen: ReturnType<typeof seenKeys> },
): Promise<Examination> {
  const reader = csvReader(reading.delimiter)
  const { rules, newTags, unknownTags } = await rulesOf(db, reading)
  const row_errors: ImportRowError[] = []
  const summary: DryRunSummary = {
    rows: 0,
    valid: 0,
    invalid: 0,
    new: 0,
    existing: 0,
    suppressed: 0,
    duplicates_in_file: 0,
  }
  const findings: ImportFindings = {
    joining: 0,
    opted_out: 0,
    dropped_values: 0,
    new_tags: 0,
    unknown_tags: 0,
    unreadable: 0,
    reasons: [],
  }
  const reasons = new Map<string, ImportFindings['reasons'][number]>()
  const refusals = refusalPages()
  let page = emptyPage()
  let headerIsDue = reading.has_header

  const close = async (): Promise<void> => {
    if (page.rows === 0) return
    const { existing, suppressed } = await knownAmong(db, reading.project_id, page.keys)
    summary.rows += page.rows
    summary.invalid += page.failed
    summary.valid += page.rows - page.failed
    summary.duplicates_in_file += page.duplicates
    summary.existing += existing.size
    summary.new += page.people.length - existing.size
    summary.suppressed += suppressed.size
    findings.new_tags = newTags.size
    findings.unknown_tags = unknownTags.size
    findings.joining += page.welcome.filter(
      (key) => !existing.has(key) && !suppressed.has(key) && !page.left.has(key),
    ).length
    await keep({
      last_row: page.last_row,
      rows: page.rows,
      failed: page.failed,
      duplicates: page.duplicates,
      people: `[${[...page.people, ...page.opt_outs].join(',')}]`,
      refusals: refusals.take(),
    })
    report?.(
      page.report.map(({ key, ...row }) => ({
        ...row,
        result: row.result === 'new' && existing.has(key) ? 'existing' : row.result,
        suppressed: suppressed.has(key),
      })),
    )
    page = emptyPage()
  }

  const hold = (into: string[], person: RowPerson): void => {
    const packed = jsonText(person)
    into.push(packed)
    page.length += packed.length
  }

  const take = (record: CsvRecord): void => {
    page.rows += 1
    page.last_row = record.number
    if (record.cells.some((cell) => cell.includes('\uFFFD'))) findings.unreadable += 1
    const { person, opt_out = null, errors } = readRow(record, reading.columns, reading.targets, rules)
    if (row_errors.length < MAX_ROW_ERRORS) row_errors.push(...errors.slice(0, MAX_ROW_ERRORS - row_errors.length))
    page.length += refusals.add(errors)
    for (const { code, field } of errors) {
      const name = `${code} ${field}`
      const reason = reasons.get(name) ?? { code, field, errors: 0 }
      reason.errors += 1
      reasons.set(name, reason)
    }
    const key = person ? emailKey(person[1]) : ''
    const isDuplicate = person !== null && seen.add(key)
    if (report) {
      const messages = errors.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join(' ')
      const result = person ? (isDuplicate ? 'duplicate' : 'new') : 'invalid'
      const status = person ? (person[5]?.status ?? 'subscribed') : (opt_out?.[5]?.status ?? '')
      page.report.push({ row: record.number, email: person?.[1] ?? '', result, status, messages, key })
    }
    if (!person) {
      page.failed += 1
      if (opt_out) hold(page.opt_outs, opt_out)
      return
    }
    findings.dropped_values += errors.length
    const [row, email, , , , { status = 'subscribed' } = {}] = person
    const alone = optOutAlone(row, email, status)
    if (alone) findings.opted_out += 1
    if (isDuplicate) {
      page.duplicates += 1
      if (alone) {
        page.left.add(key)
        hold(page.opt_outs, alone)
      }
      return
    }
    page.keys.push(key)
    if (status === 'subscribed' || (status === 'pending' && reading.options.send_confirmation)) page.welcome.push(key)
    hold(page.people, person)
  }

  const takeAll = async (records: readonly CsvRecord[]): Promise<void> => {
    for (const record of records) {
      if (headerIsDue && !record.flaw) headerIsDue = false
      else take(record)
      if (page.rows < PAGE_PEOPLE && page.length < PAGE_LENGTH) continue
      await close()
      // Let other work of this thread run.
      await setImmediate()
    }
  }

  for await (const piece of text) await takeAll(reader.push(piece))
  await takeAll(reader.end())
  await close()
  findings.reasons = [...reasons.values()].toSorted((one, other) => other.errors - one.errors)
  return { summary, findings, row_errors }
}

interface OpenPage {
  last_row: number
  rows: number
  failed: number
  duplicates: number
  keys: string[]
  /** The keys of those whom the import may subscribe or ask, as far as their row says. */
  welcome: string[]
  /** The keys of those whose later row is an opt-out. */
  left: Set<string>
  people: string[]
  /** Opt-outs on later rows of an address and on invalid rows: they count on whichever row they stand. */
  opt_outs: string[]
  length: number
  report: (Omit<RowReport, 'suppressed'> & { key: string })[]
}

function emptyPage(): OpenPage {
  return {
    last_row: 0,
    rows: 0,
    failed: 0,
    duplicates: 0,
    keys: [],
    welcome: [],
    left: new Set(),
    people: [],
    opt_outs: [],
    length: 0,
    report: [],
  }
}

/** The rules for cells, and the keys of the tags that the file would create, or names in vain, so far. */
async function rulesOf(
  db: Reader,
  { project_id, delimiter, options, targets, now }: Reading,
): Promise<{ rules: RowRules; newTags: ReadonlySet<string>; unknownTags: ReadonlySet<string> }> {
  const named = async (table: 'lists' | 'tags') =>
    targets.some(({ field }) => field === table)
      ? await db.all<{ id: number; name_key: string }>(
          sql`SELECT id, name_key FROM ${sql.raw(table)} WHERE project_id = ${project_id}`,
        )
      : []
  const lists = new Map((await named('lists')).map(({ id, name_key }) => [name_key, id]))
  const tags = new Set((await named('tags')).map(({ name_key }) => name_key))
  const newTags = new Set<string>()
  const unknownTags = new Set<string>()
  const allowsTag = (key: string): boolean => {
    if (tags.has(key) || newTags.has(key)) return true
    if (!options.create_tags || tags.size + newTags.size >= MAX_TAGS) {
      if (unknownTags.size < MAX_TAGS) unknownTags.add(key)
      return false
    }
    newTags.add(key)
    return true
  }
  return { rules: { ...options, has_decimal_comma: delimiter === ';', lists, allowsTag, now }, newTags, unknownTags }
}

/** Those of the addresses that belong to contacts, and those that are suppressed. */
async function knownAmong(
  db: Reader,
  project_id: ProjectId,
  keys: readonly string[],
): Promise<{ existing: Set<string>; suppressed: Set<string> }> {
  const list = jsonText(keys)
  const found = await db.all<{ existing: string; suppressed: string }>(sql`
    SELECT
      (SELECT json_group_array(address.value) FROM json_each(${list}) address
        CROSS JOIN contacts contact
          ON contact.project_id = ${project_id} AND contact.email_key = address.value) AS existing,
      (SELECT json_group_array(address.value) FROM json_each(${list}) address
        CROSS JOIN suppressions suppression
          ON suppression.project_id = ${project_id} AND suppression.email_key = address.value) AS suppressed`)
  const { existing, suppressed } = one(found)
  const keysOf = (text: string) => new Set(JSON.parse(text) as string[])
  return { existing: keysOf(existing), suppressed: keysOf(suppressed) }
}
