import type { ProjectId } from '../../ids.ts'
import type { HeavyTask, Reader } from '../../store/open.ts'
import type { ColumnMapping, DateFormat, Encoding, MappedField, SettledOptions } from '../../store/tables/imports.ts'
import { requireLists } from '../consent/memberships.operations.ts'
import { requireTags } from '../lists/tags.operations.ts'
import { type Examination, examine, type Reading } from './examine.ts'
import type { FoundHead } from './head.ts'
import { dateColumns, requireConsent, type Target } from './mapping.ts'
import { guessDateFormat } from './values.ts'
import { type ReadPage, storedText } from './storage.ts'

/** The files of calls are small enough that most of them have no more addresses. */
const KEYS_OF_A_CALL = 150_000

/** A stored file, and how to read it. */
export interface StoredReading {
  import_id: number
  /** Null to find the encoding. */
  encoding: Encoding | null
  reading: Reading
}

/** Reads a staged file in the reading thread. */
export const examineImport: HeavyTask<StoredReading, Examination & { pages: ReadPage[] }> = {
  name: 'examine_import',
  async run(db, { reading, ...file }) {
    const pages: ReadPage[] = []
    const keep = (page: ReadPage): void => void pages.push(page)
    const sinks = { keep, keys_in_memory: KEYS_OF_A_CALL }
    return { ...(await examine(db, storedText(db, file), reading, sinks)), pages }
  },
}

/** Throws VALIDATION_FAILED or NOT_FOUND for options that cannot be applied. */
export async function requireOptions(
  db: Reader,
  project_id: ProjectId,
  options: SettledOptions,
  mapping: ColumnMapping,
): Promise<void> {
  requireConsent(options, mapping)
  await requireLists(db, project_id, options.list_ids, '/options/list_ids')
  await requireTags(db, project_id, options.tag_ids, '/options/tag_ids')
}

/** The custom fields of a mapping. */
export function fieldsOf(targets: readonly Target[]): MappedField[] {
  return targets.flatMap((target) =>
    'custom' in target ? [{ key: target.custom.key, type: target.custom.type, options: target.custom.options }] : [],
  )
}

/** The format of the days in the mapped columns of the first rows. */
export function dateFormatOf({ rows }: Pick<FoundHead, 'rows'>, targets: readonly Target[]): DateFormat {
  const columns = dateColumns(targets)
  return guessDateFormat(rows.flatMap((cells) => columns.map((column) => (cells[column] ?? '').trim())))
}
