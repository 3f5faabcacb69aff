import { useLayoutEffect, useRef } from 'preact/hooks'

/**
 * Takes the focus that was lost with what a change has removed, such as a button that led to the next step. Without it
 * the keyboard begins at the top of the page again.
 * @param state differs after each such change
 * @param next finds what takes the focus
 */
export function useKeptFocus(state: string, next: () => HTMLElement | null): void {
  const before = useRef(state)
  useLayoutEffect(() => {
    if (before.current === state) return
    before.current = state
    if (document.activeElement === document.body || document.activeElement === null) next()?.focus()
  }, [state])
}
