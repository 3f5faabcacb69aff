import { CONTACT_FIELDS } from '../../../../src/shared/contact-fields.ts'
import type { CustomField, SignUpForm } from '../../api/operations.d.ts'
import { Checkbox } from '../../ui/choice.tsx'
import { TextField } from '../../ui/field.tsx'

type Asked = SignUpForm['fields'][number]

interface AskedFieldsProps {
  fields: readonly CustomField[]
  asked: readonly Asked[]
  onChange: (asked: Asked[]) => void
}

/** The fields of a form besides the address. */
export function AskedFields({ fields, asked, onChange }: AskedFieldsProps) {
  const all = [
    ...CONTACT_FIELDS.flatMap(({ name, label, question }) => (question ? [{ field: name, label }] : [])),
    ...fields.map(({ key, label }) => ({ field: `custom.${key}`, label })),
  ]
  const change = (field: string, more: Partial<Asked>) =>
    onChange(asked.map((entry) => (entry.field === field ? { ...entry, ...more } : entry)))
  return (
    <fieldset class="stack stack-tight">
      <legend class="field-label">What to ask beside the address</legend>
      {all.map(({ field, label }) => {
        const entry = asked.find((other) => other.field === field)
        return (
          <div key={field} class="asked-field">
            <Checkbox
              label={label}
              checked={entry !== undefined}
              onChange={(on) =>
                onChange(
                  on ? [...asked, { field, label: '', required: false }] : asked.filter((other) => other !== entry),
                )
              }
            />
            {entry && (
              <div class="asked-more">
                <TextField
                  label={`Label of ${label}`}
                  label_hidden
                  placeholder={label}
                  value={entry.label}
                  onInput={(text) => change(field, { label: text })}
                />
                <Checkbox
                  label="required"
                  checked={entry.required}
                  onChange={(required) => change(field, { required })}
                />
              </div>
            )}
          </div>
        )
      })}
    </fieldset>
  )
}
