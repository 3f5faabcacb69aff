import { signal } from '@preact/signals'

/** Why calls cannot be made now. The shell shows it, and calls wait until it is over. */

/** Whether the service can be reached, judged by the browser and by the last call. */
export const isOnline = signal(navigator.onLine)
/** Whether the last call got no answer although the browser is online: the service is down or restarts. */
export const isUnreachable = signal(false)
/** Whether the session has ended. Calls wait until the user has signed in again. */
export const isSignedOut = signal(false)
/** How often the user has signed in again on this page. */
export const signIns = signal(0)
/** When calls continue after the service refused them as too many, in ms since 1970; null when none was refused. */
export const pausedUntil = signal<number | null>(null)
/** Whether the service runs another version of the application than this document has. */
export const isOutdated = signal(false)

addEventListener('online', () => (isOnline.value = true))
addEventListener('offline', () => (isOnline.value = false))

/** Resolves when `holds` becomes false. Rejects when the call is aborted. */
export function ended(holds: { value: boolean; subscribe(run: () => void): () => void }, given_up?: AbortSignal) {
  return new Promise<void>((resolve, reject) => {
    const stop: { run?: () => void } = {}
    const look = () => {
      if (holds.value) return
      stop.run?.()
      resolve()
    }
    given_up?.addEventListener('abort', () => {
      stop.run?.()
      reject(given_up.reason as Error)
    })
    stop.run = holds.subscribe(look)
    look()
  })
}
