import { setImmediate } from 'node:timers/promises'
import { asc, sql } from 'drizzle-orm'
import { isEmail } from '../../address.ts'
import { csvLine } from '../../shared/csv.ts'
import type { Reader } from '../../store/open.ts'
import { import_refusals } from '../../store/tables/imports.ts'
import { forgottenAmong } from '../contacts/erasure.ts'
import { csvReader } from './csv.ts'
import type { PackedError } from './refusals.ts'
import type { ImportRow } from './states.ts'
import { storedText } from './storage.ts'

/** Spreadsheets read a file as UTF-8 when it begins with this. */
const BYTE_ORDER_MARK = '\uFEFF'

/**
 * The row errors of an import as CSV, in pieces, each with the cells of its row while the file is stored. A last line
 * says how many more there were.
 */
export async function* refusedRows(db: Reader, row: ImportRow): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  const nameOf = columnNames(row)
  const { isStored, rowsOf } = await fileRows(db, row)
  const line = ([number, field, , message, value]: PackedError, cells: readonly string[] = []) =>
    csvLine([number, field === null ? '' : nameOf(field), value, message, ...cells])
  const page = async (errors: readonly PackedError[]) => {
    const cells = await rowsOf(errors.map(([number]) => number))
    return encoder.encode(errors.map((error) => line(error, cells.get(error[0]))).join(''))
  }
  const headers = isStored ? row.columns.map(({ header, index }) => header || `column ${index + 1}`) : []
  yield encoder.encode(BYTE_ORDER_MARK + csvLine(['row', 'column', 'value', 'reason', ...headers]))
  let written = 0
  for (let after = 0; ;) {
    const [stored] = await db
      .select()
      .from(import_refusals)
      .where(sql`import_id = ${row.id} AND id > ${after}`)
      .orderBy(asc(import_refusals.id))
      .limit(1)
    if (!stored) break
    const errors = JSON.parse(stored.errors) as PackedError[]
    written += errors.length
    after = stored.id
    yield await page(errors)
  }
  // An import of an earlier release, or one that ended a while ago, has its first errors only.
  if (written === 0) {
    yield await page(row.row_errors.map((e): PackedError => [e.row, e.field, e.code, e.message, e.value]))
    written = row.row_errors.length
  }
  const inFile = row.findings?.reasons?.reduce((sum, { errors }) => sum + errors, 0) ?? 0
  // Rows beyond the plan are valid and failed.
  const found = inFile + Math.max(row.failed - (row.summary?.invalid ?? 0), 0)
  if (found > written) yield encoder.encode(csvLine(['', '', '', `${found - written} more are not stored.`]))
}

/** The header of the column that is mapped to a field, or the field where the file has none. */
function columnNames({ columns, mapping }: ImportRow): (field: string) => string {
  const names = new Map(
    Object.entries(mapping ?? {}).map(([index, field]) => [field, columns[Number(index)]?.header || field]),
  )
  return (field) => names.get(field) ?? field
}

/**
 * `rowsOf` reads rows of the stored file by their numbers, which grow from call to call. Addresses of contacts who were
 * deleted since are left out. `isStored` is false once the file is gone, after the commit; then nothing is found.
 */
async function fileRows(db: Reader, { id, project_id, encoding, delimiter, options }: ImportRow) {
  const pieces = storedText(db, { import_id: id, encoding })
  const reader = csvReader(options?.delimiter ?? delimiter)
  let piece = await pieces.next()
  // Without a file the decoder answers an empty text.
  while (!piece.done && piece.value === '') piece = await pieces.next()
  const isStored = !piece.done
  let records: ReturnType<typeof reader.push> = []
  let isRead = !isStored
  const goOn = async () => {
    records = piece.done ? reader.end() : reader.push(piece.value)
    if (!piece.done) piece = await pieces.next()
    else isRead = true
    // Pieces of the file come without a pause, and other requests wait meanwhile.
    await setImmediate()
  }
  const rowsOf = async (numbers: readonly number[]): Promise<ReadonlyMap<number, readonly string[]>> => {
    const wanted = new Set(numbers)
    const found = new Map<number, readonly string[]>()
    const last = Math.max(0, ...numbers)
    while (true) {
      for (const { number, cells } of records) if (wanted.has(number)) found.set(number, cells)
      if (isRead || (records.at(-1)?.number ?? 0) >= last) break
      await goOn()
    }
    const forgotten = await forgottenAmong(db, project_id, [...found.values()].flat().filter(isEmail))
    const without = (cells: readonly string[]) => cells.map((cell) => (forgotten.has(cell) ? '' : cell))
    return forgotten.size === 0 ? found : new Map([...found].map(([number, cells]) => [number, without(cells)]))
  }
  return { isStored, rowsOf }
}
