import { useState } from 'preact/hooks'
import { useAction } from '../api/action.ts'
import { sendOnce } from '../api/calls.ts'
import { projectId } from '../api/data.ts'
import type { Import } from '../api/operations.d.ts'
import { can } from '../api/role.ts'
import { Button } from '../ui/button.tsx'
import { FlawSummary } from '../ui/error-note.tsx'
import { Select } from '../ui/field.tsx'
import type { ChangeImport } from './draft.ts'
import { type Encoding, ENCODING_NAMES, encodingName } from './encoding-names.ts'

const DELIMITERS: Record<string, string> = { ',': 'Comma', ';': 'Semicolon', '\t': 'Tab', '|': 'Bar' }

/** How the file was read: delimiter, encoding and header. Another encoding can be chosen. */
export function FileReading({ record, change }: { record: Import; change: ChangeImport }) {
  const [isOpen, setOpen] = useState(false)
  const { id, columns, delimiter, encoding, encoding_found } = record
  const recode = useAction(
    (chosen: Encoding | null) =>
      sendOnce('POST /project/imports/encoding', { project_id: projectId(), import_id: id, encoding: chosen }),
    {
      invalidates: ['imports/'],
      // A column that has another header now is another column.
      done: ({ import: { columns: found } }) =>
        change(({ mapping }) => ({ mapping: mappingAfter(mapping, columns, found) })),
    },
  )
  const read = encoding ?? encoding_found
  return (
    <>
      <div class="row">
        <p class="quiet">
          {DELIMITERS[delimiter]} between cells
          {read !== null && `, ${encodingName(read)}`}
          {columns.some(({ header }) => header !== '') ? ', the first line is a header.' : ', no header.'}
        </p>
        {encoding_found !== null && can('editor') && !isOpen && (
          <Button small onClick={() => setOpen(true)}>
            Change the encoding
          </Button>
        )}
      </div>
      {isOpen && encoding_found !== null && (
        <Select
          label="Encoding of the file"
          hint="Choose the one that shows names as they are written."
          value={encoding ?? ''}
          disabled={recode.busy}
          onInput={(value) => void recode.run(value === '' ? null : (value as Encoding))}
          options={[
            { value: '', label: `${encodingName(encoding_found)}, as it was found` },
            ...Object.entries(ENCODING_NAMES).map(([value, label]) => ({ value, label })),
          ]}
        />
      )}
      <FlawSummary title="The file could not be read like this." error={recode.error} />
    </>
  )
}

type Columns = Import['columns']

/** A column that kept its header keeps its field. Of the others each gets the suggested one, unless it is taken. */
function mappingAfter(mapping: Record<string, string>, before: Columns, after: Columns): Record<string, string> {
  const isSame = ({ index, header }: Columns[number]) => before[index]?.header === header
  const kept = after.flatMap((column) => {
    const field = isSame(column) ? mapping[column.index] : undefined
    return field ? [[String(column.index), field] as const] : []
  })
  const taken = new Set(kept.map(([, field]) => field))
  const suggested = after.flatMap((column) => {
    const field = column.suggested_field
    return field && !isSame(column) && !taken.has(field) ? [[String(column.index), field] as const] : []
  })
  return Object.fromEntries([...kept, ...suggested])
}
