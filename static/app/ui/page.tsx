import type { ComponentChildren } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { number } from './format.ts'
import { Icon } from './icon.tsx'

interface PageHeadProps {
  title: ComponentChildren
  /** One line about the page. */
  lead?: ComponentChildren
  primary?: ComponentChildren
  secondary?: ComponentChildren
  back?: { href: string; label: string }
  /** The number of items, after the title; absent when there are none. */
  count?: number | null
}

/**
 * The head of a page. Its heading takes the focus after a navigation, and passes it on to the heading that replaces it,
 * as that of a page does which was waiting for its first answer.
 */
export function PageHead({ title, lead, primary, secondary, back, count }: PageHeadProps) {
  useLayoutEffect(
    () => () => {
      if (document.activeElement?.matches('[data-page-title]')) queueMicrotask(focusHeading)
    },
    [],
  )
  return (
    <header class="page-head">
      {back && (
        <a class="page-back" href={back.href}>
          <Icon name="chevron-left" />
          {back.label}
        </a>
      )}
      <div class="page-words">
        <h1 class="page-title" data-page-title tabIndex={-1}>
          {title}
          {Boolean(count) && <span class="page-count">{number(count!)}</span>}
        </h1>
        {lead && <p class="page-lead">{lead}</p>}
      </div>
      {(primary || secondary) && (
        <div class="page-actions">
          {secondary}
          {primary && <div class="page-primary">{primary}</div>}
        </div>
      )}
    </header>
  )
}

function focusHeading(): void {
  document.querySelector<HTMLElement>('[data-page-title]')?.focus({ preventScroll: true })
}

interface FormActionsProps {
  /** Whether there is something to save. */
  changed?: boolean
  /** Replaces "Saved" and "Not saved yet". */
  note?: ComponentChildren
  /** The buttons, the main one first. */
  children: ComponentChildren
}

/** The buttons of a form; they stay visible, beside the save state. */
export function FormActions({ changed, note, children }: FormActionsProps) {
  const word = note ?? (changed === undefined ? null : changed ? 'Not saved yet' : 'Saved')
  return (
    <div class="form-actions">
      <span class="form-saved" role="status">
        {word}
      </span>
      <div class="form-buttons">{children}</div>
    </div>
  )
}
