import type { CommitWork, Tx } from './store.ts'

/** The arguments of one call of `Tx.beforeCommit`. */
export interface Pending {
  write: CommitWork<never>
  entry: unknown
}

/** Calls each distinct `write` once, with its entries in the order in which they were added. */
export async function writePending(tx: Tx, pending: readonly Pending[]): Promise<void> {
  for (const [write, ofWrite] of Map.groupBy(pending, ({ write }) => write)) {
    const entries = ofWrite.map(({ entry }) => entry)
    await (write as CommitWork<unknown>)(tx, entries)
  }
}
