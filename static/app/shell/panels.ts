import { signal } from '@preact/signals'

/** The panel that is open over the page, at most one. */
type Panel = 'calls' | 'palette' | 'keys'

export const openPanel = signal<Panel | null>(null)

/** What was typed before the search was there. */
let typed = ''

export function closePanel(): void {
  openPanel.value = null
  typed = ''
}

/** Whether a panel was asked for that is not drawn yet, because its code is still being loaded. */
export function isOpening(): boolean {
  return openPanel.value !== null && document.querySelector('dialog:modal') === null
}

/** Keeps what is typed before the search is there. Other panels have no use for it. */
export function typeAhead(text: string): void {
  if (openPanel.value === 'palette') typed += text
}

/** Returns what was typed before the search was there, once. */
export function takeTyped(): string {
  const text = typed
  typed = ''
  return text
}
