import { useState } from 'preact/hooks'
import { projectId } from '../api/data.ts'
import type { Import } from '../api/operations.d.ts'
import { can } from '../api/role.ts'
import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { Card } from '../ui/card.tsx'
import { Select } from '../ui/field.tsx'
import { count, number } from '../ui/format.ts'
import { Table } from '../ui/table.tsx'
import { Cell } from './cell.tsx'
import { fieldLabel } from './field-labels.ts'

type RowError = Import['row_errors'][number]

export const REASONS: Record<RowError['code'], string> = {
  email_missing: 'No address',
  email_invalid: 'Not an address',
  value_invalid: 'Wrong value',
  value_dropped: 'Value left out',
  too_many_cells: 'Too many cells',
  malformed: 'Damaged row',
  too_long: 'Too long',
  plan_limit: 'Above the limit',
}

/** How many flaws a dry-run found; null when it did not count them. */
export function flawCount(findings: Import['findings']): number | null {
  if (!findings || findings.reasons.length === 0) return null
  return findings.reasons.reduce((sum, { errors }) => sum + errors, 0)
}

/** The header of the column that is mapped to a field, else the label of the field. */
export function columnNames(
  columns: Import['columns'],
  mapping: Readonly<Record<string, string>> | null,
): (field: string) => string {
  const headers = new Map(
    Object.entries(mapping ?? {}).map(([index, field]) => [field, columns[Number(index)]?.header]),
  )
  return (field) => headers.get(field) || fieldLabel(field)
}

interface Props {
  errors: readonly RowError[]
  /** How many there are; `errors` are the first of them. */
  total: number
  nameOf(field: string): string
  import_id: number
  /** Whether the file is still stored, so that the download has the rows. */
  isStored: boolean
}

/** What is wrong in the rows, which are numbered as in a spreadsheet. A row may have several flaws. */
export function RowErrors({ errors, total, nameOf, import_id, isStored }: Props) {
  const [code, setCode] = useState('')
  if (errors.length === 0) return null
  const codes = [...new Set(errors.map((error) => error.code))]
  const shown = errors.filter((error) => code === '' || error.code === code)
  const all = Math.max(total, errors.length)
  const query = new URLSearchParams({ project_id: projectId(), import_id: String(import_id) })
  return (
    <Card
      title={`Flaws${all > errors.length ? `: the first ${errors.length} of ${number(all)}` : ''}`}
      flush
      actions={
        <>
          {codes.length > 1 && (
            <Select
              label="Reason"
              label_hidden
              value={code}
              onInput={setCode}
              options={[
                { value: '', label: 'All reasons' },
                ...codes.map((value) => ({ value, label: REASONS[value] })),
              ]}
            />
          )}
          {can('editor') && (
            <Button
              small
              icon="download"
              href={`/project/imports/refused?${query.toString()}`}
              download="not-imported.csv"
            >
              {`Download ${count(all, 'flaw', 'flaws')} with ${isStored ? 'rows and reasons' : 'reasons'}`}
            </Button>
          )}
        </>
      }
    >
      {shown.length === 0 && <Callout title="Nothing has this reason." />}
      <Table
        caption="Flaws"
        rows={shown}
        row_key={({ row, field, code: reason }) => `${row} ${field} ${reason}`}
        columns={[
          { id: 'row', head: 'Row', card: 'title', cell: ({ row }) => `Row ${number(row)}` },
          { id: 'field', head: 'Column', card: 'line', cell: ({ field }) => (field === null ? '' : nameOf(field)) },
          {
            id: 'value',
            head: 'Value',
            card: 'line',
            cell: ({ value }) => (
              <span class="address">
                <Cell text={value ?? ''} />
              </span>
            ),
          },
          { id: 'why', head: 'Reason', card: 'line', cell: ({ message }) => message },
        ]}
      />
    </Card>
  )
}
