import type { Editor } from './editor.ts'
import type { Session } from './session.ts'

/** Keys of the whole page. Saving needs none, but hands that are used to it find it. */
export function pageKey(event: KeyboardEvent, editor: Editor, session: Session): void {
  const { key } = event
  // A text has taken Ctrl K for a link: the search of the page does not open as well.
  if (event.defaultPrevented && key.toLowerCase() === 'k') event.stopPropagation()
  if (event.defaultPrevented || !(event.ctrlKey || event.metaKey) || event.altKey) return
  if (key.toLowerCase() === 'z') (event.shiftKey ? editor.redo : editor.undo)()
  else if (key.toLowerCase() === 'y') editor.redo()
  else if (key.toLowerCase() === 's') void session.save()
  else return
  event.preventDefault()
}
