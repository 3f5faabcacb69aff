/** Selector of elements that handle letters themselves. */
const TYPING =
  'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, ' +
  '[contenteditable]:not([contenteditable=false])'

const OFF = 'masthead-keys-off'

export function keysAreOn(): boolean {
  return localStorage.getItem(OFF) === null
}

/** WCAG 2.1.4: shortcuts of single characters can be switched off. */
export function switchKeys(on: boolean): void {
  if (on) localStorage.removeItem(OFF)
  else localStorage.setItem(OFF, 'yes')
}

/**
 * Whether a single-letter key may act on the page: no text field has the focus, no dialog or menu is open, and the user
 * has not switched such keys off.
 */
export function letterKeyApplies(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false
  if (!keysAreOn()) return false
  const target = event.target instanceof Element ? event.target : document.body
  if (target.closest(TYPING) || target.closest('[role=menu], [role=listbox], [role=tablist]')) return false
  return document.querySelector('dialog:modal') === null
}
