import { useState } from 'preact/hooks'
import { CONTACT_FIELDS } from '../../../src/shared/contact-fields.ts'
import { useRead } from '../api/query.ts'
import { mutate } from '../api/calls.ts'
import { invalidate } from '../api/query.ts'
import { ApiError } from '../api/errors.ts'
import type { CustomField, Import } from '../api/operations.d.ts'
import { can } from '../api/role.ts'
import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { Combobox } from '../ui/combobox.tsx'
import { FormActions } from '../ui/page.tsx'
import { StatusBadge } from '../ui/state.tsx'
import { Table } from '../ui/table.tsx'
import type { ChangeImport, ImportDraft } from './draft.ts'

interface Props {
  record: Import
  draft: ImportDraft
  change: ChangeImport
  onNext(): void
}

const FIELDS: readonly (readonly [value: string, label: string])[] = [
  ['email', 'Address'],
  ...CONTACT_FIELDS.map(({ name, label }) => [name, label] as const),
  ['full_name', 'Whole name'],
  ['tags', 'Tags'],
  ['lists', 'Lists'],
  ['status', 'Status'],
  ['opted_out', 'Has left'],
  ['bounced', 'Has bounced'],
  ['complained', 'Has complained'],
  ['consent_at', 'Time of the consent'],
  ['consent_text', 'Words of the consent'],
  ['consent_ip', 'Network address of the consent'],
  ['consent_source', 'Source of the consent'],
]

const DELIMITERS: Record<string, string> = { ',': 'Comma', ';': 'Semicolon', '\t': 'Tab', '|': 'Bar' }

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
      <p class="quiet">
        {DELIMITERS[record.delimiter]} between cells
        {columns.some(({ header }) => header !== '') ? ', the first line is a header.' : ', no header.'}
      </p>
      {can('editor') && others.length > 0 && (
        <div class="row">
          <Button small icon="plus" busy={isMaking} onClick={() => void makeAll()}>
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
                  <li key={at}>{sample || '(empty)'}</li>
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
                create={can('editor') ? async (label) => (await make(index, label, samples), null) : undefined}
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

  /** Creates a field of each column that is mapped to nothing, until one is refused. */
  async function makeAll() {
    setMaking(true)
    for (const { index, header, samples } of others) if (!(await make(index, header, samples))) break
    setMaking(false)
  }

  /** Creates a custom field of the type that the sample values suggest, or takes the one that is there. */
  async function make(index: number, label: string, samples: readonly string[]): Promise<boolean> {
    const named = label
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 40)
    // A header in other letters leaves none for the key.
    const key = /^[a-z]/.test(named) ? named : `column_${index + 1}`
    try {
      if (!custom.some((field) => field.key === key))
        await mutate('custom-fields/create', { key, label, type: typeOf(samples) })
      invalidate('custom-fields/', 'schema/')
      set(index, `custom.${key}`)
      setRefusal(null)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setRefusal(`${label}: ${error.flaws[0]?.message ?? error.message}`)
      return false
    }
    return true
  }
}

function typeOf(samples: readonly string[]): 'text' | 'number' | 'date' {
  const given = samples.filter((sample) => sample !== '')
  if (given.length === 0) return 'text'
  if (given.every((sample) => /^-?(0|[1-9]\d*)([.,]\d+)?$/.test(sample))) return 'number'
  return given.every((sample) => /^\d{4}-\d{2}-\d{2}/.test(sample)) ? 'date' : 'text'
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
        cell: (at: number) => samples[at] ?? '',
      }))}
    />
  )
}
