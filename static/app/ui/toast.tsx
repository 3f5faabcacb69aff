import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Button, IconButton } from './button.tsx'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'
import type { Tone } from './state.tsx'

const SHOWN_MS = 10_000
/** How long it stays after the pointer and the focus have left it. */
const AFTERWARDS_MS = 2000
const MAX = 4

interface ToastOptions {
  text: string
  tone?: Tone
  action?: { label: string; run: () => void } | { label: string; href: string }
  /** Undoes what was just done. */
  undo?: () => void
}

interface Toast extends ToastOptions {
  id: number
}

const toasts = signal<readonly Toast[]>([])
let next = 1

/** Shows a message for ten seconds at the bottom; returns a function that removes it. */
export function toast(options: ToastOptions): () => void {
  const id = next++
  toasts.value = [...toasts.value.slice(1 - MAX), { ...options, id }]
  return () => dismiss(id)
}

function dismiss(id: number) {
  toasts.value = toasts.value.filter((entry) => entry.id !== id)
}

/** The container of toasts: once in the shell. */
export function ToastRegion() {
  const region = useRef<HTMLDivElement>(null)
  const shown = toasts.value
  useEffect(() => {
    const element = region.current!
    // Shown also while it is empty, so that new toasts are read out; shown again to be above later dialogs.
    const is_shown = element.matches(':popover-open')
    const is_covered = shown.length > 0 && document.querySelector('dialog:modal, :popover-open:not(.toasts)') !== null
    if (is_shown && is_covered) element.hidePopover()
    if (!is_shown || is_covered) element.showPopover()
  }, [shown])
  return (
    <div ref={region} class="toasts" popover="manual" role="region" aria-label="Messages">
      <div class="toast-list" aria-live="polite">
        {shown.map((entry) => (
          <Line key={entry.id} entry={entry} />
        ))}
      </div>
    </div>
  )
}

function Line({ entry }: { entry: Toast }) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const wait = (time: number) => {
      timer = setTimeout(() => {
        if (document.hidden || element.current!.matches(':hover, :focus-within')) wait(AFTERWARDS_MS)
        else dismiss(entry.id)
      }, time)
    }
    wait(SHOWN_MS)
    return () => clearTimeout(timer)
  }, [entry.id])
  const act = (run: () => void) => () => {
    dismiss(entry.id)
    run()
  }
  const { tone = 'quiet', action, undo } = entry
  return (
    <div ref={element} class={classes('toast', `tone-${tone}`)}>
      {tone !== 'quiet' && <Icon name={tone === 'bad' || tone === 'wait' ? 'alert' : 'circle-check'} />}
      <span class="toast-text">{entry.text}</span>
      {undo && (
        <Button small onClick={act(undo)}>
          Undo
        </Button>
      )}
      {action && 'href' in action && (
        <Button small href={action.href} onClick={() => dismiss(entry.id)}>
          {action.label}
        </Button>
      )}
      {action && 'run' in action && (
        <Button small onClick={act(action.run)}>
          {action.label}
        </Button>
      )}
      <IconButton small icon="x" label="Dismiss" onClick={() => dismiss(entry.id)} />
    </div>
  )
}
