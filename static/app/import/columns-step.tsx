import { useState } from 'preact/hooks'
import { invalidate, useRead } from '../api/query.ts'
import type { CustomField, Import } from '../api/operations.d.ts'
import { can } from '../api/role.ts'
import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { Combobox } from '../ui/combobox.tsx'
import { FormActions } from '../ui/page.tsx'
import { StatusBadge } from '../ui/state.tsx'
import { Table } from '../ui/table.tsx'
import { Cell } from './cell.tsx'
import type { ChangeImport, ImportDraft } from './draft.ts'
import { FIELDS } from './field-labels.ts'
import { FileReading } from './file-reading.tsx'
import { makeFields } from './make-fields.ts'
import { ProviderChoice } from './provider-choice.tsx'

interface Props {
  record: Import
  draft: ImportDraft
  change: ChangeImport
  onNext(): void
}

/** Maps each column of the file to a field. */
export function ColumnsStep({ record, draft, change, onNext }: Props) {
  const custom = useRead('custom-fields/list', { limit: 200 }).data?.items ?? []
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isMaking, setMaking] = useState(false)
  const { columns } = record
  const options = [
    ...FIELDS.map(([value, label]) => ({ value, label })),
    ...custom.map(({ key, label }: CustomField) => ({ value: `custom.${key}`, label, hint: 'Custom field' })),
  ]
  const taken = Object.values(draft.mapping)
  const set = (index: number, field: string | null) =>
    change(({ mapping }) => {
      const others = Object.entries(mapping).filter(([other, value]) => other !== String(index) && value !== field)
      return { mapping: Object.fromEntries([...others, ...(field === null ? [] : [[String(index), field]])]) }
    })
  const hasEmail = taken.includes('email')
  const others = columns.filter(({ index, header }) => header !== '' && draft.mapping[index] === undefined)
  return (
    <>
      <FileReading record={record} change={change} />
      <ProviderChoice {...{ record, draft, change }} />
      {can('editor') && others.length > 0 && (
        <div class="row">
          <Button
            small
            icon="plus"
            busy={isMaking}
            onClick={() => void make(others.map((column) => ({ ...column, label: column.header })))}
          >
            {others.length === 1
              ? 'Make a field of the other column'
              : `Make fields of the other ${others.length} columns`}
          </Button>
        </div>
      )}
      {refusal !== null && <Callout tone="bad" title={refusal} alert />}
      <ul class="import-columns">
        {columns.map(({ index, header, samples, suggested_field }) => (
          <li key={index} class="card import-column">
            <div>
              <strong>{header || `Column ${index + 1}`}</strong>
              <ul class="quiet">
                {samples.slice(0, 3).map((sample, at) => (
                  <li key={at}>{sample ? <Cell text={sample} /> : '(empty)'}</li>
                ))}
              </ul>
            </div>
            <div>
              <Combobox
                label={`What is ${header || `column ${index + 1}`}?`}
                placeholder="Leave out"
                clearable
                options={options}
                value={draft.mapping[index] ?? null}
                onChange={(field) => set(index, field)}
                create_words={(label) => `Make the field “${label}”`}
                create={can('editor') ? async (label) => (await make([{ index, label, samples }]), null) : undefined}
              />
              {suggested_field !== null && draft.mapping[index] === suggested_field && (
                <StatusBadge>suggested</StatusBadge>
              )}
            </div>
          </li>
        ))}
      </ul>
      <Preview record={record} draft={draft} names={new Map(options.map(({ value, label }) => [value, label]))} />
      <FormActions note={hasEmail ? null : 'No column is the address yet.'}>
        <Button
          kind="primary"
          main
          disabled_reason={hasEmail ? null : 'Say which column is the address.'}
          onClick={onNext}
        >
          Next: consent
        </Button>
      </FormActions>
    </>
  )

  /** Makes a field of each of the columns, or takes the one that is there. */
  async function make(columns: Parameters<typeof makeFields>[0]) {
    setMaking(true)
    const { made, refusal } = await makeFields(columns, custom, taken)
    invalidate('custom-fields/', 'schema/')
    change(({ mapping }) => ({ mapping: { ...mapping, ...made } }))
    setRefusal(refusal)
    setMaking(false)
  }
}

interface PreviewProps {
  record: Import
  draft: ImportDraft
  names: ReadonlyMap<string, string>
}

/** The first rows, as the import will read them. */
function Preview({ record: { columns }, draft, names }: PreviewProps) {
  const mapped = columns.filter(({ index }) => draft.mapping[index] !== undefined)
  if (mapped.length === 0) return null
  const rows = [0, 1, 2].filter((at) => mapped.some(({ samples }) => samples[at] !== undefined))
  return (
    <Table
      caption="The first rows, as they will be read"
      rows={rows}
      row_key={String}
      columns={mapped.map(({ index, samples }) => ({
        id: String(index),
        head: names.get(draft.mapping[index]!) ?? draft.mapping[index]!,
        card: draft.mapping[index] === 'email' ? ('title' as const) : ('line' as const),
        cell: (at: number) => <Cell text={samples[at] ?? ''} />,
      }))}
    />
  )
}
