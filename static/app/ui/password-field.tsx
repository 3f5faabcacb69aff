import { useState } from 'preact/hooks'
import { IconButton } from './button.tsx'
import { Field, type FieldProps } from './field.tsx'

interface PasswordFieldProps extends FieldProps {
  value: string
  onInput: (value: string) => void
  autocomplete?: 'current-password' | 'new-password' | 'off' | 'one-time-code'
  placeholder?: string
  name?: string
  disabled?: boolean
}

/** A secret, with a button that shows it. */
export function PasswordField(props: PasswordFieldProps) {
  const { value, onInput, autocomplete, placeholder, name, disabled, ...field } = props
  const [shown, show] = useState(false)
  return (
    <Field {...field}>
      {(ids) => (
        <span class="input input-frame">
          <input
            {...ids}
            class="input-bare"
            type={(shown ? 'text' : 'password') as 'text'}
            autocomplete={autocomplete}
            autocapitalize="off"
            spellcheck={false}
            name={name}
            value={value}
            placeholder={placeholder}
            disabled={disabled}
            aria-required={field.required || undefined}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
          <IconButton
            small
            icon={shown ? 'eye-off' : 'eye'}
            label={shown ? 'Hide what I typed' : 'Show what I typed'}
            pressed={shown}
            onClick={() => show(!shown)}
          />
        </span>
      )}
    </Field>
  )
}
