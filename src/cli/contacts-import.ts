import type { ProjectId } from '../ids.ts'
import { createReadStream, statSync } from 'node:fs'
import { basename } from 'node:path'
import { sql } from 'drizzle-orm'
import { AppError, type Flaw } from '../errors.ts'
import { nameKey } from '../newsletter/names.ts'
import { clip } from '../newsletter/imports/columns.ts'
import { discard, examineFile } from '../newsletter/imports/file.ts'
import { type ColumnMapping, type Delimiter, DELIMITERS, type FileColumn } from '../store/tables/imports.ts'
import { getImport, importResource } from '../newsletter/imports/resource.ts'
import type { ImportRow } from '../newsletter/imports/states.ts'
import { getProject } from '../projects/projects.ts'
import type { Reader } from '../store/open.ts'
import { columns } from './columns.ts'
import { Failure, type GivenSettings, type Outcome, UsageError } from './command.ts'
import { commitHere } from './contacts-commit.ts'
import { type Opened, withStore } from './open.ts'
import { progressBar } from './progress.ts'

export interface ImportCall {
  project: string
  csv: string
  flags: Record<'map' | 'list' | 'tag' | 'consent-text' | 'delimiter', string | undefined> &
    Record<'consent-confirmed' | 'send-confirmation' | 'update-existing' | 'abort-on-invalid' | 'dry-run', boolean>
  settings: GivenSettings
}

/** `masthead contacts import`: validates the file, imports its contacts in this process and reports. */
export async function importContacts({ project, csv, flags, settings }: ImportCall): Promise<Outcome> {
  if (flags.list !== undefined && !flags['consent-confirmed'] && !flags['send-confirmation'])
    throw new UsageError('--list needs --consent-confirmed or --send-confirmation.')
  return withStore(settings, async (opened) => {
    const { store, loop_store, clock } = opened
    const { id: project_id } = await getProject(store.db, project)
    const options = {
      list_ids: await idsOf(store.db, 'lists', project_id, flags.list),
      tag_ids: await idsOf(store.db, 'tags', project_id, flags.tag),
      consent_text: flags['consent-text'],
      consent_confirmed: flags['consent-confirmed'],
      send_confirmation: flags['send-confirmation'],
      update_existing: flags['update-existing'],
      on_invalid: flags['abort-on-invalid'] ? ('abort' as const) : ('skip' as const),
      delimiter: delimiterOf(flags.delimiter),
    }
    const { bytes, size } = openCsv(csv)
    const bar = progressBar('Reading', size)
    const examined = await examineFile(
      loop_store,
      clock,
      { filename: csv === '-' ? '' : basename(csv), bytes: counted(bytes, bar.advance) },
      {
        project_id,
        options,
        mapping: (found) => (flags.map === undefined ? suggestedMapping(found) : namedMapping(flags.map, found)),
      },
    )
      .catch((error: unknown) => {
        throw asUsage(error)
      })
      .finally(bar.end)
    return finish(opened, examined, flags['dry-run'])
  })
}

/** Reports a dry-run, or commits the import and reports its result. */
async function finish(opened: Opened, examined: ImportRow, onlyReport: boolean): Promise<Outcome> {
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

function openCsv(csv: string): { bytes: AsyncIterable<Uint8Array>; size: number | null } {
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

function suggestedMapping(found: readonly FileColumn[]): ColumnMapping {
  const mapping = Object.fromEntries(
    found.flatMap(({ index, suggested_field }) => (suggested_field === null ? [] : [[String(index), suggested_field]])),
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

async function idsOf(
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
  const { status, counters, summary, row_errors } = importResource(row)
  const counts = status === 'completed' ? counters : summary!
  const shown = row_errors
    .slice(0, ERRORS_SHOWN)
    .map(({ row, field, message, value }) => [`row ${row}`, field ?? '', message, value ?? ''])
  return [
    columns(Object.entries(counts).map(([name, count]) => [name.replaceAll('_', ' '), String(count)])),
    ...(shown.length > 0 ? ['', columns(shown)] : []),
    ...(row_errors.length > shown.length ? ['…'] : []),
  ].join('\n')
}
