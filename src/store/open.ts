import { UnreachableDatabase } from '../errors.ts'
import { unreachableText } from './faults.ts'
import { openFileStore } from './file-store.ts'
import { openServerStore } from './server-store.ts'
import type { Store, StoreOptions } from './store.ts'

export type { CommitWork, HeavyReading, HeavyTask, Reader, Store, Tx } from './store.ts'

/**
 * Opens a database file (`file:` address) or the database of a libSQL server. It does not change the schema; `migrate`
 * does. Throws UnreachableDatabase.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const isFile = options.url.startsWith('file:')
  try {
    return isFile ? openFileStore(options) : await openServerStore(options)
  } catch (error) {
    if (error instanceof UnreachableDatabase) throw error
    const text = unreachableText(options.url, isFile ? 'opened' : 'reached', error)
    throw new UnreachableDatabase(text, { cause: error })
  }
}
