import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { eq } from 'drizzle-orm'
import { type Config, ConfigError } from './config.ts'
import { addToKeyFile, configuredKeys, filterKeyFile, keyFile, makeKeyFile, secretKeySource } from './key-file.ts'
import type { Clock } from './clock.ts'
import { errorFields, type Log } from './log.ts'
import { Keys, newMasterKey } from './secrets.ts'
import { isLoopback } from './setting-kinds.ts'
import { type FactLog, openFactLog } from './store/facts.ts'
import { unpackNativeModuleBelow } from './store/native-module.ts'
import { reseal, sealedByKey } from './store/sealed.ts'
import type { Store, Tx } from './store/store.ts'
import { fact_folders, secret_keys } from './store/tables/operation.ts'

type Query = Store['query']

/**
 * A warning about a sandbox mailbox that other machines can reach; null when they cannot. It also holds the service's
 * own messages, so anyone could request another user's password reset and read the link there.
 */
export function sandboxProblem({ sandbox, base_url, host }: Config): string | null {
  const names = [URL.parse(base_url)?.hostname ?? 'localhost', host === '::1' ? '[::1]' : host]
  const open = names.find((name) => !isLoopback(name))
  return sandbox && open !== undefined
    ? `Anyone who reaches ${open} can read the mailbox of the sandbox, with links for new passwords. Unset ` +
        'MASTHEAD_SANDBOX.'
    : null
}

/** The data was made with another secret key, or its key is missing. One line for the person who starts the service. */
export class SecretKeyError extends Error {}

/**
 * The key ring of a database. The first start makes a key; each start stores the check values of keys that are new to
 * the database. Throws SecretKeyError when the ring cannot read the database (docs/operations.md#secret-key).
 * @param warn gets a sentence about keys that are missing although nothing sealed needs them
 */
export async function openKeys(
  config: Config,
  store: Pick<Store, 'query' | 'write'>,
  now: number,
  warn: (message: string) => void = () => undefined,
): Promise<Keys> {
  // In this order: a process that starts at the same time makes the key before it records it.
  const recorded = await recordedKeys(store.query)
  if (configuredKeys(config).length === 0) {
    if (recorded.length > 0)
      throw new SecretKeyError(
        `${secretKeySource(config)} is missing. The database needs the key it was made with: copy it from a backup. ` +
          'When it is lost, run masthead secrets begin-anew.',
      )
    dataFolder(config)
    makeKeyFile(keyFile(config))
  }
  const keys = keysOf(config)
  // Another process may store its key first, so the record is compared again in the transaction.
  const problem = (await keyProblem(store.query, keys, config)) ?? (await recordKeys(store, keys, config, now))
  if (problem?.is_fatal) throw new SecretKeyError(problem.message)
  if (problem) warn(problem.message)
  return keys
}

/** The configured ring. A token with an unknown key id makes it read the key file again. */
export function keysOf(config: Config): Keys {
  const reread = (): string[] => {
    try {
      return configuredKeys(config)
    } catch {
      return [] // The file is damaged; the ring in memory stays.
    }
  }
  return new Keys(configuredKeys(config), config.secret_key === '' ? reread : null)
}

const FOLLOW_MS = 1_000

/**
 * Takes a changed key file into the ring of this thread, within a second. A file that cannot read the database is
 * reported and ignored. Answers a function that ends it.
 */
export function followKeyFile({ keys, config, store, log, clock }: Following): () => void {
  if (config.secret_key !== '') return () => undefined
  let seen = configuredKeys(config).join()
  const follow = async (): Promise<void> => {
    const masters = configuredKeys(config)
    if (masters.join() === seen) return
    seen = masters.join()
    if (masters.length === 0) throw new SecretKeyError(`${secretKeySource(config)} is missing.`)
    const candidate = new Keys(masters)
    const problem = await keyProblem(store.query, candidate, config)
    if (problem?.is_fatal) throw new SecretKeyError(problem.message)
    await recordKeys(store, candidate, config, clock.now())
    keys.replace(masters)
    log.info('the key ring changed', { newest: keys.newest_id })
  }
  let complaint = ''
  const timer = setInterval(() => {
    follow().catch((error: unknown) => {
      const { message } = error as Error
      if (message !== complaint) log.error('the changed key file is not used', errorFields(error))
      complaint = message
    })
  }, FOLLOW_MS)
  timer.unref()
  return () => clearInterval(timer)
}

interface Following {
  keys: Keys
  config: Config
  store: Pick<Store, 'query' | 'write'>
  log: Log
  clock: Clock
}

interface RecordedKey {
  key_id: string
  check_value: string
  created_at: number
}

/** The keys that the data was made with, the newest last; empty for a database that no service has opened. */
export async function recordedKeys(query: Query): Promise<RecordedKey[]> {
  const tables = await query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'secret_keys'")
  if (tables.length === 0) return []
  return (await query(
    'SELECT key_id, check_value, created_at FROM secret_keys ORDER BY id',
  )) as unknown as RecordedKey[]
}

interface KeyProblem {
  /** The ring cannot read the database. Otherwise only links of missing keys are dead. */
  is_fatal: boolean
  message: string
}

/** Finds keys that the database records and the key ring lacks; null when the ring has all. */
export async function keyProblem(query: Query, keys: Keys, config: Config): Promise<KeyProblem | null> {
  const recorded = await recordedKeys(query)
  const missing = missingKeys(recorded, keys)
  if (missing.length === 0) return null
  const source = secretKeySource(config)
  if (missing.includes(recorded.at(-1)!))
    return {
      is_fatal: true,
      message:
        `${source} is not the secret key that the database was made with. ` +
        `The database needs the key ${recorded.at(-1)!.key_id}.`,
    }
  const sealed = await sealedByKey(query)
  const needed = missing.filter(({ key_id }) => sealed.has(key_id))
  if (needed.length > 0)
    return {
      is_fatal: true,
      message: `${source} lacks the previous key ${idsOf(needed)}, which credentials in the database are sealed with.`,
    }
  return {
    is_fatal: false,
    message:
      `${source} lacks the previous key ${idsOf(missing)}. Links that were made with it no longer work. ` +
      `Add the key, or run masthead secrets forget.`,
  }
}

function missingKeys(recorded: readonly RecordedKey[], keys: Keys): RecordedKey[] {
  const own = new Map(keys.checks().map(({ key_id, check_value }) => [key_id, check_value]))
  return recorded.filter(({ key_id, check_value }) => own.get(key_id) !== check_value)
}

const idsOf = (recorded: readonly RecordedKey[]): string => recorded.map(({ key_id }) => key_id).join(', ')

/** Stores the keys that are new to the database, the oldest first; or answers why they do not belong to it. */
async function recordKeys(
  store: Pick<Store, 'query' | 'write'>,
  keys: Keys,
  config: Config,
  now: number,
): Promise<KeyProblem | null> {
  const known = new Set((await recordedKeys(store.query)).map(({ key_id }) => key_id))
  if (keys.checks().every(({ key_id }) => known.has(key_id))) return null
  await store.write(async (tx) => {
    const recorded = await tx.select().from(secret_keys).orderBy(secret_keys.id)
    const isStrange = recorded.length > 0 && missingKeys(recorded, keys).includes(recorded.at(-1)!)
    if (!isStrange) await recordIn(tx, keys, now)
  })
  return keyProblem(store.query, keys, config)
}

async function recordIn(tx: Tx, keys: Keys, created_at: number): Promise<void> {
  const rows = keys.checks().map((check) => ({ ...check, created_at }))
  await tx.insert(secret_keys).values(rows.reverse()).onConflictDoNothing()
}

/**
 * Makes a new key, puts it in front of the ring in the key file, and seals again what the database holds. It can be
 * killed anywhere: the file has every key that the database needs, and the next start or rotation does the rest.
 */
export async function rotateKeys(
  config: Config,
  store: Store,
  keys: Keys,
  now: number,
): Promise<{ resealed: number; unreadable: number }> {
  const master = newMasterKey()
  await store.write(async (tx) => {
    // The write lock of the transaction keeps two rotations from losing each other's key.
    addToKeyFile(keyFile(config), master)
    keys.replace(configuredKeys(config))
    await recordIn(tx, keys, now)
  })
  return reseal(store, keys)
}

/** Makes the ring the only keys of the database, after what other keys have sealed was dropped from it. */
export async function replaceRecordedKeys(tx: Tx, keys: Keys, now: number): Promise<void> {
  await tx.delete(secret_keys)
  await recordIn(tx, keys, now)
}

/** Forgets a previous key in the database and in the key file. The caller has checked that nothing needs it. */
export async function forgetKey(tx: Tx, config: Config, key_id: string): Promise<void> {
  if (config.secret_key === '') filterKeyFile(keyFile(config), (master) => new Keys(master).newest_id !== key_id)
  await tx.delete(secret_keys).where(eq(secret_keys.key_id, key_id))
}

/** The address of the database: the setting, or the file in the data folder. */
export function databaseUrl(config: Config): string {
  return config.database_url !== '' ? config.database_url : `file:${join(resolve(config.data_dir), 'masthead.db')}`
}

/** The folder of the handover journals (docs/api/delivery.md#handover-journal). */
export function journalFolder(config: Config): string {
  return join(resolve(config.data_dir), 'handover')
}

/** The folder of the facts (docs/operations.md#facts). */
export function factsFolder(config: Config): string {
  return join(resolve(config.data_dir), 'facts')
}

/** Opens the facts of the data folder for a thread that writes. */
export function openFacts(config: Config, now: number): FactLog {
  dataFolder(config)
  return openFactLog(factsFolder(config), now)
}

/** Records in a database which folder has its facts, so that a restore knows whether it has all of them. */
export async function recordFactFolder(store: Store, now: number): Promise<void> {
  const { facts } = store
  if (!facts) return
  const known = await store.query('SELECT 1 FROM fact_folders WHERE id = ?', [facts.folder_id])
  if (known.length > 0) return
  await store.write((tx) =>
    tx.insert(fact_folders).values({ id: facts.folder_id, first_used_at: now }).onConflictDoNothing(),
  )
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
