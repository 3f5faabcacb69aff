import { Type } from '@sinclair/typebox'
import { checker, isEmail, nullable, obj, enumOf } from '../../schema.ts'
import type { CustomValue, CustomValues } from '../../store/tables/audience.ts'
import { type ImportRowError, ROW_ERROR_CODES } from '../../store/tables/imports.ts'
import { PersonName } from '../contacts/contact.ts'
import { type FieldDefinition, valueFlaw } from '../contacts/custom-values.ts'
import { clip } from './columns.ts'
import type { CsvRecord } from './csv.ts'
import type { Target } from './mapping.ts'

/** Why a row is not imported (docs/api/imports.md#row-errors). */
export const RowError = obj({
  row: Type.Integer({
    minimum: 1,
    description: 'The number of the record, the header counted as 1, as spreadsheets do.',
  }),
  field: nullable(Type.String({ description: 'Null for an error of the whole row.' })),
  code: enumOf(ROW_ERROR_CODES),
  message: Type.String(),
  value: nullable(Type.String({ description: 'The cell, shortened.' })),
})

export const MAX_ROW_ERRORS = 100

/** A person of the file. null: the cell is empty or there is no such column. */
export type RowPerson = [
  row: number,
  email: string,
  first_name: string | null,
  last_name: string | null,
  custom_fields: CustomValues | null,
]

const VALUE_SHOWN = 100

/** Reads a record as a person, or answers its errors. */
export function readRow(
  { number: row, cells, flaw }: CsvRecord,
  columns: number,
  targets: readonly Target[],
): RowPerson | ImportRowError[] {
  if (flaw) return [{ row, field: null, code: flaw, message: FLAWS[flaw], value: null }]
  const surplus = cells.findIndex((cell, index) => index >= columns && cell.trim() !== '')
  if (surplus !== -1)
    return [
      {
        row,
        field: null,
        code: 'too_many_cells',
        message: `The row has more cells than the file has columns (${columns}).`,
        value: clip(cells[surplus]!, VALUE_SHOWN),
      },
    ]

  const errors: ImportRowError[] = []
  const person: RowPerson = [row, '', null, null, null]
  const custom: [string, CustomValue][] = []
  for (const target of targets) {
    const cell = (cells[target.column] ?? '').trim()
    const read = 'custom' in target ? readCustom(cell, target.custom) : readStandard(cell, target.field)
    if ('message' in read) errors.push({ row, field: target.field, ...read, value: clip(cell, VALUE_SHOWN) })
    else if (read.value !== null && 'custom' in target) custom.push([target.custom.key, read.value])
    else if (read.value !== null) person[POSITIONS[target.field as keyof typeof POSITIONS]] = read.value as string
  }
  if (custom.length > 0) person[4] = Object.fromEntries(custom)
  return errors.length > 0 ? errors : person
}

const POSITIONS = { email: 1, first_name: 2, last_name: 3 } as const

const FLAWS = {
  malformed: 'A quote in this line is not closed or not allowed.',
  too_long: 'The row is too long. Perhaps a quote is not closed.',
} as const

type Read = { value: CustomValue | null } | Pick<ImportRowError, 'code' | 'message'>

function readStandard(cell: string, field: 'email' | 'first_name' | 'last_name'): Read {
  if (field === 'email') {
    if (cell === '') return { code: 'email_missing', message: 'The row has no address.' }
    return isEmail(cell) ? { value: cell } : { code: 'email_invalid', message: 'This is not an email address.' }
  }
  if (cell === '') return { value: null }
  return checker(PersonName).Check(cell)
    ? { value: cell.toWellFormed() }
    : { code: 'value_invalid', message: `Expected one line of at most ${PersonName.maxLength} characters.` }
}

/**
 * Reads the cell as the field's type. An unreadable cell is checked as text, so that the field's own check names the
 * flaw.
 */
function readCustom(cell: string, definition: FieldDefinition): Read {
  if (cell === '') return { value: null }
  const value = READERS[definition.type](cell, definition) ?? cell
  const message = valueFlaw(definition, value)
  return message === null ? { value } : { code: 'value_invalid', message }
}

const READERS: Readonly<
  Record<FieldDefinition['type'], (cell: string, definition: FieldDefinition) => CustomValue | undefined>
> = {
  text: (cell) => cell.toWellFormed(),
  number: (cell) => (/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(cell) ? Number(cell) : undefined),
  boolean: (cell) => YES_NO.get(cell.toLowerCase()),
  // Other programs write days as `2026-01-15 09:00:00`; the time is dropped.
  date: (cell) => /^(\d{4}-\d\d-\d\d)([T ]\d\d:\d\d.*)?$/.exec(cell)?.[1],
  select: (cell, { options }) =>
    options?.find((option) => option === cell) ??
    options?.find((option) => option.toLowerCase() === cell.toLowerCase()),
}

const YES_NO: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'y', '1'].map((word) => [word, true] as const),
  ...['false', 'no', 'n', '0'].map((word) => [word, false] as const),
])
