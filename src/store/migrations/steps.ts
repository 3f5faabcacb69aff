import type { Store } from '../store.ts'
import { joinMailboxes } from './mailbox-keys.ts'

/**
 * What SQL cannot do for a migration. A step runs before its migration is recorded, in as many transactions as it
 * needs, so that it neither fills the memory nor holds the write lock for long. One that was cut off starts again, so
 * it changes nothing in rows that it has changed.
 */
type MigrationStep = (store: Pick<Store, 'write' | 'query'>, now: number) => Promise<void>

/** The steps by the names of their migrations. */
export const STEPS: Readonly<Record<string, MigrationStep>> = { '0003_mailbox_keys.sql': joinMailboxes }
