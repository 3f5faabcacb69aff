import type { CommitWork, Tx } from './store.ts'

/** What `Tx.beforeCommit` was given, in its order. */
export interface Pending {
  write: CommitWork<never>
  entry: unknown
}

/** Calls each `write` once with its entries. */
export async function writePending(tx: Tx, pending: readonly Pending[]): Promise<void> {
  for (const [write, ofWrite] of Map.groupBy(pending, ({ write }) => write)) {
    const entries = ofWrite.map(({ entry }) => entry)
    await (write as CommitWork<unknown>)(tx, entries)
  }
}
