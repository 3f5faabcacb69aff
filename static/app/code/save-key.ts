import { useEffect } from 'preact/hooks'

/** Calls `save` on Ctrl S. `save` may be the function of the previous render, so it must read current values. */
export function useSaveKey(save: () => void): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
      event.preventDefault()
      save()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  })
}
