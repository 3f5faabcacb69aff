/**
 * Copies a text. Browsers offer the clipboard in secure contexts only, so on plain http the text is selected in a field
 * of its own and copied from there. Throws when the browser refuses.
 */
export async function copyText(text: string): Promise<void> {
  const { clipboard } = navigator as { clipboard?: Clipboard }
  if (clipboard) return clipboard.writeText(text)
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.className = 'visually-hidden'
  field.value = text
  // Inside the open dialog, which makes everything outside of it inert.
  ;(document.querySelector('dialog:modal') ?? document.body).append(field)
  field.select()
  try {
    // Deprecated, and still the only way without a secure context.
    if (!document.execCommand('copy')) throw new Error('The browser does not copy.')
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus()
  }
}
