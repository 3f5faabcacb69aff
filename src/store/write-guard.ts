import { AsyncLocalStorage } from 'node:async_hooks'
import type { Store } from './store.ts'

const writing = new AsyncLocalStorage<true>()

/** Throws inside a write: what waits there for a thread or for a turn makes every other write wait. */
export function refuseInWrite(what: string): void {
  if (writing.getStore()) throw new Error(`${what} inside a write would make every other write wait.`)
}

/** `write`, which throws when it is called inside another write: that one would wait for itself. */
export function refuseNested(write: Store['write']): Store['write'] {
  return (work, options) => {
    if (writing.getStore()) throw new Error('A write inside a write would wait for itself: pass the transaction on.')
    return write((tx) => writing.run(true, () => work(tx)), options)
  }
}
