import { signal } from '@preact/signals'

/** What is open over the page. One at a time. */
type Panel = 'calls' | 'palette' | 'keys'

export const openPanel = signal<Panel | null>(null)

export function closePanel(): void {
  openPanel.value = null
}
