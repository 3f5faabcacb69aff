import type { ProjectId } from '../../ids.ts'
import type { HeavyTask, Reader } from '../../store/open.ts'
import type { Delimiter, FileColumn, MappedField, SettledOptions } from '../../store/tables/imports.ts'
import { requireLists } from '../consent/memberships.operations.ts'
import { requireTags } from '../lists/tags.operations.ts'
import { customFields, requireHead } from './columns.ts'
import { type Examination, examine, type Reading } from './examine.ts'
import { requireConsent, type Target } from './mapping.ts'
import type { ImportRow } from './states.ts'
import { type Page, storedText } from './storage.ts'

/** Reads a staged file in the reading thread. */
export const examineImport: HeavyTask<{ import_id: number; reading: Reading }, Examination & { pages: Page[] }> = {
  name: 'examine_import',
  async run(db, { import_id, reading }) {
    const pages: Page[] = []
    const examination = await examine(db, storedText(db, import_id), reading, (page) => {
      pages.push(page)
    })
    return { ...examination, pages }
  },
}

/** Throws VALIDATION_FAILED or NOT_FOUND for options that cannot be applied. */
export async function requireOptions(db: Reader, project_id: ProjectId, options: SettledOptions): Promise<void> {
  requireConsent(options)
  await requireLists(db, project_id, options.list_ids, '/options/list_ids')
  await requireTags(db, project_id, options.tag_ids, '/options/tag_ids')
}

/** The custom fields of a mapping. */
export function fieldsOf(targets: readonly Target[]): MappedField[] {
  return targets.flatMap((target) =>
    'custom' in target ? [{ key: target.custom.key, type: target.custom.type, options: target.custom.options }] : [],
  )
}

/** Whether the file has a header: without one, its columns have no names. */
export function hasHeader(columns: readonly FileColumn[]): boolean {
  return columns.some(({ header }) => header !== '')
}

/** Pieces of the file that are enough to find its first rows. */
const BEGINNING_PIECES = 4

/** The columns with another delimiter than the detected one. */
export async function columnsBy(
  db: Reader,
  { id, project_id }: ImportRow,
  delimiter: Delimiter,
): Promise<FileColumn[]> {
  const beginning: string[] = []
  for await (const text of storedText(db, id)) {
    beginning.push(text)
    if (beginning.length === BEGINNING_PIECES) break
  }
  return requireHead(beginning, delimiter, await customFields(db, project_id), '/options/delimiter').columns
}
