import type { ProjectId } from '../ids.ts'
import { closeSync, createReadStream, openSync, statSync, writeSync } from 'node:fs'
import { basename } from 'node:path'
import { sql } from 'drizzle-orm'
import { AppError, type Flaw } from '../errors.ts'
import { nameKey } from '../newsletter/names.ts'
import { csvLine } from '../shared/csv.ts'
import { clip } from '../newsletter/imports/columns.ts'
import type { RowReport } from '../newsletter/imports/examine.ts'
import { discard, examineFile, type FileReading } from '../newsletter/imports/file.ts'
import {
  type ColumnMapping,
  DATE_FORMATS,
  type Delimiter,
  DELIMITERS,
  type FileColumn,
  ROW_STATUSES,
} from '../store/tables/imports.ts'
import { ImportOptions } from '../newsletter/imports/mapping.ts'
import { getImport, importResource } from '../newsletter/imports/resource.ts'
import type { ImportRow } from '../newsletter/imports/states.ts'
import { getProject } from '../projects/projects.ts'
import { checker } from '../schema.ts'
import type { Reader } from '../store/open.ts'
import { columns } from './columns.ts'
import { Failure, type GivenSettings, type CommandResult, UsageError } from './command.ts'
import { commitHere } from './contacts-commit.ts'
import { type Opened, withStore } from './open.ts'
import { progressBar } from './progress.ts'

export interface ImportCall {
  project: string
  csv: string
  flags: Record<
    | 'map'
    | 'list'
    | 'tag'
    | 'consent-text'
    | 'delimiter'
    | 'on-invalid-value'
    | 'date-format'
    | 'default-status'
    | 'report',
    string | undefined
  > &
    Record<
      'consent-confirmed' | 'send-confirmation' | 'update-existing' | 'abort-on-invalid' | 'create-tags' | 'dry-run',
      boolean
    >
  settings: GivenSettings
}

/** `masthead contacts import`: validates the file, imports its contacts in this process and reports. */
export async function importContacts({ project, csv, flags, settings }: ImportCall): Promise<CommandResult> {
  if (flags.list !== undefined && !flags['consent-confirmed'] && !flags['send-confirmation'])
    throw new UsageError('--list needs --consent-confirmed or --send-confirmation.')
  return withStore(settings, async (opened) => {
    const { db } = opened.store
    const { id: project_id } = await getProject(db, project)
    const options = {
      list_ids: await idsOf(db, 'lists', project_id, flags.list),
      tag_ids: await idsOf(db, 'tags', project_id, flags.tag),
      consent_text: consentTextOf(flags['consent-text']),
      consent_confirmed: flags['consent-confirmed'],
      send_confirmation: flags['send-confirmation'],
      update_existing: flags['update-existing'],
      on_invalid: flags['abort-on-invalid'] ? ('abort' as const) : ('skip' as const),
      on_invalid_value: oneOf('on-invalid-value', flags['on-invalid-value'], ['fail_row', 'drop_value']),
      date_format: oneOf('date-format', flags['date-format'], DATE_FORMATS),
      default_status: oneOf('default-status', flags['default-status'], ROW_STATUSES),
      create_tags: flags['create-tags'],
      delimiter: delimiterOf(flags.delimiter),
    }
    const mapping = (found: readonly FileColumn[]): ColumnMapping =>
      flags.map === undefined ? suggestedMapping(found, options.create_tags) : namedMapping(flags.map, found)
    const file = { csv, report: flags.report }
    const examined = await examineLocal(opened, file, { project_id, options, mapping })
    return finish(opened, examined, flags['dry-run'])
  })
}

/** Runs the dry-run of a file on this machine, and writes what becomes of each row to the file `report`. */
export async function examineLocal(
  { loop_store, clock }: Opened,
  { csv, report }: { csv: string; report: string | undefined },
  reading: FileReading,
): Promise<ImportRow> {
  const { bytes, size } = openCsv(csv)
  const bar = progressBar('Reading', size)
  const rows = report === undefined ? null : reportFile(report)
  return examineFile(
    loop_store,
    clock,
    { filename: csv === '-' ? '' : basename(csv), bytes: counted(bytes, bar.advance) },
    { ...reading, ...(rows ? { report: rows.write } : {}) },
  )
    .catch((error: unknown) => {
      throw asUsage(error)
    })
    .finally(() => {
      bar.end()
      rows?.close()
    })
}

const REPORTED = ['row', 'email', 'result', 'status', 'suppressed', 'messages'] as const

/** A new file with a line for each row; several files of one call follow each other in it. */
function reportFile(name: string): { write(rows: readonly RowReport[]): void; close(): void } {
  const handle = openSync(name, 'a', 0o600)
  writeSync(handle, csvLine(REPORTED))
  return {
    write: (rows) => {
      writeSync(handle, rows.map((row) => csvLine(REPORTED.map((column) => row[column]))).join(''))
    },
    close: () => closeSync(handle),
  }
}

/** Reports a dry-run, or commits the import and reports its result. */
export async function finish(opened: Opened, examined: ImportRow, onlyReport: boolean): Promise<CommandResult> {
  const { store, loop_store, clock } = opened
  const { invalid } = examined.summary!
  const refused = invalid > 0 && examined.options!.on_invalid === 'abort'
  if (onlyReport || refused) {
    const ended = await discard(loop_store, clock, examined)
    const nothing = refused
      ? `\n\nNothing was imported: ${invalid} ${invalid === 1 ? 'row is' : 'rows are'} invalid.`
      : ''
    return { text: report(ended) + nothing, data: { import: importResource(ended) }, code: refused ? 1 : 0 }
  }
  const ended = await commitHere(opened, examined)
  const done = await getImport(store.db, examined.project_id, examined.id)
  return { text: report(done), data: { import: importResource(done) }, code: ended === 'completed' ? 0 : 1 }
}

export function openCsv(csv: string): { bytes: AsyncIterable<Uint8Array>; size: number | null } {
  if (csv === '-') return { bytes: Bun.stdin.stream(), size: null }
  const stats = statSync(csv, { throwIfNoEntry: false })
  if (!stats?.isFile()) throw new Failure(`The file ${csv} does not exist.`)
  return { bytes: createReadStream(csv, { highWaterMark: 256 * 1024 }) as AsyncIterable<Uint8Array>, size: stats.size }
}

async function* counted(bytes: AsyncIterable<Uint8Array>, advance: (by: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    advance(chunk.byteLength)
    yield chunk
  }
}

/** The mapping that the headers suggest. Tags only where missing ones are created. */
function suggestedMapping(found: readonly FileColumn[], with_tags: boolean): ColumnMapping {
  const mapping = Object.fromEntries(
    found.flatMap(({ index, suggested_field }) =>
      suggested_field === null || (suggested_field === 'tags' && !with_tags) ? [] : [[String(index), suggested_field]],
    ),
  )
  if (!Object.values(mapping).includes('email'))
    throw new UsageError(
      `No column looks like email addresses. Name it with --map COLUMN=email. Columns: ${headers(found)}.`,
    )
  return mapping
}

function namedMapping(given: string, found: readonly FileColumn[]): ColumnMapping {
  return Object.fromEntries(
    given.split(',').map((entry) => {
      const [column = '', field = ''] = [
        entry.slice(0, entry.lastIndexOf('=')).trim(),
        entry.slice(entry.lastIndexOf('=') + 1).trim(),
      ]
      const meant =
        found.find(({ header }) => header !== '' && nameKey(header) === nameKey(column)) ??
        found.find(({ index }) => String(index) === column)
      if (!meant) throw new UsageError(`--map: the file has no column ${column}. Columns: ${headers(found)}.`)
      return [String(meant.index), field]
    }),
  )
}

function headers(found: readonly FileColumn[]): string {
  const shown = found.slice(0, 20).map(({ index, header }) => (header === '' ? String(index) : clip(header, 30)))
  return shown.join(', ') + (found.length > shown.length ? ', …' : '')
}

export async function idsOf(
  db: Reader,
  table: 'lists' | 'tags',
  project_id: ProjectId,
  given: string | undefined,
): Promise<number[]> {
  if (given === undefined) return []
  const rows = await db.all<{ id: number; name_key: string }>(
    sql`SELECT id, name_key FROM ${sql.raw(table)} WHERE project_id = ${project_id}`,
  )
  return given.split(',').map((word) => {
    const meant =
      rows.find(({ name_key }) => name_key === nameKey(word)) ?? rows.find(({ id }) => String(id) === word.trim())
    if (!meant) throw new Failure(`The project has no ${table === 'lists' ? 'list' : 'tag'} ${word.trim()}.`)
    return meant.id
  })
}

function oneOf<const W extends readonly string[]>(
  flag: string,
  given: string | undefined,
  choices: W,
): W[number] | undefined {
  const meant = choices.find((choice) => choice === given)
  if (given !== undefined && meant === undefined)
    throw new UsageError(`--${flag} expects one of ${choices.join(', ')}.`)
  return meant
}

/** The wording as the API takes it. */
export function consentTextOf(given: string | undefined): string | undefined {
  const { consent_text } = ImportOptions.properties
  if (given !== undefined && !checker(consent_text).Check(given))
    throw new UsageError('--consent-text expects a text of at most 4000 characters.')
  return given
}

function delimiterOf(given: string | undefined): Delimiter | undefined {
  if (given === undefined) return undefined
  const meant = given === 'tab' || given === '\\t' ? '\t' : given
  if (!(DELIMITERS as readonly string[]).includes(meant))
    throw new UsageError('--delimiter expects one of , ; | and tab.')
  return meant as Delimiter
}

/** VALIDATION_FAILED becomes a usage error, unless it is about the content of the file. */
export function asUsage(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'VALIDATION_FAILED') return error
  const [flaw] = error.details as Flaw[]
  return flaw?.path === '/csv' ? new Failure(flaw.message) : new UsageError(flaw?.message ?? error.message)
}

const ERRORS_SHOWN = 10

function report(row: ImportRow): string {
  const { status, counters, summary, findings, row_errors } = importResource(row)
  const counts = { ...(status === 'completed' ? counters : summary!), ...findings }
  const shown = row_errors
    .slice(0, ERRORS_SHOWN)
    .map(({ row, field, message, value }) => [`row ${row}`, field ?? '', message, value ?? ''])
  return [
    columns(Object.entries(counts).map(([name, count]) => [name.replaceAll('_', ' '), String(count)])),
    ...(shown.length > 0 ? ['', columns(shown)] : []),
    ...(row_errors.length > shown.length ? ['…'] : []),
  ].join('\n')
}
