import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Config, ConfigError, environmentName } from './config.ts'
import { Keys, newMasterKey } from './secrets.ts'
import { syncPath } from './store/file-path.ts'
import { unpackNativeModuleBelow } from './store/native-module.ts'
import type { Store } from './store/store.ts'
import { instance } from './store/tables/operation.ts'

type Query = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>

/** The data was made with another secret key, or its key is missing. One line for the person who starts the service. */
export class SecretKeyError extends Error {}

/**
 * The settings with the secret key, which comes from them or from `secret.key` in the data folder. The first start
 * makes the key and stores its check value in the database. Throws SecretKeyError when the key is missing beside a
 * database that has a check value, or does not match it (docs/operations.md#secret-key).
 */
export async function withSecretKey(config: Config, store: Pick<Store, 'query' | 'write'>): Promise<Config> {
  const recorded = await recordedKeyCheck(store.query)
  const secret_key = config.secret_key || readSecretKey(config) || (recorded === null ? makeSecretKey(config) : '')
  const source = secretKeySource(config)
  if (secret_key === '')
    throw new SecretKeyError(
      `${source} is missing. The database needs the key it was made with: copy it from a backup.`,
    )
  const check = new Keys(secret_key).checkValue()
  if (recorded === null)
    await store.write((tx) => tx.insert(instance).values({ id: 1, secret_key_check: check }).onConflictDoNothing())
  if ((await recordedKeyCheck(store.query)) !== check)
    throw new SecretKeyError(`${source} is not the secret key that the database was made with.`)
  return { ...config, secret_key }
}

/** The check value of the key that the data was made with; null for a database without one. */
export async function recordedKeyCheck(query: Query): Promise<string | null> {
  const tables = await query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'instance'")
  if (tables.length === 0) return null
  const [row] = await query('SELECT secret_key_check FROM instance')
  return row === undefined ? null : String(row.secret_key_check)
}

/** The environment variable or the file that holds the secret key. */
export function secretKeySource(config: Config): string {
  return config.secret_key !== '' ? environmentName('secret_key') : join(resolve(config.data_dir), 'secret.key')
}

/** The key in the data folder, or null without one. */
export function readSecretKey(config: Config): string | null {
  const file = join(resolve(config.data_dir), 'secret.key')
  if (!existsSync(file)) return null
  const key = readFileSync(file, 'utf8').trim()
  if (Buffer.byteLength(key) < 32) throw new ConfigError(`${file} does not hold a secret key.`)
  return key
}

/** Makes a key that only its owner can read. Another process that starts at the same time finds all of it or nothing. */
function makeSecretKey(config: Config): string {
  const folder = dataFolder(config)
  const file = join(folder, 'secret.key')
  const draft = `${file}-${crypto.randomUUID()}`
  try {
    writeFileSync(draft, `${newMasterKey()}\n`, { mode: 0o600, flag: 'wx', flush: true })
    linkSync(draft, file)
    syncPath(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readSecretKey(config)!
}

/** The address of the database: the setting, or the file in the data folder. */
export function databaseUrl(config: Config): string {
  return config.database_url !== '' ? config.database_url : `file:${join(dataFolder(config), 'masthead.db')}`
}

/** The data folder, created with mode 0700 when it is missing. The native module is unpacked below it. */
export function dataFolder(config: Config): string {
  const folder = resolve(config.data_dir)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new ConfigError(`The data folder ${folder} cannot be created: ${(error as Error).message}`)
  }
  unpackNativeModuleBelow(folder)
  return folder
}
