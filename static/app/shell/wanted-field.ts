import { useLocation } from 'preact-iso'
import { useEffect } from 'preact/hooks'
import { CONTROLS } from '../ui/controls.ts'

/** How long a page may take to show the control that its address names. */
const PATIENCE_MS = 10_000

/** The blocks and texts of a letter can be focused as well. */
const WRITABLE = `${CONTROLS}, [contenteditable]:not([contenteditable=false]), [tabindex="0"]`

/**
 * Focuses the control that the address names by `field`, once it exists: the control with this name, or the first one
 * in the element with this `data-field`. It stops when the user begins to do something else.
 */
export function useWantedField(): void {
  const { url, query, route } = useLocation()
  const { field } = query
  useEffect(() => {
    if (field === undefined) return
    const stop = new AbortController()
    const name = CSS.escape(field)
    const look = () => {
      const place = document.querySelector<HTMLElement>(`main :is([name="${name}"], [data-field="${name}"])`)
      const control = place?.matches(WRITABLE) ? place : place?.querySelector<HTMLElement>(WRITABLE)
      if (!control) return
      stop.abort()
      control.focus()
      control.scrollIntoView({ block: 'center' })
      // Without the parameter, so that the same link works again.
      const clean = new URL(location.href)
      clean.searchParams.delete('field')
      route(clean.pathname + clean.search, true)
    }
    const watch = new MutationObserver(look)
    stop.signal.addEventListener('abort', () => watch.disconnect())
    watch.observe(document.body, { subtree: true, childList: true, attributeFilter: ['data-field'] })
    for (const act of ['keydown', 'pointerdown'])
      addEventListener(act, () => stop.abort(), { signal: stop.signal, capture: true })
    const timer = setTimeout(() => stop.abort(), PATIENCE_MS)
    look()
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [url])
}
