import { useRef } from 'preact/hooks'
import { IconButton } from './button.tsx'
import { Field, type FieldProps } from './field.tsx'
import { Icon } from './icon.tsx'

interface SearchFieldProps extends FieldProps {
  value: string
  onInput: (value: string) => void
  placeholder?: string
  name?: string
  disabled?: boolean
}

/** A search field. The key `/` focuses it (`data-search`), Escape empties it. */
export function SearchField({ value, onInput, placeholder, name, disabled, ...field }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const clear = () => {
    onInput('')
    input.current?.focus()
  }
  return (
    <Field {...field}>
      {(ids) => (
        <span class="input input-frame">
          <span class="input-part">
            <Icon name="search" />
          </span>
          <input
            {...ids}
            ref={input}
            class="input-bare"
            type="search"
            data-search
            autocomplete="off"
            spellcheck={false}
            name={name}
            value={value}
            placeholder={placeholder}
            disabled={disabled}
            onInput={(event) => onInput(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape' || value === '') return
              event.stopPropagation()
              event.preventDefault()
              onInput('')
            }}
          />
          {value !== '' && <IconButton small icon="x" label="Clear" onClick={clear} />}
        </span>
      )}
    </Field>
  )
}
