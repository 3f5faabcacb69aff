import { type Signal, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** Code that loads after the page or on demand; the editor works without it. */
interface Later<T> {
  code: Signal<T | null>
  load(): void
}

export function later<T>(load: () => Promise<T>): Later<T> {
  const code = signal<T | null>(null)
  let asked: Promise<void> | null = null
  return {
    code,
    load() {
      asked ??= load().then(
        (module) => {
          code.value = module
        },
        () => {
          asked = null
        },
      )
    },
  }
}

/** The code, or null until it has loaded. */
export function useLater<T>({ code, load }: Later<T>): T | null {
  useEffect(load, [])
  return code.value
}
