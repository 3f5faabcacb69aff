import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

/** A native module that the executable contains, compressed by Zstandard. */
export interface PackedModule {
  archive: string
  /** SHA-256 of the unpacked module, in hexadecimal. */
  sha256: string
}

let folder: string | null = null
/** The path of the module whose hash this thread has compared, and of that which the main thread has. */
let compared: string | null = null
let taken: string | null = null

/**
 * Sets the data folder of the service, below which the module is unpacked. To be called before a database is opened.
 */
export function unpackNativeModuleBelow(data_folder: string): void {
  folder = join(data_folder, 'native')
}

/** The path for other threads of the process, which need not compare the hash again: that takes 10 ms. */
export function comparedNativeModule(): string | null {
  return compared
}

/** Takes over what the main thread has compared. */
export function takeComparedNativeModule(path: string | null): void {
  taken = path
}

/**
 * The path of the unpacked module: `native/SHA256/libsql.node` in the data folder. A command that has no data folder
 * unpacks it below the folder for temporary files. The system loads native modules from files only. Every thread of a
 * process must load the same file, because two copies of SQLite in one process do not see each other's locks.
 */
export function nativeModulePath(
  packed: PackedModule,
  base: string = folder ?? join(tmpdir(), `masthead-native-${process.getuid?.() ?? 0}`),
): string {
  const home = join(base, packed.sha256)
  const path = join(home, 'libsql.node')
  if (path === taken) return path
  mkdirSync(home, { recursive: true, mode: 0o700 })
  requirePrivate(base)
  requirePrivate(home)
  if (!isUnpacked(path, packed.sha256)) unpack(packed, path)
  compared = path
  return path
}

/** Another user who may write to the folder could replace the module after it was checked. */
function requirePrivate(path: string): void {
  const found = lstatSync(path)
  const isOurs = process.getuid === undefined || found.uid === process.getuid()
  if (!found.isDirectory() || !isOurs || (found.mode & 0o022) !== 0)
    throw new Error(`${path} is not a folder that only its owner, this user, can write to`)
}

function isUnpacked(path: string, sha256: string): boolean {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return false
  return hashOf(readFileSync(path)) === sha256
}

/** Writes the module under a name of its own first, so that other processes see all of it or nothing. */
function unpack({ archive, sha256 }: PackedModule, path: string): void {
  const draft = `${path}-${crypto.randomUUID()}`
  try {
    const bytes = Bun.zstdDecompressSync(readFileSync(archive))
    if (hashOf(bytes) !== sha256) throw new Error('the module in the executable is damaged')
    writeFileSync(draft, bytes, { mode: 0o700, flag: 'wx' })
    renameSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

function hashOf(bytes: Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
}
