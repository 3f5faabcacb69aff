import { signal } from '@preact/signals'
import type { Editor } from './editor.ts'

/** Whether the design panel is open; the choice is kept for the next letter. */
export const isDesignOpen = signal(false)

/** Shows the design panel instead of a block's fields. */
export function showDesign(editor: Editor): void {
  editor.select(null)
  isDesignOpen.value = true
}
