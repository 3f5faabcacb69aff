import { useLocation } from 'preact-iso'
import { useLayoutEffect } from 'preact/hooks'
import { letterKeyApplies } from '../ui/keys.ts'
import { NAVIGATION } from './navigation.ts'
import { closePanel, isOpening, openPanel, typeAhead } from './panels.ts'
import { link } from '../api/link.ts'
import { pageOf, place } from './place.ts'

/** Keys that work on every page. They do nothing while a text field has the focus, and can be switched off. */
export const KEYS: readonly { keys: string; does: string }[] = [
  { keys: 'Ctrl K', does: 'Search pages, actions, people and everything with a name' },
  { keys: '?', does: 'Show this list' },
  { keys: '.', does: 'Show the calls of this page' },
  { keys: 'n', does: "The page's main action" },
  { keys: '/', does: 'Search on this page' },
  { keys: 'j, k', does: 'Next and previous row' },
  { keys: 'x', does: 'Select the row' },
  { keys: 'Enter', does: 'Open the row' },
  { keys: 'Esc', does: 'Close what is on top' },
]

export function useKeys(): void {
  const { route } = useLocation()
  // In a layout effect, so that no key is lost after the page is painted.
  useLayoutEffect(() => {
    let afterG = false
    const pressed = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        openPanel.value = 'palette'
        return
      }
      if (isOpening()) {
        pressedEarly(event)
        return
      }
      if (!letterKeyApplies(event)) return
      const wasAfterG = afterG
      afterG = false
      if (wasAfterG) {
        const entry = NAVIGATION[place().name].flatMap(({ entries }) => entries).find(({ key }) => key === event.key)
        if (entry && pageOf(link(entry.path))) route(link(entry.path))
        return
      }
      const act = ACTS[event.key]
      if (event.key === 'g') afterG = true
      else if (act) {
        event.preventDefault()
        act()
      }
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [])
}

/** A key that comes before the panel that was asked for. It must not act on the page below. */
function pressedEarly(event: KeyboardEvent): void {
  if (event.key === 'Escape') closePanel()
  if (event.key.length > 1 || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  typeAhead(event.key)
}

/** The actions of single keys. A page marks its main action and its search field by attributes. */
const ACTS: Readonly<Record<string, () => void>> = {
  '?': () => (openPanel.value = 'keys'),
  '.': () => (openPanel.value = openPanel.value === 'calls' ? null : 'calls'),
  n: () => document.querySelector<HTMLElement>('[data-main-action]')?.click(),
  '/': () => document.querySelector<HTMLElement>('main input[type=search]')?.focus(),
}
