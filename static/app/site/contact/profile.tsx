import { useEffect, useState } from 'preact/hooks'
import { CONTACT_FIELDS, type ContactFieldName } from '../../../../src/shared/contact-fields.ts'
import { useMutation } from '../../api/action.ts'
import type { Contact, CustomField } from '../../api/operations.d.ts'
import { can } from '../../api/role.ts'
import { Card, Facts } from '../../ui/card.tsx'
import { NumberField, Select, TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { keepContact } from './keep-contact.ts'
import { fieldText } from '../people/field-text.ts'

type Value = string | number | boolean | null

/** The standard and custom fields of a contact. Each field is saved when it loses the focus. */
export function Profile({ contact, fields }: { contact: Contact; fields: readonly CustomField[] }) {
  const { custom_fields } = contact
  if (!can('editor')) {
    const facts = [
      ...CONTACT_FIELDS.map(({ name, label }) => ({ label, value: contact[name] })),
      ...fields.map((field) => ({ label: field.label, value: fieldText(custom_fields[field.key], field) })),
    ]
    return (
      <Card title="Profile">
        <Facts facts={facts.map(({ label, value }) => ({ label, value: value || '–' }))} />
      </Card>
    )
  }
  return (
    <Card title="Profile">
      <div class="stack">
        {CONTACT_FIELDS.map(({ name, label }) => (
          <SavedField key={name} contact={contact} label={label} name={name} value={contact[name]} />
        ))}
        {fields.map((field) => (
          <SavedField
            key={field.key}
            contact={contact}
            label={field.label}
            field={field}
            value={custom_fields[field.key] ?? null}
          />
        ))}
      </div>
    </Card>
  )
}

interface SavedFieldProps {
  contact: Contact
  label: string
  value: Value
  /** A standard field, or a custom one. */
  name?: ContactFieldName
  field?: CustomField
}

function SavedField({ contact, label, value, name, field }: SavedFieldProps) {
  const known = textOf(value)
  const [text, setText] = useState(known)
  useEffect(() => setText(known), [known])
  const update = useMutation('contacts/update', {
    invalidates: ['contacts/'],
    done: (answer) => keepContact(answer.contact),
  })
  const save = async (next: Value) => {
    const change = name ? { [name]: next ?? '' } : { custom_fields: { [field!.key]: next } }
    return (await update.run({ contact_id: contact.id, ...change })) !== null
  }
  const leave = async (now: string) => {
    if (now.trim() === known) return
    const saved = await save(valueOf(now, field))
    if (saved) toast({ text: `${label} is saved.`, tone: 'good', undo: () => void save(value) })
  }
  const shared = { label, value: text, flaw: update.error?.message ?? null, autocomplete: 'off' }
  const typed = {
    ...shared,
    onInput: setText,
    onBlur: () => void leave(text),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') void leave(text)
      if (event.key === 'Escape') setText(known)
    },
  }
  const chosen = {
    ...shared,
    onInput: (next: string) => {
      setText(next)
      void leave(next)
    },
  }
  if (field?.type === 'number') return <NumberField {...typed} step="any" />
  if (field?.type === 'boolean') return <Select {...chosen} placeholder="Not known" options={YES_NO} />
  if (field?.type === 'select') return <Select {...chosen} placeholder="Not known" options={choicesOf(field)} />
  return <TextField {...typed} type={field?.type === 'date' ? 'date' : 'text'} maxlength={1000} />
}

const YES_NO = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

function choicesOf({ options }: CustomField) {
  return (options ?? []).map((value) => ({ value, label: value }))
}

function textOf(value: Value): string {
  return value === null ? '' : String(value)
}

function valueOf(text: string, field: CustomField | undefined): Value {
  const trimmed = text.trim()
  if (!field) return trimmed
  if (trimmed === '') return null
  if (field.type === 'number') return Number(trimmed)
  return field.type === 'boolean' ? trimmed === 'true' : trimmed
}
