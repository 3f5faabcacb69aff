import type { Editor } from './editor.ts'
import type { Session } from './session.ts'

/** Keys of the whole page. Ctrl S works although saving is automatic. */
export function pageKey(event: KeyboardEvent, editor: Editor, session: Session): void {
  const { key } = event
  // A text has used Ctrl K for a link, so the search of the page must not open.
  if (event.defaultPrevented && key.toLowerCase() === 'k') event.stopPropagation()
  if (event.defaultPrevented || !(event.ctrlKey || event.metaKey) || event.altKey) return
  if (key.toLowerCase() === 'z') (event.shiftKey ? editor.redo : editor.undo)()
  else if (key.toLowerCase() === 'y') editor.redo()
  else if (key.toLowerCase() === 's') void session.save()
  else return
  event.preventDefault()
}
