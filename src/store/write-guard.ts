import { AsyncLocalStorage } from 'node:async_hooks'
import type { Store } from './store.ts'

const writing = new AsyncLocalStorage<true>()

/** `write`, which throws when it is called inside another write: that one would wait for itself. */
export function refuseNested(write: Store['write']): Store['write'] {
  return (work, options) => {
    if (writing.getStore()) throw new Error('A write inside a write would wait for itself: pass the transaction on.')
    return write((tx) => writing.run(true, () => work(tx)), options)
  }
}
