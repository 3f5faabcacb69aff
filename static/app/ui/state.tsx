import type { ComponentChildren } from 'preact'
import { classes } from './classes.ts'

export type Tone = 'good' | 'wait' | 'bad' | 'quiet' | 'accent'

type Shape = 'ring' | 'clock' | 'quarter' | 'half' | 'bars' | 'disc' | 'cross' | 'dots' | 'slash'

/** The label and the shape of each state. Shapes differ, so states can be told apart without color. */
const STATES = {
  draft: ['ring', 'quiet', 'Draft'],
  pending: ['ring', 'wait', 'Pending'],
  queued: ['ring', 'quiet', 'Queued'],
  staged: ['ring', 'quiet', 'Not started'],
  validated: ['ring', 'quiet', 'Checked'],
  development: ['ring', 'quiet', 'In development'],
  scheduled: ['clock', 'accent', 'Scheduled'],
  submitted: ['clock', 'accent', 'In review'],
  in_review: ['clock', 'accent', 'In review'],
  preparing: ['quarter', 'accent', 'Preparing'],
  leased: ['quarter', 'accent', 'Up next'],
  sending: ['half', 'accent', 'Sending'],
  running: ['half', 'accent', 'Running'],
  processing: ['half', 'accent', 'Importing'],
  paused: ['bars', 'wait', 'Paused'],
  suspended: ['bars', 'bad', 'Suspended'],
  sent: ['disc', 'good', 'Sent'],
  completed: ['disc', 'good', 'Done'],
  subscribed: ['disc', 'good', 'Subscribed'],
  approved: ['disc', 'good', 'Approved'],
  published: ['disc', 'good', 'Published'],
  active: ['disc', 'good', 'Active'],
  live: ['disc', 'good', 'Live'],
  failed: ['cross', 'bad', 'Failed'],
  bounced: ['cross', 'bad', 'Bounced'],
  complained: ['cross', 'bad', 'Complained'],
  rejected: ['cross', 'bad', 'Rejected'],
  changes_requested: ['cross', 'wait', 'Changes asked for'],
  uncertain: ['dots', 'wait', 'Not certain'],
  cancelled: ['slash', 'quiet', 'Canceled'],
  skipped: ['slash', 'quiet', 'Skipped'],
  unsubscribed: ['slash', 'quiet', 'Unsubscribed'],
  suppressed: ['slash', 'bad', 'Suppressed'],
  withdrawn: ['slash', 'quiet', 'Withdrawn'],
  archived: ['slash', 'quiet', 'Archived'],
  disabled: ['slash', 'quiet', 'Disabled'],
  revoked: ['slash', 'quiet', 'Revoked'],
  expired: ['slash', 'quiet', 'Expired'],
} as const satisfies Record<string, readonly [Shape, Tone, string]>

type State = keyof typeof STATES

const OUTLINES: Record<Shape, { line: string; fill?: string; dashed?: boolean }> = {
  ring: { line: 'M2 8a6 6 0 1 0 12 0a6 6 0 1 0-12 0z' },
  clock: { line: 'M2 8a6 6 0 1 0 12 0a6 6 0 1 0-12 0zM8 4.5V8h3' },
  quarter: { line: 'M2 8a6 6 0 1 0 12 0a6 6 0 1 0-12 0z', fill: 'M8 8V2a6 6 0 0 1 6 6z' },
  half: { line: 'M2 8a6 6 0 1 0 12 0a6 6 0 1 0-12 0z', fill: 'M8 2a6 6 0 0 1 0 12z' },
  bars: { line: 'M5.2 3v10M10.8 3v10' },
  disc: { line: '', fill: 'M1.5 8a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0-13 0z' },
  cross: { line: 'M3.5 3.5l9 9M12.5 3.5l-9 9' },
  dots: { line: 'M2 8a6 6 0 1 0 12 0a6 6 0 1 0-12 0z', dashed: true },
  slash: { line: 'M2 8a6 6 0 1 0 12 0a6 6 0 1 0-12 0zM3.8 12.2l8.4-8.4' },
}

/** The state of a thing: a shape and a label. An unknown state is shown by its own name. */
export function StateMark({ state, children }: { state: State | (string & {}); children?: ComponentChildren }) {
  const [shape, tone, word] = known(state) ?? (['ring', 'quiet', state.replaceAll('_', ' ')] as const)
  const { line, fill, dashed } = OUTLINES[shape]
  return (
    <span class={classes('state', `tone-${tone}`)}>
      <svg class="state-shape" width="12" height="12" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
        {line && <path class="state-line" d={line} stroke-dasharray={dashed ? '2.4 2.3' : undefined} />}
        {fill && <path class="state-fill" d={fill} />}
      </svg>
      <span class="state-word">{children ?? word}</span>
    </span>
  )
}

function known(state: string): readonly [Shape, Tone, string] | undefined {
  return Object.hasOwn(STATES, state) ? STATES[state as State] : undefined
}

/** The label of a state, for a sentence. */
export function stateWord(state: State | (string & {})): string {
  return known(state)?.[2] ?? state.replaceAll('_', ' ')
}

/** A word or two on a colored background. */
export function StatusBadge({ tone = 'quiet', children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={classes('badge', `tone-${tone}`)}>{children}</span>
}

/** A dot that marks a problem; `label` describes it. */
export function Dot({ tone = 'wait', label }: { tone?: Tone; label: string }) {
  return <span class={classes('dot', `tone-${tone}`)} role="img" aria-label={label} title={label} />
}
