import type { ComponentChildren } from 'preact'
import { useId, useMemo, useState } from 'preact/hooks'
import { FieldNotes, Select } from './field.tsx'
import { dateTime } from './format.ts'
import { momentOf, ownZone, wallTime } from './zoned-time.ts'

interface DateTimeFieldProps {
  label: ComponentChildren
  /** A time, or null while there is none. */
  value: string | null
  /** The time zone of the field. */
  zone: string
  onChange: (iso: string | null, zone: string) => void
  hint?: ComponentChildren
  flaw?: string | null
  /** The earliest and the latest moment. */
  min?: string
  max?: string
  disabled?: boolean
}

/** A time in a zone. Below it is the same time in the user's zone, when that differs. */
export function DateTimeField(props: DateTimeFieldProps) {
  const { label, value, zone, onChange, hint, flaw, min, max, disabled } = props
  const id = useId()
  const own = ownZone()
  const [typed, setTyped] = useState<string | null>(null)
  const zones = useMemo(() => zoneOptions(own, zone), [own, zone])
  const elsewhere = value && own !== zone && wallTime(value, own) !== wallTime(value, zone)
  const described = [`${id}-hint`, flaw && `${id}-flaw`].filter(Boolean).join(' ')
  return (
    <fieldset class="field" aria-describedby={described}>
      <legend class="field-label">{label}</legend>
      <div class="date-time">
        <input
          class="input"
          type="datetime-local"
          aria-label="Date and time"
          aria-describedby={described}
          aria-invalid={flaw ? true : undefined}
          value={typed ?? (value ? wallTime(value, zone) : '')}
          min={min && wallTime(min, zone)}
          max={max && wallTime(max, zone)}
          disabled={disabled}
          onInput={(event) => {
            const wall = event.currentTarget.value
            setTyped(wall)
            onChange(wall === '' ? null : momentOf(wall, zone), zone)
          }}
          onBlur={() => setTyped(null)}
        />
        <Select
          label="Time zone"
          label_hidden
          value={zone}
          disabled={disabled}
          options={zones}
          onInput={(next) => {
            const wall = value && wallTime(value, zone)
            onChange(wall ? momentOf(wall, next) : null, next)
          }}
        />
      </div>
      <FieldNotes
        hint={
          <>
            {hint}
            {elsewhere && <span> {`${dateTime(value, own)} where you are.`}</span>}
          </>
        }
        hint_id={`${id}-hint`}
        flaw={flaw}
        flaw_id={`${id}-flaw`}
      />
    </fieldset>
  )
}

function zoneOptions(own: string, zone: string) {
  const option = (value: string) => ({ value, label: value.replaceAll('_', ' ') })
  const near = [...new Set([zone, own, 'UTC'])]
  const all = Intl.supportedValuesOf('timeZone').filter((name) => !near.includes(name))
  return [
    { group: 'Often', options: near.map(option) },
    { group: 'All', options: all.map(option) },
  ]
}
