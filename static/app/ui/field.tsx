import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'
import { withScheme } from './web-address.ts'

/** The ids that a control gets from its field. */
interface FieldIds {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

export interface FieldProps {
  label: ComponentChildren
  hint?: ComponentChildren
  /** The error of the value, as a sentence. */
  flaw?: string | null
  required?: boolean
  /** Adds "optional" to the label. */
  optional?: boolean
  /** Hides the label visually. */
  label_hidden?: boolean
}

/** A label, a control, and notes below it. */
export function Field({ children, ...props }: FieldProps & { children: (ids: FieldIds) => ComponentChildren }) {
  const id = useId()
  const hint_id = props.hint ? `${id}-hint` : undefined
  const flaw_id = props.flaw ? `${id}-flaw` : undefined
  return (
    <div class="field">
      <label class={classes('field-label', props.label_hidden && 'visually-hidden')} for={id}>
        {props.label}
        {props.optional && <span class="field-optional"> optional</span>}
      </label>
      {children({
        id,
        'aria-describedby': [hint_id, flaw_id].filter(Boolean).join(' ') || undefined,
        'aria-invalid': props.flaw ? true : undefined,
      })}
      <FieldNotes hint={props.hint} hint_id={hint_id} flaw={props.flaw} flaw_id={flaw_id} />
    </div>
  )
}

interface Notes {
  hint?: ComponentChildren
  hint_id?: string
  flaw?: string | null
  flaw_id?: string
}

/** The notes below a control: how to fill it in, and its error. */
export function FieldNotes({ hint, hint_id, flaw, flaw_id }: Notes) {
  return (
    <>
      {hint && (
        <div class="field-hint" id={hint_id}>
          {hint}
        </div>
      )}
      {flaw && (
        <div class="field-flaw" id={flaw_id}>
          <Icon name="alert" size={14} />
          <span>{flaw}</span>
        </div>
      )}
    </>
  )
}

/** Further attributes of a native control. */
interface Native {
  name?: string
  disabled?: boolean
  autocomplete?: string
  placeholder?: string
  readonly?: boolean
  maxlength?: number
  spellcheck?: boolean
  autocapitalize?: 'off' | 'none' | 'sentences' | 'words'
  inputmode?: 'text' | 'email' | 'url' | 'numeric' | 'decimal' | 'tel' | 'search'
  dir?: 'ltr' | 'rtl' | 'auto'
  autofocus?: boolean
  onBlur?: (event: FocusEvent) => void
  onFocus?: (event: FocusEvent) => void
  onKeyDown?: (event: KeyboardEvent) => void
}

interface TextFieldProps extends FieldProps, Native {
  value: string
  onInput: (value: string) => void
  type?: 'text' | 'email' | 'url' | 'tel' | 'date' | 'color'
  /** Suggestions of the browser: the id of a datalist. */
  list?: string
  /** Text in the control before and after the value. */
  before?: ComponentChildren
  behind?: ComponentChildren
}

/** Separates the properties of the field from those of the control. */
function split<T extends FieldProps>(props: T) {
  const { label, hint, flaw, required, optional, label_hidden, ...rest } = props
  return { field: { label, hint, flaw, required, optional, label_hidden }, rest }
}

/** One line of text. A web address that was typed without its scheme gets one. */
export function TextField(props: TextFieldProps) {
  const { field, rest } = split(props)
  const { before, behind, type = 'text', ...native } = rest
  const complete = () => {
    const whole = withScheme(props.value)
    if (type === 'url' && whole !== props.value) props.onInput(whole)
  }
  return (
    <Field {...field}>
      {(ids) => {
        const input = (
          <input
            class={classes('input', Boolean(before || behind) && 'input-bare')}
            {...native}
            onBlur={(event) => {
              complete()
              props.onBlur?.(event)
            }}
            onKeyDown={(event) => {
              // A form is sent by the key before the field is left.
              if (event.key === 'Enter') complete()
              props.onKeyDown?.(event)
            }}
            {...ids}
            type={type as 'text'}
            aria-required={field.required || undefined}
            onInput={(event) => props.onInput(event.currentTarget.value)}
          />
        )
        if (!before && !behind) return input
        return (
          <span class="input input-frame">
            {before && <span class="input-part">{before}</span>}
            {input}
            {behind && <span class="input-part">{behind}</span>}
          </span>
        )
      }}
    </Field>
  )
}

interface NumberFieldProps extends Omit<TextFieldProps, 'type' | 'list'> {
  min?: number
  max?: number
  step?: number | 'any'
}

/**
 * A number; the value is a text, so that nothing typed is lost. Of what is no number yet, such as `12e`, the browser
 * tells only that. The value then stays the last number, and the field says so once it is left.
 */
export function NumberField(props: NumberFieldProps) {
  const [unfinished, setUnfinished] = useState<'typing' | 'left' | null>(null)
  const { field, rest } = split(props)
  const { before, behind, value, onBlur, ...native } = rest
  return (
    <Field {...field} flaw={unfinished === 'left' ? 'This is not a number.' : field.flaw}>
      {(ids) => (
        <span class="input input-frame input-narrow">
          {before && <span class="input-part">{before}</span>}
          <input
            class="input-bare number"
            {...native}
            {...ids}
            value={unfinished === null ? value : undefined}
            type="number"
            inputmode={props.step === undefined ? 'numeric' : 'decimal'}
            aria-required={field.required || undefined}
            onInput={({ currentTarget }) => {
              const isUnfinished = currentTarget.validity.badInput
              setUnfinished(isUnfinished ? 'typing' : null)
              if (!isUnfinished) props.onInput(currentTarget.value)
            }}
            onBlur={(event) => {
              if (unfinished !== null) setUnfinished('left')
              else onBlur?.(event)
            }}
          />
          {behind && <span class="input-part">{behind}</span>}
        </span>
      )}
    </Field>
  )
}

/** The field of a form with something that is no number, or none. */
export function unfinishedNumber(form: HTMLFormElement): HTMLInputElement | null {
  return [...form.querySelectorAll<HTMLInputElement>('input[type=number]')].find((it) => it.validity.badInput) ?? null
}

interface TextAreaProps extends Omit<TextFieldProps, 'type' | 'list' | 'before' | 'behind'> {
  rows?: number
  /** For text that machines read. */
  mono?: boolean
}

/** Several lines of text; it grows with its content. */
export function TextArea(props: TextAreaProps) {
  const { field, rest } = split(props)
  const { mono, rows = 3, ...native } = rest
  return (
    <Field {...field}>
      {(ids) => (
        <textarea
          class={classes('input', 'input-area', mono && 'input-mono')}
          {...native}
          {...ids}
          rows={rows}
          value={props.value}
          aria-required={field.required || undefined}
          onInput={(event) => props.onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

interface SelectOption {
  value: string
  label: string
  disabled?: boolean
}

interface SelectProps extends Omit<TextFieldProps, 'type' | 'list' | 'placeholder' | 'before' | 'behind'> {
  options: readonly (SelectOption | { group: string; options: readonly SelectOption[] })[]
  /** The first entry, which means no value. */
  placeholder?: string
}

/** The native select. */
export function Select(props: SelectProps) {
  const { field, rest } = split(props)
  const { options, placeholder, ...native } = rest
  return (
    <Field {...field}>
      {(ids) => (
        <select
          class="input input-select"
          {...native}
          {...ids}
          value={props.value}
          aria-required={field.required || undefined}
          onInput={(event) => props.onInput(event.currentTarget.value)}
        >
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {options.map((entry) =>
            'group' in entry ? (
              <optgroup key={entry.group} label={entry.group}>
                {entry.options.map((option) => choice(option, props.value))}
              </optgroup>
            ) : (
              choice(entry, props.value)
            ),
          )}
        </select>
      )}
    </Field>
  )
}

function choice(option: SelectOption, value: string) {
  return (
    <option key={option.value} value={option.value} disabled={option.disabled} selected={option.value === value}>
      {option.label}
    </option>
  )
}
