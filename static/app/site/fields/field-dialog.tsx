import { useState } from 'preact/hooks'
import { useMutation } from '../../api/action.ts'
import type { CustomField } from '../../api/operations.d.ts'
import { Select, TextArea, TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { keyOf } from './field-key.ts'

export const TYPES: readonly { value: CustomField['type']; label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'date', label: 'Day' },
  { value: 'boolean', label: 'Yes or no' },
  { value: 'select', label: 'One of a few' },
]

/** Creates a field, or changes one. Its key never changes, because letters and integrations use it. */
export function FieldDialog({ field, onClose }: { field: CustomField | null; onClose: () => void }) {
  const [label, setLabel] = useState(field?.label ?? '')
  const [key, setKey] = useState<string | null>(field?.key ?? null)
  const [type, setType] = useState<CustomField['type']>(field?.type ?? 'text')
  const [options, setOptions] = useState(field?.options?.join('\n') ?? '')
  const settings = {
    invalidates: ['custom-fields/', 'schema/', 'contacts/'],
    done: () => {
      toast({ text: `“${label.trim()}” is saved.`, tone: 'good' as const })
      onClose()
    },
  }
  const create = useMutation('custom-fields/create', settings)
  const update = useMutation('custom-fields/update', settings)
  const { busy, error } = field === null ? create : update
  const shownKey = key ?? keyOf(label)
  const submit = () => {
    const choices = [...new Set(options.split('\n').map((line) => line.trim()))].filter(Boolean)
    const body = { label, type, ...(type === 'select' && { options: choices }) }
    if (field === null) void create.run({ key: shownKey, ...body })
    else void update.run({ field_id: field.id, ...body })
  }
  return (
    <FormDialog
      title={field === null ? 'New field' : `Change “${field.label}”`}
      verb={field === null ? 'Make the field' : 'Save'}
      busy={busy}
      error={error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        maxlength={100}
        autocomplete="off"
        value={label}
        onInput={setLabel}
        flaw={error?.flawOf('/label')}
      />
      <TextField
        label="Key"
        required
        readonly={field !== null}
        autocomplete="off"
        spellcheck={false}
        before="contact."
        value={shownKey}
        onInput={setKey}
        flaw={error?.flawOf('/key')}
        hint={field === null ? 'What letters and programs call it. It never changes.' : 'The key never changes.'}
      />
      <Select
        label="Type"
        value={type}
        options={TYPES}
        onInput={(next) => setType(next as CustomField['type'])}
        flaw={error?.flawOf('/type')}
        hint={field === null ? undefined : 'It can change as long as no contact has a value.'}
      />
      {type === 'select' && (
        <TextArea
          label="Choices"
          required
          value={options}
          onInput={setOptions}
          flaw={error?.flawOf('/options')}
          hint="One a line. Contacts keep a value that is no longer among them."
        />
      )}
    </FormDialog>
  )
}
