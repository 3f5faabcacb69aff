import { closeSync, openSync } from 'node:fs'
import { isBusy } from './constraint.ts'
import { DatabaseConnection } from './database-connection.ts'

/** Connections that nothing refers to would be closed. */
const held = new Set<DatabaseConnection>()

/**
 * Claims a database file for one service or restore. Answers a function that gives the claim up; null while another
 * process has it. The claim is a lock on an empty file beside the database, so the system drops it when the process
 * ends, however it ends. A process id in a file would prove nothing: containers that share a folder have the same ones.
 */
export function claim(database: string): (() => void) | null {
  const path = `${database}.lock`
  closeSync(openSync(path, 'a', 0o600))
  const connection = new DatabaseConnection({ path, read_only: false, synchronous: 'NORMAL', busy_timeout_ms: 0 })
  try {
    // The lock lasts as long as the transaction, which writes nothing: a start needs no room on the disk for it.
    connection.script('PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE')
    held.add(connection)
    return () => {
      held.delete(connection)
      connection.close()
    }
  } catch (error) {
    connection.close()
    if (isBusy(error)) return null
    throw error
  }
}
