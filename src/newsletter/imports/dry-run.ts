import type { ProjectId } from '../../ids.ts'
import { Type } from '@sinclair/typebox'
import { mutation } from '../../operation/declare.ts'
import { Id, obj } from '../../schema.ts'
import type { HeavyTask, Reader } from '../../store/open.ts'
import { type FieldDefinition, fieldDefinitions } from '../contacts/custom-values.ts'
import { requireLists } from '../consent/memberships.operations.ts'
import { requireTags } from '../lists/tags.operations.ts'
import type { Column } from './columns.ts'
import type { Delimiter } from './csv.ts'
import { type Examination, examine, type Reading } from './examine.ts'
import { customFields, requireHead } from './imports.ts'
import {
  ImportOptions,
  Mapping,
  requireConsent,
  requireMapping,
  type SettledOptions,
  settledOptions,
  type Target,
} from './mapping.ts'
import { getImport, Import, importResource, Summary } from './resource.ts'
import { MAX_ROW_ERRORS, RowError } from './rows.ts'
import { type ImportRow, moveImport, requireMove } from './states.ts'
import { dropPages, storePage, storedText, type Page } from './storage.ts'

export const dryRunImport = mutation({
  path: '/imports/dry-run',
  scope: 'write',
  summary:
    'Reads the whole file by the mapping and the options, and answers counts of rows and the first errors. ' +
    'Imports nothing. A later dry-run replaces this one.',
  request: obj({ import_id: Id, mapping: Mapping, options: ImportOptions }),
  response: obj({ import: Import, summary: Summary, row_errors: Type.Array(RowError, { maxItems: MAX_ROW_ERRORS }) }),
  async prepare({ import_id, mapping, options: given }, { db, store, project_id }) {
    const row = await getImport(db, project_id, import_id)
    requireMove(row, 'validated')
    const options = settledOptions(given, row.delimiter as Delimiter)
    await requireOptions(db, project_id, options)
    const columns =
      options.delimiter === row.delimiter ? (row.columns as Column[]) : await columnsBy(db, row, options.delimiter)
    const targets = requireMapping(mapping, columns.length, await fieldDefinitions(db, project_id))
    const reading = {
      project_id,
      delimiter: options.delimiter,
      has_header: hasHeader(columns),
      columns: columns.length,
      targets,
    }
    return {
      columns,
      options,
      fields: fieldsOf(targets),
      examined: await store.heavyTask(examineImport, { import_id, reading }),
    }
  },
  async run(
    { import_id, mapping },
    { tx, project_id, now },
    { columns, options, fields, examined: { summary, row_errors, pages } },
  ) {
    const set = { delimiter: options.delimiter, columns, mapping, options, fields, summary, row_errors }
    const row = await moveImport(tx, { project_id, import_id, to: 'validated', set, now })
    await dropPages(tx, import_id)
    for (const page of pages) await storePage(tx, import_id, page)
    return { import: importResource(row), summary, row_errors }
  },
})

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

/** The parts of the custom fields that reading the file depends on. */
export function fieldsOf(targets: readonly Target[]): Pick<FieldDefinition, 'key' | 'type' | 'options'>[] {
  return targets.flatMap((target) =>
    'custom' in target ? [{ key: target.custom.key, type: target.custom.type, options: target.custom.options }] : [],
  )
}

/** Whether the file has a header: without one, its columns have no names. */
export function hasHeader(columns: readonly Column[]): boolean {
  return columns.some(({ header }) => header !== '')
}

/** Pieces of the file that are enough to find its first rows. */
const BEGINNING_PIECES = 4

/** The columns with another delimiter than the detected one. */
async function columnsBy(db: Reader, { id, project_id }: ImportRow, delimiter: Delimiter): Promise<Column[]> {
  const beginning: string[] = []
  for await (const text of storedText(db, id)) {
    beginning.push(text)
    if (beginning.length === BEGINNING_PIECES) break
  }
  return requireHead(beginning, delimiter, await customFields(db, project_id), '/options/delimiter').columns
}
