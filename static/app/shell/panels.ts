import { signal } from '@preact/signals'

/** The panel that is open over the page, at most one. */
type Panel = 'calls' | 'palette' | 'keys'

export const openPanel = signal<Panel | null>(null)

export function closePanel(): void {
  openPanel.value = null
}
