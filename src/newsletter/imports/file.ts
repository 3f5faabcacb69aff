import type { ProjectId } from '../../ids.ts'
import type { Static } from '@sinclair/typebox'
import type { Clock } from '../../clock.ts'
import type { Store } from '../../store/open.ts'
import type { ColumnMapping, FileColumn } from '../../store/tables/imports.ts'
import { fieldDefinitions } from '../contacts/custom-values.ts'
import { customFields, requireHead } from './columns.ts'
import { guessDelimiter } from './csv.ts'
import { decodeText } from './decode.ts'
import { collectAfterPage } from './collect.ts'
import { dateFormatOf, fieldsOf, requireOptions } from './dry-run.ts'
import { examine, FEW_KEYS, type RowReport } from './examine.ts'
import { type ImportOptions, requireMapping, settledOptions } from './mapping.ts'
import { type ImportRow, moveImport, stageImport } from './states.ts'
import { dropPages, storePage } from './storage.ts'

/** A file on this machine. */
interface LocalFile {
  filename: string
  bytes: AsyncIterable<Uint8Array>
}

export interface FileReading {
  project_id: ProjectId
  options: Static<typeof ImportOptions>
  /** The mapping for these columns. */
  mapping(columns: readonly FileColumn[]): ColumnMapping
  /** Called with the outcome of every row, in pages. */
  report?(rows: readonly RowReport[]): void
}

/** Characters that are enough to detect delimiter and columns. */
const BEGINNING = 1024 * 1024

/**
 * Stages a file of any size and runs its dry-run in one pass, by the rules of the API. The text is not stored: it is
 * read once, and the pages that were read wait for `commit`.
 */
export async function examineFile(
  store: Store,
  clock: Clock,
  file: LocalFile,
  reading: FileReading,
): Promise<ImportRow> {
  const { project_id } = reading
  let size_bytes = 0
  const text = decodeText(
    counted(file.bytes, (length) => {
      size_bytes += length
    }),
  )
  const beginning = await takeBeginning(text)
  const delimiter = reading.options.delimiter ?? guessDelimiter(beginning.join(''))
  const head = requireHead(beginning, delimiter, await customFields(store.db, project_id), '/csv')
  const { columns, has_header } = head
  const mapping = reading.mapping(columns)
  const targets = requireMapping(mapping, columns.length, await fieldDefinitions(store.db, project_id))
  const options = settledOptions(reading.options, { delimiter, date_format: dateFormatOf(head, targets) })
  await requireOptions(store.db, project_id, options, mapping)

  const staged = await store.write((tx) =>
    stageImport(tx, { project_id, filename: file.filename, size_bytes, delimiter, columns, now: clock.now() }),
  )
  const import_id = staged.id
  try {
    const now = clock.now()
    const how = { project_id, delimiter, has_header, columns: columns.length, targets, options, now }
    const examination = await examine(store.db, chained(beginning, text), how, {
      keep: async (page) => {
        await store.write((tx) => storePage(tx, import_id, page), { durable: false })
        collectAfterPage()
      },
      keys_in_memory: FEW_KEYS,
      ...(reading.report ? { report: reading.report } : {}),
    })
    const set = { size_bytes, mapping, options, fields: fieldsOf(targets), ...examination }
    return await store.write((tx) => moveImport(tx, { project_id, import_id, to: 'validated', set, now: clock.now() }))
  } catch (error) {
    await discard(store, clock, staged)
    throw error
  }
}

/** Cancels an import and deletes its pages. */
export async function discard(
  store: Store,
  clock: Clock,
  { id: import_id, project_id }: ImportRow,
): Promise<ImportRow> {
  return store.write(async (tx) => {
    await dropPages(tx, import_id)
    return moveImport(tx, {
      project_id,
      import_id,
      to: 'cancelled',
      set: { finished_at: clock.now() },
      now: clock.now(),
    })
  })
}

async function takeBeginning(text: AsyncGenerator<string>): Promise<string[]> {
  const pieces: string[] = []
  for (let length = 0; length < BEGINNING;) {
    const { value, done } = await text.next()
    if (done) break
    pieces.push(value)
    length += value.length
  }
  return pieces
}

async function* chained(beginning: readonly string[], rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield* beginning
  yield* rest
}

async function* counted(bytes: AsyncIterable<Uint8Array>, count: (length: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    count(chunk.byteLength)
    yield chunk
  }
}
