import { useState } from 'preact/hooks'
import { Chip, MultiCombobox, type Option } from '../ui/combobox.tsx'
import { Field, NumberField, Select, TextField } from '../ui/field.tsx'
import type { Audience } from './audience.ts'
import { DaysField, numberOf } from './days-field.tsx'
import { EngagementValue } from './engagement-editor.tsx'
import type { RuleField } from './fields.ts'
import type { Rule } from './tree.ts'
import type { ValueProps } from './value-props.ts'

/** One editor for each kind of value that a rule can have. */

export function ValueEditor(props: ValueProps) {
  const { rule, field } = props
  if (field.type === 'engagement') return <EngagementValue {...props} />
  if (field.type === 'list' || field.type === 'tag' || field.type === 'segment') return <MembersValue {...props} />
  const { operator } = rule
  if (operator === 'is_set' || operator === 'is_not_set') return null
  if (operator === 'in_last_days' || operator === 'not_in_last_days') return <DaysValue {...props} />
  if (operator === 'in' || operator === 'not_in') return <TextsValue {...props} />
  if (operator === 'between') return <PairValue {...props} />
  return (
    <OneValue field={field} label="Value" value={rule.value} onChange={(value) => props.onChange({ ...rule, value })} />
  )
}

interface OneProps {
  field: RuleField
  label: string
  value: unknown
  onChange: (value: unknown) => void
}

function OneValue({ field, label, value, onChange }: OneProps) {
  if (field.type === 'boolean') {
    return (
      <Select
        label={label}
        label_hidden
        value={value === true ? 'yes' : 'no'}
        options={YES_NO}
        onInput={(next) => onChange(next === 'yes')}
      />
    )
  }
  if (field.type === 'number') return <NumberValue label={label} value={value} onChange={onChange} />
  const text = typeof value === 'string' ? value : ''
  if (field.type === 'date')
    return <TextField label={label} label_hidden type="date" value={text.slice(0, 10)} onInput={onChange} />
  if (field.choices)
    return (
      <Select
        label={label}
        label_hidden
        placeholder="Choose…"
        value={text}
        options={field.choices}
        onInput={onChange}
      />
    )
  return <TextField label={label} label_hidden value={text} onInput={onChange} maxlength={1000} />
}

const YES_NO = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
]

/** Keeps what is typed, because "1." is no number yet. */
function NumberValue({ label, value, onChange }: Omit<OneProps, 'field'>) {
  const [typed, setTyped] = useState<string | null>(null)
  const known = typeof value === 'number' ? String(value) : ''
  return (
    <NumberField
      label={label}
      label_hidden
      step="any"
      value={typed !== null && numberOf(typed) === value ? typed : known}
      onInput={(text) => {
        setTyped(text)
        onChange(numberOf(text))
      }}
    />
  )
}

function PairValue({ rule, field, onChange }: ValueProps) {
  const [low, high] = Array.isArray(rule.value) ? (rule.value as unknown[]) : []
  const set = (pair: unknown[]) => onChange({ ...rule, value: pair.map((entry) => entry ?? '') })
  return (
    <div class="rule-pair">
      <OneValue field={field} label="From" value={low} onChange={(value) => set([value, high])} />
      <span class="quiet">and</span>
      <OneValue field={field} label="To" value={high} onChange={(value) => set([low, value])} />
    </div>
  )
}

function DaysValue({ rule, onChange }: ValueProps) {
  return <DaysField label="Number of days" days={rule.value} onChange={(value) => onChange({ ...rule, value })} />
}

function TextsValue({ rule, field, onChange }: ValueProps) {
  const texts = (Array.isArray(rule.value) ? rule.value : []) as string[]
  const set = (value: string[]) => onChange({ ...rule, value })
  if (!field.choices) return <TextList texts={texts} onChange={set} />
  return (
    <MultiCombobox
      label="Values"
      label_hidden
      placeholder="Choose…"
      options={field.choices}
      value={texts}
      onChange={set}
    />
  )
}

/**
 * Texts as chips. Enter, a comma, and leaving the field turn the typed text into a chip; a pasted column becomes many.
 */
function TextList({ texts, onChange }: { texts: readonly string[]; onChange: (texts: string[]) => void }) {
  const [typed, setTyped] = useState('')
  const take = (text: string) => {
    const more = text.split(/[\n\t,;]/).map((part) => part.trim())
    setTyped('')
    const all = [...new Set([...texts, ...more.filter(Boolean)])]
    if (all.length > texts.length) onChange(all)
  }
  return (
    <Field label="Values" label_hidden>
      {(ids) => (
        <span class="input input-frame chips-frame">
          {texts.map((text) => (
            <Chip key={text} label={text} onRemove={() => onChange(texts.filter((other) => other !== text))} />
          ))}
          <input
            {...ids}
            class="input-bare chips-input"
            value={typed}
            placeholder={texts.length === 0 ? 'Type, then Enter' : undefined}
            autocomplete="off"
            onInput={(event) => setTyped(event.currentTarget.value)}
            onBlur={() => take(typed)}
            onPaste={(event) => {
              const text = event.clipboardData?.getData('text/plain') ?? ''
              if (!/[\n\t,;]/.test(text)) return
              event.preventDefault()
              take(text)
            }}
            onKeyDown={(event) => {
              if ((event.key === 'Enter' || event.key === ',') && typed.trim() !== '' && !event.isComposing) {
                event.preventDefault()
                take(typed)
              } else if (event.key === 'Backspace' && typed === '' && texts.length > 0) onChange(texts.slice(0, -1))
            }}
          />
        </span>
      )}
    </Field>
  )
}

function MembersValue({ rule, field, audience, names, onChange }: ValueProps) {
  const kind = field.type as 'list' | 'tag' | 'segment'
  const options = membersOf(audience, kind)
  const value = idsOf(rule).map(String)
  const gone = value
    .filter((id) => names[kind](Number(id)) === null)
    .map((id) => ({ value: id, label: `deleted ${kind}` }))
  return (
    <div class={kind === 'list' ? 'rule-pair' : undefined}>
      <MultiCombobox
        label={`${field.label}s`}
        label_hidden
        placeholder="Choose…"
        options={options}
        chosen={gone}
        value={value}
        onChange={(next) => onChange({ ...rule, value: next.map(Number) })}
      />
      {kind === 'list' && (
        <Select
          label="Status on the list"
          label_hidden
          value={rule.status ?? 'subscribed'}
          options={LIST_STATUSES}
          onInput={(status) => onChange({ ...rule, status: status as Rule['status'] })}
        />
      )}
    </div>
  )
}

const LIST_STATUSES = [
  { value: 'subscribed', label: 'subscribed' },
  { value: 'pending', label: 'waiting to confirm' },
  { value: 'unsubscribed', label: 'unsubscribed' },
]

function membersOf(audience: Audience, kind: 'list' | 'tag' | 'segment'): Option[] {
  if (kind === 'list')
    return audience.lists.map(({ id, name, archived }) => ({
      value: String(id),
      label: name,
      ...(archived && { hint: 'Archived' }),
    }))
  return audience[`${kind}s`].map(({ id, name }) => ({ value: String(id), label: name }))
}

/** The ids in a rule's value; a single id may stand without an array. */
export function idsOf({ value }: Rule): number[] {
  const given = Array.isArray(value) ? (value as unknown[]) : [value]
  return given.filter((id): id is number => typeof id === 'number')
}
