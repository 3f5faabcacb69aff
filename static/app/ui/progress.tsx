import type { ComponentChildren } from 'preact'
import { classes } from './classes.ts'
import { number, percent } from './format.ts'
import type { Tone } from './state.tsx'

interface Segment {
  label: string
  value: number
  tone: Tone
}

interface ProgressProps {
  /** Without it, the progress is indeterminate. */
  value?: number | null
  /** The maximum; 1 unless given. */
  max?: number
  label: ComponentChildren
  /** The meaning of `value`: "3,400 done". */
  note?: ComponentChildren
  /** Parts of the whole, instead of `value`. */
  segments?: readonly Segment[]
  label_hidden?: boolean
}

/** The progress of something, or the parts of a whole. */
export function Progress({ value, max = 1, label, note, segments, label_hidden }: ProgressProps) {
  if (segments) return <Parts segments={segments} max={max} label={label} note={note} label_hidden={label_hidden} />
  const known = typeof value === 'number'
  const share = known ? Math.min(1, Math.max(0, max > 0 ? value / max : 0)) : 0
  return (
    <div class="progress">
      <div class="progress-head">
        <span class={classes(label_hidden && 'visually-hidden')}>{label}</span>
        {note ?? (known && !label_hidden && <span class="number quiet">{percent(share, 0)}</span>)}
      </div>
      <div
        class="progress-bar"
        role="progressbar"
        aria-label={typeof label === 'string' ? label : 'Progress'}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={known ? Math.round(share * 100) : undefined}
      >
        {known ? (
          share > 0 && <span class="progress-part tone-accent" style={`inline-size:${(share * 100).toFixed(2)}%`} />
        ) : (
          <span class="progress-going" />
        )}
      </div>
    </div>
  )
}

function Parts({
  segments,
  max,
  label,
  note,
  label_hidden,
}: Omit<ProgressProps, 'value'> & { segments: readonly Segment[] }) {
  const sum = segments.reduce((total, segment) => total + segment.value, 0)
  const whole = Math.max(max ?? 1, sum, 1)
  const shown = segments.filter((segment) => segment.value > 0)
  return (
    <div class="progress" role="group" aria-label={typeof label === 'string' ? label : undefined}>
      <div class="progress-head">
        <span class={classes(label_hidden && 'visually-hidden')}>{label}</span>
        {note}
      </div>
      <div class="progress-bar" aria-hidden="true">
        {shown.map((segment) => (
          <span
            key={segment.label}
            class={classes('progress-part', `tone-${segment.tone}`)}
            style={`inline-size:${((segment.value / whole) * 100).toFixed(2)}%`}
          />
        ))}
      </div>
      <ul class="progress-legend">
        {segments.map((segment) => (
          <li class="progress-entry" key={segment.label}>
            <span class={classes('progress-swatch', `tone-${segment.tone}`)} />
            {segment.label} <b class="number">{number(segment.value)}</b>
          </li>
        ))}
      </ul>
    </div>
  )
}
