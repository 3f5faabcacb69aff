import { closeSync, openSync, writeSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { iso } from '../clock.ts'
import type { ProjectId } from '../ids.ts'
import { note } from '../audit/record.ts'
import { csvLine, withoutApostrophe } from '../shared/csv.ts'
import { letters } from '../newsletter/imports/columns.ts'
import { csvReader, guessDelimiter } from '../newsletter/imports/csv.ts'
import { decodeText } from '../newsletter/imports/decode.ts'
import { REASON_OF_STATUS, readStatus } from '../newsletter/imports/row-status.ts'
import { readAddress } from '../newsletter/imports/values.ts'
import { suppressMany } from '../newsletter/suppressions/suppress-many.ts'
import { getProject } from '../projects/projects.ts'
import { isEmail } from '../address.ts'
import type { Reader } from '../store/open.ts'
import { SUPPRESSION_REASONS, type SuppressionReason } from '../store/tables/audience.ts'
import { Failure, type GivenSettings, type CommandResult } from './command.ts'
import { openCsv } from './contacts-import.ts'
import { withReadableStore, withStore } from './open.ts'

const PAGE = 1000

/** `masthead suppressions import`: suppresses every address of a file, by its reason or as `manual`. */
export async function importSuppressions(
  settings: GivenSettings,
  project: string,
  file: string,
): Promise<CommandResult> {
  return withStore(settings, async ({ store, clock }) => {
    const { id: project_id } = await getProject(store.db, project)
    const counts = { rows: 0, suppressed: 0, invalid: 0 }
    const wrong: number[] = []
    let page: { email: string; reason: SuppressionReason }[] = []
    const save = async (): Promise<void> => {
      const addresses = page
      page = []
      await store.write((tx) => {
        note(tx, { project_id })
        return suppressMany(tx, project_id, addresses, clock.now())
      })
      counts.suppressed += addresses.length
    }
    for await (const { number, email, reason } of addressesOf(file)) {
      counts.rows += 1
      if (isEmail(email) && reason) page.push({ email, reason })
      else if (wrong.push(number) > 0) counts.invalid += 1
      if (page.length === PAGE) await save()
    }
    await save()
    const rows =
      wrong.length === 0
        ? ''
        : `\nNot imported: rows ${wrong.slice(0, 20).join(', ')}${wrong.length > 20 ? ', …' : ''}.`
    return {
      text: `Suppressed ${counts.suppressed} of ${counts.rows} addresses.${rows}`,
      data: { ...counts, invalid_rows: wrong.slice(0, 100) },
      code: counts.invalid > 0 ? 1 : 0,
    }
  })
}

async function* addressesOf(
  file: string,
): AsyncGenerator<{ number: number; email: string; reason: SuppressionReason | undefined }> {
  let reader: ReturnType<typeof csvReader> | null = null
  let columns: { email: number; reason: number } | null = null
  for await (const text of endless(decodeText(openCsv(file).bytes))) {
    reader ??= csvReader(guessDelimiter(text ?? ''))
    for (const { number, cells } of text === null ? reader.end() : reader.push(text)) {
      if (!columns) {
        const headers = cells.map(letters)
        const hasHeader = !cells.some((cell) => isEmail(cell.trim()))
        const email = hasHeader
          ? headers.findIndex((header) => EMAIL_HEADERS.has(header))
          : cells.findIndex(isEmailCell)
        if (email === -1) throw new Failure('No column of the file is called email.')
        columns = { email, reason: hasHeader ? headers.findIndex((header) => REASON_HEADERS.has(header)) : -1 }
        if (hasHeader) continue
      }
      const given = (cells[columns.reason] ?? '').trim()
      const { email } = readAddress(withoutApostrophe((cells[columns.email] ?? '').trim()))
      yield { number, email, reason: given === '' ? 'manual' : reasonOf(given) }
    }
  }
}

const EMAIL_HEADERS = new Set(['email', 'emailaddress', 'address', 'mail'])
const REASON_HEADERS = new Set(['reason', 'status'])
const isEmailCell = (cell: string): boolean => isEmail(cell.trim())

/** A reason, or the status of another program that implies one. */
function reasonOf(given: string): SuppressionReason | undefined {
  const status = readStatus(given)
  return (
    SUPPRESSION_REASONS.find((reason) => reason === given.toLowerCase()) ??
    (status && (REASON_OF_STATUS[status] ?? undefined))
  )
}

/** The texts, and null at the end. */
async function* endless(texts: AsyncIterable<string>): AsyncGenerator<string | null> {
  yield* texts
  yield null
}

/** `masthead suppressions export`: `email,reason,note,created_at`, without the addresses of deleted contacts. */
export async function exportSuppressions(
  settings: GivenSettings,
  project: string,
  file: string,
): Promise<CommandResult> {
  return withReadableStore(settings, async ({ store }) => {
    const { id: project_id } = await getProject(store.db, project)
    const handle = file === '-' ? 1 : createFile(file)
    await store.write(async (tx) => note(tx, { project_id }))
    let exported = 0
    writeSync(handle, csvLine(['email', 'reason', 'note', 'created_at']))
    for await (const rows of pagesOf(store.db, project_id)) {
      writeSync(
        handle,
        rows.map(({ email, reason, note, created_at }) => csvLine([email, reason, note, iso(created_at)])).join(''),
      )
      exported += rows.length
    }
    if (file === '-') return {}
    closeSync(handle)
    return { text: `Exported ${exported} suppressions to ${file}.`, data: { file, exported } }
  })
}

interface Row {
  id: number
  email: string
  reason: string
  note: string
  created_at: number
}

async function* pagesOf(db: Reader, project_id: ProjectId): AsyncGenerator<Row[]> {
  for (let after = 0; ;) {
    const rows = await db.all<Row>(sql`
      -- The end of a bounce must not bring back whoever left.
      SELECT id, email, iif(reason = 'hard_bounce' AND opted_out, 'unsubscribe', reason) AS reason, note, created_at
      FROM suppressions
      WHERE project_id = ${project_id} AND id > ${after} AND email <> '' ORDER BY id LIMIT ${PAGE}`)
    if (rows.length === 0) return
    yield rows
    after = rows.at(-1)!.id
  }
}

function createFile(file: string): number {
  try {
    return openSync(file, 'wx', 0o600)
  } catch (error) {
    throw error instanceof Error && 'code' in error
      ? new Failure(`Cannot create ${file} (${String(error.code)}).`)
      : error
  }
}
