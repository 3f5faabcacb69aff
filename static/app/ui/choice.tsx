import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { classes } from './classes.ts'
import { FieldNotes } from './field.tsx'

interface CheckboxProps {
  label: ComponentChildren
  checked: boolean
  /** Some, but not all, of what it represents is checked. */
  mixed?: boolean
  onChange: (checked: boolean) => void
  hint?: ComponentChildren
  flaw?: string | null
  disabled?: boolean
  name?: string
  label_hidden?: boolean
}

/** A checkbox, sent with the form around it. */
export function Checkbox(props: CheckboxProps) {
  const id = useId()
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = Boolean(props.mixed)
  }, [props.mixed])
  const hint_id = props.hint ? `${id}-hint` : undefined
  const flaw_id = props.flaw ? `${id}-flaw` : undefined
  return (
    <div class={classes('check', props.label_hidden && 'check-alone')}>
      <input
        ref={box}
        class="check-box"
        type="checkbox"
        id={id}
        name={props.name}
        checked={props.checked}
        disabled={props.disabled}
        aria-describedby={[hint_id, flaw_id].filter(Boolean).join(' ') || undefined}
        aria-invalid={props.flaw ? true : undefined}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      <label class={classes('check-label', props.label_hidden && 'visually-hidden')} for={id}>
        {props.label}
      </label>
      <FieldNotes hint={props.hint} hint_id={hint_id} flaw={props.flaw} flaw_id={flaw_id} />
    </div>
  )
}

export interface RadioOption<V extends string = string> {
  value: V
  label: ComponentChildren
  hint?: ComponentChildren
  /** Why it cannot be chosen now. */
  disabled_reason?: string | false | null
}

interface RadioCardsProps<V extends string = string> {
  legend: ComponentChildren
  /** Null or empty: nothing is chosen yet. */
  value: V | null | ''
  onChange: (value: V) => void
  options: readonly RadioOption<V>[]
  hint?: ComponentChildren
  flaw?: string | null
  legend_hidden?: boolean
  /** Puts the cards side by side where there is room. */
  beside?: boolean
}

/** A choice among a few options, each with its consequence. */
export function RadioCards<V extends string>(props: RadioCardsProps<V>) {
  const id = useId()
  const hint_id = props.hint ? `${id}-hint` : undefined
  const flaw_id = props.flaw ? `${id}-flaw` : undefined
  return (
    <fieldset
      class="radio-cards"
      aria-describedby={[hint_id, flaw_id].filter(Boolean).join(' ') || undefined}
      aria-invalid={props.flaw ? true : undefined}
      role="radiogroup"
    >
      <legend class={classes('field-label', props.legend_hidden && 'visually-hidden')}>{props.legend}</legend>
      <div class={classes('radio-list', props.beside && 'radio-list-beside')}>
        {props.options.map((option, index) => (
          <div class="radio-card" key={option.value}>
            <input
              class="radio-box"
              type="radio"
              id={`${id}-${index}`}
              name={id}
              checked={option.value === props.value}
              disabled={Boolean(option.disabled_reason)}
              aria-describedby={option.hint || option.disabled_reason ? `${id}-${index}-hint` : undefined}
              onChange={() => props.onChange(option.value)}
            />
            <label class="radio-label" for={`${id}-${index}`}>
              {option.label}
            </label>
            {(option.hint || option.disabled_reason) && (
              <div class="field-hint" id={`${id}-${index}-hint`}>
                {option.disabled_reason || option.hint}
              </div>
            )}
          </div>
        ))}
      </div>
      <FieldNotes hint={props.hint} hint_id={hint_id} flaw={props.flaw} flaw_id={flaw_id} />
    </fieldset>
  )
}

interface SwitchProps {
  label: ComponentChildren
  checked: boolean
  onChange: (checked: boolean) => void
  hint?: ComponentChildren
  /** The change is being saved. */
  busy?: boolean
  disabled?: boolean
  label_hidden?: boolean
}

/** A switch that takes effect at once. */
export function Switch(props: SwitchProps) {
  const id = useId()
  const off = Boolean(props.busy || props.disabled)
  return (
    <div class={classes('switch', props.label_hidden && 'check-alone')}>
      <button
        class="switch-track"
        type="button"
        role="switch"
        id={id}
        aria-checked={props.checked}
        aria-labelledby={`${id}-label`}
        aria-describedby={props.hint ? `${id}-hint` : undefined}
        aria-busy={props.busy || undefined}
        aria-disabled={off || undefined}
        onClick={() => {
          if (!off) props.onChange(!props.checked)
        }}
      >
        <span class="switch-knob" />
      </button>
      <label class={classes('check-label', props.label_hidden && 'visually-hidden')} id={`${id}-label`} for={id}>
        {props.label}
      </label>
      <FieldNotes hint={props.hint} hint_id={`${id}-hint`} />
    </div>
  )
}
