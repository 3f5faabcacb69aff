import { effect, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { isOnline, isUnreachable } from './conditions.ts'

/** How often the service came back after it could not be reached. */
const returns = signal(0)
/** How often an unreachable service is looked for. */
const LOOK_MS = 3_000

// A page may have nothing that calls again by itself.
effect(() => {
  if (isOnline.value && !isUnreachable.value) return
  const timer = setInterval(() => void look(), LOOK_MS)
  return () => {
    clearInterval(timer)
    returns.value = returns.peek() + 1
  }
})

async function look(): Promise<void> {
  try {
    const { ok } = await fetch('/healthz')
    if (!ok) return
    isOnline.value = true
    isUnreachable.value = false
  } catch {
    // It is still away.
  }
}

/** Tries again what failed while the service was away, once it is back. */
export function useReturn(failed: boolean, retry: (() => void) | undefined): void {
  const seen = useRef(returns.value)
  const now = returns.value
  useEffect(() => {
    if (now === seen.current) return
    seen.current = now
    if (failed) retry?.()
  }, [now])
}
