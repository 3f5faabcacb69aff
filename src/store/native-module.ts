import {
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

export interface PackedModule {
  /** Where it lies, compressed by Zstandard. */
  archive: string
  /** Of the module itself; part of its file's name, so that releases do not share one. */
  sha256: string
  bytes: number
}

/** The process's own open files; only Linux shows them. */
const DESCRIPTORS = '/proc/self/fd'

/**
 * The path, in a folder for temporary files, of a native module that the executable carries compressed: the system
 * loads such modules from files only. All threads of a process load the same file, even when somebody tidied it away in
 * the meantime, since two copies of SQLite in one process would not see each other's locks. Another user's file of
 * that name is never loaded.
 */
export function unpackedModule({ archive, sha256, bytes }: PackedModule, folder: string): string {
  const user = process.getuid?.() ?? 0
  const path = join(folder, `.masthead-${user}-${sha256.slice(0, 16)}.node`)
  const held = heldOpen(path)
  if (held !== null) return held
  if (!isOurs(path, user, bytes)) unpack(archive, path)
  if (existsSync(DESCRIPTORS)) openSync(path, 'r') // for as long as the process lives; see heldOpen
  return path
}

function unpack(archive: string, path: string): void {
  const draft = `${path}-${crypto.randomUUID()}`
  try {
    writeFileSync(draft, Bun.zstdDecompressSync(readFileSync(archive)), { mode: 0o600, flag: 'wx' })
    renameSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** The file that another thread of this process has loaded, by its open descriptor (Linux), whatever has become of its name. */
function heldOpen(path: string): string | null {
  try {
    const descriptor = readdirSync(DESCRIPTORS).find((name) =>
      [path, `${path} (deleted)`].includes(linkedTo(join(DESCRIPTORS, name))),
    )
    return descriptor === undefined ? null : join(DESCRIPTORS, descriptor)
  } catch {
    return null
  }
}

/** Descriptors come and go while they are listed. */
function linkedTo(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return ''
  }
}

function isOurs(path: string, user: number, bytes: number): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return (
    found !== undefined && found.isFile() && found.uid === user && (found.mode & 0o022) === 0 && found.size === bytes
  )
}
