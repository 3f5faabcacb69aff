import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

export interface PackedModule {
  /** Where it lies, compressed by Zstandard. */
  archive: string
  /** Of the module itself; part of its file's name, so that releases do not share one. */
  sha256: string
  bytes: number
}

/**
 * The path, in a folder for temporary files, of a native module that the executable carries compressed: the system loads such modules from files only.
 * All threads and processes of a user share the file, since two copies of SQLite in one process would not see each
 * other's locks. Another user's file of that name is never loaded.
 */
export function unpackedModule({ archive, sha256, bytes }: PackedModule, folder: string): string {
  const user = process.getuid?.() ?? 0
  const path = join(folder, `.masthead-${user}-${sha256.slice(0, 16)}.node`)
  if (isOurs(path, user, bytes)) return path
  const draft = `${path}-${crypto.randomUUID()}`
  try {
    writeFileSync(draft, Bun.zstdDecompressSync(readFileSync(archive)), { mode: 0o600, flag: 'wx' })
    renameSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
  return path
}

function isOurs(path: string, user: number, bytes: number): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found !== undefined && found.isFile() && found.uid === user && (found.mode & 0o022) === 0 && found.size === bytes
}
