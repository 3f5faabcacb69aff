import { signal } from '@preact/signals'
import type { Editor } from './editor.ts'

/** Whether the fields are seen; they stay so from letter to letter. */
export const isDesignOpen = signal(false)

/** Shows the design in the place of a block's fields. */
export function showDesign(editor: Editor): void {
  editor.select(null)
  isDesignOpen.value = true
}
