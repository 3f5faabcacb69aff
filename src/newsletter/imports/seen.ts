import { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The addresses that a file has named so far, in bounded memory. */
export interface SeenKeys {
  /** Whether the key was there already; adds it. */
  add(key: string): boolean
  close(): void
}

/** More keys than this stand in a temporary file, as hashes of 64 bits, so that memory does not grow with the file. */
const IN_MEMORY = 150_000
const CACHE_KIB = 4 * 1024

export function seenKeys(in_memory = IN_MEMORY): SeenKeys {
  let keys: Set<string> | null = new Set()
  let file: ReturnType<typeof hashFile> | null = null
  return {
    add(key) {
      if (keys) {
        const before = keys.size
        keys.add(key)
        if (keys.size === before) return true
        if (keys.size > in_memory) {
          file = hashFile()
          for (const known of keys) file.add(known)
          keys = null
        }
        return false
      }
      return file!.add(key)
    },
    close: () => file?.close(),
  }
}

function hashFile() {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-import-'))
  const database = new Database(join(folder, 'seen.db'))
  for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'locking_mode = EXCLUSIVE'])
    database.run(`PRAGMA ${pragma}`)
  database.run(`PRAGMA cache_size = -${CACHE_KIB}`)
  database.run('CREATE TABLE seen (hash INTEGER PRIMARY KEY)')
  const insert = database.prepare('INSERT OR IGNORE INTO seen VALUES (?)')
  database.run('BEGIN')
  return {
    add: (key: string): boolean => insert.run(BigInt.asIntN(64, Bun.hash.xxHash64(key))).changes === 0,
    close(): void {
      insert.finalize()
      database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
