import { useEffect, useRef, useState } from 'preact/hooks'
import { store, stored } from '../../api/stored.ts'

/** The value, or the previous one while there is none: older rows stay until the next ones have loaded. */
export function useLast<T>(value: T | undefined): T | undefined {
  const last = useRef(value)
  if (value !== undefined) last.current = value
  return last.current
}

/** Whether a media query holds, as `(width < 640px)`. */
export function useMedia(query: string): boolean {
  const [holds, setHolds] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const list = matchMedia(query)
    const changed = () => setHolds(list.matches)
    changed()
    list.addEventListener('change', changed)
    return () => list.removeEventListener('change', changed)
  }, [query])
  return holds
}

/** A setting that this browser stores for this project. */
export function useRemembered<T>(name: string, before: T): [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => stored<T>(name) ?? before)
  const keep = (next: T) => {
    setValue(next)
    // Without storage the setting is lost, and nothing else fails.
    store(name, next)
  }
  return [value, keep]
}
