import type { ComponentChildren } from 'preact'
import { classes } from './classes.ts'
import { Icon, type IconName } from './icon.tsx'
import type { Tone } from './state.tsx'

const SIGNS: Record<Tone, IconName> = {
  good: 'circle-check',
  wait: 'alert',
  bad: 'circle-x',
  quiet: 'info',
  accent: 'info',
}

interface CalloutProps {
  tone?: Tone
  title?: ComponentChildren
  children?: ComponentChildren
  /** The button that fixes it. */
  actions?: ComponentChildren
  /** Read out when it appears. */
  alert?: boolean
}

/** A notice about this page, with actions. */
export function Callout({ tone = 'quiet', title, children, actions, alert }: CalloutProps) {
  return (
    <div class={classes('callout', `tone-${tone}`)} role={alert ? 'alert' : undefined}>
      <Icon name={SIGNS[tone]} size={18} />
      <div class="callout-text">
        {title && <p class="callout-title">{title}</p>}
        {children}
      </div>
      {actions && <div class="callout-actions">{actions}</div>}
    </div>
  )
}

interface EmptyProps {
  /** The purpose of the thing. */
  sentence: ComponentChildren
  action?: ComponentChildren
  /** A link to the guide. */
  guide?: ComponentChildren
}

/** An empty state: a sentence, a button, a link. */
export function Empty({ sentence, action, guide }: EmptyProps) {
  return (
    <div class="empty">
      <p class="empty-sentence">{sentence}</p>
      {(action || guide) && (
        <div class="row">
          {action}
          {guide}
        </div>
      )}
    </div>
  )
}

/** A placeholder for content that loads; visible only when it takes longer than a moment. */
export function Skeleton({ lines = 3, rows }: { lines?: number; rows?: number }) {
  const count = rows ?? lines
  return (
    <div class={classes('skeleton', rows !== undefined && 'skeleton-rows')} role="status">
      <span class="visually-hidden">Loading…</span>
      {Array.from({ length: count }, (_, index) => (
        <div class="skeleton-line" key={index} />
      ))}
    </div>
  )
}
