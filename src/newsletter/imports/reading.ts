import type { Static } from '@sinclair/typebox'
import type { Store } from '../../store/open.ts'
import type { ColumnMapping, FileColumn, MappedField, SettledOptions } from '../../store/tables/imports.ts'
import { fieldDefinitions } from '../contacts/custom-values.ts'
import { dateFormatOf, fieldsOf, requireOptions } from './dry-run.ts'
import type { Reading } from './examine.ts'
import { findHead } from './head.ts'
import { datedColumns, type ImportOptions, requireMapping, settledOptions } from './mapping.ts'
import { type ImportRow, requireMove, requireWhole } from './states.ts'

/** How a dry-run reads a staged file, after its mapping and options were checked. */
interface PreparedReading {
  columns: FileColumn[]
  options: SettledOptions
  fields: MappedField[]
  reading: Reading
}

/** Throws VALIDATION_FAILED for a mapping or options that do not fit, INVALID_STATE for a file that is not ready. */
export async function prepareReading(
  store: Omit<Store, 'write'>,
  row: ImportRow,
  { mapping, options: given, now }: { mapping: ColumnMapping; options: Static<typeof ImportOptions>; now: number },
): Promise<PreparedReading> {
  const { id: import_id, project_id, encoding } = row
  requireMove(row, 'validated')
  requireWhole(row)
  const delimiter = given.delimiter ?? row.delimiter
  const wanted = { project_id, file: { import_id, encoding, delimiter }, cells_of: datedColumns(mapping) }
  const head = await findHead(store, wanted, '/options/delimiter')
  const columns = delimiter === row.delimiter ? row.columns : head.columns
  const targets = requireMapping(mapping, columns.length, await fieldDefinitions(store.db, project_id))
  const options = settledOptions(given, { delimiter, date_format: dateFormatOf(head, targets) })
  await requireOptions(store.db, project_id, options, mapping)
  const { has_header } = head
  return {
    columns,
    options,
    fields: fieldsOf(targets),
    reading: { project_id, delimiter, has_header, columns: columns.length, targets, options, now },
  }
}
