import { AsyncLocalStorage } from 'node:async_hooks'
import type { Store } from './store.ts'

const writing = new AsyncLocalStorage<true>()

/** Throws when called inside a write: waiting there for a thread or a turn would block every other write. */
export function refuseInWrite(what: string): void {
  if (writing.getStore()) throw new Error(`${what} inside a write would make every other write wait.`)
}

/** Wraps `write` so that a call inside another write throws. It would wait for itself forever. */
export function refuseNested(write: Store['write']): Store['write'] {
  return (work, options) => {
    if (writing.getStore()) throw new Error('A write inside a write would wait for itself: pass the transaction on.')
    return write((tx) => writing.run(true, () => work(tx)), options)
  }
}
