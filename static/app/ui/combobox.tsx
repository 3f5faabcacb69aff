import { useId, useRef, useState } from 'preact/hooks'
import { IconButton } from './button.tsx'
import { inputRoles, Options, useList } from './combobox-list.tsx'
import type { Option, OptionSource } from './combobox-options.ts'
import { errorOf } from './error-note.tsx'
import { Field, type FieldProps } from './field.tsx'
import { Icon } from './icon.tsx'

export type { Option } from './combobox-options.ts'

/** Creates an option from the typed text; returns it, and it is then chosen, or nothing. */
type Create = (text: string) => Promise<Option | null | void> | Option | null | void

interface Shared extends FieldProps, OptionSource {
  label: string
  create?: Create
  /** The label of the entry that creates an option. */
  create_words?: (text: string) => string
  placeholder?: string
  disabled?: boolean
}

export interface ComboboxProps extends Shared {
  value: string | null
  /** The option of `value`, when the source does not contain it yet. */
  chosen?: Option | null
  onChange: (value: string | null, option: Option | null) => void
  /** The choice can be cleared. */
  clearable?: boolean
}

/** Creates options. What refuses one is shown at the field, beside the typed text, until that changes. */
function useCreation(create: Create | undefined, flaw: FieldProps['flaw']) {
  const [refused, setRefused] = useState<string | null>(null)
  const run = async (text: string, done: (made: Option | null | void) => void): Promise<void> => {
    try {
      done(await create!(text))
    } catch (cause) {
      setRefused(errorOf(cause).message)
    }
  }
  return { run, flaw: refused ?? flaw, clear: () => setRefused(null) }
}

/** A choice of one among many, found by typing. */
export function Combobox(props: ComboboxProps) {
  const { options, load, create, create_words, value, chosen, onChange, clearable, placeholder, disabled, ...field } =
    props
  const id = `c${useId()}`
  const input = useRef<HTMLInputElement>(null)
  /** The typed text; null while the chosen option is shown. */
  const [typed, setTyped] = useState<string | null>(null)
  const [known, setKnown] = useState<Option | null>(null)
  const creation = useCreation(create, field.flaw)
  const current =
    value === null ? null : ([chosen, known, ...(options ?? [])].find((option) => option?.value === value) ?? null)
  const values = new Set(value === null ? [] : [value])
  const take = (option: Option | null) => {
    setKnown(option)
    setTyped(null)
    list.setOpen(false)
    onChange(option?.value ?? null, option)
  }
  const list = useList({
    id,
    options,
    load,
    query: typed ?? '',
    create: Boolean(create),
    chosen: values,
    onPick: take,
    onCreate: (text) => {
      list.setOpen(false)
      void creation.run(text, (made) => {
        setTyped(null)
        if (made) take(made)
      })
    },
  })
  return (
    <Field {...field} flaw={creation.flaw}>
      {(ids) => (
        <span class="input input-frame" style={`anchor-name:--${id}`}>
          <input
            {...ids}
            {...inputRoles(id, list)}
            ref={input}
            class="input-bare"
            type="text"
            value={typed ?? current?.label ?? value ?? ''}
            placeholder={placeholder}
            disabled={disabled}
            aria-required={field.required || undefined}
            onInput={(event) => {
              creation.clear()
              setTyped(event.currentTarget.value)
              list.setOpen(true)
            }}
            onClick={() => list.setOpen(true)}
            onFocus={(event) => event.currentTarget.select()}
            onBlur={() => {
              setTyped(null)
              list.setOpen(false)
            }}
            onKeyDown={(event) => {
              if (event.key === 'Escape') setTyped(null)
              list.key(event)
            }}
          />
          {clearable && value !== null && !disabled && (
            <IconButton
              small
              icon="x"
              label={`Clear ${field.label}`}
              onClick={() => {
                take(null)
                input.current?.focus()
              }}
            />
          )}
          <span class="combobox-wedge" aria-hidden="true">
            <Icon name="chevron-down" />
          </span>
          <Options id={id} list={list} chosen={values} create_words={create_words} />
        </span>
      )}
    </Field>
  )
}

export interface MultiComboboxProps extends Shared {
  value: readonly string[]
  /** The options of `value`, when the source does not contain them yet. */
  chosen?: readonly Option[]
  onChange: (value: string[], options: Option[]) => void
}

/**
 * A choice of several among many, each a chip. A choice closes the list. Backspace in the empty field removes the last
 * chip.
 */
export function MultiCombobox(props: MultiComboboxProps) {
  const { options, load, create, create_words, value, chosen = [], onChange, placeholder, disabled, ...field } = props
  const id = `c${useId()}`
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [known, setKnown] = useState<readonly Option[]>([])
  const creation = useCreation(create, field.flaw)
  const [said, say] = useState('')
  const all = [...chosen, ...known, ...(options ?? [])]
  const optionOf = (entry: string) => all.find((option) => option.value === entry) ?? { value: entry, label: entry }
  const values = new Set(value)
  const change = (next: Option[], words: string) => {
    setKnown(next)
    say(words)
    onChange(
      next.map((option) => option.value),
      next,
    )
  }
  const remove = (entry: string) => {
    change(value.filter((other) => other !== entry).map(optionOf), `${optionOf(entry).label} removed`)
    input.current?.focus()
  }
  const add = (option: Option) => {
    setTyped('')
    // The list covers what comes below the field, such as the button that is pressed next.
    list.setOpen(false)
    if (values.has(option.value)) remove(option.value)
    else change([...value.map(optionOf), option], `${option.label} added`)
  }
  const list = useList({
    id,
    options,
    load,
    query: typed,
    create: Boolean(create),
    chosen: values,
    onPick: add,
    onCreate: (text) =>
      void creation.run(text, (made) => {
        setTyped('')
        if (made) add(made)
      }),
  })
  return (
    <Field {...field} flaw={creation.flaw}>
      {(ids) => (
        <span
          class="input input-frame chips-frame"
          style={`anchor-name:--${id}`}
          onClick={(event) => {
            if (event.target === event.currentTarget) input.current?.focus()
          }}
        >
          {value.map((entry) => (
            <Chip key={entry} label={optionOf(entry).label} onRemove={disabled ? undefined : () => remove(entry)} />
          ))}
          <input
            {...ids}
            {...inputRoles(id, list)}
            ref={input}
            class="input-bare chips-input"
            type="text"
            value={typed}
            placeholder={value.length === 0 ? placeholder : undefined}
            disabled={disabled}
            aria-required={field.required || undefined}
            onInput={(event) => {
              creation.clear()
              setTyped(event.currentTarget.value)
              list.setOpen(true)
            }}
            onClick={() => list.setOpen(true)}
            onBlur={() => {
              setTyped('')
              list.setOpen(false)
            }}
            onKeyDown={(event) => {
              if (list.key(event)) return
              const last = value.at(-1)
              if (event.key === 'Backspace' && typed === '' && last !== undefined) remove(last)
            }}
          />
          <Options id={id} list={list} chosen={values} create_words={create_words} multiple />
          <span class="visually-hidden" role="status">
            {said}
          </span>
        </span>
      )}
    </Field>
  )
}

/** A word for a value, with a button that removes it. */
export function Chip({ label, onRemove }: { label: string; onRemove?: () => void }) {
  return (
    <span class="chip">
      <span class="chip-label">{label}</span>
      {onRemove && (
        <button class="chip-remove" type="button" aria-label={`Remove ${label}`} onClick={onRemove}>
          <Icon name="x" size={12} />
        </button>
      )}
    </span>
  )
}
