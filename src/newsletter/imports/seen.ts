import { Database } from 'bun:sqlite'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The addresses that a file has named so far, in bounded memory. */
interface SeenKeys {
  /** Whether the key was there already; adds it. */
  add(key: string): boolean
  close(): void
}

const CACHE_KIB = 4 * 1024

/**
 * Keys are compared by hashes of 64 bits.
 * @param in_memory more hashes than this stand in a temporary file, so that memory does not grow with the keys; in
 *   memory each takes a microsecond less, but 150,000 that move into the file leave 25 MB behind
 */
export function seenKeys(in_memory: number): SeenKeys {
  // Without a seed that nobody knows, a file could hold addresses that all probe the same slots.
  const seed = randomBytes(8).readBigUInt64LE()
  let table: ReturnType<typeof hashTable> | null = hashTable(in_memory)
  let file: ReturnType<typeof hashFile> | null = null
  return {
    add(key) {
      // The table marks an empty slot by 0.
      const hash = Bun.hash.xxHash64(key, seed) || 1n
      if (!table) return file!.add(hash)
      if (table.size() === in_memory && !table.has(hash)) {
        file = hashFile()
        for (const known of table.hashes()) file.add(known)
        table = null
        return file.add(hash)
      }
      return table.add(hash)
    },
    close: () => file?.close(),
  }
}

/** A set of hashes in one typed array, with linear probing: a `Set` of strings would keep the text of the file alive. */
function hashTable(most: number) {
  const slots = new BigUint64Array(2 ** Math.ceil(Math.log2(1.5 * most + 1)))
  const last = slots.length - 1
  let size = 0
  const slotOf = (hash: bigint): number => {
    let at = Number(BigInt.asUintN(32, hash)) & last
    while (slots[at] !== 0n && slots[at] !== hash) at = (at + 1) & last
    return at
  }
  return {
    size: () => size,
    has: (hash: bigint): boolean => slots[slotOf(hash)] === hash,
    hashes: () => slots.filter((hash) => hash !== 0n),
    add(hash: bigint): boolean {
      const at = slotOf(hash)
      if (slots[at] === hash) return true
      slots[at] = hash
      size += 1
      return false
    },
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
    add: (hash: bigint): boolean => insert.run(BigInt.asIntN(64, hash)).changes === 0,
    close(): void {
      insert.finalize()
      database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
