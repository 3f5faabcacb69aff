import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Config, ConfigError, environmentName } from './config.ts'
import { entriesOf } from './setting-kinds.ts'
import { newMasterKey } from './secrets.ts'
import { syncPath } from './store/file-path.ts'

/**
 * Where the secret keys come from: the settings, or `secret.key` in the data folder. That file has one key a line, the
 * newest first, so one rename changes the whole ring (docs/operations.md#secret-key).
 */

/** The keys of the ring, the newest first; empty without any. Throws ConfigError for a file that holds no keys. */
export function configuredKeys(config: Config): string[] {
  const newest = config.secret_key === '' ? readKeyFile(keyFile(config)) : [config.secret_key]
  return newest.length === 0 ? [] : [...newest, ...entriesOf(config.secret_key_previous)]
}

/** The environment variable or the file that holds the newest secret key. */
export function secretKeySource(config: Config): string {
  return config.secret_key === '' ? keyFile(config) : environmentName('secret_key')
}

export function keyFile(config: Config): string {
  return join(resolve(config.data_dir), 'secret.key')
}

function readKeyFile(file: string): string[] {
  if (!existsSync(file)) return []
  const keys = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  if (keys.length === 0 || keys.some((key) => Buffer.byteLength(key) < 32))
    throw new ConfigError(`${file} does not hold a secret key.`)
  return keys
}

/** Makes the first key. Another process that starts at the same time finds all of it or nothing. */
export function makeKeyFile(file: string): void {
  const draft = `${file}-${crypto.randomUUID()}`
  try {
    writeDraft(draft, [newMasterKey()])
    linkSync(draft, file)
    syncPath(dirname(file))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Puts a key in front of the others. Callers take turns through the database's write lock. */
export function addToKeyFile(file: string, key: string): void {
  const keys = readKeyFile(file)
  if (!keys.includes(key)) replaceKeyFile(file, [key, ...keys])
}

/** Keeps only some of the keys. Callers take turns through the database's write lock. */
export function filterKeyFile(file: string, keeps: (key: string) => boolean): void {
  const keys = readKeyFile(file)
  const kept = keys.filter(keeps)
  if (kept.length < keys.length) replaceKeyFile(file, kept)
}

function replaceKeyFile(file: string, keys: readonly string[]): void {
  const draft = `${file}.new`
  rmSync(draft, { force: true }) // left by a process that was killed
  writeDraft(draft, keys)
  renameSync(draft, file)
  syncPath(dirname(file))
}

/** The keys are on the disk, readable only by the owner, before the file gets its name. */
function writeDraft(draft: string, keys: readonly string[]): void {
  writeFileSync(draft, keys.map((key) => `${key}\n`).join(''), { mode: 0o600, flag: 'wx', flush: true })
}
