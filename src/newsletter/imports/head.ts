import { AppError, type Flaw, invalid } from '../../errors.ts'
import type { ProjectId } from '../../ids.ts'
import { TaskTimeout } from '../../threads/heavy.ts'
import type { HeavyTask, Store } from '../../store/open.ts'
import type { Delimiter, Encoding } from '../../store/tables/imports.ts'
import { customFields, type Head, requireHead } from './columns.ts'
import { guessDelimiter } from './csv.ts'
import { decodeText } from './decode.ts'
import { storedText } from './storage.ts'

/** Identifies the head to read. */
export interface HeadRequest {
  project_id: ProjectId
  /** The text of a file, the bytes with which it begins, or the import that stores it. */
  file: { csv: string } | { bytes: Uint8Array } | StoredFile
  /** The columns whose cells the answer has. */
  cells_of: readonly number[]
}

interface StoredFile {
  import_id: number
  /** Null to find the encoding. */
  encoding: Encoding | null
  /** Null to find the delimiter. */
  delimiter: Delimiter | null
}

export interface FoundHead extends Pick<Head, 'has_header' | 'columns'> {
  delimiter: Delimiter
  /** The cells of the first rows, without the header, by their column. */
  rows: Readonly<Record<number, string>>[]
}

/**
 * Reads the first records of a file on another thread: hostile ones take up to 50 ms of CPU.
 * Throws VALIDATION_FAILED, pointing at `path`, as `requireHead` does.
 */
export async function findHead(store: Omit<Store, 'write'>, request: HeadRequest, path: string): Promise<FoundHead> {
  const { file } = request
  try {
    const found = await store.heavyTask(headTask, { ...request, file: beginningOnly(file) })
    if ('flaw' in found) throw invalid(path, found.flaw)
    return found
  } catch (error) {
    if (error instanceof TaskTimeout) throw invalid(path, 'The beginning of the file takes too long to read.')
    throw error
  }
}

/** To copy a whole file to the thread would take longer than to read its head, and more memory. */
function beginningOnly(file: HeadRequest['file']): HeadRequest['file'] {
  const length = BEGINNING_PIECES * PIECE
  if ('csv' in file) return { csv: file.csv.slice(0, length) }
  // A view would take its whole buffer along.
  return 'bytes' in file ? { bytes: file.bytes.slice(0, length) } : file
}

export const headTask: HeavyTask<HeadRequest, FoundHead | { flaw: string }> = {
  name: 'head_of_import',
  timeout_ms: 5000,
  ownerOf: ({ project_id }) => project_id,
  async run(db, { project_id, file: given, cells_of }) {
    const file = 'bytes' in given ? { csv: await textOf(given.bytes) } : given
    const beginning = 'csv' in file ? pieces(file.csv) : await beginningOf(storedText(db, file))
    const delimiter =
      'csv' in file ? guessDelimiter(file.csv) : (file.delimiter ?? guessDelimiter(Array.from(beginning).join('')))
    try {
      const { rows, has_header, columns } = requireHead(beginning, delimiter, await customFields(db, project_id), '')
      const cells = (row: readonly string[]): Record<number, string> =>
        Object.fromEntries(cells_of.map((index) => [index, row[index] ?? '']))
      return { delimiter, has_header, columns, rows: cells_of.length === 0 ? [] : rows.map(cells) }
    } catch (error) {
      if (error instanceof AppError) return { flaw: (error.details as Required<Flaw>[])[0]!.message }
      throw error
    }
  },
}

/** Every line may be in another encoding, so decoding takes long where there are millions. */
async function textOf(bytes: Uint8Array): Promise<string> {
  async function* all() {
    yield bytes
  }
  return (await Array.fromAsync(decodeText(all()))).join('')
}

const PIECE = 64 * 1024

function* pieces(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += PIECE) yield text.slice(at, at + PIECE)
}

/** Pieces of a file that are enough to find its first rows. */
const BEGINNING_PIECES = 9

async function beginningOf(stored: AsyncGenerator<string>): Promise<string[]> {
  const beginning: string[] = []
  for await (const text of stored) {
    beginning.push(text)
    if (beginning.length === BEGINNING_PIECES) break
  }
  return beginning
}
