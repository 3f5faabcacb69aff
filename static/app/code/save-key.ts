import { useEffect } from 'preact/hooks'

/** Saves by Ctrl S. What `save` reads must be of the moment: it may be the one of the frame before. */
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
